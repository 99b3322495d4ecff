"""A person and the game in a folder: the folder as it was when it was read, and the person's roles
and keys in that game."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from engine.value_classes import Value
from pbem.files.game_folder import Listing
from pbem.files.game_folder_places import Place, place_of
from pbem.files.home import GameHome, Home
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.game_view import View
from pbem.judge.records_of_game_folder import Archive, NoGameError, open_folder
from pbem.person.keyring import Keyring
from pbem.records.charter import Charter
from pbem.records.join import Join
from pbem.terminal.commands_and_paths_to_type import shell_quote

# ---- The game folder of a command: as typed, PBEM_FOLDER, or the current one


def chosen_place(folder: str | Path | Place | None) -> Place:
    """Return the folder of a command: as typed, else from the environment, else the current folder.

    Raises StorageError for an address that no game folder can have.
    """
    return named_place(folder) or place_of(".")


def named_place(folder: str | Path | Place | None) -> Place | None:
    """Return the folder that was typed or is in the environment; None if nobody named one."""
    location = folder or os.environ.get("PBEM_FOLDER")
    return place_of(location) if location else None


# ---- The game in a folder, and the roles that your keys give you in it


class Roles(Value):
    """The roles of one person in a game: the referee, or a player in some seats, or both."""

    referee: str
    """The profile whose key makes the turns now."""
    deputy: str
    """The profile of the deputy, if you are the deputy and do not make the turns yet."""
    seats: Mapping[str, str]
    """Your seats, each with the profile whose key plays it; for `referee_seats`, the referee's."""
    referee_seats: frozenset[str]
    """The seats that you play because you are the referee: the charter's `plays`."""
    mail_seats: frozenset[str]
    """Seats whose players answer by plain email, and whose keys you have as the referee. They are
    not in `seats`, because you do not play them."""
    co_dealer: str
    """The profile whose key deals as a co-dealer now (mode `dealers`)."""
    dealers_deputy: str
    """The profile of a co-dealer's deputy, if you are the deputy and do not deal yet."""

    @property
    def held_seats(self) -> frozenset[str]:
        """The seats whose keys you have as the referee, as in `Charter.held_seats`."""
        return self.referee_seats | self.mail_seats


class UserGame:
    """A person and the game in a folder, as the folder was when it was read."""

    def __init__(
        self,
        folder: str | Path | Place | None = None,
        seat: str | None = None,
        passphrase_file: Path | None = None,
        home: Home | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        """`folder` is the game's folder (None: the current one), `seat` the seat that the user
        asks for (None: as PBEM_AS says). Without `keyring`, the keys are those of `home`, or of the
        usual home; `passphrase_file` has their passphrase. A lesson has a home of its own."""
        self.keyring = keyring or Keyring(home or Home.find(), passphrase_file)
        self.place = chosen_place(folder)
        if (lesson := self.keyring.home.lesson_at(self.place)) is not None:
            self.keyring = Keyring(lesson)
        self.home = self.keyring.home
        self.folder = self.home.folder(self.place)
        self.requested_seat = (seat or os.environ.get("PBEM_AS", "")).lower()
        """The seat named by `--as` or PBEM_AS, if any."""

    def read_again(self) -> None:
        """Forget the folder as it was, after something was written or time has passed."""
        for name in ("names", "game_folder", "game_home", "roles"):
            vars(self).pop(name, None)

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
    def game_folder(self) -> Archive:
        """The game in the folder; each file is checked when it is read. Raises NoGameError,
        FileError."""
        try:
            game_folder = open_folder(self.folder, self.names)
        except NoGameError as error:
            error.hint = self._only_game()
            raise
        self.home.check_outside(self.folder.place)  # other people see only the game folder
        return game_folder

    def _only_game(self) -> str:
        """Return the hint how to get to your only game; empty if a folder was named, or if you have
        none or several games."""
        games = self.home.games()
        if self.place != place_of(".") or len(games) != 1:
            return ""
        place = self.home.game(games[0]).place
        is_folder = place is not None and place.path is not None and place.path.is_dir()
        return f"cd {shell_quote(str(place))}, where your game is" if is_folder else ""

    @property
    def charter(self) -> Charter:
        """The content of the charter. Raises NoGameError, FileError."""
        return self.game_folder.charter.content

    @cached_property
    def game_home(self) -> GameHome:
        """The private files of this game in your home."""
        return self.home.game(self.game_folder.game.hex())

    def draft_of(self, view: View) -> Path:
        """Return the path of the draft for a view's turn and seat; the folder is not read."""
        return self.home.game(view.game).draft(view.turn, view.seat)

    # -------------------------------------------------------------- roles
    @cached_property
    def roles(self) -> Roles:
        """Your roles in this game, found from your public keys, so no passphrase is needed."""
        charter, profiles = self.charter, dict[bytes, str]()
        for profile, public in self.keyring.publics.items():
            profiles.setdefault(public, profile)
        deputy_since = self.game_folder.deputy_since
        referee = profiles.get(charter.deputy_key if deputy_since else charter.key, "")
        deputy = "" if deputy_since else profiles.get(charter.deputy_key, "")
        referee_seats = frozenset(charter.plays if referee else ())
        keys = self.public_keys_by_seat()
        seats = dict.fromkeys(sorted(referee_seats), referee)
        seats |= {seat: profiles[key] for seat, key in keys.items() if key in profiles}
        mail_seats = frozenset(charter.by_mail if referee else ())
        if mail_seats and self.listing.reached:
            mail_seats = self.game_folder.standing.by_mail
        dealer_keys = self.dealer_keys
        co_dealer = next((profiles[key] for key in dealer_keys if key in profiles), "")
        deputy_keys = (dealer.deputy_key for dealer in charter.dealers)
        dealers_deputy = next(
            (profiles[key] for key in deputy_keys if key in profiles and key not in dealer_keys), ""
        )
        return Roles(referee, deputy, seats, referee_seats, mail_seats, co_dealer, dealers_deputy)

    @property
    def dealer_keys(self) -> tuple[bytes, ...]:
        """The key that signs the deals of each co-dealer now, in their order; none in other modes
        than `dealers`. The first keys, if a record that could have changed them is missing."""
        dealers = self.charter.dealers
        if dealers and self.listing.reached:
            with suppress(RecordError):
                return self.game_folder.standing.dealer_keys
        return tuple(dealer.key for dealer in dealers)

    def find_awaited_dealers(
        self, owing_dealers: Iterable[int], turn: int, head: bytes
    ) -> tuple[int, ...]:
        """Return the numbers in `owing_dealers` without a deal for this turn in the folder; `head`
        is the head after the turn."""
        dealer_keys = self.dealer_keys
        dealt_numbers = {
            deal.content.dealer
            for deal in self.game_folder.deals_after(turn)
            if deal.content.prev == head and deal.signed.key == dealer_keys[deal.content.dealer]
        }
        return tuple(dealer for dealer in owing_dealers if dealer not in dealt_numbers)

    def has_handed_over(self) -> bool:
        """Return whether you are the charter's referee, and the deputy makes the turns now."""
        is_referee = self.charter.key in self.keyring.publics.values()
        return is_referee and bool(self.game_folder.deputy_since)

    @property
    def roster(self) -> Mapping[str, Join]:
        """The join of each seat whose file is here, with the keys that count now; with the first
        keys if a record that could have changed them is missing."""
        try:
            return self.game_folder.standing.roster
        except RecordError:
            joins, join_ids = self.game_folder.joins(), (self.first_joins or {}).items()
            return {seat: joins[i].content for seat, i in join_ids if i in joins}

    @property
    def first_joins(self) -> Mapping[str, bytes] | None:
        """The id of the join of each seat that turn 1 names; None if it is not here."""
        first_turn = next(self.game_folder.turns(), None)
        return (first_turn.content.joins or {}) if first_turn else None

    @property
    def joined(self) -> set[str]:
        """The seats for which somebody's join is in the folder."""
        return {join.content.seat for join in self.game_folder.joins().values()}

    def name_of(self, seat: str) -> str:
        """Return the player's name, from the join that counts; before turn 1 from the charter."""
        if seat in self.roster:
            return self.roster[seat].name
        plans = self.charter.seats
        return next((plan.name for plan in plans if plan.seat == seat), "")

    # -------------------------------------------------------------- keys
    def key_valid_from(self, seat: str) -> int:
        """Return the number of the first turn in which the keys of a seat count."""
        return self.game_folder.standing.keys_valid_from.get(seat, 1)

    def public_keys_by_seat(self) -> Mapping[str, bytes]:
        """Return the public signing key of each seat now, by seat; before turn 1, only of the seats
        that your own keys joined."""
        joins = self.game_folder.joins()
        if self.listing.reached:
            return {seat: join.key for seat, join in self.roster.items()}
        user_keys = set(self.keyring.publics.values())
        return {
            record.content.seat: record.content.key
            for record in joins.values()
            if record.content.key in user_keys
        }

    def seat_key(self, seat: str) -> SigningKey:
        """Return the signing key of one of your seats."""
        if seat not in self.roles.held_seats:
            return self.keyring.key(self.roles.seats[seat])
        key = self.keyring.key(self.roles.referee)
        return SigningKey(Secrets(key.seed).held_seat(self.game_folder.game, seat))

    def public_of(self, seat: str) -> bytes:
        """Return the public key of one of your seats."""
        if seat in self.roles.held_seats:
            return self.seat_key(seat).public
        return self.keyring.publics[self.roles.seats[seat]]
