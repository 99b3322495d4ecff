"""Spread tasks over processes or a Dask cluster, and repeat those of lost workers."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from concurrent.futures.process import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, Generic, ParamSpec, TypeVar

from engine.values import Mutable

# ---- Who does the tasks

P = ParamSpec("P")
R = TypeVar("R")


class LostWorkersError(Exception):
    """Raised if the work cannot go on, because the workers or the scheduler were lost."""


class Crew:
    """A source of executors, which may be any `concurrent.futures.Executor`.

    Nothing is to be checked or released, unless a crew says otherwise.
    """

    window: int
    """The number of tasks that are handed out at a time."""
    loss_errors: tuple[type[BaseException], ...]
    """The errors with which a future reports that its worker was lost."""

    def executor(self) -> Executor:
        """Make an executor; this is called again after a BrokenExecutor."""
        raise NotImplementedError

    def check(self) -> None:
        """Check that tasks can still end; called from time to time while no task ends.

        Raises LostWorkersError if no task can end any more.
        """

    def end(self, executor: Executor, stop_tasks: bool) -> None:
        """Release everything after the last task; `stop_tasks` also stops the running tasks."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Here(Crew):
    """This process does the tasks, one after the other."""

    window = 1
    loss_errors: tuple[type[BaseException], ...] = ()

    def executor(self) -> Executor:
        """Make an executor that works in this process (see Crew)."""
        return _AtOnce()


class Processes(Crew):
    """Several processes on this machine do the tasks."""

    loss_errors: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, jobs: int) -> None:
        self.jobs, self.window = jobs, 2 * jobs
        self._other_processes = set(multiprocessing.active_children())

    def executor(self) -> Executor:
        """Make a pool of processes (see Crew)."""
        return _Pool(self.jobs)

    def end(self, executor: Executor, stop_tasks: bool) -> None:
        """End the pool; with `stop_tasks`, also end its tasks (see Crew)."""
        for process in (
            set(multiprocessing.active_children()) - self._other_processes if stop_tasks else ()
        ):
            process.terminate()  # the pool notices that a process is gone, and ends
        executor.shutdown(wait=not stop_tasks)


class Cluster(Crew):
    """The workers of a Dask scheduler.

    Raises ImportError if the library `distributed` is missing, OSError or ValueError if no
    scheduler answers at the address.
    """

    def __init__(self, address: str) -> None:
        import logging

        import distributed  # this library has no type hints
        from distributed.scheduler import KilledWorker

        self.loss_errors: tuple[type[BaseException], ...] = (KilledWorker, CancelledError)
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # pbem itself says what is wrong
        self.address = address
        make: Any = distributed.Client
        self.client = make(address, timeout="10s", set_as_default=False)
        self.window = 4 * max(4, self.threads())

    def threads(self) -> int:
        """Return the number of tasks that the cluster's workers can do at the same time now."""
        return sum(int(number) for number in self.client.nthreads().values())

    def executor(self) -> Executor:
        """Make an executor on the cluster (see Crew). With `pure=False`, a repeated task gets a new
        name, so that it is really done again."""
        executor: Executor = self.client.get_executor(pure=False)
        return executor

    def check(self) -> None:
        """Check that the scheduler is there (see Crew): the futures of a lost scheduler would never
        end."""
        if self.client.status == "closed":
            raise LostWorkersError(f"the connection to the scheduler at {self.address} was lost")

    def end(self, executor: Executor, stop_tasks: bool) -> None:
        """Release the cluster; with `stop_tasks`, do not wait for its tasks (see Crew)."""
        if self.client.status != "closed":
            executor.shutdown(wait=not stop_tasks)
        self.client.close()


class _AtOnce(Executor):
    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the caller that asks for the result gets it
            future.set_exception(error)
        return future


class _Pool(ProcessPoolExecutor):
    def __init__(self, jobs: int) -> None:
        # a forked process would inherit locks of threads; a new one has the same state everywhere
        super().__init__(jobs, multiprocessing.get_context("spawn"), _begin)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        with _no_interrupts():  # a process that is started in this block inherits the signal mask
            return super().submit(fn, *args, **kwargs)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for systems that have no signal mask to inherit
    gc.set_threshold(50_000)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, if the system can do that."""
    mask: Any = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    old_mask = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, old_mask)


# ---- Spreading the tasks

T = TypeVar("T")

PATIENCE: Final = 2.0
"""After this many seconds in which no task ends, spread asks the crew whether any task can end."""
RETRIES: Final = 3
"""The most repetitions of a task whose worker was lost."""


class Lost(Mutable):
    """The result of a task if every worker that did it was lost."""

    times: int


class _Job(Mutable, Generic[T]):
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
            ended_futures = wait(self.pending, PATIENCE, return_when=FIRST_COMPLETED).done
            if not ended_futures:
                self.crew.check()
            for future in ended_futures:
                job = self.pending.pop(future)
                try:
                    result = future.result()
                except self.crew.loss_errors as error:
                    yield from self._take_loss(job, error)
                else:
                    yield job.task, result

    def _hand_out(self) -> bool:
        """Submit the tasks that can be submitted now; return whether there were any."""
        if self.suspects:
            return not self.pending and self._submit(self.suspects.popleft())
        is_handed_out = False
        while len(self.pending) < self.crew.window and not self.suspects:
            job = next(map(_Job, self.tasks), None)
            if job is None:
                break
            is_handed_out = self._submit(job)
        return is_handed_out

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

    def _take_loss(self, job: _Job[T], error: BaseException) -> Iterator[tuple[T, Lost]]:
        job.losses += 1
        if job.losses > RETRIES:
            yield job.task, Lost(job.losses)
        else:
            self.suspects.append(job)
        if isinstance(error, BrokenExecutor) and not self.pending:
            self.executor.shutdown()
            self.executor = self.crew.executor()

    def end(self) -> None:
        self.crew.end(self.executor, stop_tasks=bool(self.pending))
