"""Commands when a turn has just arrived, and once more, late in a game against early in it.

A home knows the game up to the turn before; then the turn comes, with the orders that it lists.
Each run of a command begins with that home and that folder. It is a separate process, and only
its processor time counts. ``advance`` finds all orders that the next turn needs. A warm command
is one that only reads, in a home that already knows the turn.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.make_games import LONG_TURNS, Making, Wish, begin, make_long
from bench.measure import Row, Task, take_turns
from bench.startup import PBEM, SEED, children, command, write_orders
from pbem.errors import NOT_YET
from pbem.files.home import Home
from pbem.format.keys import write_key

ROUNDS = 15
EARLY = 2
ORIGIN = Wish(Path(), f"{SEED}.or", "origin", players=8)
AS_PLAYER = ("status", "show", "since", "orders", "check", "submit")
READING = ("status", "show", "since", "orders", "check")
AIMED = ("status", "check", "submit", "advance")


@dataclass(frozen=True)
class Arrival:
    """A folder in which a turn has just arrived, and the home of one person who looks."""

    folder: Path
    home: Path
    orders: Path

    def words(self, name: str) -> list[str]:
        """The words of the command, as they are typed."""
        words = [PBEM, name, "--folder", str(self.folder)]
        return words + ([str(self.orders)] if name in ("check", "submit") else [])

    def again(self, name: str) -> Task:
        """A task that runs the command once, in the home as the commands before have left it."""
        return command(*self.words(name), home=self.home)

    def run(self, name: str) -> Task:
        """A task that runs the command once, each time from the same home and folder."""
        saved, start = self.home.with_name("saved"), self.again(name)
        files = set(self.folder.rglob("*"))

        def run(number: int) -> int:
            shutil.rmtree(self.home)
            shutil.copytree(saved, self.home)
            for path in set(self.folder.rglob("*")) - files:
                path.unlink()
            return start(number)

        return run


def arrival(making: Making, place: Path, turn: int, who: str) -> Arrival:
    """The folder and home of somebody who has looked after every turn but this one."""
    folder, home = place / "savannah", Home(place / "home")
    home.write_key("default", write_key(making.wish.key(who)))
    shutil.copytree(making.wish.folder / "seats", folder / "seats")
    shutil.copy2(making.wish.folder / "game.toml", folder)
    _bring(making, folder, turn - 1, turn - 1)
    # the referee's advance waits for the orders that come below; both keep what they have read
    for look in ("advance", "status") if who == "referee" else ("status",):
        command(PBEM, look, "--folder", str(folder), home=home.root, ends=(0, NOT_YET))(0)
    _bring(making, folder, turn, turn + (who == "referee"))
    shutil.copytree(home.root, place / "saved")
    seat = min(seat for at, seat in making.texts if at == turn)
    orders = place / "orders.toml"
    write_orders(orders, seat if who == "referee" else who, making.texts[turn, seat])
    return Arrival(folder, home.root, orders)


def _bring(making: Making, folder: Path, turns: int, orders: int) -> None:
    """Add the turns up to this number, and the orders that answer turns before the second
    number."""
    for place, most in (("turns", turns), ("orders", orders - 1)):
        (folder / place).mkdir(exist_ok=True)
        for path in (making.wish.folder / place).iterdir():
            if int(path.name[:4]) <= most and not (folder / place / path.name).exists():
                shutil.copy2(path, folder / place)


def tasks(making: Making, place: Path, turn: int) -> dict[str, Task]:
    """Each command, for the player who is asked after this turn and for the referee; then, warm,
    those that only read."""
    seat = min(seat for at, seat in making.texts if at == turn)
    mine = arrival(making, place / "player", turn, seat)
    theirs = arrival(making, place / "referee", turn, "referee")
    known = arrival(making, place / "known", turn, seat)
    cold = {name: mine.run(name) for name in AS_PLAYER} | {"advance": theirs.run("advance")}
    return cold | {f"warm {name}": known.again(name) for name in READING}


def rows(rounds: int = ROUNDS, late: int = LONG_TURNS, players: int = 8) -> Iterator[Row]:
    """Every command after turn 2 and late, in a game of evolution and in one of origin."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        long = make_long(place / "long", SEED, least=late)
        yield from _rows(long, place / "evolution", late, rounds, 1.3)
        wish = Wish(place / "origin-game", ORIGIN.seed, "origin", players)
        origin = begin(wish)
        last = origin.play() - 10
        yield from _rows(origin, place / "origin", last, rounds, 1.5)


def _rows(making: Making, place: Path, late: int, rounds: int, aim: float) -> Iterator[Row]:
    early, after = tasks(making, place / "2", EARLY), tasks(making, place / "late", late)
    compared = {"pass": command(sys.executable, "-c", "pass")}
    for name in after:  # one after the other, so that both find the machine alike
        compared |= {f"early {name}": early[name], name: after[name]}
    took = take_turns(compared, rounds, of=min, clock=children)
    kind = making.wish.ruleset
    for name in after:
        early_one, late_one = took[f"early {name}"], took[name]
        yield Row(f"{name}, turn {EARLY} of {kind}", early_one, took["pass"], "python -c pass")
        told = f"{name}, turn {late} of {kind}"
        yield Row(told, late_one, early_one, f"turn {EARLY}", aim if name in AIMED else None)
