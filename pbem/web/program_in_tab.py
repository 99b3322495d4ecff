"""The program in a browser tab: it answers requests as the table does, and tells which files
changed.

The worker (`site/page/worker.js`) calls this. It gives a request of a page to `answer`, keeps the
result of `changes` in one transaction, and only then lets the page have its answer. The worker also
fetches the files of a host and sends it the user's, through `exchange_with_host`.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import ModuleLoader
from starlette.routing import Route

from pbem.acts.game_list import games_of as list_games
from pbem.acts.join import split_invite
from pbem.cards.mixing import MixCheck
from pbem.errors import CliError
from pbem.files import syscalls_in_browser
from pbem.files.game_folder_places import place_of
from pbem.files.home import Home
from pbem.files.host_store import folder_name_of
from pbem.person.delivery_wait_of_sealed_orders import delivery_book
from pbem.web import call_settings_page, seat_link_page
from pbem.web.host_exchange_in_tab import HostExchange
from pbem.web.open_games import SHORT_ID_DIGITS
from pbem.web.page_rendering import templates
from pbem.web.page_routes import make_app
from pbem.web.seat_link_and_moved_game_pages import INCOMPLETE_LINK_SENTENCE, Link, open_link
from pbem.web.seat_link_and_moved_game_pages import routes as link_routes
from pbem.wording.co_dealing import describe_mix_check

HOME_FOLDER = Path("/home/web")
"""The folder of the home of the tab's person; the worker keeps it in the browser's storage."""

TEMPLATES_FOLDER = Path(__file__).with_name("compiled_templates")
"""The templates of the table's pages, which `tools/browser_site.py` has compiled."""


def note_start(zone: str) -> None:
    """Set what differs from start to start: the memory of an earlier start may be reused. `zone` is
    the name of the time zone."""
    random.seed()
    os.environ["TZ"] = zone


class Program:
    """The table of one person, in the home that the browser keeps."""

    def __init__(self, site: str, tell_work: Callable[[str], object] = lambda words: None) -> None:
        """`site` is the address of the site, with a slash at its end: all pages are below it.
        `tell_work` gets in words what keeps the program busy for seconds; nothing when it is
        done."""
        MixCheck.on_progress = lambda percent: tell_work(describe_mix_check(percent))
        self.site, self.root = site, urlsplit(site).path.rstrip("/")
        self.home = Home(HOME_FOLDER / "pbem")
        templates().loader = ModuleLoader(TEMPLATES_FOLDER)
        seat_link_path, calls_path = "/game/{name}/back", "/game/{name}/calls"
        pages = [
            Route(calls_path, call_settings_page.show_calls),
            Route(calls_path, call_settings_page.change_calls, methods=["POST"]),
            Route(seat_link_path, seat_link_page.show_seat_link),
            Route(seat_link_path, seat_link_page.note_kept, methods=["POST"]),
        ]
        self.app = make_app(self.home, None, [*pages, *link_routes()])
        self.app.state.site = site
        links_by_game = dict[str, Link]()  # until a button is pressed
        self.app.state.links = links_by_game

    async def answer(
        self, method: str, path: str, query: str, headers: Sequence[Sequence[str]], body: bytes
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Answer a request of a page; return the status, the headers and the body."""
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "https",
            "method": method, "path": path, "raw_path": path.encode(), "root_path": self.root,
            "query_string": query.encode(), "client": None, "server": None, "pbem_tab": True,
            "headers": [(key.lower().encode(), value.encode("latin-1")) for key, value in headers],
        }  # fmt: skip
        start_message: dict[str, Any] = {}
        parts: list[bytes] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                start_message.update(message)
            else:
                parts.append(bytes(message.get("body", b"")))

        await self.app(scope, receive, send)  # type: ignore[arg-type]
        return start_message["status"], start_message["headers"], b"".join(parts)

    def changes(self) -> list[syscalls_in_browser.Change]:
        """Return the files that changed since the last call."""
        return syscalls_in_browser.changes()

    def games(self) -> list[tuple[str, str]]:
        """Return the short name of each game on a host, and its address."""
        places = [
            (ident[:SHORT_ID_DIGITS], self.home.game(ident).place) for ident in self.home.games()
        ]
        return [(name, str(place)) for name, place in places if place and place.has_news]

    def moves(self) -> list[tuple[str, str, str, str, bool]]:
        """Return for each game on a host: the name for calls, the path of the page in this tab, the
        digits, the title, and whether the game waits for this person."""
        moves = list[tuple[str, str, str, str, bool]]()
        for game in list_games(self.app.state.games.keyring):
            if game["folder"] and place_of(game["folder"]).has_secret_address:
                digits, path = game["folder"][-32:], f"game/{game['game'][:SHORT_ID_DIGITS]}"
                moves.append((folder_name_of(digits), path, digits, game["title"], game["asked"]))
        return moves

    def exchange_with_host(self, address: str) -> HostExchange:
        """Return the exchange with the host of the game at this address. Raises CliError."""
        return HostExchange(self.home, address)

    def has_waiting(self, address: str) -> bool:
        """Return whether something waits to be sent to this game's host."""
        return bool(self.exchange_with_host(address).folder.waiting_paths())

    def release_due_orders(self, address: str) -> None:
        """Send the sealed orders for this game's host whose wait is over, even if the page that
        sealed them is closed: the orders join the files that wait to be sent."""
        folder = self.exchange_with_host(address).folder
        if not folder.kept_back_paths():
            return
        for ident in self.home.games():
            game_home = self.home.game(ident)
            if str(game_home.place) == address and delivery_book(game_home).read().is_due:
                folder.release_kept_back()

    def waiting_words(self) -> str:
        """Return in words what waits to be sent to the hosts of all games; empty if nothing
        does."""
        paths = [
            path
            for _, address in self.games()
            for path in self.exchange_with_host(address).folder.waiting_paths()
        ]
        kinds = Counter(_WORDS_BY_FOLDER.get(path.partition("/")[0], "a file") for path in paths)
        return ", ".join(f"{kind} ×{n}" if n > 1 else kind for kind, n in kinds.items())

    def read_link(self, kind: str, text: str) -> tuple[str, str]:
        """Return the address of the game in a link, and the secret after it.

        The secret is the invite of a link `join`, the key of a link `back`, nothing in a link
        `game`. Raises CliError.
        """
        place, _, secret = text.rpartition("/") if kind != "game" else (text, "", "")
        if kind == "join" and " " in text.strip():  # the line for a terminal
            invite, typed_place = split_invite(text)
            place, secret = typed_place or "", invite or ""
        if re.fullmatch(r"[0-9a-f]{32}", place):
            place = f"{self.site}g/{place}"
        if "://" not in place or (kind != "game" and not secret):
            raise CliError(INCOMPLETE_LINK_SENTENCE)
        return str(place_of(place)), secret

    def open_link(self, kind: str, address: str, secret: str) -> str:
        """Return the path of the page that a link opens. The files of its game must be here. Raises
        CliError and others."""
        return open_link(self.app, Link(kind, place_of(address), secret))


_WORDS_BY_FOLDER = {
    "seats": "your seat",
    "orders": "your orders",
    "press": "a message",
    "notices": "a notice",
    "turns": "a turn that the host lost",
}
"""By folder, the words for a file in it."""
