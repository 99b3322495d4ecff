"""Spread tasks over workers, yield each result as soon as it is ready, and repeat tasks of lost
workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pbem.workers.crew import Crew

T = TypeVar("T")
R = TypeVar("R")

PATIENCE: Final = 2.0
"""After this many seconds in which no task ends, spread asks the crew whether any task can end."""
RETRIES: Final = 3
"""How often a task is repeated because its worker was lost."""


@dataclass
class Lost:
    """The result of a task if every worker that did it was lost."""

    times: int


@dataclass
class _Job(Generic[T]):
    task: T
    losses: int = 0


def spread(work: Callable[[T], R], tasks: Iterable[T], crew: Crew) -> Generator[tuple[T, R | Lost]]:
    """Do `work` on every task; yields each task with its result, in the order in which tasks end.

    A task is taken from `tasks` only when a worker is about to need it. If a worker is lost, its
    task is repeated alone, so that no other task is blamed; after RETRIES repetitions its result is
    Lost. Raises what `work` raises, and LostWorkersError. Closing the iterator stops the tasks that
    are running.
    """
    run = _Run(work, tasks, crew)
    try:
        yield from run.results()
    finally:
        run.end()


class _Run(Generic[T, R]):
    def __init__(self, work: Callable[[T], R], tasks: Iterable[T], crew: Crew) -> None:
        self.work, self.tasks, self.crew = work, iter(tasks), crew
        self.executor = crew.executor()
        self.pending: dict[Future[R], _Job[T]] = {}
        self.suspects: deque[_Job[T]] = deque()
        """The tasks that were being done when a worker was lost."""

    def results(self) -> Iterator[tuple[T, R | Lost]]:
        while self._hand_out() or self.pending or self.suspects:
            done = wait(self.pending, PATIENCE, return_when=FIRST_COMPLETED).done
            if not done:
                self.crew.check()
            for future in done:
                job = self.pending.pop(future)
                try:
                    result = future.result()
                except self.crew.lost as error:
                    yield from self._lost(job, error)
                else:
                    yield job.task, result

    def _hand_out(self) -> bool:
        """Submit the tasks that can be submitted now; return whether there were any."""
        if self.suspects:
            return not self.pending and self._submit(self.suspects.popleft())
        handed = False
        while len(self.pending) < self.crew.window and not self.suspects:
            job = next(map(_Job, self.tasks), None)
            if job is None:
                break
            handed = self._submit(job)
        return handed

    def _submit(self, job: _Job[T]) -> bool:
        try:
            self.pending[self.executor.submit(self.work, job.task)] = job
        except BrokenExecutor as error:  # the executor broke after the last result was taken
            future: Future[R] = Future()
            future.set_exception(error)
            self.pending[future] = job
        except Exception:
            self.crew.check()  # if no worker is left, say so
            raise
        return True

    def _lost(self, job: _Job[T], error: BaseException) -> Iterator[tuple[T, Lost]]:
        job.losses += 1
        if job.losses > RETRIES:
            yield job.task, Lost(job.losses)
        else:
            self.suspects.append(job)
        if isinstance(error, BrokenExecutor) and not self.pending:
            self.executor.shutdown()
            self.executor = self.crew.executor()

    def end(self) -> None:
        """Stop the executor and the tasks that it is still doing."""
        self.crew.end(self.executor, at_once=bool(self.pending))
