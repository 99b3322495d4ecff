"""The records of a game folder, and which files are none (protocol §8)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from pbem.errors import USAGE, PbemError
from pbem.files.disk import HOW_TO_GET, AwayError, FileError, Mark
from pbem.files.folder import (
    Found,
    Listing,
    SharedFolder,
    as_folder,
    found_by_id,
    is_on_host,
)
from pbem.format.canonical import RecordError
from pbem.format.signed_file import split
from pbem.judge.chain import Chain, Finder
from pbem.judge.deputy import LAST, Maker, maker_of, maker_with
from pbem.judge.deputy_turns import DeputyTurns
from pbem.judge.notice_kinds import SetDoor, TakeIn
from pbem.judge.notices import believed
from pbem.judge.record_files import Fault, RecordFiles
from pbem.judge.standing import Standing
from pbem.judge.stray_turns import FileState, behind_the_last, file_state
from pbem.records.charter import Charter, FinalRecord, Join, Orders, may_be_let_in, orders_rank
from pbem.records.limits import MAX_JOIN_BYTES, MAX_OTHER_JOINS
from pbem.records.notice import Notice
from pbem.records.press import REFEREE
from pbem.records.read_record import Content, KnownKey, Record, read_as
from pbem.records.turn import Turn
from pbem.records.words import game_id

C = TypeVar("C", bound=Content)
MOST_STRAYS: Final = 8
"""How many stray files with names of later turns are reported one by one."""


class NoGameError(PbemError):
    """The folder contains no game but `listing`; the message says which command to type."""

    exit = USAGE

    def __init__(self, listing: Listing, sentence: str) -> None:
        super().__init__(sentence)
        self.listing = listing


class MissingRecord(NamedTuple):
    """A record that a turn names, and of which no file is here."""

    kind: str
    """`join`, `orders` or `notice`."""
    seat: str
    """Whose it is; empty for the referee."""
    turn: int
    """The turn that names it."""
    digits: str
    """The first six hex digits of its id."""

    @property
    def folder(self) -> str:
        """The folder of its file."""
        return {"join": "seats", "orders": "orders"}.get(self.kind, "notices")

    @property
    def path(self) -> str:
        """The path of its file, as far as the turn tells it."""
        return f"{self.folder}/{self.seat if self.kind == 'join' else '*'}-{self.digits}.toml"


class Archive(RecordFiles):
    """The records in one game's folder, each checked (protocol §6). Make it with `open_folder`.

    Each file is read only when it is needed; an error names the path of its file.
    """

    _joins: dict[bytes, Record[Join]] | None = None
    _looks: dict[str, tuple[FileState, Fault]] = field(default_factory=dict)
    looked: dict[str, list[Record[Notice]]] = field(default_factory=dict)
    """The notices that were read, by path; an empty list for a file that is not a notice."""

    @cached_property
    def listing(self) -> Listing:
        """The files here, up to the last turn that is signed for its place; stray files with names
        of later turns are noted as faults. Raises StorageError."""
        turns = self.whole.turns
        strays = behind_the_last(turns, lambda found: self.state_of(found) == "turn")
        for found in strays[:MOST_STRAYS]:
            self.note(self.stray(found))
        if (more := len(strays) - MOST_STRAYS) > 0:
            told = f"{more} more files with names like this are not turns: remove them"
            self.note(Fault(strays[MOST_STRAYS].path, "name", told))
        return self.whole._replace(turns=turns[: len(turns) - len(strays)])

    @property
    def strays(self) -> tuple[Found, ...]:
        """Files that have names of later turns but are not turns."""
        return self.whole.turns[len(self.listing.turns) :]

    def state_of(self, found: Found) -> FileState:
        """Return what a file in a turn's place is; `turn` if signed for it. Raises StorageError."""
        return self._look(found)[0]

    def stray(self, found: Found) -> Fault:
        """Return the fault that says why a file in a turn's place is not a turn."""
        return self._look(found)[1]

    def _look(self, found: Found) -> tuple[FileState, Fault]:
        if found.path not in self._looks:
            maker, why = self.maker(found.name.turn), "is not a turn"
            try:
                data = self.folder.read(found)
                state, reason = file_state(data, self.game, maker.key)
                if state == "turn":
                    self.turn(found)
                else:
                    self.folder.note_doubt(found)
            except FileError as error:
                # The maker signed this file for this place, but it cannot be read: it is a broken
                # turn. If even turn 1 is of a different game, the charter may be in the wrong
                # folder.
                none = error.reason in ("file", "size")
                none = none or (error.reason == "place" and found.name.turn > 1)
                state, reason, why = "junk" if none else "turn", error.reason, error.sentence
            told = f"not signed by {maker.name} for this place, so pbem ignores it ({why}); "
            told += "pbem advance will set the file aside"
            if state == "half":
                told = "is empty or only part of a turn, so it does not count: let the folder sync"
            elif state == "damaged":
                told = f"is a turn that was changed, or that {maker.name} did not sign, so it does "
                told += "not count; get the file again if others have it"
            elif state == "junk" and (other := self._signed_by_other(found)):
                told = other
            self._looks[found.path] = state, Fault(found.path, reason, told)
        return self._looks[found.path]

    def _signed_by_other(self, found: Found) -> str:
        charter, number = self.charter.content, found.name.turn
        key = self.signer(found)
        if not charter.deputy_key or key is None:
            return ""
        signer, maker = maker_with(charter, key), self.maker(number)
        told = f"{signer.called}, signed this turn {number}, but {maker.called}, makes this turn"
        if maker.role == "deputy":
            told += f", as all turns since turn {self.deputy_since}"
        told += ", so the file does not count"
        if moved := next((x.path for x in self.deputy_turns.elsewhere() if x.place == number), ""):
            told += f"; the turn that counts is in {moved}, and pbem advance of {maker.name}"
            return f"{told} will put it here"
        return f"{told}; pbem advance will set the file aside"

    def turns(self, after: int = 0) -> Iterator[Record[Turn]]:
        """Read the turns after turn `after`, in order, until one is missing. Raises FileError."""
        wanted = after + 1
        for found in self.listing.turns:
            if found.name.turn < wanted:
                continue
            if found.name.turn > wanted:
                return
            yield self.turn(found)
            wanted += 1

    def chain_of(self, turns: Iterable[Record[Turn]], before: Chain | None = None) -> Chain:
        """Return what these turns of this game say, from the first or from the end of another
        chain; `Chain.lacks` says which join or notice is not here."""
        chain = before or Chain(self.charter)
        for turn in turns:
            chain.follow(turn, self.finder())
        return chain

    def chain_after(self, before: Chain) -> Chain:
        """Return the chain with the turns that are here by now; it begins anew if it lacked
        something that may be here. Raises FileError for a file that is not a turn."""
        known = None if before.lacks else before
        return self.chain_of(self.turns(known.turn if known else 0), known)

    @cached_property
    def standing(self) -> Standing:
        """Who has which seat and keys after the last turn.

        This follows from the notices alone, so only turns that list some are read; who is idle, and
        what can still be cancelled, only the whole chain tells. Raises FileError.
        """
        first = next(self.turns(), None)
        if first is None:
            return Standing(self.charter.content)
        roster = {seat: join.content for seat, join in self.joins_of(first.content).items()}
        standing = Standing(self.charter.content, roster, joins=self.joins())
        for number, ids in self.listed_notices():
            standing = believed(standing, map(self.find_notice, ids), number)
        return standing

    def turn(self, found: Found) -> Record[Turn]:
        """Read one turn record. Raises FileError."""
        maker = self.maker(found.name.turn).key
        try:
            record = self._read(Turn, found, lambda _, key: key == maker)
        except FileError as error:
            if error.reason == "key" and (told := self._signed_by_other(found)):
                raise FileError("key", found.path, told) from None
            raise
        self._check_place(found, record, f"this is turn {record.content.turn}")
        return record

    def asking_turns(self) -> list[Record[Turn]]:
        """Return the turn that asked the open questions, and those after it, which only list
        notices; none before turn 1. Raises FileError."""
        asking = list[Record[Turn]]()
        for found in reversed(self.listing.turns[: self.listing.reached]):
            asking.insert(0, self.turn(found))
            if asking[0].content.log:
                break
        return asking

    def signer(self, found: Found) -> bytes | None:
        """Return which key, the referee's or the deputy's, signed this file for its place, or
        None."""
        here = (x for x in self.deputy_turns.at(found.name.turn) if x.path == found.path)
        return next((x.record.signed.key for x in here if x.place == found.name.turn), None)

    def maker(self, turn: int = LAST) -> Maker:
        """Return who makes this turn, referee or deputy; without `turn`, who makes the turns
        now."""
        return maker_of(self.charter.content, self.deputy_since, turn)

    @cached_property
    def deputy_turns(self) -> DeputyTurns:
        """The turns that the deputy may have signed."""
        return DeputyTurns(self)

    @property
    def deputy_since(self) -> int:
        """The first turn that the deputy signs as the referee; 0 if there is none."""
        return self.deputy_turns.first.place if self.deputy_turns.first else 0

    def joins(self) -> dict[bytes, Record[Join]]:
        """Read the joins that turns name or that invites let in, and others up to 200, by id.

        Bad ones are noted as faults.
        """
        if self._joins is None:
            found = (self._try(self.join, one) for one in self._joins_to_read())
            self._joins = {record.id: record for record in found if record}
        return self._joins

    def _joins_to_read(self) -> list[Found]:
        files = list(self.listing.joins)
        if len(files) <= MAX_OTHER_JOINS:
            return files
        ids = {said.join for _, said in self.taken_in()}
        with contextlib.suppress(FileError):  # whoever reads the turn reports what is wrong with it
            for first in islice(self.turns(), 1):
                ids |= {*(first.content.joins or {}).values(), *first.content.by_word}
        doors, real = self.doors(), {*found_by_id(files, ids)}
        real |= {found for found in files if self._is_let_in(found, doors)}
        others = [found for found in files if found not in real]
        room = max(MAX_OTHER_JOINS - len(real), 0)
        if len(others) > room:
            told = f"seats/ has {len(files)} files, but only {len(real) + room} were read: remove "
            self.note(Fault(others[room].path, "size", f"{told}those of strangers"))
        left = set(others[room:])
        return [found for found in files if found not in left]

    def doors(self) -> list[tuple[str, bytes]]:
        """Return the seats and keys of all doors that are of use now: those of the charter before
        turn 1, then those that notices name."""
        if not self.listing.reached:
            return [*self.charter.content.doors.items()]
        found, keys = list[tuple[str, bytes]](), self.charter.content.referee_keys
        for one in self.listing.notices:
            if one.name.seat == REFEREE:
                with contextlib.suppress(FileError):
                    said = self.notice(one, lambda _, key: key in keys).content.saying
                    found += [(said.seat, said.key)] if isinstance(said, SetDoor) else []
        return found

    def _is_let_in(self, found: Found, doors: list[tuple[str, bytes]]) -> bool:
        doors = [(seat, door) for seat, door in doors if seat == found.name.seat]
        if not doors or found.mark.size > MAX_JOIN_BYTES:
            return False
        with contextlib.suppress(FileError):
            data = self.folder.read(found)
            return any(_opens(door, data) for _, door in doors)
        return False

    def taken_in(self) -> list[tuple[int, TakeIn]]:
        """Return the notices here with which people took seats over, each with the number of a turn
        that lists it."""
        found = list[tuple[int, TakeIn]]()
        with contextlib.suppress(FileError):
            for number, ids in self.listed_notices():
                for ident in ids:
                    with contextlib.suppress(RecordError):
                        said = self.find_notice(ident).content.saying
                        found += [(number, said)] if isinstance(said, TakeIn) else []
        return found

    def joins_of(self, first: Turn, how_to_get: str = f": {HOW_TO_GET}") -> dict[str, Record[Join]]:
        """Return the joins that turn 1 names, by seat. Raises FileError for a missing one."""
        here, found = self.joins(), {}
        for seat, wanted in (first.joins or {}).items():
            where = f"seats/{seat}-{wanted.hex()[:6]}.toml"
            for fault in self.faults:
                if fault.path == where and wanted not in here:
                    raise FileError(fault.reason, where, fault.sentence)
            if wanted not in here:
                told = f"the join of seat {seat} is missing{how_to_get}"
                raise FileError("parent", where, told)
            found[seat] = here[wanted]
        return found

    def find_orders(self, known: KnownKey, missing: str = "") -> Callable[[bytes], Record[Orders]]:
        """Return a function that finds orders by id; `missing`: what to say of a missing file."""
        read: dict[bytes, Record[Orders]] = {}

        def find(wanted: bytes) -> Record[Orders]:
            if (record := read.get(wanted)) and known(Orders.kind, record.signed.key):
                return record
            told = f"the orders {wanted.hex()[:6]} are not here: {HOW_TO_GET}"
            wrong = RecordError("parent", told)
            if missing:
                wrong = FileError("parent", f"orders/*-{wanted.hex()[:6]}.toml", missing)
            for found in self._by_digits.get(("orders", wanted.hex()[:6]), ()):
                try:
                    if (record := self.orders(found, known)).id == wanted:
                        read[wanted] = record
                        return record
                except FileError as error:  # the next file may be the right one
                    wrong = error
            raise wrong

        return find

    def orders_with_id(self, wanted: bytes) -> Record[Orders] | None:
        """Return the orders with this id, whoever signed them; None if no good file has them."""
        with contextlib.suppress(FileError, RecordError):
            return self._find_signed(wanted)
        return None

    @cached_property
    def _find_signed(self) -> Callable[[bytes], Record[Orders]]:
        return self.find_orders(lambda _kind, _key: True)

    def finder(self, known: KnownKey = lambda _kind, _key: True, missing: str = "") -> Finder:
        """Return what finds the records that turns name; see `find_orders`."""
        return Finder(self.find_orders(known, missing), self.joins, self.find_notice)

    def missing_records(self, turn: Turn) -> list[MissingRecord]:
        """Return the joins, orders and notices that a turn names, and of which no file is here."""
        named = [("join", seat, ident) for seat, ident in (turn.joins or {}).items()]
        named += [("orders", row.seat, row.id) for row in turn.orders]
        named += [("notice", row.seat, row.id) for row in turn.notices]
        joins = {found.name.digits for found in self.listing.joins}
        rows = [MissingRecord(kind, seat, turn.turn, i.hex()[:6]) for kind, seat, i in named]
        return [
            row for row in rows
            if (row.kind, row.digits) not in self._by_digits
            if row.kind != "join" or row.digits not in joins
        ]  # fmt: skip

    @cached_property
    def _by_digits(self) -> dict[tuple[str, str], list[Found]]:
        files: dict[tuple[str, str], list[Found]] = {}
        for found in (*self.listing.orders, *self.listing.notices):
            files.setdefault((found.name.kind, found.name.digits), []).append(found)
        return files

    def all_orders(self, known: KnownKey, besides: Container[str] = ()) -> list[Record[Orders]]:
        """Read all good orders, except the files in `besides`; bad files are noted as faults."""
        files = (found for found in self.listing.orders if found.path not in besides)
        found = (self._try(lambda one: self.orders(one, known), one) for one in files)
        return [record for record in found if record]

    def newest_orders(
        self, keys: Mapping[str, bytes], besides: Container[str], most: int
    ) -> list[Record[Orders]]:
        """Return at most `most` good orders of each seat, signed with its key, newest first by file
        name. Bad files, and a seat with more orders, are noted as faults."""
        found: list[Record[Orders]] = []
        left: dict[str, int] = dict.fromkeys(keys, most)
        strange, known = 0, set(keys.values())
        for one in sorted(self.listing.orders, key=rank_of_file):
            seat = one.name.seat
            if one.path in besides or seat not in keys:
                continue
            if left[seat] > 0:
                # a misplaced file is read to say what it is, but a flood of such files is not
                good = self.orders_signed_by(one, keys[seat], known if strange < most else ())
                found += good
                left[seat] -= len(good)
                strange += not good
            elif left[seat] == 0:
                left[seat] = -1
                told = f"seat {seat} has more than {most} new sets of orders; the newest were read"
                self.note(Fault(one.path, "size", told))
        return found

    def orders_signed_by(
        self, found: Found, key: bytes, known: Container[bytes] = ()
    ) -> list[Record[Orders]]:
        """Return the orders in this file if they are good and signed by this key, else none.

        Files signed by another `known` key are also read, to note what they are.
        """
        record = self._try(
            lambda one: self.orders(one, lambda _, signer: signer == key or signer in known), found
        )
        return [record] if record and record.signed.key == key else []

    def orders_of(self, seat: str, key: bytes, since: int = 0) -> Iterator[Record[Orders]]:
        """Yield the good orders of a seat, signed with its key, that answer turn `since` or a later
        one; those that count come first."""
        here = (f for f in self.listing.orders if f.name.seat == seat and f.name.turn >= since)
        for found in sorted(here, key=rank_of_file):
            yield from self.orders_signed_by(found, key)

    def seats_with_answers(
        self,
        keys: Mapping[str, bytes],
        heads: Mapping[int, str],
        asked_by: int,
        plays: Collection[str],
    ) -> set[str]:
        """Return the seats whose orders for the open questions are here, signed with their key and
        built on one of the turns that ask them.

        `heads` are those after the last turns, in hex, by turn; `asked_by` is the turn that asked
        the questions. The seats in `plays` answer the last turn, and build on the one before it.
        """
        seats, last = set[str](), max(heads)
        for found in self.listing.orders:
            seat, turn = found.name.seat, found.name.turn
            if not (last if seat in plays else asked_by) <= turn <= last:
                continue
            if seat not in keys or seat in seats:
                continue  # one order file for each seat is enough, so the others are not verified
            for record in self.orders_signed_by(found, keys[seat]):
                if record.content.prev.hex() == heads[turn - (seat in plays)]:
                    seats.add(seat)
        return seats

    def find_notice(self, wanted: bytes) -> Record[Notice]:
        """Find a notice by its id, whoever signed it. Raises RecordError, `parent` if it is not
        here."""
        digits = wanted.hex()[:6]
        wrong = RecordError("parent", f"the notice {digits} is not here: {HOW_TO_GET}")
        for found in self._by_digits.get(("notice", digits), ()):
            try:
                if (record := self.notice(found)).id == wanted:
                    return record
            except FileError as error:  # the next file may be the right one
                wrong = error
        raise wrong

    def listed_notices(self) -> Iterator[tuple[int, list[bytes]]]:
        """Yield each turn that lists notices, with their ids; others are not parsed. Raises
        FileError."""
        if not self.listing.notices:
            return
        for found in self.listing.turns[: self.listing.reached]:
            if b"\n[[notices]]\n" in self.folder.read(found):
                yield found.name.turn, [row.id for row in self.turn(found).content.notices]

    def final(self) -> Record[FinalRecord] | None:
        """Read the final record; None if it is not here. Raises FileError."""
        found = self.listing.final
        if found is None:
            return None
        signer = self.maker().key
        return self._read(FinalRecord, found, lambda _, key: key == signer)


def rank_of_file(orders: Found) -> tuple[int, int, str]:
    """Return the key that sorts files of a seat's orders, those that count first."""
    return orders_rank(orders.name.turn, orders.name.revision, orders.name.digits)


@lru_cache(4000)
def _opens(door: bytes, data: bytes) -> bool:
    """Return whether the key of a door signed the keys in this file, if it is a join."""
    try:
        return may_be_let_in(split(data).body, door)
    except RecordError:
        return False


def files_of(chain: Chain, listing: Listing) -> dict[str, Mark]:
    """Return the files from which the turns of a chain were made, with their marks: charter, joins
    and turns, and the orders and notices that the turns list."""
    listed = found_by_id(listing.orders, chain.listed_orders)
    listed += found_by_id(listing.notices, chain.listed_notices)
    files = [*((listing.charter,) if listing.charter else ()), *listing.joins]
    files += [one for one in listing.turns if one.name.turn <= chain.turn]
    files += [one for one in listed if one.name.turn < chain.turn]
    return {one.path: one.mark for one in files}


def are_unchanged(files: Mapping[str, Sequence[int]], listing: Listing) -> bool:
    """Return whether files that were kept as `files_of` returned them still have these marks."""
    marks = listing.marks
    return all(marks.get(path) == tuple(mark) for path, mark in files.items())


def open_folder(folder: SharedFolder, listing: Listing | None = None) -> Archive:
    """Open the game in a folder, listed or not. Raises NoGameError, FileError, StorageError."""
    listing = listing or folder.scan()
    if listing.charter is None:
        raise NoGameError(listing, _no_game(listing, folder))
    found = listing.charter
    try:
        charter = read_as(Charter, folder.read(found))
    except RecordError as error:
        folder.note_doubt(found)
        raise FileError(error.reason, found.path, error.sentence) from None
    return Archive(folder, listing, charter, game_id(charter.signed.body))


def game_in(folder: SharedFolder | Path) -> bytes:
    """Return the id of the game in a folder; empty if no game can be read there.

    Raises AwayError if the folder is in a store that cannot be reached now.
    """
    try:
        return open_folder(as_folder(folder)).game
    except AwayError:
        raise
    except PbemError:
        return b""


_GO_THERE = "give the path of the game folder with -C FOLDER (pbem list says where your games are)"


def _no_game(listing: Listing, folder: SharedFolder) -> str:
    where = folder.place
    if is_on_host(where):
        return (
            f"no game is at {where.shown_address}; compare the address with the one that you were "
            "sent, or ask whoever made the game for it: their `pbem list` shows it"
        )
    if listing.state == "missing":
        return f"there is no folder {where}; {_GO_THERE}"
    if listing.state == "waiting":
        return f"{where} has records but no game.toml yet; let the folder finish syncing"
    if listing.state == "empty":
        return (
            f"{where} is empty; `pbem new NAME --players Ann,Bo` makes a game, "
            "`pbem receive FILE` unpacks one from an email; if your game is elsewhere, use -C "
            "FOLDER"
        )
    below = folder.games_below()
    if below:
        return f"{where} has no game.toml, but a folder inside it has: {', '.join(below)}; go there"
    return f"{where} is not a game folder: it has no game.toml; {_GO_THERE}"
