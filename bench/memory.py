"""The most memory that a command takes, late in a long game, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.commands_late_in_game import Arrival, arrival
from bench.make_games import LONG_TURNS, SEED, make_long
from bench.timed_tasks_and_result_rows import PBEM

COMMANDS = ("status", "show", "submit")


@dataclass(frozen=True)
class Memory:
    """The most memory of a process, in bytes."""

    name: str
    size: int

    def line(self) -> str:
        """Return the memory as a line of the table."""
        return f"{self.name:48} {self.size / 1e6:7.1f}              MB"


def rows(late_turn: int = LONG_TURNS) -> Iterator[Memory]:
    """Yield a Python that does nothing, commands when that turn has just arrived, and the audit."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        game = make_long(place / "long", SEED, min_turns=late_turn)
        seat = min(seat for turn, seat in game.texts if turn == late_turn)
        player = arrival(game, place / "player", late_turn, seat)
        referee = arrival(game, place / "referee", late_turn, "referee")
        pass_memory = peak_memory((sys.executable, "-c", "pass"), player.home)
        yield Memory("memory, python -c pass", pass_memory)
        for name in COMMANDS:
            yield _memory_of(name, player, late_turn)
        yield _memory_of("advance", referee, late_turn)
        words = (PBEM, "audit", str(game.setup.folder))
        yield Memory(f"memory, audit of {late_turn} turns", peak_memory(words, player.home))


def _memory_of(name: str, arrival: Arrival, turn: int) -> Memory:
    return Memory(f"memory, {name}, turn {turn}", peak_memory(arrival.words(name), arrival.home))


def peak_memory(words: Sequence[str], home: Path) -> int:
    """Run the command and return the most memory it held, in bytes.

    Raises CalledProcessError if it fails.
    """
    environment = {**os.environ, "PBEM_HOME": str(home)}
    starter = [sys.executable, "-S", "-E", "-c", STARTER, *words]
    finished = subprocess.run(starter, env=environment, check=True, capture_output=True)
    return int(finished.stdout) * (1 if sys.platform == "darwin" else 1024)


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
