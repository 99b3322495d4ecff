"""File records that came by mail: check each, and put it where its signed header says."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path
from typing import Final

from pbem.format.errors import Reason, RecordError
from pbem.mail.folder_so_far import FolderSoFar
from pbem.mail.notice_in_mail import check_late_join, check_notice
from pbem.play.checking.game_folder import MOST_JOINS, GameFolder, open_folder
from pbem.play.deputy.who_makes_turns import maker_with
from pbem.play.notices.notice_files import keys_of_joins, named_keys, notice_name
from pbem.play.orders.late_or_counted import why_misplaced
from pbem.play.press.read_messages import PressReader, named
from pbem.play.press.seating import seating_with
from pbem.records.chain import first_head
from pbem.records.charter_join_orders import Charter, FinalRecord, Join, Orders
from pbem.records.joining import is_let_in
from pbem.records.notices.notice_record import Notice
from pbem.records.press.message_record import MOST_MESSAGES, Press
from pbem.records.read_record import Content, Record, read
from pbem.records.turn import Turn
from pbem.storage.errors import FileError, StorageError, TakenError
from pbem.storage.file_names import Name
from pbem.storage.folder import SharedFolder, as_folder

_ORDER: Final = (Charter, Join, Turn, Orders, FinalRecord, Press)


def in_order(record: Record[Content]) -> tuple[int, int, int, bytes]:
    """Return a sort key that puts each record after the records that it is checked against.

    Notices come after the turn after which they were written, and before the next one.
    """
    notice = isinstance(record.content, Notice)
    kind = Turn if notice else type(record.content)
    return _ORDER.index(kind), record.content.turn, notice, record.id


def name_of(record: Record[Content]) -> Name:
    """Return the name of a record's file, which follows from its signed header and its id."""
    content, digits = record.content, record.id.hex()[:6]
    match content:
        case Join():
            return Name("join", seat=content.seat, digits=digits)
        case Orders():
            return Name("orders", content.turn, content.seat, content.revision, digits)
        case Turn():
            return Name("turn", content.turn)
        case Press():
            return Name("press", content.turn, content.writer, content.number, digits)
        case Notice():
            return notice_name(Record(record.signed, content))
        case FinalRecord():
            return Name("final")
    return Name("charter")


class RecordFiler:
    """Puts records into the folder of their game."""

    def __init__(self, folder: SharedFolder | Path, charter: Record[Charter] | None = None) -> None:
        """With `charter`, make the folder if it does not exist.

        Raises what `open_folder` raises.
        """
        self.folder = as_folder(folder)
        self.new: list[Record[Content]] = []
        self.here = 0
        self._stale: bool
        """Whether records were filed since `_look` that other records are checked against."""
        self._seen: int
        """How many of the `new` records were filed before the last `_look`."""
        self._messages: dict[int, Counter[str]]
        """How many good messages each writer had then, for the turns that were asked about."""
        if charter:
            self._write(charter)
        self.game = FolderSoFar(open_folder(self.folder))
        self._look()

    def _look(self) -> None:
        """Read the folder again.

        The chain ends before a bad turn; `status` says which turn is bad.
        """
        self._stale, self._seen, self._messages = False, len(self.new), {}
        with contextlib.suppress(FileError, StorageError):
            self.game.grow(open_folder(self.folder))

    @property
    def _fresh(self) -> list[Record[Content]]:
        """The records that this run has filed since `_look` last read the folder."""
        return self.new[self._seen :]

    @property
    def game_folder(self) -> GameFolder:
        """The game's folder as it was when it was last read."""
        return self.game.game_folder

    def put(self, record: Record[Content]) -> None:
        """Put a record of this game in its place, unless it is already there.

        Raises RecordError with the reason if the record is refused (then nothing is written), or
        StorageError.
        """
        if self._stale and (self.game.turns or not isinstance(record.content, Join)):
            self._look()  # before turn 1, a join is not checked against other records
        if not self._is_here(record):
            self._check(record)
        self._write(record)
        self._stale = not isinstance(record.content, Orders | Press)

    def knows(self, key: bytes) -> bool:
        """Return whether this is a key of somebody in the game, as far as the folder shows."""
        here = self.game_folder
        if self.game.turns:
            people = seating_with(self.game.standing).values()
            keys = {one.signing for one in people}
            keys |= {was.signing for one in people for was in one.former}
        else:
            joins = [one.content for one in here.joins().values()]
            keys = {one.key for one in joins if is_let_in(one, self._door(one.seat))}
        return key in keys | set(here.charter.content.referee_keys)

    def _is_here(self, record: Record[Content]) -> bool:
        try:
            return self.folder.read(name_of(record)) == record.file
        except (FileError, StorageError):
            return False

    def _write(self, record: Record[Content]) -> None:
        try:
            if self.folder.create(name_of(record), record.file):
                self.new.append(record)
            else:
                self.here += 1
        except TakenError:
            if not self._counts_instead(record):
                raise RecordError("fork", self._taken(record)) from None
            self.new.append(record)

    def _counts_instead(self, record: Record[Content]) -> bool:
        """Put the deputy's turn into the place of a turn of the referee that does not count, or the
        other way round; return whether that was so."""
        turn = record.content
        if not isinstance(turn, Turn):
            return False
        here = self.game_folder
        right = here.takes_over(Record(record.signed, turn))
        if not right and record.signed.key != here.maker(turn.turn).key:
            return False
        for found in here.whole.turns:
            if found.name.turn == turn.turn and here.signer(found) not in (None, record.signed.key):
                self.folder.set_aside(found)
                return self.folder.create(found.name, record.file)
        return False

    def _taken(self, record: Record[Content]) -> str:
        """Say that a different file is already in the record's place."""
        name = name_of(record).path
        try:
            other = read(self.folder.read(name))
        except RecordError:
            told = f"{name} in {self.folder.place} is damaged"
            return f"{told}: remove that file, then run pbem receive again"
        if other.id == record.id:
            if isinstance(record.content, Notice):
                told = f"{name} in {self.folder.place} is signed with another key"
                return f"{told}: remove that file, then run pbem receive again"
            return f"{name} is here already; it was signed twice, with the same content"
        if isinstance(record.content, Turn) and other.signed.key != record.signed.key:
            charter, number = self.game_folder.charter.content, record.content.turn
            if other.signed.key in charter.referee_keys:
                one, two = (maker_with(charter, r.signed.key).name for r in (other, record))
                told = f"{one} signed {name} in the folder, and {two} the one in the mail"
                return f"{told}: the turn of {self.game_folder.maker(number).name} counts"
            told = f"{name} in {self.folder.place} is not signed by the referee"
            return f"{told}: remove that file, then run pbem receive again"
        ids = f"{other.id.hex()[:6]} in the folder, {record.id.hex()[:6]} in the mail"
        if isinstance(record.content, Turn | FinalRecord) and other.signed.key == record.signed.key:
            maker = maker_with(self.game_folder.charter.content, record.signed.key)
            told = f"both signed by {maker.called}, who made two versions of the game"
            told = f"{told}; show both to all players"
            return f"two different files called {name} ({ids}), {told}"
        return f"a different file already has the name {name} ({ids}); show both to the referee"

    # -------------------------------------------------------------- one record
    def _check(self, record: Record[Content]) -> None:
        content = record.content
        if isinstance(content, Join):
            self._check_join(record, content)
        elif isinstance(content, Orders):
            self._check_orders(record, content)
        elif isinstance(content, Turn | FinalRecord):
            self._check_chain(record, content)
        elif isinstance(content, Press):
            self._check_press(record, content)
        elif isinstance(content, Notice):
            check_notice(record, content, self.game)

    def _check_join(self, record: Record[Content], join: Join) -> None:
        charter = self.game_folder.charter.content
        if join.prev != first_head(self.game_folder.game):
            raise RecordError("place", "this join builds on a different charter")
        if record.id in {*self.game.taken.values(), *(said.join for _, said in self.game.taken_in)}:
            return  # a turn names it, so it is filed no matter how many others are here
        if join.seat not in {plan.seat for plan in charter.seats}:
            raise RecordError("place", f"this game has no seat {join.seat}")
        fresh = [one.content for one in self._fresh if isinstance(one.content, Join)]
        door = self._door(join.seat)
        if invited := is_let_in(join, door):
            here = [record.content for record in self.game_folder.joins().values()]
            count = sum(one.seat == join.seat and is_let_in(one, door) for one in (*here, *fresh))
        else:
            count = len(self.game_folder.listing.joins) + len(fresh)
        if count >= MOST_JOINS:
            whose = f"joins with the invite of seat {join.seat}" if invited else "joins"
            told = f"seats/ already contains {MOST_JOINS} {whose}; remove the joins of strangers"
            raise RecordError("state", told)
        if self.game.turns:
            check_late_join(join, self.game)

    def _door(self, seat: str) -> bytes:
        """Return the door of a seat: the key that signs the joins of those who are invited."""
        if self.game.turns:
            return self.game.standing.doors.get(seat, b"")
        plans = self.game_folder.charter.content.seats
        return next((plan.door for plan in plans if plan.seat == seat), b"")

    def _check_press(self, record: Record[Content], press: Press) -> None:
        """Check a message, which must wait until the turn after which it was written is here.

        Only that turn shows whether the message belongs to this game.
        """
        if press.turn > self.game.last:
            told = f"was written after turn {press.turn}, and is waiting for that turn to arrive"
            raise RecordError("parent", f"a message from {named(press.writer)} {told}")
        seating = seating_with(self.game.standing)
        keys = {who: one.signs_after(press.turn) for who, one in seating.items()}
        if press.writer in self.game.taken.keys() - keys.keys():
            told = f"is waiting for the join of {named(press.writer)}, which has not arrived yet"
            raise RecordError("parent", told)
        if press.writer not in keys:
            raise RecordError(
                "key", f"{named(press.writer)} has no player, so nobody can write messages from it"
            )
        if record.signed.key != keys[press.writer]:
            raise RecordError("key", f"this message is not signed by {named(press.writer)}")
        if press.prev != self.game.heads[press.turn]:
            told = f"follows a turn {press.turn} that differs from the one here"
            raise RecordError("fork", f"a message from {named(press.writer)} {told}")
        if press.turn not in self._messages:
            good = PressReader(self.game_folder, self.game.heads, seating).records({press.turn})
            self._messages[press.turn] = Counter(one.content.writer for one in good)
        whose = (press.turn, press.writer)
        fresh = [one.content for one in self._fresh if isinstance(one.content, Press)]
        written = sum((one.turn, one.writer) == whose for one in fresh)
        if self._messages[press.turn][press.writer] + written >= MOST_MESSAGES:
            told = f"{named(press.writer)} already has {MOST_MESSAGES} messages after turn"
            raise RecordError("state", f"{told} {press.turn}: press/ has no room for more")

    def _check_orders(self, record: Record[Content], orders: Orders) -> None:
        seat, taken = orders.seat, self.game.taken
        joins = [join for join in self.game_folder.joins().values() if join.content.seat == seat]
        if self.game.turns:
            if seat not in taken:
                raise RecordError("key", f"nobody has seat {seat}")
            joins = [join for join in joins if join.id == taken[seat]]
        if not joins:
            raise RecordError(
                "parent", f"is waiting for the join of seat {seat}, which has not arrived yet"
            )
        later = named_keys(self.game_folder, self.game.listed_notices, seat) | keys_of_joins(
            self.game_folder, seat
        )
        if record.signed.key not in {join.content.key for join in joins} | later:
            raise RecordError("key", f"not signed by the player in seat {seat}")

    def _check_chain(self, record: Record[Content], content: Turn | FinalRecord) -> None:
        if record.signed.key not in self.game_folder.charter.content.referee_keys:
            raise RecordError("key", "not signed by the referee of this game")
        before = content.turn - 1
        if before < len(self.game.heads) and content.prev != self.game.heads[before]:
            told = f"{name_of(record).path} builds on a different version of turn {before}"
            raise RecordError("fork", f"{told}; compare your twelve words with the other players")

    # -------------------------------------------------------------- all records
    def notes(self) -> list[tuple[Reason, str]]:
        """Say, after all records are filed, what is missing and what came too late."""
        self._look()
        return [*self._missing(), *self._misplaced()]

    def _missing(self) -> list[tuple[Reason, str]]:
        """List the missing turns that later turns need, then missing joins and orders."""
        listing = self.game_folder.listing
        missing = [f"turn {number}" for number in self.game_folder.gaps]
        files = (*listing.orders, *listing.joins, *listing.notices)
        digits = {found.name.digits for found in files}
        taken_in = self.game.taken_in
        for turn in self.game.turns:
            named = [(f" of seat {x.seat}", x.id) for x in turn.content.orders]
            named += [(f" of seat {seat}", x) for seat, x in (turn.content.joins or {}).items()]
            later = [said for number, said in taken_in if number == turn.content.turn]
            named += [(f" of seat {said.seat}", said.join) for said in later]
            named += [("", wanted) for wanted in turn.content.own]
            named += [(f" ({x.about})", x.id) for x in turn.content.notices]
            for whose, wanted in named:
                if wanted.hex()[:6] not in digits:
                    what = f"{wanted.hex()[:6]}{whose}"
                    missing.append(f"{what}, which turn {turn.content.turn} names")
        if listing.final and not missing and not self.game.over:
            missing.append("the last turn")
        if not missing:
            return []
        more = f", and {len(missing) - 3} more" if len(missing) > 3 else ""
        step = f"ask {self.game_folder.maker().name} for the bundle that `pbem send --all` writes"
        told = f"missing: {', '.join(missing[:3])}{more}; {step}; everything that came is kept"
        return [("parent", told)]

    def _misplaced(self) -> list[tuple[Reason, str]]:
        notes: list[tuple[Reason, str]] = []
        turns, last = self.game.turns, self.game.last
        listed = {listed.id for turn in turns for listed in turn.content.orders}
        own = {wanted for turn in turns for wanted in turn.content.own}
        held = self.game_folder.charter.content.plays
        for record in self.new:
            orders = record.content
            if not isinstance(orders, Orders) or record.id in listed | own:
                continue
            name = f"orders {record.id.hex()[:6]} of seat {orders.seat}"
            if orders.turn > last:
                if orders.seat not in held:
                    notes.append(
                        ("parent", f"{name} answer turn {orders.turn}, which is not here yet")
                    )
            elif why := why_misplaced(orders, self.game.heads, orders.seat in held, named=False):
                notes.append(_TOLD[why](name, orders.turn))
        return notes


def _late(name: str, turn: int) -> tuple[Reason, str]:
    return (
        "state",
        f"{name} answer turn {turn}, but the next turn has already been made: they came too late",
    )


def _forked(name: str, turn: int) -> tuple[Reason, str]:
    told = f"{name} answer a different version of turn {turn} from the one here"
    return "fork", f"{told}; compare your twelve words with that player's"


_TOLD: Final = {"late": _late, "forked": _forked}
