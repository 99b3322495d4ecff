"""Measure the start of commands: against a Python that does nothing, and late in a long game.

Each is a separate process, in the environment's Python, never through a shim. What counts is
its processor time, the least of the rounds: the commands wait for nothing, so this is the time
that passes on an idle machine; other work on the machine only adds to it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.make_games import LONG_TURNS, SEED, BotGame, make_long
from bench.timed_tasks_and_result_rows import PBEM, Row, Task, children, command, take_turns
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key

ROUNDS = 40
EARLY_TURN = 2


@dataclass(frozen=True)
class Desk:
    """A player at one turn of the long game: the game's folder, their home, their order file."""

    folder: Path
    home: Path
    orders: Path

    def check(self) -> Task:
        """Return the task of ``pbem check`` of these orders."""
        return self.run("check", "--folder", str(self.folder), str(self.orders))

    def run(self, *words: str) -> Task:
        """Return the task of a command of this player, whose home remembers earlier commands."""
        return command(PBEM, *words, home=self.home)

    def cold(self, *words: str) -> Task:
        """Return the task of the same command, in a home that holds only the player's keys."""
        task, keys = self.run(*words), self.home / "profiles"

        def run(number: int) -> int:
            for path in self.home.iterdir():
                if path.is_dir() and path != keys:
                    shutil.rmtree(path)
            return task(number)

        return run


def desk(game: BotGame, place: Path, turn: int) -> Desk:
    """Make the desk of the first player who is asked after this turn, with their answer."""
    seat = min(seat for turn_number, seat in game.texts if turn_number == turn)
    folder, orders = place / "savannah", place / "orders.toml"
    shutil.copytree(game.setup.folder, folder, ignore=_files_after(turn))
    write_orders(orders, seat, game.texts[turn, seat])
    home = Home(place / "home")
    home.write_key("default", write_key(game.setup.key(seat)))
    return Desk(folder, home.root, orders)


def write_orders(path: Path, seat: str, texts: Sequence[str]) -> None:
    """Write the lines of a seat's orders as a person would write them."""
    lines: dict[str, list[str]] = {}
    for text in texts:
        kind, _, sentence = text.partition(": ")
        lines.setdefault(kind, []).append(sentence)
    rows = [f'seat = "{seat}"', *(f"{kind} = {sentences}" for kind, sentences in lines.items())]
    path.write_text("\n".join([*rows, ""]), encoding="utf-8")


def _files_after(turn: int) -> Callable[[str, list[str]], list[str]]:
    """Return a function for `copytree` that ignores the files which were not there yet when this
    turn had been made."""

    def ignore(place: str, names: list[str]) -> list[str]:
        if Path(place).name == "turns":
            return [name for name in names if int(name[:4]) > turn]
        if Path(place).name == "orders":
            return [name for name in names if int(name[:4]) >= turn]
        return [name for name in names if name == "final.toml"]

    return ignore


def rows(rounds: int = ROUNDS, players: int = 5, late_turn: int = LONG_TURNS) -> Iterator[Row]:
    """Yield the help page, ``check`` early and late, and other commands early."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        game = make_long(place / "long", SEED, players, late_turn)
        early_desk = desk(game, place / "early", EARLY_TURN)
        cold_desk = desk(game, place / "cold", EARLY_TURN)
        tasks = {
            "pass": command(sys.executable, "-c", "pass"),
            "help": command(PBEM, "--help"),
            "early": early_desk.check(),
            "show": early_desk.run("show", "--folder", str(early_desk.folder)),
            "list": early_desk.run("list"),
            "status": cold_desk.cold("status", "--folder", str(cold_desk.folder)),
            "late": desk(game, place / "late", late_turn).check(),
        }
        seconds = take_turns(tasks, rounds, summarize=min, clock=children)
    peer_name = "python -c pass"
    yield Row("pbem --help", seconds["help"], seconds["pass"], peer_name, 9)
    yield Row(f"pbem check, turn {EARLY_TURN}", seconds["early"], seconds["pass"], peer_name, 11)
    yield Row(f"pbem show, turn {EARLY_TURN}", seconds["show"], seconds["pass"], peer_name, 11)
    yield Row("pbem list, one game", seconds["list"], seconds["pass"], peer_name, 11)
    yield Row(
        f"pbem status, turn {EARLY_TURN}, empty caches",
        seconds["status"],
        seconds["pass"],
        peer_name,
        17,
    )
    yield Row(
        f"pbem check, turn {late_turn}",
        seconds["late"],
        seconds["early"],
        f"turn {EARLY_TURN}",
        1.3,
    )
