"""Play the games of a study that are missing, in batches, on several workers."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from time import perf_counter
from typing import Final

from pbem.simulation.play_games import Batch, play_batch
from pbem.simulation.study import Study, numbers_text
from pbem.workers.worker_pool import Crew, Lost, LostWorkersError, spread

BATCH_SECONDS: Final = 0.25
"""The target time of a batch in seconds: short, so that a lost worker costs little."""
BATCH_GAMES: Final = 1000
"""The most games of a batch."""


def play(study: Study, crew: Crew) -> Generator[Study]:
    """Play the games that are missing, with the workers of a crew; yield the study so far after
    each batch.

    Raises LostWorkersError, UnknownGame or OtherVersionError (a worker that cannot play these
    games), and what a bot raises. Closing the iterator ends the games that are being played.
    """
    pace, started_at, seconds_before = _Pace(), perf_counter(), study.seconds
    batches = (Batch(study.setup, numbers) for numbers in pace.cut(study.missing_numbers))
    with closing(spread(play_batch, batches, crew)) as results:
        for batch, result in results:
            if isinstance(result, Lost):
                clause = f"{result.times} workers that played {numbers_text([batch.numbers])}"
                raise LostWorkersError(
                    f"{clause} were lost; the computer may have run out of memory, or a bot may "
                    "have failed"
                )
            pace.adapt(len(batch.numbers), result.seconds)
            # the batches were played at the same time: what counts is the clock of this process
            new_seconds = seconds_before + perf_counter() - started_at - study.seconds
            study = study.plus([batch.numbers], result.counts, new_seconds)
            yield study


class _Pace:
    """Decides how many games a batch has, so that a batch takes only a moment."""

    def __init__(self) -> None:
        self.games = 1

    def adapt(self, games: int, seconds: float) -> None:
        """Choose the size of the next batches, after a batch of `games` took so many seconds. It
        grows at most twofold at a time."""
        fit = int(games * BATCH_SECONDS / max(seconds, 1e-9))
        self.games = max(1, min(fit, 2 * games, BATCH_GAMES))

    def cut(self, gaps: Sequence[range]) -> Iterator[range]:
        """Yield these numbers in batches; each has the size that is right when it is asked for."""
        for gap in gaps:
            remaining_numbers = gap
            while remaining_numbers:
                size = self.games
                yield remaining_numbers[:size]
                remaining_numbers = remaining_numbers[size:]
