"""The command `sim`: many games of bots, without files."""

from __future__ import annotations

import json as json_format
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from games.registry import UnknownGame
from pbem.acts.card_file import read_card_file
from pbem.acts.new_game import read_options
from pbem.cli.options import JobsOption, JsonOption, RulesOption, complete_game
from pbem.errors import NOT_YET, CliError, to_install
from pbem.files.disk import replace
from pbem.judge.rules import ruleset_with
from pbem.simulation.play import OtherVersionError, Setup, setup_of
from pbem.simulation.study import (
    Study,
    StudyError,
    check_same,
    merged,
    numbers_text,
    play,
    read_study,
)
from pbem.terminal.output import progress
from pbem.terminal.terminal import print_folded, say, stdout_style
from pbem.wording.studies import NO_WORKERS_SENTENCE, progress_line, study_lines
from pbem.workers.crew import Cluster, Crew, LostWorkersError, Processes, ThisProcess, cores

GAMES = 100
"""How many games are played, unless the user says how many."""
MOST = 10**12
ALONE = 1.0
"""Seconds that this process plays alone before it starts others: small studies need no more."""
SAVE_EVERY = 10.0


def sim(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            autocompletion=complete_game,
            help="The ruleset. With --merge, the files that --save wrote.",
            show_default=False,
        ),
    ] = None,
    players: Annotated[
        int,
        typer.Option(
            help="The number of players (default: the fewest that the ruleset allows).",
            show_default=False,
        ),
    ] = 0,
    number: Annotated[
        int | None,
        typer.Option(
            "--games", metavar="NUMBER", min=1, help="The number of games (default: 100)."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="The seed of all decks and dice (default: 1)."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="One bot for all seats, or one per seat, separated by commas: a,b (default: "
            "greedy).",
        ),
    ] = None,
    option: RulesOption = None,
    cards: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Play with the card values in this file (pbem explain --cards-template prints "
            "one).",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            autocompletion=complete_game,
            help="Also play each game with this ruleset, and compare the two.",
        ),
    ] = None,
    orders: Annotated[
        str | None,
        typer.Option(
            metavar="WAY",
            help="Let the bots send orders, and count the waves (how many times players must "
            "exchange mail). The value says how they answer: ask (one question at a time), "
            "policy (cards when asked, the rest by standing orders) or whole (everything at the "
            "start of the round). To use a different way in each seat, separate the ways by "
            "commas: a,b.",
        ),
    ] = None,
    first: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=0, help="The number of the first game (default: 0)."),
    ] = None,
    jobs: JobsOption = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on the workers of this Dask scheduler."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save the results to this file, even if the study is not finished."
        ),
    ] = None,
    begun: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Continue the study in this file.")
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="Combine the results in several saved files.")
    ] = False,
    by_card: Annotated[
        bool, typer.Option("--by-card", help="Also print the tables of the cards.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Bots play games without files, on all cores; print what they tell about seats, bots, traits
    and cards."""
    if scheduler and jobs:
        problem = "--jobs sets the number of processes on this computer"
        raise CliError(f"{problem} and cannot be combined with --scheduler")
    others = (
        players, number, seed, bots, option, cards, against, orders, first, jobs, scheduler, begun,
    )  # fmt: skip
    if merge and any(one not in (None, 0, []) for one in others):
        raise CliError("--merge takes files, --save and --json, and nothing else")
    try:
        if merge:
            study = _merged(words or [])
        else:
            saved = read_study(begun) if begun else None
            name = _game(words or [], saved, begun)
            setup = _setup(name, saved, players, seed, bots, option, orders, cards, against)
            study = _study(setup, saved, begun, first, number)
    except StudyError as error:
        raise CliError(str(error)) from None
    if save and save.exists() and not (begun and save.samefile(begun)):
        how = f"continue with --from {save} --save {save}, or choose a different file"
        raise CliError(f"{save} already exists; nothing was overwritten", how)
    run = SimRun(study, save, json, by_card=by_card)
    if not merge:
        run.play(jobs, scheduler)
    run.print()


def _merged(files: Sequence[str]) -> Study:
    if not files:
        raise CliError("give the files to merge", "pbem sim --merge ONE.json OTHER.json")
    whole = read_study(Path(files[0]))
    for file in files[1:]:
        try:
            whole = merged([whole, read_study(Path(file))])
        except StudyError as error:
            raise StudyError(f"{file} cannot be merged with the others: {error}") from None
    return whole


def _game(words: Sequence[str], saved: Study | None, begun: Path | None) -> str:
    if len(words) > 1:
        raise CliError(f"name only one game, not {len(words)}", "pbem sim -h")
    if saved is None:
        if not words:
            raise CliError("name the game to play, or give saved results with --from", "pbem games")
        return words[0]
    name = saved.setup.game
    if words and words[0] != name:
        problem = f"the game differs: {name} and {words[0]}"
        raise CliError(f"{begun} does not match this study: {problem}")
    return name


def _setup(
    name: str,
    saved: Study | None,
    players: int,
    seed: int | None,
    bots: str | None,
    options: Sequence[str] | None,
    orders: str | None,
    cards: Path | None,
    against: str | None,
) -> Setup:
    try:
        ruleset_with(name)  # a game that is unknown is said first
        card_text = read_card_file(cards, name) if cards else saved.setup.cards if saved else ""
        played = ruleset_with(name, card_text)
        base = saved.setup if saved else setup_of(played, played.players[0], 1)
        rival = base.against if against is None else against
        players = players or base.players
        usual = base.bots if saved and players == base.players else ()
        return setup_of(
            played,
            players,
            base.seed if seed is None else seed,
            bots.split(",") if bots else usual,
            read_options(options or ()) or base.options,
            base.orders if orders is None else orders,
            card_text,
            ruleset_with(rival) if rival else None,
        )
    except (UnknownGame, ValueError) as error:
        raise CliError(str(error)) from None


def _study(
    setup: Setup, saved: Study | None, begun: Path | None, first: int | None, number: int | None
) -> Study:
    if first is None:
        first = saved.requested.start if saved else 0
    asked = range(first, first + (number or (len(saved.requested) if saved else GAMES)))
    if asked.stop > MOST:
        raise CliError(f"a study has at most {MOST} games")
    if saved is None:
        return Study(setup, asked)
    try:
        check_same(saved.setup, setup)
        return saved.asking(asked)
    except StudyError as error:
        raise StudyError(f"{begun} does not match this study: {error}") from None


# ---- Play the games, save the results meanwhile, and print them


class SimRun:
    """One run of `sim`, with the results of its study so far.

    `study` is replaced in one step, so an interrupt cannot find it half changed.
    """

    def __init__(self, study: Study, save: Path | None, json: bool, *, by_card: bool) -> None:
        self.study, self.path, self.json, self.by_card = study, save, json, by_card
        self._saved_at = 0.0

    def play(self, jobs: int | None, scheduler: str | None) -> None:
        """Play the games that are missing. If the user interrupts, print the results so far.

        Raises KeyboardInterrupt, and CliError if the workers cannot go on.
        """
        try:
            with progress(len(self.study.requested), self.study.counts.games) as show:
                if jobs is None and scheduler is None:
                    self._play(ThisProcess(), show, ALONE)
                if not self.study.complete:
                    self._play(_crew(jobs, scheduler), show)
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
        until = time.monotonic() + most
        with closing(play(self.study, crew)) as studies:
            for self.study in studies:
                show(self.study.counts.games)
                if not self._saved_at or time.monotonic() > self._saved_at + SAVE_EVERY:
                    self._save()
                    self._saved_at = time.monotonic()
                if time.monotonic() > until:
                    return

    def _save(self) -> None:
        if self.path:
            text = json_format.dumps(self.study.to_json()) + "\n"
            replace(self.path.absolute(), text.encode(), private=False)

    def print(self) -> None:
        """Save the study, and print its results."""
        self._save()
        result = self.study.to_json()
        if self.json:
            print(json_format.dumps(result), flush=True)
            return
        for line in study_lines(result, by_card=self.by_card):
            print_folded(line, 0) if "  " not in line else print(stdout_style().encodable(line))
        if not self.study.complete or self.study.requested.start:
            print(f"played: {numbers_text(self.study.played)}")
        if not self.study.complete:
            print(f"missing: {numbers_text(self.study.missing_numbers)}", flush=True)

    def _how_to_go_on(self) -> str:
        path = shlex.quote(str(self.path)) if self.path else ""
        game_count, total = self.study.counts.games, len(self.study.requested)
        return progress_line(game_count, total, path, has_json=self.json)


def _crew(jobs: int | None, scheduler: str | None) -> Crew:
    if scheduler is None:
        jobs = jobs or cores()
        return ThisProcess() if jobs == 1 else Processes(jobs)
    try:
        crew = Cluster(scheduler)
    except ImportError:
        problem = "--scheduler needs the Python package `distributed`, which is not installed"
        raise CliError(problem, to_install("distributed")) from None
    except (OSError, ValueError, TypeError):
        problem = f"there is no answer from a Dask scheduler at {scheduler}"
        raise CliError(problem, "dask scheduler prints its address when it starts") from None
    if not crew.thread_count():
        say(NO_WORKERS_SENTENCE)
    return crew
