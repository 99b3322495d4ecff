"""The parts of every benchmark: tasks that take turns, commands as tasks, and rows of a table."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

Task = Callable[[int], int]
"""Does its share of work in the round with this number, and returns the number of things done."""


@dataclass(frozen=True)
class Row:
    """One comparison with a peer: the time for one thing."""

    name: str
    own_seconds: float
    peer_seconds: float
    peer_name: str
    aim: float | None = None
    """The greatest ratio that is good enough; None if there is no aim."""

    @property
    def ratio(self) -> float:
        """The ratio of the times; below 1 is faster than the peer."""
        return self.own_seconds / self.peer_seconds

    def line(self) -> str:
        """Return the row as a line of the table."""
        aim = f"aim ≤ {self.aim:g}" if self.aim else ""
        own_time, peer_time = in_units(self.own_seconds), in_units(self.peer_seconds)
        times = f"{own_time:>9} against {peer_time:>9}  {self.peer_name}"
        return f"{self.name:48} {self.ratio:7.2f}  {aim:10}  {times}"


@dataclass(frozen=True)
class Rate:
    """A number of things per second."""

    name: str
    rate: float
    aim: float
    """The least rate that is good enough."""
    peer_note: str
    """The rates that others reached, on other machines; only shown."""

    def line(self) -> str:
        """The row as a line of the table."""
        return f"{self.name:48} {self.rate:5.0f}/s  aim ≥ {self.aim:<4g}  {self.peer_note}"


@dataclass(frozen=True)
class Figure:
    """One figure without a peer."""

    name: str
    value: float
    unit: str
    aim: float | None = None
    """The greatest value that is good enough; None if there is no aim."""

    def line(self) -> str:
        """The row as a line of the table."""
        aim = f"aim ≤ {self.aim:g}" if self.aim else ""
        return f"{self.name:48} {self.value:7.2f}  {aim:10}  {self.unit}"


def take_turns(
    tasks: Mapping[str, Task],
    rounds: int,
    summarize: Callable[[list[float]], float] = median,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return the seconds for one thing of each task, by name: the median of the rounds, or what
    ``summarize`` computes from them. ``clock`` returns seconds.

    In every round each task does its share, one after the other, so that other work on the machine
    affects all of them alike. The first round warms up and is not counted.
    """
    seconds_by_task: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, task in tasks.items():
            started_at = clock()
            count = task(number)
            seconds = clock() - started_at
            if number:
                seconds_by_task[name].append(seconds / count)
    return {name: summarize(rounds_seconds) for name, rounds_seconds in seconds_by_task.items()}


def in_units(seconds: float) -> str:
    """Return a time as people read it."""
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


# ---- Commands as tasks: each run is a process of its own, whose processor time counts

PBEM = str(Path(sys.executable).with_name("pbem"))


def children() -> float:
    """Return the processor time of all child processes that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def command(*words: str, home: Path | None = None, ends: Sequence[int] = (0,)) -> Task:
    """Return a task that runs the command once. It raises CalledProcessError for an exit code that
    is not among `ends`."""
    environment = {**os.environ, **({"PBEM_HOME": str(home)} if home else {})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed pbem is compiled

    def run(number: int) -> int:
        finished = subprocess.run(words, env=environment, capture_output=True)
        if finished.returncode not in ends:
            finished.check_returncode()
        return 1

    return run
