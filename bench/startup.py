"""How long commands take to start: against a Python that does nothing, and late in a long game.

Each is a separate process, in the environment's Python, never through a shim. What counts is
its processor time, the least of the rounds: the commands wait for nothing, so this is the time
that passes on an idle machine; other work on the machine only adds to it.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.make_games import LONG_TURNS, Making, make_long
from bench.measure import Row, Task, take_turns
from pbem.files.home import Home
from pbem.format.keys import write_key

ROUNDS = 40
SEED = 1
EARLY = 2
PBEM = str(Path(sys.executable).with_name("pbem"))


@dataclass(frozen=True)
class Desk:
    """A player at one turn of the long game: the game's folder, their home, their order file."""

    folder: Path
    home: Path
    orders: Path

    def check(self) -> Task:
        """``pbem check`` of these orders."""
        return self.run("check", "--folder", str(self.folder), str(self.orders))

    def run(self, *words: str) -> Task:
        """A command of this player, whose home has kept what earlier commands found out."""
        return command(PBEM, *words, home=self.home)

    def cold(self, *words: str) -> Task:
        """The same command, in a home that holds only the player's keys."""
        task, keys = self.run(*words), self.home / "profiles"

        def run(number: int) -> int:
            for path in self.home.iterdir():
                if path.is_dir() and path != keys:
                    shutil.rmtree(path)
            return task(number)

        return run


def children() -> float:
    """Seconds of processor time that the processes we started have taken so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(*words: str, home: Path | None = None, ends: Sequence[int] = (0,)) -> Task:
    """A task that runs the command once. Raises CalledProcessError for any other exit code."""
    environment = {**os.environ, **({"PBEM_HOME": str(home)} if home else {})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed pbem is compiled

    def run(number: int) -> int:
        done = subprocess.run(words, env=environment, capture_output=True)
        if done.returncode not in ends:
            done.check_returncode()
        return 1

    return run


def desk(making: Making, place: Path, turn: int) -> Desk:
    """The first player who is asked after this turn, with the answer that they gave."""
    seat = min(seat for at, seat in making.texts if at == turn)
    folder, orders = place / "savannah", place / "orders.toml"
    shutil.copytree(making.wish.folder, folder, ignore=_after(turn))
    write_orders(orders, seat, making.texts[turn, seat])
    home = Home(place / "home")
    home.write_key("default", write_key(making.wish.key(seat)))
    return Desk(folder, home.root, orders)


def write_orders(path: Path, seat: str, texts: Sequence[str]) -> None:
    """Write the lines of a seat's orders as a person would write them."""
    lines: dict[str, list[str]] = {}
    for text in texts:
        kind, _, sentence = text.partition(": ")
        lines.setdefault(kind, []).append(sentence)
    written = [f'seat = "{seat}"', *(f"{kind} = {said}" for kind, said in lines.items())]
    path.write_text("\n".join([*written, ""]), encoding="utf-8")


def _after(turn: int) -> Callable[[str, list[str]], list[str]]:
    """The files that were not there yet when this turn had been made."""

    def ignore(place: str, names: list[str]) -> list[str]:
        if Path(place).name == "turns":
            return [name for name in names if int(name[:4]) > turn]
        if Path(place).name == "orders":
            return [name for name in names if int(name[:4]) >= turn]
        return [name for name in names if name == "final.toml"]

    return ignore


def rows(rounds: int = ROUNDS, players: int = 5, late: int = LONG_TURNS) -> Iterator[Row]:
    """The help page, ``check`` early and late, and other commands early."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        making = make_long(place / "long", SEED, players, late)
        early = desk(making, place / "early", EARLY)
        cold = desk(making, place / "cold", EARLY)
        tasks = {
            "pass": command(sys.executable, "-c", "pass"),
            "help": command(PBEM, "--help"),
            "early": early.check(),
            "show": early.run("show", "--folder", str(early.folder)),
            "list": early.run("list"),
            "status": cold.cold("status", "--folder", str(cold.folder)),
            "late": desk(making, place / "late", late).check(),
        }
        took = take_turns(tasks, rounds, of=min, clock=children)
    nothing = "python -c pass"
    yield Row("pbem --help", took["help"], took["pass"], nothing, 9)
    yield Row(f"pbem check, turn {EARLY}", took["early"], took["pass"], nothing, 11)
    yield Row(f"pbem show, turn {EARLY}", took["show"], took["pass"], nothing, 11)
    yield Row("pbem list, one game", took["list"], took["pass"], nothing, 11)
    yield Row(f"pbem status, turn {EARLY}, empty caches", took["status"], took["pass"], nothing, 17)
    yield Row(f"pbem check, turn {late}", took["late"], took["early"], f"turn {EARLY}", 1.3)
