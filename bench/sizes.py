"""Measure the bytes that people send and keep: orders, a turn, the first email, a whole game."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.make_games import GameSetup, begin
from bench.timed_tasks_and_result_rows import PBEM, command
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key


@dataclass(frozen=True)
class Size:
    """One size in bytes, and the most that we aim at."""

    name: str
    size: int
    aim: int | None = None

    def line(self) -> str:
        """The size as a line of the table."""
        aim = f"aim ≤ {self.aim / 1000:g}" if self.aim else ""
        return f"{self.name:48} {self.size / 1000:7.1f}  {aim:10}  kB"


def rows(players: int = 4, bot: str = "greedy") -> Iterator[Size]:
    """Yield the sizes of the files of a game of greedy bots, and of the email that begins a game of
    three."""
    with tempfile.TemporaryDirectory() as base:
        game = begin(GameSetup(Path(base) / "game", "sizes", players=players, bot=bot))
        turns = game.play()
        folder = game.setup.folder
        order_sizes, turn_sizes = _sizes(folder / "orders"), _sizes(folder / "turns")
        yield Size("a set of orders, the largest", max(order_sizes), 8000)
        yield Size(f"a turn, median of {turns}", int(median(turn_sizes)))
        yield Size("a turn, the largest", max(turn_sizes))
        yield Size("the first mail of three players", _first_mail(Path(base)), 30_000)
        game_size = sum(path.stat().st_size for path in folder.rglob("*.toml"))
        yield Size(f"a game of evolution, {players} seats, {turns} turns", game_size, 1_200_000)


def _sizes(folder: Path) -> Sequence[int]:
    return [path.stat().st_size for path in folder.iterdir()]


def _first_mail(place: Path) -> int:
    """Return the bytes of the bundle that the referee sends when the first turn is made."""
    setup = GameSetup(place / "mail" / "savannah", "mail", players=3)
    begin(setup).play(1)
    home = Home(place / "home")
    home.write_key("default", write_key(setup.key("referee")))
    bundle_path = place / "for-b.pbem"
    words = (PBEM, "send", "--all", "--to", "b", "-C", str(setup.folder), "-o", str(bundle_path))
    command(*words, home=home.root)(0)
    return bundle_path.stat().st_size
