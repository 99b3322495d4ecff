"""The most memory that a command takes, late in a long game, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.late_turns import Arrival, arrival
from bench.make_games import LONG_TURNS, make_long
from bench.startup import PBEM, SEED

COMMANDS = ("status", "show", "submit")


@dataclass(frozen=True)
class Memory:
    """The most memory of a process, in bytes."""

    name: str
    size: int

    def line(self) -> str:
        """The memory as a line of the table."""
        return f"{self.name:48} {self.size / 1e6:7.1f}              MB"


def rows(late: int = LONG_TURNS) -> Iterator[Memory]:
    """A Python that does nothing, commands when that turn has just arrived, and the audit."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        making = make_long(place / "long", SEED, least=late)
        seat = min(seat for at, seat in making.texts if at == late)
        player = arrival(making, place / "player", late, seat)
        referee = arrival(making, place / "referee", late, "referee")
        yield Memory("memory, python -c pass", most((sys.executable, "-c", "pass"), player.home))
        for name in COMMANDS:
            yield _of(name, player, late)
        yield _of("advance", referee, late)
        words = (PBEM, "audit", str(making.wish.folder))
        yield Memory(f"memory, audit of {late} turns", most(words, player.home))


def _of(name: str, at: Arrival, turn: int) -> Memory:
    return Memory(f"memory, {name}, turn {turn}", most(at.words(name), at.home))


def most(words: Sequence[str], home: Path) -> int:
    """Run the command and return the most memory it held, in bytes.

    Raises CalledProcessError if it fails.
    """
    environment = {**os.environ, "PBEM_HOME": str(home)}
    small = [sys.executable, "-S", "-E", "-c", STARTER, *words]
    told = subprocess.run(small, env=environment, check=True, capture_output=True)
    return int(told.stdout) * (1 if sys.platform == "darwin" else 1024)


STARTER = """
import os, sys
nothing = [(os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=nothing)
_, status, used = os.wait4(child, 0)
print(used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Starts the command from a small process: Linux counts the memory of whoever starts a command as
the command's own."""
