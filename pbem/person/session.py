"""One run of a command: a person, a game, and what this person may see or make of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pbem.errors import KEY, NOT_YET, CliError, PbemError
from pbem.files.file_errors import FileError
from pbem.files.game_folder_places import Place
from pbem.files.home import Home, note_if_writable
from pbem.files.record_file_names import turn_path
from pbem.judge.game_view import View, view_of
from pbem.judge.records_of_game_folder import rank_of_file
from pbem.person.cached_views_and_readers import Snapshots
from pbem.person.check_seen_and_made_turns import check_damage, need_last_made, need_seen_turns
from pbem.person.keyring import Keyring
from pbem.person.missing_seats_and_keys import (
    import_hint,
    lost_seats,
    missing_keys_sentence,
    no_seat_error,
    not_your_seat_error,
    spectator_sentence,
)
from pbem.person.referees_next_turn_and_options import Refereeing
from pbem.person.turn_readers import Readers
from pbem.person.user_game import UserGame
from pbem.text.clock import now
from pbem.text.terminal_and_page_wording import TerminalText, to_type

if TYPE_CHECKING:
    from pbem.judge.order_fates import OpenQuestions
    from pbem.person.restore_last_sealed_orders import LastOrdersNote


class Session(UserGame):
    """One run of a command: a person, the game in a folder as it was when it was read, and what
    this person may see of it."""

    on_last_orders_note: ClassVar[Callable[[LastOrdersNote], None]] = staticmethod(lambda _: None)
    """Gets each note on your last orders; a face sets it, because most commands read the game
    before they print anything."""

    def __init__(
        self,
        folder: str | Path | Place | None = None,
        seat: str | None = None,
        passphrase_file: Path | None = None,
        home: Home | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        """The arguments are those of `UserGame`. The folder is read when something is asked."""
        super().__init__(folder, seat, passphrase_file, home, keyring)
        self.refereeing = Refereeing(self)
        self.readers = Readers(self, self.refereeing)
        self.order_notes: list[LastOrdersNote] = []
        """Notes on your last sealed orders that were missing or do not count, since the folder was
        last read."""

    def refresh(self) -> None:
        """Read the folder again after something was written or time has passed."""
        self.order_notes = []
        self.read_again()

    def read_again(self) -> None:
        """Forget the folder as it was, and the outlook; readers and the turn maker continue where
        they stopped."""
        super().read_again()
        self.refereeing.forget_outlook()

    # -------------------------------------------------------------- which seat you mean
    @property
    def seat(self) -> str:
        """The seat that you mean: `--as`, PBEM_AS, or your only seat; empty for a spectator.

        Raises CliError if you have several and name none, or name a seat that is not yours.
        """
        roles, user_seats = self.roles, self.user_seats
        if self.requested_seat and self.requested_seat not in roles.seats.keys() | roles.mail_seats:
            raise not_your_seat_error(self, self.requested_seat, user_seats)
        if not self.requested_seat and len(user_seats) > 1:
            hint = to_type(f"say which: {' or '.join(f'--as {seat}' for seat in user_seats)}")
            raise CliError(f"you have {len(user_seats)} seats here", hint)
        return self.requested_seat or next(iter(user_seats), "")

    @property
    def user_seats(self) -> list[str]:
        """Your seats, without those that bots play for you."""
        return sorted(self.roles.seats.keys() - self.charter.bots.keys())

    def need_seat(self) -> str:
        """Return the seat that you mean. Without one, raises a CliError that says how to get a
        seat."""
        if seat := self.seat:
            return seat
        if self.roles.referee:
            raise CliError(
                "you are the referee here and have no seat", to_type("pbem advance"), KEY
            )
        if self.roles.co_dealer:
            raise CliError(
                "you are a co-dealer here and have no seat", to_type("pbem advance"), KEY
            )
        if seats := lost_seats(self):
            raise CliError(missing_keys_sentence(self, seats), import_hint(self), KEY)
        if not self.listing.reached:
            raise no_seat_error()
        hint = "" if self.has_handed_over() else import_hint(self)
        raise CliError(spectator_sentence(self), hint, KEY)

    # -------------------------------------------------------------- views
    def view(self, skip_cache: bool = False) -> View:
        """Return your view: from the cache if no file has changed, else read again. With
        `skip_cache`, read again in any case.

        This is no mere look: your last orders are put back into the folder if they are missing
        there (see restore_last_orders), the home remembers the game's place, and the face gets
        notes to print.
        """
        snapshots = Snapshots(self)
        view = None if skip_cache else snapshots.view()
        if view is None:  # a cached one was made from this folder, so the place is remembered
            self.game_home.remember_place(self.place)
            self.need_turn()
            view = self.fresh_view(self.seat)
            snapshots.keep_view(view)
        if not self._last_orders_come_first(view):
            self.restore_last_orders(view.open_questions)
        return view

    def fresh_view(self, seat: str) -> View:
        """Read and check the game; return the view of one seat (empty: of a spectator).

        A seat that the referee plays (not a seat by mail) also sees the preview: the next turn,
        which is not published before this seat has answered. Raises CliError, FileError,
        StorageError.
        """
        reader = self.readers.seat(seat) if seat else self.readers.table()
        self.game_home.remember_place(self.place)
        note_if_writable(self.game_home.sightings.note_dates, reader.chain.times, now())
        if seat not in self.roles.referee_seats:
            return view_of(reader)
        view = view_of(self.readers.seat_now(seat))
        view.preview_seats = list(self.refereeing.outlook.preview_seats) if view.preview else []
        return view

    def need_turn(self) -> None:
        """Raise CliError if turn 1 is not published, unless it already asks a seat that the referee
        plays.

        Raises FileError if a turn has not arrived, is gone, or is damaged.
        """
        if self.game_folder.listing.gaps[:1] == [1]:
            problem = TerminalText(
                "this turn is missing, but later turns are here[[; pbem doctor says how to get the "
                "turn]]"
            )
            raise FileError("parent", turn_path(1), problem)
        check_damage(self)
        need_last_made(self)
        if not self.listing.reached:
            need_seen_turns(self)
        if self.listing.reached or (self.roles.referee_seats and self.refereeing.outlook.preview):
            return
        sentence = "the game has not begun: there is no turn 1 yet"
        if self.roles.referee:
            raise CliError(
                f"{sentence}; as the referee, you make it", to_type("pbem advance"), NOT_YET
            )
        raise CliError(sentence, to_type("pbem status"), NOT_YET)

    # -------------------------------------------------------------- your last orders
    def restore_last_orders(
        self, questions: OpenQuestions | None, tell: Callable[[LastOrdersNote], None] | None = None
    ) -> None:
        """Put your last orders for the open questions back if their file is missing.

        Give `tell` a note on orders that were missing or do not count. Without `tell`, the face
        gets each note, once in a run.
        """
        roles, game_home = self.roles, self.game_home
        seats = [
            s for s in roles.seats.keys() - roles.referee_seats if game_home.last_orders.name(s)
        ]
        if not seats:
            return
        from pbem.person.restore_last_sealed_orders import restore_last_orders

        keys = {seat: self.public_of(seat) for seat in seats}
        self.order_notes = restore_last_orders(self.game_folder, game_home, keys, questions)
        for note in self.order_notes:
            if tell:
                tell(note)
            elif note not in self.keyring.reported_order_notes:
                self.keyring.reported_order_notes.add(note)
                Session.on_last_orders_note(note)
        if self.order_notes:  # a file may be here again
            for name in ("names", "game_folder"):
                vars(self).pop(name, None)

    def _last_orders_come_first(self, view: View) -> bool:
        """Return whether the last orders of each seat that were sealed here are in the folder, and
        no file ranks before them. Bytes are compared and no signature is verified, which would take
        longer than all else."""
        last_orders = self.home.game(view.game).last_orders
        for name in last_orders.names():
            files = [file for file in self.names.orders if file.name.seat == name.seat]
            first_file = min(files, key=rank_of_file, default=None)
            if first_file is None or first_file.name != name:
                return False
            try:
                if self.folder.read(first_file) != last_orders.file(name.seat):
                    return False
            except PbemError:  # it is damaged
                return False
        return True
