"""How many bytes people send and keep: orders, a turn, the first email, a whole game."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.make_games import Wish, begin
from bench.startup import PBEM, command
from pbem.files.home import Home
from pbem.format.keys import write_key


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
    """The files of a game of greedy bots, and the email that begins a game of three."""
    with tempfile.TemporaryDirectory() as base:
        game = begin(Wish(Path(base) / "game", "sizes", players=players, bot=bot))
        turns = game.play()
        folder = game.wish.folder
        orders, made = _sizes(folder / "orders"), _sizes(folder / "turns")
        yield Size("a set of orders, the largest", max(orders), 8000)
        yield Size(f"a turn, median of {turns}", int(median(made)))
        yield Size("a turn, the largest", max(made))
        yield Size("the first mail of three players", _first_mail(Path(base)), 30_000)
        whole = sum(path.stat().st_size for path in folder.rglob("*.toml"))
        yield Size(f"a game of evolution, {players} seats, {turns} turns", whole, 1_200_000)


def _sizes(folder: Path) -> Sequence[int]:
    return [path.stat().st_size for path in folder.iterdir()]


def _first_mail(place: Path) -> int:
    """The bytes of the email that the referee sends when the first turn is made."""
    wish = Wish(place / "mail" / "savannah", "mail", players=3)
    begin(wish).play(1)
    home = Home(place / "home")
    home.write_key("default", write_key(wish.key("referee")))
    out = place / "for-b.pbem"
    words = (PBEM, "send", "--all", "--to", "b", "-C", str(wish.folder), "-o", str(out))
    command(*words, home=home.root)(0)
    return out.stat().st_size
