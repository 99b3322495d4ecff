"""Run `sim`: choose who plays, save results meanwhile, and print them."""

from __future__ import annotations

import json as json_format
import shlex
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.failure import NOT_YET, CliError, say
from pbem.cli.progress import progress

if TYPE_CHECKING:
    from pbem.simulation.study import Study
    from pbem.workers.crew import Crew

ALONE = 1.0
"""Seconds that this process plays alone before it starts others: small studies need no more."""
SAVE_EVERY = 10.0
"""Seconds between two saves."""
FOR_PROGRAMS = ("sums", "complete", "asked", "played", "rules", "pbem")
"""The fields that only the JSON output has."""


def crew_for(jobs: int | None, scheduler: str | None) -> Callable[[], Crew] | None:
    """Return the function that starts the requested workers; None if the study's length decides who
    works."""
    from pbem.workers.crew import Here, Processes

    if scheduler is not None:
        return lambda: _cluster(scheduler)
    if jobs is None:
        return None
    return Here if jobs == 1 else lambda: Processes(jobs)


def _cluster(address: str) -> Crew:
    from pbem.workers.crew import Cluster

    try:
        crew = Cluster(address)
    except ImportError:
        told = "--scheduler needs the Python package `distributed`, which is not installed"
        raise CliError(told, "pip install 'pbem[cluster]'") from None
    except (OSError, ValueError, TypeError):
        told = f"there is no answer from a Dask scheduler at {address}"
        raise CliError(told, "dask scheduler prints its address when it starts") from None
    if not crew.threads():
        say("the scheduler has no workers yet; waiting for the first one")
    return crew


class SimRun:
    """One run of `sim`, with the results of its study so far.

    `study` is replaced in one step, so an interrupt cannot find it half changed.
    """

    def __init__(self, study: Study, save: Path | None, begun: Path | None, json: bool) -> None:
        self.study, self.path, self.json = study, save, json
        self._saved_at = 0.0
        if save and save.exists() and not (begun and begun.exists() and save.samefile(begun)):
            told = f"{save} already exists; nothing was overwritten"
            raise CliError(
                told, f"continue with --from {save} --save {save}, or choose a different file"
            )

    def play(self, make: Callable[[], Crew] | None) -> None:
        """Play the games that are missing. If the user interrupts, print the results so far.

        Raises KeyboardInterrupt, and CliError if the workers cannot go on.
        """
        from games.registry import UnknownGame
        from pbem.simulation.play_games import OtherVersionError
        from pbem.workers.crew import Here, LostWorkersError, Processes, cores

        try:
            with progress(len(self.study.asked), self.study.counts.games) as show:
                if make is None:
                    self._play(Here(), show, ALONE)
                    make = Here if cores() == 1 else lambda: Processes(cores())
                if not self.study.complete:
                    self._play(make(), show)
        except KeyboardInterrupt:
            self.print()
            say(self._how_to_go_on())
            raise
        except LostWorkersError as error:
            self.print()
            raise CliError(str(error), self._how_to_go_on(), NOT_YET) from None
        except (UnknownGame, OtherVersionError) as error:
            raise CliError(str(error), "install the same packages for all workers") from None

    def _play(self, crew: Crew, show: Callable[[int], None], most: float = float("inf")) -> None:
        from pbem.simulation.simulate import play

        until = time.monotonic() + most
        with closing(play(self.study, crew)) as studies:
            for self.study in studies:
                show(self.study.counts.games)
                self._save_now_and_then()
                if time.monotonic() > until:
                    return

    def _save_now_and_then(self) -> None:
        if self.path and (not self._saved_at or time.monotonic() > self._saved_at + SAVE_EVERY):
            self._save(self.path)
            self._saved_at = time.monotonic()

    def _save(self, path: Path) -> None:
        from pbem.storage.atomic_write import replace

        text = json_format.dumps(self.study.to_json()) + "\n"
        replace(path.absolute(), text.encode(), private=False)

    def print(self) -> None:
        """Save the study, and print its results."""
        from pbem.simulation.study import numbers_text

        if self.path:
            self._save(self.path)
        result = self.study.to_json()
        if self.json:
            print(json_format.dumps(result), flush=True)
            return
        for name, value in result.items():
            if name not in FOR_PROGRAMS:
                print(f"{name:20} {value}")
        if not self.study.complete or self.study.asked.start:
            print(f"{'played':20} {numbers_text(self.study.played)}")
        if not self.study.complete:
            print(f"{'incomplete':20} missing: {numbers_text(self.study.missing)}", flush=True)

    def _how_to_go_on(self) -> str:
        done = f"{self.study.counts.games} of {len(self.study.asked)} games have been played"
        if self.path:
            file = shlex.quote(str(self.path))
            return f"{done}; to continue: pbem sim --from {file} --save {file}"
        if self.json:
            how = "save this output to a file, then run `pbem sim --from` with that file"
            return f"{done}; to continue, {how}"
        return f"{done}; with --save FILE you can continue a study later"
