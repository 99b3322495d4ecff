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

from bench.make_games import LONG_TURNS, SEED, BotGame, GameSetup, begin, make_long
from bench.startup import write_orders
from bench.timed_tasks_and_result_rows import PBEM, Row, Task, children, command, take_turns
from pbem.errors import NOT_YET
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key

ROUNDS = 15
EARLY_TURN = 2
ORIGIN = GameSetup(Path(), f"{SEED}.or", "origin", players=8)
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
        """Return the words of the command, as they are typed."""
        words = [PBEM, name, "--folder", str(self.folder)]
        return words + ([str(self.orders)] if name in ("check", "submit") else [])

    def rerun(self, name: str) -> Task:
        """Return a task that runs the command once, in the home as it has been left."""
        return command(*self.words(name), home=self.home)

    def run(self, name: str) -> Task:
        """Return a task that runs the command once, each time from the same home and folder."""
        saved, start = self.home.with_name("saved"), self.rerun(name)
        files = set(self.folder.rglob("*"))

        def run(number: int) -> int:
            shutil.rmtree(self.home)
            shutil.copytree(saved, self.home)
            for path in set(self.folder.rglob("*")) - files:
                path.unlink()
            return start(number)

        return run


def arrival(game: BotGame, place: Path, turn: int, role: str) -> Arrival:
    """Make the folder and the home of a person who has looked after every turn but this one. `role`
    is a seat, or `referee`."""
    folder, home = place / "savannah", Home(place / "home")
    home.write_key("default", write_key(game.setup.key(role)))
    shutil.copytree(game.setup.folder / "seats", folder / "seats")
    shutil.copy2(game.setup.folder / "game.toml", folder)
    _bring(game, folder, turn - 1, turn - 1)
    # the referee's advance waits for the orders that come below; both keep what they have read
    for command_name in ("advance", "status") if role == "referee" else ("status",):
        command(PBEM, command_name, "--folder", str(folder), home=home.root, ends=(0, NOT_YET))(0)
    _bring(game, folder, turn, turn + (role == "referee"))
    shutil.copytree(home.root, place / "saved")
    seat = min(seat for turn_number, seat in game.texts if turn_number == turn)
    orders = place / "orders.toml"
    write_orders(orders, seat if role == "referee" else role, game.texts[turn, seat])
    return Arrival(folder, home.root, orders)


def _bring(game: BotGame, folder: Path, turns: int, orders: int) -> None:
    """Copy to a folder the turns up to number `turns`, and the orders that answer turns before
    number `orders`."""
    for place, last_number in (("turns", turns), ("orders", orders - 1)):
        (folder / place).mkdir(exist_ok=True)
        for path in (game.setup.folder / place).iterdir():
            if int(path.name[:4]) <= last_number and not (folder / place / path.name).exists():
                shutil.copy2(path, folder / place)


def tasks(game: BotGame, place: Path, turn: int) -> dict[str, Task]:
    """Return a task for each command, of the player who is asked after this turn or of the referee;
    then, warm, for commands that only read."""
    seat = min(seat for turn_number, seat in game.texts if turn_number == turn)
    player_arrival = arrival(game, place / "player", turn, seat)
    referee_arrival = arrival(game, place / "referee", turn, "referee")
    warm_arrival = arrival(game, place / "known", turn, seat)
    cold = {name: player_arrival.run(name) for name in AS_PLAYER} | {
        "advance": referee_arrival.run("advance")
    }
    return cold | {f"warm {name}": warm_arrival.rerun(name) for name in READING}


def rows(rounds: int = ROUNDS, late_turn: int = LONG_TURNS, players: int = 8) -> Iterator[Row]:
    """Yield every command after turn 2 and late, in a game of evolution and in one of origin."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        long_game = make_long(place / "long", SEED, min_turns=late_turn)
        yield from _rows(long_game, place / "evolution", late_turn, rounds, 1.3)
        setup = GameSetup(place / "origin-game", ORIGIN.seed, "origin", players)
        origin = begin(setup)
        last_turn = origin.play() - 10
        yield from _rows(origin, place / "origin", last_turn, rounds, 1.5)


def _rows(game: BotGame, place: Path, late_turn: int, rounds: int, aim: float) -> Iterator[Row]:
    """Yield, for each command, the time of one early turn, then of the late turn beside it."""
    early_tasks = tasks(game, place / "2", EARLY_TURN)
    late_tasks = tasks(game, place / "late", late_turn)
    compared = {"pass": command(sys.executable, "-c", "pass")}
    for name in late_tasks:  # one after the other, so that both find the machine alike
        compared |= {f"early {name}": early_tasks[name], name: late_tasks[name]}
    seconds = take_turns(compared, rounds, summarize=min, clock=children)
    kind = game.setup.ruleset
    for name in late_tasks:
        early_seconds, late_seconds = seconds[f"early {name}"], seconds[name]
        title = f"{name}, turn {EARLY_TURN} of {kind}"
        yield Row(title, early_seconds, seconds["pass"], "python -c pass")
        title, row_aim = f"{name}, turn {late_turn} of {kind}", aim if name in AIMED else None
        yield Row(title, late_seconds, early_seconds, f"turn {EARLY_TURN}", row_aim)
