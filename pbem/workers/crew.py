"""The workers for tasks: this process, several processes of this machine, or a Dask cluster."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures.process import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class LostWorkersError(Exception):
    """The work cannot go on, because the workers or the scheduler were lost."""


class Crew(Protocol):
    """Makes executors. Any `concurrent.futures.Executor` will do."""

    window: int
    """How many tasks are handed out at a time."""
    lost: tuple[type[BaseException], ...]
    """The errors of a future that say that its worker was lost."""

    def executor(self) -> Executor:
        """Make an executor; called again after a BrokenExecutor."""
        ...

    def check(self) -> None:
        """Called from time to time while no task ends.

        Raises LostWorkersError if no task can end any more.
        """
        ...

    def end(self, executor: Executor, at_once: bool) -> None:
        """Release everything after the last task; with `at_once`, also end the tasks that are
        running."""
        ...


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Here:
    """This process does the tasks, one after the other."""

    window = 1
    lost: tuple[type[BaseException], ...] = ()

    def executor(self) -> Executor:
        """See Crew."""
        return _AtOnce()

    def check(self) -> None:
        """See Crew."""

    def end(self, executor: Executor, at_once: bool) -> None:
        """See Crew."""


class Processes:
    """Several processes on this machine do the tasks."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, jobs: int) -> None:
        self.jobs, self.window = jobs, 2 * jobs
        self._others = set(multiprocessing.active_children())

    def executor(self) -> Executor:
        """See Crew."""
        return _Pool(self.jobs)

    def check(self) -> None:
        """See Crew: a pool notices lost processes without being asked."""

    def end(self, executor: Executor, at_once: bool) -> None:
        """See Crew."""
        for process in set(multiprocessing.active_children()) - self._others if at_once else ():
            process.terminate()  # the pool sees it, and ends
        executor.shutdown(wait=not at_once)


class Cluster:
    """The workers of a Dask scheduler.

    Raises ImportError without the library `distributed`, OSError or ValueError if no scheduler
    answers at the address.
    """

    def __init__(self, address: str) -> None:
        import logging

        import distributed  # without types
        from distributed.scheduler import KilledWorker

        self.lost: tuple[type[BaseException], ...] = (KilledWorker, CancelledError)
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # pbem says what is wrong
        self.address = address
        make: Any = distributed.Client
        self.client = make(address, timeout="10s", set_as_default=False)
        self.window = 4 * max(4, self.threads())

    def threads(self) -> int:
        """How many tasks the cluster's workers can do at a time now."""
        return sum(int(number) for number in self.client.nthreads().values())

    def executor(self) -> Executor:
        """See Crew. `pure=False`: a task that is done again has a separate name."""
        made: Executor = self.client.get_executor(pure=False)
        return made

    def check(self) -> None:
        """See Crew: the futures of a lost scheduler would never end."""
        if self.client.status == "closed":
            raise LostWorkersError(f"the scheduler at {self.address} is lost")

    def end(self, executor: Executor, at_once: bool) -> None:
        """See Crew."""
        if self.client.status != "closed":
            executor.shutdown(wait=not at_once)
        self.client.close()


class _AtOnce(Executor):
    """Does each task when it is submitted."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the caller that asks for the result gets it
            future.set_exception(error)
        return future


class _Pool(ProcessPoolExecutor):
    """A pool of processes that ignore Ctrl-C; only the process that started them ends them."""

    def __init__(self, jobs: int) -> None:
        # a forked process would inherit threads' locks; a new one has the same state everywhere
        super().__init__(jobs, multiprocessing.get_context("spawn"), _begin)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        with _no_interrupts():  # a process started here inherits the mask
            return super().submit(fn, *args, **kwargs)


def _begin() -> None:
    """The first thing that a process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where there is no mask to inherit
    gc.set_threshold(50_000)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, if the system can do that."""
    mask: Any = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)
