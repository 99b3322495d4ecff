"""Everything that one run of a command knows about you and the game in the folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.places.chosen_place import chosen_place
from pbem.cli.session.game_here import GameHere, Roles
from pbem.cli.session.identity import Identity
from pbem.cli.session.keyring import Keyring
from pbem.cli.session.reading import Readers, Reading
from pbem.cli.session.refereeing import Refereeing
from pbem.storage.private.home import Home

if TYPE_CHECKING:
    from pbem.format.keys import SigningKey
    from pbem.play.checking.game_folder import GameFolder
    from pbem.play.checking.seat_reader import SeatReader
    from pbem.play.making.progress import Progress
    from pbem.play.view import View
    from pbem.storage.folder import Listing
    from pbem.storage.private.home import Mine
    from pbem.storage.store.address import Place


class Session:
    """One run of a command: your keys, the game, your part in it, your view, and shortcuts to
    these."""

    here: GameHere
    me: Identity
    refereeing: Refereeing
    reading: Reading

    def __init__(
        self,
        folder: str | Place | None = None,
        seat: str | None = None,
        passphrase_file: Path | None = None,
        home: Home | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        self.home = home or Home.find()
        self.place = chosen_place(folder)
        self.folder = self.home.folder(self.place)
        self.keyring = keyring or Keyring(self.home, passphrase_file)
        self._wish = (seat or os.environ.get("PBEM_AS", "")).lower()
        self._look(Readers(), None)

    def refresh(self) -> None:
        """Read the folder again after something was written or time has passed."""
        self._look(self.reading.readers, self.refereeing.progress)

    def _look(self, readers: Readers, progress: Progress | None) -> None:
        """Forget what the folder contained, but let readers and the turn maker continue where they
        stopped."""
        self.here = GameHere(self.folder, self.keyring)
        self.me = Identity(self.here, self._wish)
        self.refereeing = Refereeing(self.me, progress)
        self.reading = Reading(self.refereeing, readers)

    # -------------------------------------------------------------- the game
    @property
    def listing(self) -> Listing:
        """The files of the folder (see GameHere.listing)."""
        return self.here.listing

    @property
    def gaps(self) -> list[int]:
        """The numbers of missing turns (see GameHere.gaps)."""
        return self.here.gaps

    @property
    def game_folder(self) -> GameFolder:
        """The game in the folder (see GameHere.game_folder)."""
        return self.here.game_folder

    @property
    def mine(self) -> Mine:
        """The private files of this game (see GameHere.mine)."""
        return self.here.mine

    @property
    def roles(self) -> Roles:
        """Your roles in this game (see GameHere.roles)."""
        return self.here.roles

    # -------------------------------------------------------------- who you are
    @property
    def wish(self) -> str:
        """The seat that you named, if any (see Identity)."""
        return self.me.wish

    @property
    def seat(self) -> str:
        """The seat that you mean (see Identity.seat)."""
        return self.me.seat

    def need_seat(self) -> str:
        """Return the seat that you mean, or an error (see Identity.need_seat)."""
        return self.me.need_seat()

    def seat_key(self, seat: str) -> SigningKey:
        """Return the signing key of one of your seats (see Identity.seat_key)."""
        return self.me.seat_key(seat)

    def referee_key(self) -> SigningKey:
        """Return the key of the referee (see Identity.referee_key)."""
        return self.me.referee_key()

    # -------------------------------------------------------------- what you see
    def reader(self, seat: str) -> SeatReader:
        """Return the reader of one of your seats (see Reading.seat_reader)."""
        return self.reading.seat_reader(seat)

    def reader_now(self, seat: str) -> SeatReader:
        """Return the reader of a seat, as of now (see Reading.seat_reader_now)."""
        return self.reading.seat_reader_now(seat)

    def view(self, fresh: bool = False) -> View:
        """Return your view of the game (see Reading.view)."""
        return self.reading.view(fresh)
