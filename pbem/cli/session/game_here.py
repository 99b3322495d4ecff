"""The game in a folder, and the roles that your keys give you in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.cli.session.keyring import Keyring
    from pbem.play.checking.game_folder import GameFolder
    from pbem.play.seats.standing import Standing
    from pbem.records.charter_join_orders import Join
    from pbem.storage.folder import Listing, SharedFolder
    from pbem.storage.private.home import Home, Mine


class Roles:
    """The roles of one person in a game: the referee, or a player in some seats, or both."""

    def __init__(
        self,
        referee: str,
        deputy: str,
        seats: dict[str, str],
        held: frozenset[str],
        mail: frozenset[str],
    ) -> None:
        self.referee = referee
        """The profile whose key makes the turns now."""
        self.deputy = deputy
        """The profile of the deputy, if you are the deputy and do not make the turns yet."""
        self.seats = seats
        """Your seats, each with the profile whose key plays it; for held seats, the referee's
        profile."""
        self.held = held
        """Held seats: those that you play because you are the referee."""
        self.mail = mail
        """Seats whose players answer by plain email, and whose keys you have as the referee. They
        are not in `seats`, because you do not play them."""


class GameHere:
    """The game in a folder as it was when read; to read the folder again, make a new GameHere."""

    def __init__(self, folder: SharedFolder, keyring: Keyring) -> None:
        self.folder = folder
        self.keyring = keyring

    @property
    def home(self) -> Home:
        """Your private folder."""
        return self.keyring.home

    @cached_property
    def names(self) -> Listing:
        """The names of the files in the folder; their contents are not read."""
        return self.folder.scan()

    @property
    def listing(self) -> Listing:
        """The files of the folder; a turn file counts only if the referee signed it."""
        return self.game_folder.listing if self.names.charter else self.names

    @property
    def gaps(self) -> list[int]:
        """The numbers of turns that are missing although a later turn is here."""
        # if no file name is missing, no signed turn is: no file has to be opened
        return self.listing.gaps if self.names.gaps else []

    @cached_property
    def game_folder(self) -> GameFolder:
        """The game in the folder; each file is checked when it is read. Raises NoGameError,
        FileError."""
        from pbem.play.checking.game_folder import open_folder

        game_folder = open_folder(self.folder, self.names)
        self.home.stay_outside(self.folder.place)  # other people see only the game folder
        return game_folder

    @property
    def mine(self) -> Mine:
        """The private files of this game in your home."""
        return self.home.game(self.game_folder.game.hex())

    @cached_property
    def roles(self) -> Roles:
        """Your roles in this game, found from your public keys, so no passphrase is needed."""
        charter = self.game_folder.charter.content
        publics = self.keyring.publics
        makes, deputy = charter.key, charter.deputy_key
        if self.game_folder.deputy_since:
            makes, deputy = charter.deputy_key, b""
        referee = next((p for p, public in publics.items() if public == makes), "")
        second = next((p for p, public in publics.items() if public == deputy), "")
        seats = {
            seat: profile
            for seat, public in self.seat_keys().items()
            for profile, mine in publics.items()
            if mine == public
        }
        held = frozenset(charter.plays) if referee else frozenset[str]()
        seats = {**dict.fromkeys(sorted(held), referee), **seats}
        mail = self._by_mail() if referee else frozenset[str]()
        return Roles(referee, second, seats, held, mail)

    def _by_mail(self) -> frozenset[str]:
        """Return the seats whose players answer by plain email now."""
        planned = self.game_folder.charter.content.by_mail
        if not planned or not self.listing.reached:
            return frozenset(planned)
        return self.standing.by_mail

    @cached_property
    def standing(self) -> Standing:
        """The standing: who has which seat and keys after all notices so far.

        Raises FileError for a missing join or notice.
        """
        from pbem.play.notices.notice_files import standing_in

        return standing_in(self.game_folder)

    @property
    def roster(self) -> Mapping[str, Join]:
        """The join of each seat whose file is here, with the keys that count now."""
        from pbem.format.errors import RecordError

        try:
            return self.standing.roster
        except RecordError:
            joins = self.game_folder.joins()
            first = next(self.game_folder.turns(), None)
            ids = (first.content.joins or {}) if first else {}
            return {seat: joins[i].content for seat, i in ids.items() if i in joins}

    def since(self, seat: str) -> int:
        """Return the number of the first turn in which the keys of a seat count."""
        return self.standing.since.get(seat, 1)

    def seat_keys(self) -> Mapping[str, bytes]:
        """Return the public key of each seat now; before turn 1, the key in your join."""
        joins = self.game_folder.joins()
        if self.listing.reached:
            return {seat: join.key for seat, join in self.roster.items()}
        mine = set(self.keyring.publics.values())
        return {
            record.content.seat: record.content.key
            for record in joins.values()
            if record.content.key in mine
        }

    def name_of(self, seat: str) -> str:
        """Return the player's name, from the join that counts; before turn 1 from the charter."""
        if seat in self.roster:
            return self.roster[seat].name
        plans = self.game_folder.charter.content.seats
        return next((plan.name for plan in plans if plan.seat == seat), "")
