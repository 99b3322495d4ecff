"""What every benchmark needs: tasks that take turns, and rows of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

Task = Callable[[int], int]
"""Does its share of work in the round with this number; returns how many things it did."""


@dataclass(frozen=True)
class Row:
    """One comparison: seconds for one thing, ours and the peer's, and the ratio we aim at."""

    name: str
    ours: float
    peer: float
    peer_name: str
    aim: float | None = None

    @property
    def ratio(self) -> float:
        """Below 1 is faster than the peer."""
        return self.ours / self.peer

    def line(self) -> str:
        """The row as a line of the table."""
        aim = f"aim ≤ {self.aim:g}" if self.aim else ""
        times = f"{in_units(self.ours):>9} against {in_units(self.peer):>9}  {self.peer_name}"
        return f"{self.name:48} {self.ratio:7.2f}  {aim:10}  {times}"


@dataclass(frozen=True)
class Rate:
    """How many things per second, and how many we aim at; what others reached is only shown."""

    name: str
    rate: float
    aim: float
    others: str

    def line(self) -> str:
        """The row as a line of the table."""
        return f"{self.name:48} {self.rate:5.0f}/s  aim ≥ {self.aim:<4g}  {self.others}"


@dataclass(frozen=True)
class Figure:
    """One figure, and the most that we aim at, if we aim at something."""

    name: str
    value: float
    unit: str
    aim: float | None = None

    def line(self) -> str:
        """The row as a line of the table."""
        aim = f"aim ≤ {self.aim:g}" if self.aim else ""
        return f"{self.name:48} {self.value:7.2f}  {aim:10}  {self.unit}"


def take_turns(
    tasks: Mapping[str, Task],
    rounds: int,
    of: Callable[[list[float]], float] = median,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Seconds for one thing of each task: the median of the rounds, or what ``of`` computes.

    In every round each task does its share, one after the other, so that other work on the machine
    affects all of them alike. The first round warms up and is not counted.
    """
    took: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, task in tasks.items():
            began = clock()
            done = task(number)
            seconds = clock() - began
            if number:
                took[name].append(seconds / done)
    return {name: of(found) for name, found in took.items()}


def in_units(seconds: float) -> str:
    """A time as people read it."""
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
