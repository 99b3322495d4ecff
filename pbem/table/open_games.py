"""Keep the games that `pbem table` shows: each is read when needed, and again if a file changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, CliError
from pbem.cli.session.keyring import Keyring
from pbem.cli.session.session import Session
from pbem.storage.fingerprint import fingerprint
from pbem.storage.store.address import Place, is_gone

if TYPE_CHECKING:
    from pbem.cli.status.before_turn_one import BeforeTurnOne
    from pbem.cli.status.game_status import GameStatus
    from pbem.play.view import View
    from pbem.replay.history import History
    from pbem.storage.private.home import Home

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
        """Return the passphrase of a profile's key. Raises LockedError if nobody has typed it
        yet."""
        if profile not in self._known:
            raise LockedError(profile)
        return self._known[profile]

    def learn(self, profile: str, said: bytes) -> None:
        """Remember a passphrase if it is right. Raises RecordError `key` if it is wrong."""
        from pbem.format.keys import read_key

        read_key(self.home.read_key(profile), said)
        self._known[profile] = said


class OpenGame:
    """One game, seen from one viewpoint, as it was when its files last changed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._stamp = ""
        self._view: View | None = None
        self._history: History | None = None

    def look(self) -> None:
        """Read the files that have changed since the last request."""
        stamp = self.stamp
        if stamp != self._stamp:
            self.session.refresh()
            self._view, self._stamp = None, stamp

    @property
    def stamp(self) -> str:
        """A mark that changes whenever a file in the game's folder or a key changes."""
        keys = fingerprint(self.session.home.root / "profiles")
        return f"{self.session.folder.stamp()}{keys}"

    def view(self) -> View:
        """Return your view of the game. Raises CliError before turn 1."""
        if self._view is None:
            self._view = self.session.view()
        return self._view

    def status(self) -> GameStatus | BeforeTurnOne:
        """Return the state of the game, and who it waits for. Raises NoGameError, FileError,
        CliError."""
        from pbem.cli.status.game_status import read_status, status_of

        begun = self._view is not None or bool(self.session.listing.turns)
        return status_of(self.session, self.view()) if begun else read_status(self.session)

    def history(self) -> History:
        """Return the history of the game, entry by entry; it is stored, and only new entries are
        added later."""
        from pbem.replay.history import History

        self._history = History.of(self.view(), self._history)
        return self._history


class OpenGames:
    """All games of one home; each is opened when a page asks for it for the first time."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.passphrases = Passphrases(home)
        self.keyring = Keyring(home, ask=self.passphrases.ask)
        self._open: dict[tuple[str, str], OpenGame] = {}

    def game(self, name: str, wish: str = "") -> OpenGame:
        """Return the game whose id begins with these digits, as the seat `wish` sees it.

        Raises CliError if there is none.
        """
        found = [ident for ident in self.home.games() if ident.startswith(name.lower())]
        if not SHORT <= len(name) <= LONGEST_NAME or len(found) != 1:
            raise CliError("you have no game with this name", "the list shows all your games")
        place = self.home.game(found[0]).place
        if place is None or is_gone(place):
            raise CliError(f"this game's folder cannot be found: {place or 'unknown'}", MOVED)
        key = (found[0], wish)
        if key not in self._open or self._open[key].session.place != place:
            self._open[key] = OpenGame(self.session(place, wish))
        self._open[key].look()
        return self._open[key]

    def session(self, folder: Place, wish: str = "") -> Session:
        """Return a session for the game in a folder, with the passphrases that were typed on the
        page."""
        return Session(folder, wish or None, home=self.home, keyring=self.keyring)

    def forget(self) -> None:
        """Forget all games, so that they are read again with a key that a passphrase has just
        opened."""
        self._open.clear()


MOVED = (
    "nothing is lost: put the folder back, or let it sync; if you moved it, stop this program "
    "and start it again in that folder"
)
