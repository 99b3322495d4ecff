"""The open games of the table, which one a request is about, and the passphrases that somebody
typed since `pbem table` started."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from starlette.requests import Request

from pbem.acts.deliver_or_take_back_orders import deliver
from pbem.errors import KEY, CliError
from pbem.files.game_folder_places import Place
from pbem.files.home import Home
from pbem.format.openssh_key_files import read_key
from pbem.judge.game_view import View
from pbem.person.cache_freshness import Freshness, Stamp, stamp_of_keys
from pbem.person.delivery_wait_of_sealed_orders import delivery_book
from pbem.person.keyring import Keyring
from pbem.person.session import Session
from pbem.person.situation import Situation, situation_in_view, situation_of
from pbem.replay.steps import History
from pbem.text.clock import now


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


MAX_ID_DIGITS = 64
"""The most digits of a game's id in an address that somebody types."""
SHORT_ID_DIGITS = 12
"""The number of digits of a game's id in the addresses of pages."""


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
        return (
            situation_in_view(self.session, self.view())
            if has_begun
            else situation_of(self.session)
        )

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
            raise CliError("you have no game with this name", "choose a game from the list", KEY)
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


# ---- Passphrases


class LockedError(CliError):
    """Raised if a key has a passphrase that nobody has typed on the page yet."""

    def __init__(self, profile: str) -> None:
        super().__init__(f"the key of the profile {profile!r} has a passphrase", "", KEY)
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
