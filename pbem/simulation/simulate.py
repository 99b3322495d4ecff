"""Play the games of a study in batches, and report after each batch.

The results do not depend on who plays the batches.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from time import perf_counter
from typing import Any, Final

from engine.ruleset import Ruleset
from pbem.simulation.play_games import Batch, play_batch, play_numbers, setup_of
from pbem.simulation.study import Study, numbers_text
from pbem.workers.crew import Crew, LostWorkersError
from pbem.workers.spread import Lost, spread

BATCH_SECONDS: Final = 0.25
"""The target time of a batch in seconds: short, so that a lost worker costs little."""
BATCH_GAMES: Final = 1000
"""The most games of a batch."""


def simulate(
    ruleset: Ruleset[Any],
    players: int,
    games: int,
    seed: int,
    bots: Sequence[str] = ("random",),
    options: Mapping[str, str] | None = None,
    orders: str = "",
) -> dict[str, Any]:
    """Play this number of games in this process, and return the counts as plain data for JSON.

    ``bots`` is one name for all seats or one for each seat. Everything except ``seconds`` is the
    same on every run, machine and Python: totals are whole numbers, and chance depends only on
    ``seed``. Raises ValueError for a number of players, a bot or an option that the ruleset does
    not know.
    """
    setup, numbers = setup_of(ruleset, players, seed, bots, options, orders), range(games)
    done = play_numbers(ruleset, setup, numbers)
    return Study(setup, numbers).plus([numbers], done.counts, done.seconds).to_json()


def play(study: Study, crew: Crew) -> Generator[Study]:
    """Play the games that are missing; yields the study so far after each batch.

    Raises LostWorkersError, UnknownGame or OtherVersionError (a worker that cannot play these
    games), and what a bot raises. Closing the iterator ends the games that are being played.
    """
    pace, began, before = _Pace(), perf_counter(), study.seconds
    batches = (Batch(study.setup, numbers) for numbers in pace.cut(study.missing))
    with closing(spread(play_batch, batches, crew)) as results:
        for batch, result in results:
            if isinstance(result, Lost):
                told = f"{result.times} workers that played {numbers_text([batch.numbers])}"
                raise LostWorkersError(
                    f"{told} were lost; the computer may have run out of memory, or a bot may "
                    "have failed"
                )
            pace.saw(len(batch.numbers), result.seconds)
            passed = before + perf_counter() - began - study.seconds
            study = study.plus([batch.numbers], result.counts, passed)
            yield study


class _Pace:
    """Decides how many games a batch has, so that a batch takes only a moment."""

    def __init__(self) -> None:
        self.games = 1

    def saw(self, games: int, seconds: float) -> None:
        """Learn how long a batch took; the next batch has at most twice as many games."""
        fit = int(games * BATCH_SECONDS / max(seconds, 1e-9))
        self.games = max(1, min(fit, 2 * games, BATCH_GAMES))

    def cut(self, gaps: Sequence[range]) -> Iterator[range]:
        """Split the numbers into batches; the size of each is decided when the caller asks for
        it."""
        for gap in gaps:
            rest = gap
            while rest:
                size = self.games
                yield rest[:size]
                rest = rest[size:]
