"""The open games of the table: which of them a request is about, what it sends, and the head of
each page."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from pbem.acts.deliver_or_take_back_orders import deliver
from pbem.errors import KEY, CliError
from pbem.files.folder_addresses import Place
from pbem.files.home import Home, LessonHome
from pbem.files.host_folder import HostFolder
from pbem.files.toml_notebook import Notebook, Notes
from pbem.format.keys import read_key
from pbem.judge.game_view import View
from pbem.person.cache_freshness import Freshness, Stamp, stamp_of_keys
from pbem.person.cancellable_acts import announced_losses
from pbem.person.keyring import Keyring
from pbem.person.known_joins import own_joins
from pbem.person.orders_waiting_for_delivery import delivery_book
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.person.situation import Situation, in_view, situation_of
from pbem.records.policies import zone_of
from pbem.replay.steps import History
from pbem.terminal.command_failures import bug_sentence, sentence_of
from pbem.text.clock import now
from pbem.text.dates import LATEST, date_in, utc_time
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.access_guard import read_body
from pbem.web.rendering import in_tab, page
from pbem.wording.cancellable_acts import describe_loss

# ---- What a request says

MAX_DATA_BYTES = 1 << 18
"""The most bytes of data that one click may send."""
MAX_BRACKETS = 2000
"""The most brackets in this data: deeply nested data ends Python itself in a browser tab."""


def games_of(request: Request) -> OpenGames:
    """Return all games of the person who started `pbem table`."""
    games: OpenGames = request.app.state.games
    return games


def game_of(request: Request) -> OpenGame:
    """Return the game that the address names, seen from the requested seat. Raises CliError."""
    requested_seat = request.query_params.get("as", "")
    if len(requested_seat) > 1:
        raise CliError("a seat is one letter")
    game = games_of(request).game(request.path_params["name"], requested_seat)
    is_opening = request.method == "GET" and request.headers.get("x-pbem-part") != "1"
    if is_opening and delivery_book(game.session.game_home).read().is_due:
        # a page that is open delivers by itself, so this one was closed
        request.state.late_delivery = deliver(game.session)
        game.refresh()
    return game


def number_of(request: Request, name: str, default: int) -> int:
    """Return a whole number from the address; `default` if the address has none. Raises CliError
    for anything else."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise CliError(f"{name} must be a whole number")
    return int(text)


def field_of(fields: dict[str, Any], name: str) -> str:
    """Return the value of a form's field without spaces around it; empty if it is missing or no
    text."""
    value = fields.get(name, "")
    return value.strip() if isinstance(value, str) else ""


async def read_fields(request: Request) -> dict[str, Any]:
    """Return the fields that a click sent as JSON. Raises CliError for anything else."""
    data = await read_body(request.receive, MAX_DATA_BYTES)
    if data is None or data.count(b"[") + data.count(b"{") > MAX_BRACKETS:
        raise CliError("the page sent more data than pbem accepts")
    try:
        fields = json.loads(data)
        json.dumps(fields, ensure_ascii=False).encode()  # half a character cannot be written
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise CliError("the page sent something that pbem cannot read: reload the page")
    return fields


# ---- The games of one home


class CallNotes(Notes):
    """The file that says how the host calls the person of a browser tab in a game."""

    file = "calls.toml"
    push: str = ""
    """The address at a push service at which this browser is called; empty for none."""
    mail: str = ""
    """The email address to which the host writes; empty for none."""
    wished_mail: str = ""
    """The email address that the person gave when they joined, and the host does not have yet."""
    is_answered: bool = False
    """Whether the person has said yes or no, so that the pages ask no more."""
    time: int = 0
    """The time of the last request."""


def call_notebook(session: Session) -> Notebook[CallNotes]:
    """Return the notebook with the `CallNotes` of a game."""
    return Notebook(session.game_home.root, CallNotes)


class SeatLinkNotes(Notes):
    """The file that says whether the person of a browser tab has kept the link to their seat."""

    file = "seat-link.toml"
    kept: bool = False


def _seat_link_notebook(session: Session) -> Notebook[SeatLinkNotes]:
    """Return the notebook with the `SeatLinkNotes` of a game."""
    return Notebook(session.game_home.root, SeatLinkNotes)


def note_seat_link_kept(session: Session) -> None:
    """Note that the person has kept the link to their seat. Raises StorageError."""
    _seat_link_notebook(session).change(lambda _: SeatLinkNotes(kept=True))


MAX_ID_DIGITS = 64
"""The most digits of a game's id in an address that somebody types."""
SHORT_ID_DIGITS = 12
"""The number of digits of a game's id in the addresses of pages."""


class LockedError(CliError):
    """Raised if a key has a passphrase that nobody has typed on the page yet."""

    def __init__(self, profile: str) -> None:
        super().__init__(f"the key of {profile} has a passphrase", "", KEY)
        self.profile = profile


class Passphrases:
    """The passphrases typed since `pbem table` started; none is written to a disk."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._passphrases: dict[str, bytes] = {}

    def ask(self, profile: str) -> bytes:
        """Return the passphrase of a profile's key. Raises LockedError if nobody typed it yet."""
        if profile not in self._passphrases:
            raise LockedError(profile)
        return self._passphrases[profile]

    def learn(self, profile: str, passphrase: bytes) -> None:
        """Remember a passphrase if it is right. Raises RecordError `key` if it is wrong."""
        read_key(self.home.read_key(profile), passphrase)
        self._passphrases[profile] = passphrase


class OpenGame:
    """A game from one viewpoint. `refresh` reads the files that have changed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._freshness = Freshness([], 0, [])
        self._view: View | None = None
        self._history: History | None = None

    def refresh(self) -> None:
        """Read the files that have changed since the last request."""
        stamp = self._files_stamp()
        if not self._freshness.is_valid(stamp):
            self.session.refresh()
            self._view = None
            self._freshness = Freshness(stamp, now(), self._freshness.moments)

    def _files_stamp(self) -> Stamp:
        """Return the fingerprints of the game's folder and of the keys."""
        return [self.session.folder.fingerprint(), stamp_of_keys(self.session.home)]

    @property
    def stamp(self) -> str:
        """A fingerprint for pages. It changes with a file in the game's folder, with a key, and
        when the deadline passes."""
        passed_marks = ["late" for moment in self._freshness.moments if 0 < moment <= now()]
        return "".join([*self._files_stamp(), *passed_marks])

    def view(self) -> View:
        """Return the view of the game. Raises CliError before turn 1."""
        if self._view is None:
            self._view = self.session.view()
            self._freshness = self._freshness._replace(moments=[self._view.deadline])
        return self._view

    def situation(self) -> Situation:
        """Return the user's situation in the game. Raises NoGameError, FileError, CliError."""
        has_begun = self._view is not None or bool(self.session.listing.turns)
        return in_view(self.session, self.view()) if has_begun else situation_of(self.session)

    def history(self) -> History:
        """Return the history of the game by entries; later calls add only new entries."""
        self._history = History.of_view(self.view(), self._history)
        return self._history


class OpenGames:
    """All games of one home; each is opened when a page asks for it for the first time."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.passphrases = Passphrases(home)
        self.keyring = Keyring(home, ask=self.passphrases.ask)
        self.invites: dict[str, str] = {}
        """The invites that links brought, by the game's short name, until they are used."""
        self._open: dict[tuple[str, str], OpenGame] = {}

    def game(self, name: str, requested_seat: str = "") -> OpenGame:
        """Return the game whose id begins with `name`, as a seat sees it; an empty seat stands for
        the user's own. Raises CliError if there is no such game, or several."""
        matches = [
            (home, game_id)
            for home in (self.home, *self.home.lessons())
            for game_id in home.games()
            if game_id.startswith(name.lower())
        ]
        if not SHORT_ID_DIGITS <= len(name) <= MAX_ID_DIGITS or len(matches) != 1:
            raise CliError("you have no game with this name", "the list shows all your games", KEY)
        home, game_id = matches[0]
        place = home.game(game_id).place
        if place is None or place.is_gone():
            sentence = f"this game's folder cannot be found: {place or 'unknown'}"
            raise CliError(sentence, MOVED_FOLDER_HINT)
        key = (game_id, requested_seat)
        if key not in self._open or self._open[key].session.place != place:
            self._open[key] = OpenGame(self.session(place, requested_seat))
        self._open[key].refresh()
        return self._open[key]

    def session(self, folder: Place | Path, requested_seat: str = "") -> Session:
        """Return a session for the game in a folder. It opens keys with the passphrases typed so
        far."""
        return Session(folder, requested_seat or None, home=self.home, keyring=self.keyring)

    def forget(self) -> None:
        """Forget all games, so that they are read again with a key that was just opened."""
        self._open.clear()


def new_profile(home: Home, name: str) -> str:
    """Return a name, which no profile has yet, for another key of the game with this short name."""
    names = (f"game-{name}" + (f"-{number}" if number > 1 else "") for number in count(1))
    return next(profile for profile in names if profile not in home.profiles())


MOVED_FOLDER_HINT = (
    "nothing is lost: put the folder back, or let it sync; if you moved the folder, stop "
    "this program, and start it again there"
)


# ---- Errors

REFUSED_STATUS, LOCKED_STATUS, BUG_STATUS = 409, 423, 500


def sentence_and_hint(error: Exception) -> tuple[str, str]:
    """Return an error's sentence and how to mend it; for a bug, the path of its traceback and
    nothing."""
    sentence = sentence_of(error)
    if sentence is None:
        return bug_sentence(error), ""
    return off_terminal(sentence), off_terminal(getattr(error, "hint", ""))


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer with a page that shows an error, or with a part of one if the script asked for a
    part."""
    part = "_part" if request.headers.get("x-pbem-part") == "1" else ""
    if isinstance(error, LockedError):
        return page(request, f"locked{part}.html", LOCKED_STATUS, profile=error.profile)
    sentence, hint = sentence_and_hint(error)
    status = BUG_STATUS if sentence_of(error) is None else REFUSED_STATUS
    is_lost = in_tab(request) and getattr(error, "exit", None) == KEY
    values = {"sentence": sentence, "hint": hint, "is_lost": is_lost}
    return page(request, f"error{part}.html", status, **values)


# ---- The head of every page, and moments on it


def time_tag(seconds: int, zone: str = "") -> Markup:
    """Return a moment (seconds since 1970) as an HTML element in a time zone. A script of the page
    shows it in the reader's zone."""
    if not 0 <= seconds <= LATEST:
        return escape(utc_time(seconds))
    utc_text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Markup('<time datetime="{}">{}</time>').format(
        utc_text, date_in(zone_of(zone) if zone else None, seconds)
    )


def _rematch_address(request: Request, session: Session) -> str:
    """Return the address on which to start another game with the same people: at the host, unless
    the user is the referee."""
    if isinstance(session.home, LessonHome):
        return f"{request.scope['root_path']}/new"
    if session.place.rematch_page and not session.roles.referee:
        return session.place.rematch_page
    name = session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    return f"{request.scope['root_path']}/new?like={name}"


def short_address(request: Request, place: Place) -> str:
    """Return a game's address as it stands in links of this tab: only the digits if the game is on
    the tab's own host."""
    return str(place).removeprefix(f"{request.app.state.site.rstrip('/')}/g/")


def is_sending(request: Request, session: Session) -> bool:
    """Return whether something that was written in a browser tab still waits to be sent to the
    host."""
    folder = session.folder
    return in_tab(request) and isinstance(folder, HostFolder) and bool(folder.waiting_paths())


def head_values(request: Request, game: OpenGame, current_page: str) -> dict[str, Any]:
    """Return the values for the head of a page, which `game_base.html` reads. `current_page` is the
    name of the page."""
    session = game.session
    charter = session.charter
    name = session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    address = f"{request.scope['root_path']}/game/{name}"
    seat_query = f"?as={session.requested_seat}" if session.requested_seat else ""
    has_begun = session.listing.press and session.listing.turns
    unread_count = len(MessagesHere(session, game.view()).unread()) if has_begun else 0
    pages = [
        ("table", "", "Table"),
        ("history", "/history", "History"),
        ("messages", "/messages", f"Messages ({unread_count})" if unread_count else "Messages"),
        ("notices", "/notices", "Notices"),
        ("mail", "/mail", "Mail"),
        ("audit", "/audit", "Audit"),
        ("rules", "/rules", "How to play"),
    ]
    if session.roles.referee:
        pages.append(("referee", "/referee", "Referee"))
    on_host = session.place.has_secret_address
    losses = announced_losses(session, game.view()) if session.listing.notices else []
    has_no_part = not (session.roles.seats or session.roles.referee or own_joins(session))
    has_invite = name in games_of(request).invites
    may_have_link = in_tab(request) and on_host and has_no_part and not has_invite
    plays_in_tab = in_tab(request) and not isinstance(session.home, LessonHome)
    bookmark = short_address(request, session.place) if on_host and in_tab(request) else ""
    may_be_called = plays_in_tab and bool(session.roles.seats) and bool(bookmark)
    may_be_called &= "/" not in bookmark
    calls = call_notebook(session).read() if may_be_called else CallNotes()
    if may_be_called:
        pages.append(("calls", "/calls", "Tell me"))
    return {
        "title": charter.title,
        "unread": unread_count,
        "ruleset": charter.ruleset,
        "name": name,
        "address": address,
        "seat_query": seat_query,
        "current_page": current_page,
        "on_host": on_host,
        "bookmark": bookmark,
        "pushed": calls.push,
        "mail_wish": calls.wished_mail,
        "ask_calls": may_be_called and not calls.is_answered,
        "is_sending": is_sending(request, session),
        "losses": [(describe_loss(loss), loss.announced_act.disputed) for loss in losses],
        "play_again": _rematch_address(request, session),
        "may_paste_seat_link": may_have_link and current_page not in ("take", "move"),
        "asks_to_keep_seat": plays_in_tab
        and bool(session.roles.seats)
        and not _seat_link_notebook(session).read().kept,
        "links": [(key, f"{address}{path}{seat_query}", label) for key, path, label in pages],
        "stamp": game.stamp,
        "reached": session.listing.reached,
        "seconds_left": delivery_book(session.game_home).read().seconds_left,
        "late_delivery": getattr(request.state, "late_delivery", None),
    }
