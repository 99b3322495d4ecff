"""The requests that a host answers (docs/host.md): list, get, create once; and its owner's page."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pbem.files.disk import StorageError
from pbem.files.folder import parse_name
from pbem.files.home import Home
from pbem.host.arrival import ArrivalPages, is_previewer
from pbem.host.dealer import Dealer
from pbem.host.games import Game, Games, Row
from pbem.host.gate import MissingGame, Refusal, check_name, check_size
from pbem.host.guard import Counts, Guard, Held, asker_of, wide_network
from pbem.host.pages import ask_for_password, known_word, page
from pbem.host.room import FOR_FILES, FOR_FREE_GAMES, FOR_GAMES
from pbem.host.site import PAGE, Site
from pbem.host.start_page import StartPage
from pbem.terminal.terminal import shell_quote

WAIT: Final = 25
"""The most seconds for which a list is held back until there is news."""
LOOK: Final = 2.0
"""Seconds between two looks at a game for which somebody waits: another host may write to it."""
STALLED: Final = 10.0
"""Seconds in which some more of a file must arrive."""
SHOWN_PAUSES: Final = 5
"""How many of its last pauses the owner's page of a host that deals names."""
LARGEST: Final = 5
"""How many of the largest games the owner's page names when the host is full."""
THREADS_EACH: Final = 2
"""The most threads that work on one game, or wait for it, at a time."""
SLOW: Final = 60
"""Seconds in which the whole of a file must arrive."""

ARRIVAL_HEADERS: Final = {
    "content-security-policy": PAGE, "cache-control": "no-store", "x-robots-tag": "noindex",
    "x-frame-options": "SAMEORIGIN", "x-pbem-host": "1",
}  # fmt: skip

log = logging.getLogger("pbem.host")
P = ParamSpec("P")
T = TypeVar("T")


class Host:
    """Answers requests for the games of one place."""

    def __init__(
        self, games: Games, tokens: Sequence[str] = (), password: str = "", site: Path | None = None
    ) -> None:
        """`tokens`: who has one may make games; without any, everybody may, within limits.
        `password`: for the owner's page; without it there is none. `site`: the folder with the
        page that plays in a browser. Raises CliError if it is not there."""
        self.games, self.password = games, password
        self.site = Site(site) if site else None
        self.arrival_pages = ArrivalPages(games, self.site.index_html) if self.site else None
        self.counts = Counts()
        self.dealer: Dealer | None = None
        self.start_page = StartPage(games, tokens, self.counts, plays=bool(self.site))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: dict[str, asyncio.Event] = {}
        """For each game, what wakes those who wait for its next list."""
        self._places = WeakValueDictionary[str, asyncio.Semaphore]()
        """For each game that somebody asks for now, its places in threads."""
        self.begun = time.time()

    def reached_at(self, address: str, dealer: Home | None = None) -> None:
        """Say where people reach this host; `dealer` is the home of the host's owner, if the host
        deals. Raises CliError, StorageError."""
        self.start_page.address = address
        if dealer:
            self.dealer = Dealer(self.games, dealer, address, bool(self.site), self._dealt)
            self.start_page.dealer = self.dealer

    def app(self) -> ASGIApp:
        """Return the application for a web server."""
        one = "/g/{digits}"
        return Starlette(
            routes=[
                Route("/", self.welcome),
                Route("/owner", self.owner),
                Route("/new", self.start_page.show),
                Route("/new", self.start_page.make, methods=["POST"]),
                Route("/new/tables", self.start_page.tables),
                Route("/new/{digits}/{code}", self.start_page.made, methods=["GET", "POST"]),
                Route("/games", self.start_page.league),
                Route("/games.csv", self.start_page.league),
                Route("/new/{name}", _static),
                Route(f"{one}/", self.list),
                Route(f"{one}/play", self.play),
                Route(f"{one}/{{path:path}}", self.file, methods=["GET", "PUT"]),
                Route("/{path:path}", self.other),
            ],
            middleware=[Middleware(Guard, counts=self.counts)],
            exception_handlers={405: _no_such_method},
        )

    async def list(self, request: Request) -> Response:
        """Answer with the names and sizes of a game's records; wait if the asker knows them."""
        game = await self._game(request)
        etag, text = await self._list(game)
        # a proxy that compresses the list marks its ETag as a weak one
        known = request.headers.get("if-none-match", "").removeprefix("W/")
        if known == etag and (wait := _preferred_wait(request.headers)):
            etag, text = await self._changed(request, game, etag, wait)
        headers = {"etag": etag, "cache-control": "no-cache"}
        if known == etag:
            return Response(status_code=304, headers=headers)
        return PlainTextResponse(text, headers=headers)

    async def _list(self, game: Game) -> tuple[str, bytes]:
        if (found := await self._in_thread(game, game.list)) is None:
            self.games.forget(game)
            raise MissingGame
        return found

    async def _changed(
        self, request: Request, game: Game, etag: str, wait: int
    ) -> tuple[str, bytes]:
        until, found = time.monotonic() + wait, (etag, b"")
        self._loop = asyncio.get_running_loop()
        with self.counts.waiting.hold(wide_network(asker_of(request.scope))) as held:
            may = held.add(1)
            while may and found[0] == etag and (left := until - time.monotonic()) > 0:
                event = self._news.setdefault(game.name, asyncio.Event())
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(event.wait(), min(left, LOOK))
                found = await self._list(game)
                if await request.is_disconnected():
                    break
        return found

    def _tell(self, game: Game) -> None:
        if event := self._news.pop(game.name, None):
            event.set()

    def _dealt(self, name: str) -> None:
        game = self.games.peek(name)
        with game.lock:
            game.listing = None
        if self._loop:
            with contextlib.suppress(RuntimeError):  # the host is stopping
                self._loop.call_soon_threadsafe(self._tell, game)

    async def file(self, request: Request) -> Response:
        """Give a file, or keep a new one."""
        game, path = await self._game(request), request.path_params["path"]
        try:
            return await (self._put if request.method == "PUT" else self._get)(request, game, path)
        except Refusal:
            self.games.forget(game)
            raise

    async def _get(self, request: Request, game: Game, path: str) -> Response:
        name = parse_name(path)
        if name is None:
            raise Refusal(404, "no record of a game has this name")
        try:
            data = await self._in_thread(game, game.get, name)
        except StorageError as error:
            if not error.is_missing:
                raise
            if not await self._in_thread(game, self.games.has, request.path_params["digits"]):
                raise MissingGame from None
            raise Refusal(404, "there is no such file") from None
        headers = {"cache-control": "public, max-age=31536000, immutable"}
        return Response(data, headers=headers, media_type="application/toml")

    async def _put(self, request: Request, game: Game, path: str) -> Response:
        if request.headers.get("if-none-match") != "*":
            raise Refusal(428, "a file is made once: send If-None-Match: *")
        size = _length(request.headers)
        name = check_name(path)
        asker, there = asker_of(request.scope), await self._in_thread(game, game.size_of, name)
        if there not in (None, size):
            raise Refusal(412, "a file with this name and other contents is here already")
        check_size(name, size)
        if there is None:
            self.counts.need_share_of_day(asker, game.name, name, size)
        free = name.kind == "charter" and not self.start_page.token_of(request)
        with self.counts.arriving.hold(wide_network(asker)) as held:
            data = await _body(request, held)
            if len(data) != size:
                raise Refusal(400, "the file does not have the length that Content-Length says")
            if name.kind == "charter":
                new = await self._make(request, game, data, free=free)
            else:
                new = await self._in_thread(game, self.games.put, game, name, data)
        if new:
            self.counts.keep(asker, game.name, name, size)
        log.info("%s %s %s", game.name[:8], path, "kept" if new else "was there")
        self._tell(game)
        if self.dealer and new:
            self.dealer.news(game.name)
        return PlainTextResponse("kept\n" if new else "was there\n", 201 if new else 200)

    async def _make(self, request: Request, game: Game, data: bytes, *, free: bool) -> bool:
        if free:
            self.counts.need_new_game(asker_of(request.scope))
        digits = request.path_params["digits"]
        return await self._in_thread(game, lambda: self.games.make(digits, data, free=free))

    async def _game(self, request: Request) -> Game:
        """Return the game that a request names. Raises MissingGame; Refusal for a network that
        guesses addresses, unless the game is there."""
        digits = request.path_params["digits"]
        if not re.fullmatch(r"[0-9a-f]{32}", digits):
            raise MissingGame
        game = self.games.at(digits)
        asker = asker_of(request.scope)
        guesses = request.method == "GET" and self.counts.guessed.is_full(asker)
        if guesses and not await self._in_thread(game, self.games.has, digits):
            self.games.forget(game)
            told = "your network has asked for many games that are not here; wait a minute"
            raise Refusal(429, told)
        return game

    async def _in_thread(
        self, game: Game, work: Callable[P, T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Do work on a game in a thread. A slow game has two threads at most, so that others have
        the rest."""
        places = self._places.setdefault(game.name, asyncio.Semaphore(THREADS_EACH))
        async with places:
            return await run_in_threadpool(work, *args, **named)

    async def other(self, request: Request) -> Response:
        """Give a file of the page that plays in a browser. Raises Refusal at other addresses."""
        path = request.path_params["path"]
        if self.site and (file := await run_in_threadpool(self.site.answer, path, request.headers)):
            return file
        raise Refusal(404, "there is nothing at this address")

    async def play(self, request: Request) -> Response:
        """Give the page that plays a game in a browser, with what everybody may know of the game.
        Raises Refusal if this host serves no such page."""
        if not self.site or not self.arrival_pages:
            raise Refusal(404, "there is nothing at this address")
        game = await self._game(request)
        if is_previewer(request.headers.get("user-agent", "")):
            text = self.arrival_pages.without_summary()
        else:
            text = await self._in_thread(game, self.arrival_pages.page, game)
        return HTMLResponse(text, headers=ARRIVAL_HEADERS)

    async def welcome(self, request: Request) -> Response:
        """Give the page that plays in a browser, or say what this is."""
        if self.site and (file := self.site.answer("", request.headers)):
            return file
        return page("welcome.html", deals=bool(self.dealer))

    def _games(self) -> tuple[Sequence[Row | tuple[str, str]], dict[str, str]]:
        rows = list(self.games.rows())
        here = (row for row in rows if isinstance(row, Row))
        return rows, {row.name: self.games.waits_for(row.name) for row in here}

    def _what_is_refused(self) -> str:
        """Say what this host refuses now for want of room; empty if it takes everything."""
        marks = {"no files at all": FOR_FILES}
        marks["no new games"] = FOR_GAMES if self.start_page.tokens else FOR_FREE_GAMES
        full = {what: self.games.what_is_full(mark) for what, mark in marks.items()}
        return next((f"takes {what}: {why}" for what, why in full.items() if why), "")

    async def owner(self, request: Request) -> Response:
        """Show the owner all games, if the browser sends the password."""
        asker = asker_of(request.scope)
        self.counts.need_no_guessing(asker)
        if not known_word(request.headers, [self.password]):
            if "authorization" in request.headers:
                self.counts.note_wrong_word(asker)
            return ask_for_password("the owner of this host")
        rows, waits = await run_in_threadpool(self._games)
        games = sorted((r for r in rows if isinstance(r, Row)), key=lambda r: -r.touched)
        largest = sorted(games, key=lambda r: -r.bytes)[:LARGEST]
        broken = [r for r in rows if not isinstance(r, Row)]
        return page(
            "owner.html", games=games, largest=largest, waits=waits, broken=broken,
            refusals=self.counts.refusals,
            size=sum(row.bytes for row in games), data=shell_quote(str(self.games.place)),
            room=self.games.room, pauses=self.dealer.pauses.pauses[-SHOWN_PAUSES:][::-1]
            if self.dealer else (), refused=await run_in_threadpool(self._what_is_refused),
            waiting=self.counts.waiting.held.total(),
            hours=round((time.time() - self.begun) / 3600, 1),
        )  # fmt: skip


async def _no_such_method(_request: Request, error: Any) -> Response:
    taken = ", ".join(sorted(error.headers["Allow"].split(", ")))
    return PlainTextResponse(f"this address takes only {taken}\n", 405, headers=error.headers)


_FILES: Final = {
    "icon.svg": "image/svg+xml", "page.css": "text/css", "page.js": "text/javascript",
}  # fmt: skip


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        raise Refusal(404, "there is nothing at this address")
    package = "pbem.web" if name == "icon.svg" else "pbem.host"
    data = files(package).joinpath("static", name).read_bytes()
    return Response(data, headers={"cache-control": "no-cache"}, media_type=_FILES[name])


async def _body(request: Request, held: Held) -> bytes:
    """Return the file in a request; what has arrived is held. Raises Refusal, also if nothing
    arrives for a while, or if others need the room and arrive faster."""
    data, loop = bytearray(), asyncio.get_running_loop()
    last = loop.time() + SLOW
    try:
        async with asyncio.timeout_at(min(last, loop.time() + STALLED)) as end:
            held.on_drop = lambda: end.reschedule(loop.time())
            async for part in request.stream():
                if not held.add(len(part)):
                    raise Refusal(503, "many files are on their way to this host now")
                data += part
                end.reschedule(min(last, loop.time() + STALLED))
    except TimeoutError:
        raise Refusal(408, "the file took too long to arrive") from None
    return bytes(data)


def _length(headers: Headers) -> int:
    said = headers.get("content-length", "")
    if not re.fullmatch(r"[0-9]{1,12}", said):
        raise Refusal(411, "say how long the file is (Content-Length)")
    return int(said)


def _preferred_wait(headers: Headers) -> int:
    """Return the seconds that a client wants to wait for news: `Prefer: wait=25` (RFC 7240)."""
    match = re.search(r"(?:^|[,;]\s*)wait=([0-9]{1,4})\b", headers.get("prefer", ""))
    return min(int(match[1]), WAIT) if match else 0
