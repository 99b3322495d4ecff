"""Pages of ``pbem table`` late in a game, against ``pbem show`` and against turn 2.

The game has been read once. Each request is answered in this process, with all its checks; only
processor time counts, on both sides.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.make_games import LONG_TURNS, Making, make_long
from bench.measure import Row, Task, take_turns
from bench.startup import PBEM, SEED, children, command
from pbem.files.home import Home
from pbem.format.keys import write_key

ROUNDS = 7
EARLY = 2
PAGES = {"table": "", "history": "/history", "plan": "/plan", "forecast": "/forecast"}
HOST = "127.0.0.1:4711"


class Visitor:
    """Somebody with a browser, at the table of one player."""

    def __init__(self, making: Making, place: Path, turn: int) -> None:
        from pbem.web.app import make_app
        from pbem.web.guard import Guard

        self.folder, self.home = place / "savannah", Home(place / "home")
        seat = min(seat for at, seat in making.texts if at == turn)
        self.home.write_key("default", write_key(making.wish.key(seat)))
        bring(making, self.folder, turn)
        self.guard = Guard(make_app(self.home, self.folder), HOST)
        self.cookie = b""
        answer = self._ask("POST", "/enter", self.guard.token.encode())
        self.cookie = dict(answer[0]["headers"])[b"set-cookie"].partition(b";")[0]
        self._ask("GET", f"{self.guard.root}/")
        self.game = f"{self.guard.root}/game/{self.home.games()[0][:12]}"

    def get(self, path: str) -> Task:
        """A task that asks for one page of the game."""

        def run(number: int) -> int:
            assert self._ask("GET", self.game + path)[0]["status"] == 200
            return 1

        return run

    def _ask(self, method: str, path: str, body: bytes = b"") -> list[dict[str, Any]]:
        headers = {b"host": HOST.encode(), b"cookie": self.cookie}
        headers[b"origin"] = f"http://{HOST}".encode()
        scope = {
            "type": "http", "method": method, "path": path, "root_path": "", "query_string": b"",
            "headers": list(headers.items()), "scheme": "http", "http_version": "1.1",
        }  # fmt: skip
        said: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body}

        async def send(message: Any) -> None:
            said.append(message)

        asyncio.run(self.guard(scope, receive, send))
        return said


def bring(making: Making, folder: Path, turn: int) -> None:
    """The game's folder as it was after that turn, before anybody answered it."""
    shutil.copytree(making.wish.folder / "seats", folder / "seats")
    shutil.copy2(making.wish.folder / "game.toml", folder)
    for place, most in (("turns", turn), ("orders", turn - 1)):
        (folder / place).mkdir()
        for path in (making.wish.folder / place).iterdir():
            if int(path.name[:4]) <= most:
                shutil.copy2(path, folder / place)


def rows(rounds: int = ROUNDS, late: int = LONG_TURNS) -> Iterator[Row]:
    """Each page at a late turn, compared with ``pbem show`` and with the same page early."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        making = make_long(place / "long", SEED, least=late)
        early = Visitor(making, place / "early", EARLY)
        after = Visitor(making, place / "late", late)
        show = command(PBEM, "show", "--folder", str(after.folder), home=after.home.root)
        shown = take_turns({"show": show}, rounds, of=min, clock=children)["show"]
        tasks = {f"early {name}": early.get(path) for name, path in PAGES.items()}
        tasks |= {name: after.get(path) for name, path in PAGES.items()}
        took = take_turns(tasks, rounds, of=min, clock=time.process_time)
    for name in PAGES:
        aim = 1.0 if name == "table" else None
        yield Row(f"page {name}, turn {late}", took[name], shown, "pbem show", aim)
        first = took[f"early {name}"]
        yield Row(f"page {name}, turn {late}", took[name], first, f"turn {EARLY}")
