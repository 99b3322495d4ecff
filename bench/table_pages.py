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

from bench.make_games import LONG_TURNS, SEED, BotGame, make_long
from bench.timed_tasks_and_result_rows import PBEM, Row, Task, children, command, take_turns
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key

ROUNDS = 7
EARLY_TURN = 2
PAGES = {"table": "", "history": "/history", "plan": "/plan", "forecast": "/forecast"}
HOST = "127.0.0.1:4711"


class Visitor:
    """A person with a browser, at the table of one player."""

    def __init__(self, game: BotGame, place: Path, turn: int) -> None:
        """Bring the game to a turn that asks a seat, and enter the table as its player."""
        from pbem.web.access_guard import Guard
        from pbem.web.page_routes import make_app

        self.folder, self.home = place / "savannah", Home(place / "home")
        seat = min(seat for turn_number, seat in game.texts if turn_number == turn)
        self.home.write_key("default", write_key(game.setup.key(seat)))
        bring(game, self.folder, turn)
        self.guard = Guard(make_app(self.home, self.folder), HOST)
        self.cookie = b""
        answer = self._ask("POST", "/enter", self.guard.token.encode())
        self.cookie = dict(answer[0]["headers"])[b"set-cookie"].partition(b";")[0]
        self._ask("GET", f"{self.guard.root}/")
        self.game = f"{self.guard.root}/game/{self.home.games()[0][:12]}"

    def get(self, path: str) -> Task:
        """Return a task that asks for one page of the game."""

        def run(number: int) -> int:
            assert self._ask("GET", self.game + path)[0]["status"] == 200
            return 1

        return run

    def _ask(self, method: str, path: str, body: bytes = b"") -> list[dict[str, Any]]:
        """Let the table answer a request; return the messages of its answer."""
        headers = {b"host": HOST.encode(), b"cookie": self.cookie}
        headers[b"origin"] = f"http://{HOST}".encode()
        scope = {
            "type": "http", "method": method, "path": path, "root_path": "", "query_string": b"",
            "headers": list(headers.items()), "scheme": "http", "http_version": "1.1",
        }  # fmt: skip
        messages: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body}

        async def send(message: Any) -> None:
            messages.append(message)

        asyncio.run(self.guard(scope, receive, send))
        return messages


def bring(game: BotGame, folder: Path, turn: int) -> None:
    """Copy the game to a folder as it was after this turn, before anybody answered."""
    shutil.copytree(game.setup.folder / "seats", folder / "seats")
    shutil.copy2(game.setup.folder / "game.toml", folder)
    for place, last_number in (("turns", turn), ("orders", turn - 1)):
        (folder / place).mkdir()
        for path in (game.setup.folder / place).iterdir():
            if int(path.name[:4]) <= last_number:
                shutil.copy2(path, folder / place)


def rows(rounds: int = ROUNDS, late_turn: int = LONG_TURNS) -> Iterator[Row]:
    """Yield each page at a late turn, against ``pbem show`` and against the same page early."""
    with tempfile.TemporaryDirectory() as base:
        place = Path(base)
        game = make_long(place / "long", SEED, min_turns=late_turn)
        early_visitor = Visitor(game, place / "early", EARLY_TURN)
        late_visitor = Visitor(game, place / "late", late_turn)
        show = command(
            PBEM, "show", "--folder", str(late_visitor.folder), home=late_visitor.home.root
        )
        show_seconds = take_turns({"show": show}, rounds, summarize=min, clock=children)["show"]
        tasks = {f"early {name}": early_visitor.get(path) for name, path in PAGES.items()}
        tasks |= {name: late_visitor.get(path) for name, path in PAGES.items()}
        seconds = take_turns(tasks, rounds, summarize=min, clock=time.process_time)
    for name in PAGES:
        aim = 1.0 if name == "table" else None
        yield Row(f"page {name}, turn {late_turn}", seconds[name], show_seconds, "pbem show", aim)
        early_seconds = seconds[f"early {name}"]
        yield Row(
            f"page {name}, turn {late_turn}", seconds[name], early_seconds, f"turn {EARLY_TURN}"
        )
