"""The games that the table shows, and which of them a request is about."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from pbem.acts.delivery import deliver
from pbem.errors import KEY, CliError
from pbem.files.home import Home, LessonHome
from pbem.files.host_folder import HostFolder
from pbem.files.notebook import Notebook, Notes
from pbem.files.places import Place
from pbem.format.keys import read_key
from pbem.judge.view import View
from pbem.person.delivery import delivery_book
from pbem.person.freshness import Freshness, Stamp, stamp_of_keys
from pbem.person.keyring import Keyring
from pbem.person.losses import announced_losses
from pbem.person.messages import MessagesHere
from pbem.person.own_joins import own_joins
from pbem.person.session import Session
from pbem.person.situation import Situation, in_view, situation_of
from pbem.records.policies import zone_of
from pbem.replay.page import History
from pbem.terminal.failures import bug_sentence, sentence_of
from pbem.text.clock import now
from pbem.text.dates import LATEST, date_in, utc_time
from pbem.web.guard import in_tab, page, read_body
from pbem.wording.losses import describe_loss

# ---- What a request says

MOST = 1 << 18
"""The most bytes of data that one click may send."""
MOST_BRACKETS = 2000
"""The most brackets in them: in a browser tab, data that is nested deeply ends Python itself."""


def games_of(request: Request) -> OpenGames:
    """Return all games of the person who started `pbem table`."""
    found: OpenGames = request.app.state.games
    return found


def game_of(request: Request) -> OpenGame:
    """Return the game that the address names, as the seat in it sees it. Raises CliError."""
    wish = request.query_params.get("as", "")
    if len(wish) > 1:
        raise CliError("a seat is one letter")
    game = games_of(request).game(request.path_params["name"], wish)
    is_opening = request.method == "GET" and request.headers.get("x-pbem-part") != "1"
    if is_opening and delivery_book(game.session.game_home).read().is_due:
        # a page that is open delivers by itself, so this one was closed
        request.state.late_delivery = deliver(game.session)
        game.look()
    return game


def number_of(request: Request, name: str, otherwise: int) -> int:
    """Return a whole number from the address. Raises CliError for anything else."""
    text = request.query_params.get(name, "")
    if not text:
        return otherwise
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise CliError(f"{name} must be a whole number")
    return int(text)


def field_of(sent: dict[str, Any], name: str) -> str:
    """Return the value of a form's field without spaces around it; empty if it is missing."""
    value = sent.get(name, "")
    return value.strip() if isinstance(value, str) else ""


async def sent_data(request: Request) -> dict[str, Any]:
    """Return the JSON data that a click sent. Raises CliError for anything else."""
    data = await read_body(request.receive, MOST)
    if data is None or data.count(b"[") + data.count(b"{") > MOST_BRACKETS:
        raise CliError("the page sent more than pbem accepts")
    try:
        found = json.loads(data)
        json.dumps(found, ensure_ascii=False).encode()  # half a character cannot be written
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise CliError("the page sent something that pbem cannot read: reload the page")
    return found


# ---- The games of one home


class WayBackNotes(Notes):
    """Whether the person of a browser tab has kept the link that brings the seat back."""

    file = "way-back.toml"
    kept: bool = False


def _way_back_book(session: Session) -> Notebook[WayBackNotes]:
    return Notebook(session.game_home.root, WayBackNotes)


def note_way_back_kept(session: Session) -> None:
    """Note that the person has kept the link that brings the seat back. Raises StorageError."""
    _way_back_book(session).change(lambda _: WayBackNotes(kept=True))


LONGEST_NAME = 64
"""The most digits of a game's id in an address; the pages use the first twelve."""
SHORT = 12


class LockedError(CliError):
    """Raised if a key has a passphrase that nobody has typed on the page yet."""

    def __init__(self, profile: str) -> None:
        super().__init__(f"the key of {profile} has a passphrase", "", KEY)
        self.profile = profile


class Passphrases:
    """The passphrases typed since `pbem table` started; none is written to a disk."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._known: dict[str, bytes] = {}

    def ask(self, profile: str) -> bytes:
        """Return the passphrase of a profile's key. Raises LockedError if nobody typed it yet."""
        if profile not in self._known:
            raise LockedError(profile)
        return self._known[profile]

    def learn(self, profile: str, passphrase: bytes) -> None:
        """Remember a passphrase if it is right. Raises RecordError `key` if it is wrong."""
        read_key(self.home.read_key(profile), passphrase)
        self._known[profile] = passphrase


class OpenGame:
    """One game, seen from one viewpoint, as it was when its files last changed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._freshness = Freshness([], 0, [])
        self._view: View | None = None
        self._history: History | None = None

    def look(self) -> None:
        """Read the files that have changed since the last request."""
        stamp = self._files_stamp()
        if not self._freshness.is_valid(stamp):
            self.session.refresh()
            self._view = None
            self._freshness = Freshness(stamp, now(), self._freshness.moments)

    def _files_stamp(self) -> Stamp:
        return [self.session.folder.fingerprint(), stamp_of_keys(self.session.home)]

    @property
    def stamp(self) -> str:
        """A mark that changes whenever a file in the game's folder or a key changes, and when the
        deadline passes."""
        late = ["late" for moment in self._freshness.moments if 0 < moment <= now()]
        return "".join([*self._files_stamp(), *late])

    def view(self) -> View:
        """Return your view of the game. Raises CliError before turn 1."""
        if self._view is None:
            self._view = self.session.view()
            self._freshness = self._freshness._replace(moments=[self._view.deadline])
        return self._view

    def situation(self) -> Situation:
        """Return your situation in the game. Raises NoGameError, FileError, CliError."""
        begun = self._view is not None or bool(self.session.listing.turns)
        return in_view(self.session, self.view()) if begun else situation_of(self.session)

    def history(self) -> History:
        """Return the game entry by entry; only new entries are added later."""
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

    def game(self, name: str, wish: str = "") -> OpenGame:
        """Return the game whose id begins like this, as `wish` sees it. Raises CliError if none."""
        found = [
            (home, ident)
            for home in (self.home, *self.home.lessons())
            for ident in home.games()
            if ident.startswith(name.lower())
        ]
        if not SHORT <= len(name) <= LONGEST_NAME or len(found) != 1:
            raise CliError("you have no game with this name", "the list shows all your games", KEY)
        home, ident = found[0]
        place = home.game(ident).place
        if place is None or place.is_gone():
            raise CliError(f"this game's folder cannot be found: {place or 'unknown'}", MOVED)
        key = (ident, wish)
        if key not in self._open or self._open[key].session.place != place:
            self._open[key] = OpenGame(self.session(place, wish))
        self._open[key].look()
        return self._open[key]

    def session(self, folder: Place | Path, wish: str = "") -> Session:
        """Return a session for the game in a folder, with the passphrases typed so far."""
        return Session(folder, wish or None, home=self.home, keyring=self.keyring)

    def forget(self) -> None:
        """Forget all games, so that they are read again with a key that was just opened."""
        self._open.clear()


def new_profile(home: Home, name: str) -> str:
    """Return the name for another key of the game with this short name; no profile has it yet."""
    names = (f"game-{name}" + (f"-{number}" if number > 1 else "") for number in count(1))
    return next(profile for profile in names if profile not in home.profiles())


MOVED = (
    "nothing is lost: put the folder back, or let it sync; if you moved it, stop this program "
    "and start it again in that folder"
)


# ---- Errors

REFUSED, LOCKED, BUG = 409, 423, 500
_MEMORY = re.compile(r"(?<!\S)/\S*/heads\.toml: ")
_OPTION = re.compile(r"^(--[a-z-]+|notice [a-z]+): ")
"""The option or command at the start of a sentence; a page has a field instead of it."""


def sentence_and_hint(error: Exception) -> tuple[str, str]:
    """Return the error's sentence and how to fix it; for a bug, the path of its traceback."""
    sentence = sentence_of(error)
    if sentence is None:
        return bug_sentence(error), ""
    # what a hint says up to the first command for a terminal
    hint = re.split(r"(?:^|[:;,] |, or )(?=pbem |--)", str(getattr(error, "hint", "")))[0]
    return shortened(sentence), "" if "pbem " in hint or "--" in hint else hint


def shortened(sentence: str) -> str:
    """Return the sentence without an option's name and the path of pbem's private notes."""
    return _MEMORY.sub("", _OPTION.sub("", sentence))


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer with a page that shows the error, or a part of one if a part was asked for."""
    part = "_part" if request.headers.get("x-pbem-part") == "1" else ""
    if isinstance(error, LockedError):
        return page(request, f"locked{part}.html", LOCKED, profile=error.profile)
    sentence, hint = sentence_and_hint(error)
    status = BUG if sentence_of(error) is None else REFUSED
    is_lost = in_tab(request) and getattr(error, "exit", None) == KEY
    values = {"sentence": sentence, "hint": hint, "is_lost": is_lost}
    return page(request, f"error{part}.html", status, **values)


# ---- The head of every page, and moments on it


def time_tag(seconds: int, zone: str = "") -> Markup:
    """Write a moment for a page: in this zone, which the page replaces by the reader's own."""
    if not 0 <= seconds <= LATEST:
        return escape(utc_time(seconds))
    at = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Markup('<time datetime="{}">{}</time>').format(
        at, date_in(zone_of(zone) if zone else None, seconds)
    )


def _again(request: Request, session: Session) -> str:
    """Return where another game with the same people is started: at the host, unless the person
    here dealt the cards."""
    if isinstance(session.home, LessonHome):
        return f"{request.scope['root_path']}/new"
    if session.place.rematch_page and not session.roles.referee:
        return session.place.rematch_page
    name = session.game_folder.game.hex()[:SHORT]
    return f"{request.scope['root_path']}/new?like={name}"


def short_address(request: Request, place: Place) -> str:
    """Return the address of a game as links of this tab have it: on its own host only the
    digits."""
    return str(place).removeprefix(f"{request.app.state.site.rstrip('/')}/g/")


def is_sending(request: Request, session: Session) -> bool:
    """Return whether something that was written in a browser tab still waits to be sent."""
    folder = session.folder
    return in_tab(request) and isinstance(folder, HostFolder) and bool(folder.waiting_paths())


def frame(request: Request, game: OpenGame, here: str) -> dict[str, Any]:
    """Return the values that fill the head of a page; `here` is the name of the page."""
    session = game.session
    charter = session.charter
    name = session.game_folder.game.hex()[:SHORT]
    address = f"{request.scope['root_path']}/game/{name}"
    wish = f"?as={session.requested_seat}" if session.requested_seat else ""
    begun = session.listing.press and session.listing.turns
    new = len(MessagesHere(session, game.view()).unread()) if begun else 0
    pages = [
        ("table", "", "Table"),
        ("history", "/history", "History"),
        ("messages", "/messages", f"Messages ({new})" if new else "Messages"),
        ("notices", "/notices", "Notices"),
        ("mail", "/mail", "Mail"),
        ("audit", "/audit", "Audit"),
        ("rules", "/rules", "How to play"),
    ]
    if session.roles.referee:
        pages.append(("referee", "/referee", "Referee"))
    on_host = session.place.has_secret_address
    seatless = not (session.roles.seats or session.roles.referee or own_joins(session))
    losses = announced_losses(session, game.view()) if session.listing.notices else []
    return {
        "title": charter.title,
        "unread": new,
        "ruleset": charter.ruleset,
        "name": name,
        "address": address,
        "wish": wish,
        "here": here,
        "on_host": on_host,
        "bookmark": short_address(request, session.place) if on_host and in_tab(request) else "",
        "is_sending": is_sending(request, session),
        "losses": [(describe_loss(loss), loss.announced_act.disputed) for loss in losses],
        "play_again": _again(request, session),
        "offer_way_back": in_tab(request)
        and on_host
        and seatless
        and name not in games_of(request).invites
        and here not in ("take", "move"),
        "ask_way_back": in_tab(request)
        and not isinstance(session.home, LessonHome)
        and bool(session.roles.seats)
        and not _way_back_book(session).read().kept,
        "links": [(key, f"{address}{path}{wish}", label) for key, path, label in pages],
        "stamp": game.stamp,
        "reached": session.listing.reached,
        "seconds_left": delivery_book(session.game_home).read().seconds_left,
        "late_delivery": getattr(request.state, "late_delivery", None),
    }
