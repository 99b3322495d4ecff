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
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pbem.files.file_errors import StorageError
from pbem.files.home import Home
from pbem.files.record_file_names import parse_name
from pbem.files.write_once_files import files_beside
from pbem.host.browser_program_files import PAGE_POLICY, Site
from pbem.host.dealing_host import Dealer
from pbem.host.dealing_host_passes import DealersHome
from pbem.host.first_page_of_game import ArrivalPages, is_previewer
from pbem.host.kept_games import Game, Games, Row
from pbem.host.new_game_pages import StartPage
from pbem.host.page_credentials import ask_for_password, find_known_credential
from pbem.host.page_rendering import render_page
from pbem.host.player_call_letters import call_letters
from pbem.host.player_calls import Caller, plain_host_address
from pbem.host.record_gate import (
    NO_CO_DEALER_SENTENCE,
    HostRefusal,
    MissingGame,
    check_name,
    check_size,
)
from pbem.host.request_guard import Guard
from pbem.host.request_limits import (
    Holding,
    RequestCounts,
    asker_of,
    network_of,
    wide_network,
)
from pbem.host.storage_capacity import FILES_MARK, FREE_GAMES_MARK, GAMES_MARK
from pbem.host.taken_call_requests import CallBook
from pbem.host.web_push import Pusher, push_key
from pbem.records.player_call_request import MAX_CALL_BYTES
from pbem.terminal.commands_and_paths_to_type import shell_quote

MAX_WAIT_SECONDS: Final = 25
"""The most seconds for which a list is held back until there is news."""
LOOK_SECONDS: Final = 2.0
"""Seconds between two looks at a game for which somebody waits: another host may write to it."""
STALL_SECONDS: Final = 10.0
"""Seconds in which some more of a file must arrive."""
MAX_PAUSES_SHOWN: Final = 5
"""The number of the host's last pauses on the owner's page."""
MAX_LARGEST_GAMES_SHOWN: Final = 5
"""The number of the largest games on the owner's page when the host is full."""
MAX_FORM_BYTES: Final = 1000
"""The most bytes of the form of the page about letters; mail programs send longer ones."""
ONE_CLICK_PATTERN: Final = re.compile(rb"\bList-Unsubscribe(?:=|\"\s+)One-Click\b")
"""The form with which a mail program stops letters (RFC 8058), encoded in either way."""
MAX_GAME_THREADS: Final = 2
"""The most threads that work on one game, or wait for it, at a time."""
MAX_ARRIVAL_SECONDS: Final = 60
"""Seconds in which the whole of a file must arrive."""

ARRIVAL_HEADERS: Final = {
    "content-security-policy": PAGE_POLICY, "cache-control": "no-store", "x-robots-tag": "noindex",
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
        """`tokens`: whoever has one may make games; without any, everybody may, within limits.
        `password` opens the owner's page; if it is empty, there is none. `site` is the folder with
        the page that plays in a browser. Raises CliError if the folder has no such page."""
        self.games, self.password = games, password
        self.site = Site(site) if site else None
        self.arrival_pages = ArrivalPages(games, self.site.index_html) if self.site else None
        self.counts = RequestCounts()
        self.dealer: Dealer | None = None
        self.caller: Caller | None = None
        self.start_page = StartPage(games, tokens, self.counts, plays=bool(self.site))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._events: dict[str, asyncio.Event] = {}
        """By game, the event that wakes the requests which wait for its next list."""
        self._semaphores = WeakValueDictionary[str, asyncio.Semaphore]()
        """By game, the limit of its threads; kept while a request for the game is answered."""
        self.started_at = time.time()

    def set_address(
        self,
        address: str,
        dealer_home: Home | None = None,
        *,
        makes_games: bool = True,
        co_deals: bool = False,
    ) -> None:
        """Set the address at which people reach this host; with `dealer_home`, which is the home of
        the host's owner, let the host deal (see `Dealer`). Raises CliError, StorageError."""
        self.start_page.address = address
        if dealer_home:
            self.dealer = Dealer(
                self.games, dealer_home, address, bool(self.site), self._note_dealt,
                makes_games=makes_games, co_deals=co_deals,
            )  # fmt: skip
            self.start_page.dealer = self.dealer if makes_games else None

    def set_caller(self, address: str, home: Home, push_services: Sequence[str] = ()) -> None:
        """Let this host, which has an address, call people when it is their move.

        `push_services` are the addresses of more push services. Raises StorageError.
        """
        book = CallBook(files_beside(self.games.place, "calls"))
        key = push_key(home)
        letters = call_letters(DealersHome(home, self.games.place), key, address)
        pusher = Pusher(key, address, push_services)
        self.caller = Caller(
            plain_host_address(address), self.games, self.counts, book, pusher, letters
        )

    def app(self) -> ASGIApp:
        """Return the application for a web server."""
        game_path = "/g/{digits}"
        return Starlette(
            routes=[
                Route("/", self.welcome),
                Route("/owner", self.owner),
                Route("/new", self.start_page.show),
                Route("/new", self.start_page.make, methods=["POST"]),
                Route("/new/tables", self.start_page.tables),
                Route("/new/{digits}/{code}", self.start_page.links, methods=["GET", "POST"]),
                Route("/games", self.start_page.league),
                Route("/games.csv", self.start_page.league),
                Route("/calls.json", self.ways_to_call),
                Route("/co-dealer", self.co_dealer),
                Route("/call/{name}/{code}", self.letters, methods=["GET", "POST"]),
                Route("/new/{name}", _static),
                Route(f"{game_path}/", self.list),
                Route(f"{game_path}/play", self.play),
                Route(f"{game_path}/call", self.take_call_request, methods=["PUT"]),
                Route(f"{game_path}/{{path:path}}", self.file, methods=["GET", "PUT"]),
                Route("/{path:path}", self.site_file),
            ],
            middleware=[Middleware(Guard, counts=self.counts)],
            exception_handlers={405: _wrong_method_response},
        )

    async def list(self, request: Request) -> Response:
        """Answer with the names and sizes of a game's records. If the client has this list already
        and is ready to wait, answer when it changes or the time is over."""
        game = await self._game_of(request)
        etag, text = await self._read_list(game)
        # a proxy that compresses the list marks its ETag as a weak one
        known_etag = request.headers.get("if-none-match", "").removeprefix("W/")
        if known_etag == etag and (wait_seconds := _preferred_wait(request.headers)):
            etag, text = await self._wait_for_change(request, game, etag, wait_seconds)
        headers = {"etag": etag, "cache-control": "no-cache"}
        if known_etag == etag:
            return Response(status_code=304, headers=headers)
        return PlainTextResponse(text, headers=headers)

    async def _read_list(self, game: Game) -> tuple[str, bytes]:
        """Return the ETag and the list of a game's files. Raises MissingGame."""
        tagged_list = await self._in_thread(game, game.tagged_list)
        if tagged_list is None:
            self.games.forget(game)
            raise MissingGame
        return tagged_list

    async def _wait_for_change(
        self, request: Request, game: Game, etag: str, wait_seconds: int
    ) -> tuple[str, bytes]:
        """Wait until a game's list has another ETag; return the ETag and the list.

        Return the old ETag if the time is over, the client has gone, or too many requests wait.
        """
        end, tagged_list = time.monotonic() + wait_seconds, (etag, b"")
        self._loop = asyncio.get_running_loop()
        with self.counts.waiting_requests.hold(wide_network(asker_of(request.scope))) as holding:
            may_wait = holding.add(1)
            while may_wait and tagged_list[0] == etag and time.monotonic() < end:
                event = self._events.setdefault(game.name, asyncio.Event())
                with contextlib.suppress(TimeoutError):
                    seconds_left = end - time.monotonic()
                    await asyncio.wait_for(event.wait(), min(seconds_left, LOOK_SECONDS))
                tagged_list = await self._read_list(game)
                if await request.is_disconnected():
                    break
        return tagged_list

    def _wake_waiting(self, game: Game) -> None:
        """Wake the requests that wait for a game's next list."""
        if event := self._events.pop(game.name, None):
            event.set()

    def _note_dealt(self, name: str) -> None:
        """Note, from another thread, that the dealer has written in a game."""
        game = self.games.peek(name)
        with game.lock:
            game.listing = None
        if self.caller:
            self.caller.note_news(name)
        if self._loop:
            with contextlib.suppress(RuntimeError):  # the host is stopping
                self._loop.call_soon_threadsafe(self._wake_waiting, game)

    async def file(self, request: Request) -> Response:
        """Answer with a file of a game (GET), or keep a new one (PUT)."""
        game, path = await self._game_of(request), request.path_params["path"]
        answer = self._keep_file if request.method == "PUT" else self._read_file
        try:
            return await answer(request, game, path)
        except HostRefusal:
            self.games.forget(game)
            raise

    async def _read_file(self, request: Request, game: Game, path: str) -> Response:
        """Answer with a file of a game. Raises HostRefusal if there is none."""
        name = parse_name(path)
        if name is None:
            raise HostRefusal(404, "no file of a game can have this name")
        try:
            data = await self._in_thread(game, game.read_file, name)
        except StorageError as error:
            if not error.is_missing:
                raise
            if not await self._in_thread(game, self.games.has_game, request.path_params["digits"]):
                raise MissingGame from None
            raise HostRefusal(404, "there is no such file") from None
        headers = {"cache-control": "public, max-age=31536000, immutable"}
        return Response(data, headers=headers, media_type="application/toml")

    async def _keep_file(self, request: Request, game: Game, path: str) -> Response:
        """Check and keep the file in a request; answer whether it is new. Raises HostRefusal."""
        if request.headers.get("if-none-match") != "*":
            raise HostRefusal(
                428, "files here cannot be overwritten: send the header If-None-Match: *"
            )
        size = _content_length(request.headers)
        name = check_name(path)
        asker, stored_size = (
            asker_of(request.scope),
            await self._in_thread(game, game.size_of, name),
        )
        if stored_size not in (None, size):
            raise HostRefusal(
                412, "this host already has a file with this name and different contents"
            )
        check_size(name, size)
        if stored_size is None:
            self.counts.check_daily_bytes(asker, game.name, name, size)
        is_free = name.kind == "charter" and not self.start_page.token_of(request)
        with self.counts.arriving_bytes.hold(wide_network(asker)) as holding:
            data = await _read_body(request, holding)
            if len(data) != size:
                raise HostRefusal(400, "the file does not have the length that Content-Length says")
            if name.kind == "charter":
                is_new = await self._make(request, game, data, is_free=is_free)
            else:
                is_new = await self._in_thread(game, self.games.keep_file, game, name, data)
        if is_new:
            self.counts.count_new_file(asker, game.name, name, size)
        log.info("%s %s %s", game.name[:8], path, "kept" if is_new else "was there")
        self._wake_waiting(game)
        if self.dealer and is_new:
            self.dealer.note_news(game.name)
        if self.caller and is_new:
            self.caller.note_news(game.name)
        return PlainTextResponse("kept\n" if is_new else "was there\n", 201 if is_new else 200)

    async def ways_to_call(self, _request: Request) -> Response:
        """Say how this host can call people: the key that a browser needs before it takes calls."""
        caller = self.caller
        ways = {
            "push": caller.pusher.public_key if caller else "",
            "mail": bool(caller and caller.letters),
        }
        return JSONResponse(ways, headers={"cache-control": "no-cache"})

    async def co_dealer(self, _request: Request) -> Response:
        """Answer with the line with which a game names this host as a co-dealer, and below it the
        words that people compare. Raises HostRefusal if it is none."""
        line = self.dealer.co_dealer_line if self.dealer else None
        if line is None:
            raise HostRefusal(404, NO_CO_DEALER_SENTENCE)
        headers = {"cache-control": "no-cache"}
        return PlainTextResponse(f"{line.line()}\n{line.words()}\n", headers=headers)

    async def take_call_request(self, request: Request) -> Response:
        """Check and keep a request to call the person of a seat, or to stop. Raises HostRefusal."""
        game, size = await self._game_of(request), _content_length(request.headers)
        if not self.caller:
            raise HostRefusal(404, "this host does not tell players when it is their move")
        if size > MAX_CALL_BYTES:
            raise HostRefusal(
                413, f"the request has {size} bytes; it may have at most {MAX_CALL_BYTES}"
            )
        network = network_of(request.scope)  # the same for a page of another site: it has a key
        with self.counts.arriving_bytes.hold(wide_network(network)) as holding:
            data = await _read_body(request, holding)
        try:
            await self._in_thread(game, self.caller.take, game, data, network)
        except HostRefusal:
            self.games.forget(game)
            raise
        return PlainTextResponse("kept\n")

    async def letters(self, request: Request) -> Response:
        """Show whether this host writes to an email address, and let its owner decide (POST), on
        the page or in their mail program."""
        name, code = request.path_params["name"], request.path_params["code"]
        found, is_confirmed = None, False
        if self.caller:
            found, is_confirmed = await run_in_threadpool(self.caller.find_letters, name, code)
        if not self.caller or not found:
            return render_page("call.html", 404, state="gone")
        if request.method == "POST":
            form = await _read_body_of_form(request)
            if form == b"answer=stop" or ONE_CLICK_PATTERN.search(form):
                await run_in_threadpool(self.caller.book.remove, found)
                return render_page("call.html", state="gone")
            if form == b"answer=confirm":
                await run_in_threadpool(self.caller.book.confirm, found)
                self.caller.note_news(name[:32])
                is_confirmed = True
        return render_page("call.html", state="confirmed" if is_confirmed else "asked")

    async def _make(self, request: Request, game: Game, data: bytes, *, is_free: bool) -> bool:
        """Make a game from its charter; return False if it was there already. `is_free`: without a
        token. Raises HostRefusal."""
        if is_free:
            self.counts.count_new_game(asker_of(request.scope))
        digits = request.path_params["digits"]
        return await self._in_thread(
            game, lambda: self.games.make_game(digits, data, is_free=is_free)
        )

    async def _game_of(self, request: Request) -> Game:
        """Return the game at the address of a request. Raises MissingGame, or HostRefusal for a
        network that guesses addresses, unless the game is there."""
        digits = request.path_params["digits"]
        if not re.fullmatch(r"[0-9a-f]{32}", digits):
            raise MissingGame
        game = self.games.game_at(digits)
        asker = asker_of(request.scope)
        is_guessing = request.method == "GET" and self.counts.missing_games.is_full(asker)
        if is_guessing and not await self._in_thread(game, self.games.has_game, digits):
            self.games.forget(game)
            sentence = (
                "your network has asked for too many games that are not on this host; wait a minute"
            )
            raise HostRefusal(429, sentence)
        return game

    async def _in_thread(
        self, game: Game, work: Callable[P, T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Do work on a game in a thread. One game gets `MAX_GAME_THREADS` at a time, so that a slow
        game leaves the rest to others."""
        places = self._semaphores.setdefault(game.name, asyncio.Semaphore(MAX_GAME_THREADS))
        async with places:
            return await run_in_threadpool(work, *args, **named)

    async def site_file(self, request: Request) -> Response:
        """Answer with a file of the page that plays in a browser. Raises HostRefusal at other
        addresses."""
        path = request.path_params["path"]
        if self.site:
            response = await run_in_threadpool(self.site.answer, path, request.headers)
            if response:
                return response
        raise HostRefusal(404, "there is nothing at this address")

    async def play(self, request: Request) -> Response:
        """Answer `GET /g/DIGITS/play` with the page that plays a game in a browser, and with what
        everybody may know of the game; programs that preview links do not get that. Raises
        HostRefusal if this host serves no such page, MissingGame."""
        if not self.arrival_pages:
            raise HostRefusal(404, "there is nothing at this address")
        game = await self._game_of(request)
        if is_previewer(request.headers.get("user-agent", "")):
            text = self.arrival_pages.without_summary()
        else:
            text = await self._in_thread(game, self.arrival_pages.page, game)
        return HTMLResponse(text, headers=ARRIVAL_HEADERS)

    async def welcome(self, request: Request) -> Response:
        """Answer with the page that plays in a browser, or else with a page about this host."""
        response = self.site.answer("", request.headers) if self.site else None
        return response or render_page("welcome.html", deals=bool(self.start_page.dealer))

    def _game_rows(self) -> tuple[Sequence[Row | tuple[str, str]], dict[str, str]]:
        """Return the owner's row of each game (name and problem if it cannot be read), and by name
        the people whom the game waits for."""
        rows = list(self.games.rows())
        names = [row.name for row in rows if isinstance(row, Row)]
        return rows, {name: self.games.say_awaited(name) for name in names}

    def _refused_clause(self) -> str:
        """Return a clause about what this host refuses now for want of room; empty if it takes
        everything."""
        if clause := self.games.full_clause(FILES_MARK):
            return f"takes no files at all: {clause}"
        clause = self.games.full_clause(GAMES_MARK if self.start_page.tokens else FREE_GAMES_MARK)
        return f"takes no new games: {clause}" if clause else ""

    async def owner(self, request: Request) -> Response:
        """Show the owner all games, if the browser sends the password; else ask for it."""
        asker = asker_of(request.scope)
        self.counts.check_wrong_credentials(asker)
        if not find_known_credential(request.headers, [self.password]):
            if "authorization" in request.headers:
                self.counts.count_wrong_credential(asker)
            return ask_for_password("the owner of this host")
        rows, awaited_names_by_game = await run_in_threadpool(self._game_rows)
        games = sorted((r for r in rows if isinstance(r, Row)), key=lambda r: -r.touched)
        largest = sorted(games, key=lambda r: -r.bytes)[:MAX_LARGEST_GAMES_SHOWN]
        broken = [row for row in rows if not isinstance(row, Row)]
        pauses = self.dealer.pauses.pauses if self.dealer else []
        last_pauses = pauses[-MAX_PAUSES_SHOWN:]
        return render_page(
            "owner.html", games=games, largest=largest, awaited_names=awaited_names_by_game,
            broken=broken, refusals=self.counts.refusal_count,
            size=sum(row.bytes for row in games), data=shell_quote(str(self.games.place)),
            capacity=self.games.capacity, pauses=last_pauses[::-1],
            refused=await run_in_threadpool(self._refused_clause),
            waiting=self.counts.waiting_requests.amounts_by_network.total(),
            hours=round((time.time() - self.started_at) / 3600, 1),
        )  # fmt: skip


async def _wrong_method_response(_request: Request, error: Any) -> Response:
    """Answer a request whose method the address does not take."""
    methods = ", ".join(sorted(error.headers["Allow"].split(", ")))
    return PlainTextResponse(f"this address accepts only {methods}\n", 405, headers=error.headers)


_MEDIA_TYPES: Final = {
    "icon.svg": "image/svg+xml", "page.css": "text/css", "page.js": "text/javascript",
}  # fmt: skip


async def _static(request: Request) -> Response:
    """Answer with the style, the script or the icon of the host's own pages."""
    name = request.path_params["name"]
    if name not in _MEDIA_TYPES:
        raise HostRefusal(404, "there is nothing at this address")
    package = "pbem.web" if name == "icon.svg" else "pbem.host"
    data = files(package).joinpath("static", name).read_bytes()
    return Response(data, headers={"cache-control": "no-cache"}, media_type=_MEDIA_TYPES[name])


async def _read_body_of_form(request: Request) -> bytes:
    """Return the form in a request. Raises HostRefusal for one that is too long."""
    if _content_length(request.headers) > MAX_FORM_BYTES:
        raise HostRefusal(413, "the form is too long")
    return await request.body()


async def _read_body(request: Request, holding: Holding) -> bytes:
    """Return the file in a request. `holding` grows by the bytes that have arrived.

    Raises HostRefusal if too many bytes of files are arriving, if nothing arrives for a while, or
    if others need the room and arrive faster.
    """
    data, loop = bytearray(), asyncio.get_running_loop()
    latest_end = loop.time() + MAX_ARRIVAL_SECONDS
    try:
        async with asyncio.timeout_at(min(latest_end, loop.time() + STALL_SECONDS)) as timeout:
            holding.on_drop = lambda: timeout.reschedule(loop.time())
            async for part in request.stream():
                if not holding.add(len(part)):
                    raise HostRefusal(
                        503, "too many files are being sent to this host now; try again soon"
                    )
                data += part
                timeout.reschedule(min(latest_end, loop.time() + STALL_SECONDS))
    except TimeoutError:
        raise HostRefusal(408, "the file took too long to arrive") from None
    return bytes(data)


def _content_length(headers: Headers) -> int:
    """Return the length that a request says its file has. Raises HostRefusal if it says none."""
    length = headers.get("content-length", "")
    if not re.fullmatch(r"[0-9]{1,12}", length):
        raise HostRefusal(411, "say how long the file is (Content-Length)")
    return int(length)


def _preferred_wait(headers: Headers) -> int:
    """Return the seconds that a client wants to wait for news: `Prefer: wait=25` (RFC 7240)."""
    match = re.search(r"(?:^|[,;]\s*)wait=([0-9]{1,4})\b", headers.get("prefer", ""))
    return min(int(match[1]), MAX_WAIT_SECONDS) if match else 0
