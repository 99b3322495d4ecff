"""Spread tasks over the workers of an executor, and repeat those of lost workers."""

from __future__ import annotations

import gc
import logging
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
from itertools import islice
from typing import Any, Final, ParamSpec, TypeVar

from engine.value_classes import Mutable

# ---- The workers

P = ParamSpec("P")
Result = TypeVar("Result")


class LostWorkersError(Exception):
    """Raised if the work cannot go on, because the workers or the scheduler were lost."""


class Crew:
    """The workers of an executor, which may be any `concurrent.futures.Executor`."""

    loss_errors: tuple[type[BaseException], ...] = (BrokenExecutor,)
    """The errors with which a future reports that its worker was lost."""

    def __init__(self, make_executor: Callable[[], Executor], window: int) -> None:
        """`make_executor` is called again after a BrokenExecutor; `window` is the number of tasks
        that are handed out at a time."""
        self.make_executor, self.window = make_executor, window

    def check(self) -> None:
        """Raise LostWorkersError if no task can end any more; called while no task ends."""

    def end(self, executor: Executor, stop_tasks: bool) -> None:
        """Release the workers after the last task; `stop_tasks` also stops the running tasks."""
        executor.shutdown(wait=not stop_tasks)


class ThisProcess(Crew):
    """A crew of one: this process does the tasks, one after the other."""

    def __init__(self) -> None:
        super().__init__(_SameProcess, 1)


class Processes(Crew):
    """Several processes on this machine."""

    def __init__(self, jobs: int) -> None:
        super().__init__(lambda: _Pool(jobs), 2 * jobs)
        self._other_processes = set(multiprocessing.active_children())

    def end(self, executor: Executor, stop_tasks: bool) -> None:
        """End the pool; with `stop_tasks`, also its processes (see Crew)."""
        if stop_tasks:
            for process in set(multiprocessing.active_children()) - self._other_processes:
                process.terminate()  # the pool notices that a process is gone, and ends
        super().end(executor, stop_tasks)


class Cluster(Crew):
    """The workers of a Dask scheduler.

    Raises ImportError if the library `distributed` is missing, OSError or ValueError if no
    scheduler answers at the address.
    """

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at `address`, within ten seconds."""
        import distributed  # this library has no type hints
        from distributed.scheduler import KilledWorker

        self.loss_errors = (KilledWorker, CancelledError)
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # pbem itself says what is wrong
        make_client: Any = distributed.Client
        self.address = address
        self.client = make_client(address, timeout="10s", set_as_default=False)
        # with pure=False, a repeated task gets a new name, so that it is really done again
        # some tasks wait at each worker, so that none is idle between two of them
        super().__init__(
            lambda: self.client.get_executor(pure=False), 4 * max(4, self.thread_count())
        )

    def thread_count(self) -> int:
        """Return the number of tasks that the cluster's workers can do at the same time now."""
        return sum(int(number) for number in self.client.nthreads().values())

    def check(self) -> None:
        """Check that the scheduler is there (see Crew): without it, no future would ever end."""
        if self.client.status == "closed":
            raise LostWorkersError(f"the connection to the scheduler at {self.address} was lost")

    def end(self, executor: Executor, stop_tasks: bool) -> None:
        """Release the cluster; with `stop_tasks`, do not wait for its tasks (see Crew)."""
        if self.client.status != "closed":
            super().end(executor, stop_tasks)
        self.client.close()


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _SameProcess(Executor):
    """An executor that calls each function immediately, in this process."""

    def submit(
        self, fn: Callable[P, Result], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[Result]:
        """Call the function now, in this process."""
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the caller that asks for the result gets it
            future.set_exception(error)
        return future


class _Pool(ProcessPoolExecutor):
    def __init__(self, jobs: int) -> None:
        # a forked process would inherit locks of threads; a new one has the same state everywhere
        super().__init__(jobs, multiprocessing.get_context("spawn"), _begin)

    def submit(
        self, fn: Callable[P, Result], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[Result]:
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


# ---- The tasks

Task = TypeVar("Task")

PATIENCE: Final = 2.0
"""Seconds without an ended task after which `run_tasks` asks the crew whether any task can end."""
MAX_RETRIES: Final = 3
"""The most repetitions of a task whose worker was lost."""


class Lost(Mutable):
    """The result of a task if every worker that did it was lost."""

    times: int


def run_tasks(
    work: Callable[[Task], Result], tasks: Iterable[Task], crew: Crew
) -> Generator[tuple[Task, Result | Lost]]:
    """Do `work` on every task; yields each task with its result, in the order in which tasks end.

    A task is taken from `tasks` only when a worker is about to need it. If a worker is lost, its
    task is repeated alone, so that no other task is blamed; after MAX_RETRIES its result is Lost.
    Raises what `work` raises, and LostWorkersError. Closing the iterator stops the running tasks.
    """
    executor, new_tasks = crew.make_executor(), iter(tasks)
    pending = dict[Future[Result], tuple[Task, int]]()
    """The tasks that are being done, each with the number of workers that it lost."""
    suspects = deque[tuple[Task, int]]()
    """The tasks that were being done when a worker was lost."""
    is_broken = False
    """Whether the executor takes no tasks any more; once all of its tasks have ended, it is
    replaced."""
    try:
        while True:
            if is_broken and not pending:
                executor.shutdown()
                executor, is_broken = crew.make_executor(), False
            new_count = 0 if suspects or is_broken else crew.window - len(pending)
            next_jobs = [(task, 0) for task in islice(new_tasks, new_count)]
            if suspects and not pending:
                next_jobs = [suspects.popleft()]
            for task, loss_count in next_jobs:
                pending[_submit(executor, work, task, crew)] = task, loss_count
            if not pending:
                return
            for future in _ended_futures(pending, crew):
                task, loss_count = pending.pop(future)
                try:
                    result = future.result()
                except crew.loss_errors as error:
                    if loss_count == MAX_RETRIES:
                        yield task, Lost(loss_count + 1)
                    else:
                        suspects.append((task, loss_count + 1))
                    is_broken = is_broken or isinstance(error, BrokenExecutor)
                else:
                    yield task, result
    finally:
        crew.end(executor, stop_tasks=bool(pending))


def _submit(
    executor: Executor, work: Callable[[Task], Result], task: Task, crew: Crew
) -> Future[Result]:
    """Give a task to the executor. If the executor has broken, return a future with that error, as
    if the task had met it. Raises LostWorkersError if no worker is left."""
    try:
        return executor.submit(work, task)
    except BrokenExecutor as error:  # the executor broke after the last result was taken
        future: Future[Result] = Future()
        future.set_exception(error)
        return future
    except Exception:
        crew.check()  # if no worker is left, say so
        raise


def _ended_futures(futures: Iterable[Future[Result]], crew: Crew) -> set[Future[Result]]:
    while not (ended := wait(futures, PATIENCE, return_when=FIRST_COMPLETED).done):
        crew.check()
    return ended
