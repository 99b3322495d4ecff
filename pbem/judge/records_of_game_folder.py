"""The records of a game folder, and which files are none (protocol §8)."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from engine.counts_and_lists_in_prose import counted
from pbem.errors import USAGE, PbemError
from pbem.files.disk import Mark
from pbem.files.file_errors import HOW_TO_GET, AwayError, FileError
from pbem.files.game_folder import (
    Listing,
    RecordFile,
    SharedFolder,
    files_with_ids,
)
from pbem.format.record_error import RecordError
from pbem.format.signed_file import split
from pbem.judge.damaged_and_stray_turn_files import (
    MAX_STRAYS_IN_A_ROW,
    FileState,
    file_state,
    stray_files_after_last_turn,
)
from pbem.judge.notice_kinds import SetDoor, TakeIn
from pbem.judge.read_and_check_record_file import Fault, RecordFiles
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.referee_or_deputy import AFTER_LAST_TURN, Maker, maker_of, maker_with
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.which_deputy_turns_count import DeputyTurns
from pbem.judge.which_notices_count import believed
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.game_id_and_chain_heads import game_id
from pbem.records.join import Join, may_be_let_in
from pbem.records.notice import Notice
from pbem.records.orders import Orders, orders_rank
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Content, KnownKey, Record, read_as
from pbem.records.record_count_and_size_limits import MAX_DEALS, MAX_JOIN_BYTES, MAX_OTHER_JOINS
from pbem.records.turn import Turn
from pbem.text.terminal_and_page_wording import TerminalText

C = TypeVar("C", bound=Content)
MAX_STRAYS_REPORTED: Final = 8
"""The number of stray files with names of later turns that are reported one by one."""


class NoGameError(PbemError):
    """The folder contains no game but `listing`; the message says which command to type."""

    exit = USAGE

    def __init__(self, listing: Listing, sentence: str) -> None:
        super().__init__(sentence)
        self.listing = listing


FOLDERS_BY_KIND: Final = {
    "join": "seats", "orders": "orders", "notice": "notices", "deal": "deals",
}  # fmt: skip
"""The folders of the records that turns name."""


class MissingRecord(NamedTuple):
    """A record that a turn names, and of which no file is here."""

    kind: str
    """`join`, `orders`, `notice` or `deal`."""
    seat: str
    """The seat in whose name the record is; empty for the referee and for co-dealers."""
    turn: int
    """The turn that names it."""
    digits: str
    """The first six hex digits of its id."""

    @property
    def folder(self) -> str:
        """The folder of its file."""
        return FOLDERS_BY_KIND[self.kind]

    @property
    def path(self) -> str:
        """The path of the missing file; `*` stands for the parts that the turn does not tell.

        >>> MissingRecord("orders", "b", 3, "1f2e3d").path
        'orders/*-1f2e3d.toml'
        """
        return f"{self.folder}/{self.seat if self.kind == 'join' else '*'}-{self.digits}.toml"


class Archive(RecordFiles):
    """The records in one game's folder, each checked (protocol §6). Make it with `open_folder`.

    Each file is read only when it is needed; an error names the path of its file. `RecordFiles`
    holds the `folder`, its `complete_listing`, the `charter`, the `game` (its id) and the `faults`
    of files; `note` adds a fault.
    """

    _joins: dict[bytes, Record[Join]] | None = None
    """The joins, by id; None if they have not been read yet."""
    _states: dict[str, tuple[FileState, Fault]] = field(default_factory=dict)
    """For the path of each file in a turn's place that was examined: its state and its fault. If
    the state is `turn`, the fault means nothing."""
    notices_by_path: dict[str, list[Record[Notice]]] = field(default_factory=dict)
    """For the path of each file that was read: its notice; empty if the file is no notice."""

    @cached_property
    def listing(self) -> Listing:
        """The files here, up to the last turn that is signed for its place. Stray files with names
        of later turns are noted as faults: the first `MAX_STRAYS_REPORTED` one by one, the others
        as a number. After `MAX_STRAYS_IN_A_ROW` stray files no file is read, so among the others
        there may be turns. Raises StorageError."""
        turns = self.complete_listing.turns
        strays = stray_files_after_last_turn(turns, lambda file: self.state_of(file) == "turn")
        for file in strays[:MAX_STRAYS_REPORTED]:
            self.note(self.stray_fault(file))
        if (hidden_count := len(strays) - MAX_STRAYS_REPORTED) > 0:
            last_read_turn = strays[:MAX_STRAYS_IN_A_ROW][-1].name.turn
            read_turns = f"turns {strays[0].name.turn} to {last_read_turn}"
            sentence = (
                counted(
                    hidden_count,
                    "more file has the name of a turn, but is not a turn: remove the file",
                    "more files have the name of a turn, but are not turns: remove the files",
                )
                if len(strays) <= MAX_STRAYS_IN_A_ROW
                else f"{hidden_count} more files have the name of a later turn. pbem read only the "
                f"files for {read_turns}, and none of those files is a turn: get {read_turns} again"
            )
            self.note(Fault(strays[MAX_STRAYS_REPORTED].path, "name", sentence))
        return self.complete_listing._replace(turns=turns[: len(turns) - len(strays)])

    @property
    def stray_files(self) -> tuple[RecordFile, ...]:
        """Files that have names of later turns but are not turns."""
        return self.complete_listing.turns[len(self.listing.turns) :]

    def state_of(self, file: RecordFile) -> FileState:
        """Return the state of a file in a turn's place: `turn` if it is signed for the place.
        Raises StorageError."""
        return self._examine(file)[0]

    def stray_fault(self, file: RecordFile) -> Fault:
        """Return the fault that says why a file in a turn's place is not a turn."""
        return self._examine(file)[1]

    def _examine(self, file: RecordFile) -> tuple[FileState, Fault]:
        """Return the state of a file in a turn's place (see FileState), and the fault that says why
        it is not a turn; nobody asks for the fault of a turn. The file is read only once. Raises
        StorageError."""
        if file.path not in self._states:
            maker, clause = self.maker(file.name.turn), ""
            try:
                data = self.folder.read(file)
                state, reason = file_state(data, self.game, maker.key)
                if state == "turn":
                    self.turn(file)
                else:
                    self.folder.note_doubt(file)
            except FileError as error:
                # a link, a folder or too many bytes are no record; and what belongs to another
                # place or game is no turn here, except turn 1: then the charter may be in the wrong
                # folder. Anything else was signed by the maker for this place, so it is a broken
                # turn.
                is_junk = error.reason in ("file", "size")
                is_junk = is_junk or (error.reason == "place" and file.name.turn > 1)
                state, reason = "junk" if is_junk else "turn", error.reason
                clause = f" ({error.sentence})"
            sentence: str = TerminalText(
                "this file is not a turn that {name} signed{clause}[[; pbem advance will set the "
                "file aside]]"
            ).format(name=maker.name, clause=clause)
            if state == "half":
                sentence = "this file is empty, or has only a part of a turn; let the folder sync"
            elif state == "damaged":
                sentence = (
                    f"somebody changed this turn, or {maker.name} did not sign it; "
                    "ask another player for their copy of the file"
                )
            elif state == "junk":
                sentence = self._other_maker_sentence(file) or sentence
            self._states[file.path] = state, Fault(file.path, reason, sentence)
        return self._states[file.path]

    def _other_maker_sentence(self, file: RecordFile) -> str:
        """Return a sentence about a file that the referee or the deputy signed as this turn, though
        the other of them makes the turn; empty if the game has no deputy, or if neither signed the
        file for its place. The caller knows that the maker of the turn did not sign the file."""
        charter, number = self.charter.content, file.name.turn
        key = self.signer(file)
        if not charter.deputy_key or key is None:
            return ""
        signer, maker = maker_with(charter, key), self.maker(number)
        right = f"only {maker.called}, may make turn {number}"
        if maker.role == "deputy":
            right = f"{maker.called}, has made the turns since turn {self.deputy_since}"
        sentence = f"{signer.called}, signed this file as turn {number}, but {right}"
        misplaced_turns = self.deputy_turns.misplaced_turns()
        if paths := [x.path for x in misplaced_turns if x.turn_number == number]:
            return (
                f"{sentence}. The turn {number} that counts is in {paths[0]}. You need do nothing: "
                f"when {maker.name} makes the next turn, pbem renames the file of {signer.name}"
            )
        return TerminalText("{sentence}[[; pbem advance will set the file aside]]").format(
            sentence=sentence
        )

    def turns(self, previous_turn: int = 0) -> Iterator[Record[Turn]]:
        """Read the turns after turn `previous_turn`, in order, until one is missing. Raises
        FileError."""
        number = previous_turn + 1
        for file in self.listing.turns:
            if file.name.turn < number:
                continue
            if file.name.turn > number:
                return
            yield self.turn(file)
            number += 1

    def chain_of(self, turns: Iterable[Record[Turn]], previous_chain: Chain | None = None) -> Chain:
        """Return the chain of these turns, which begin with turn 1 or follow `previous_chain`;
        `Chain.missing_record` names a join or notice that is not here."""
        chain = previous_chain or Chain(self.charter)
        for turn in turns:
            chain.follow(turn, self.finder())
        return chain

    def chain_after(self, previous_chain: Chain) -> Chain:
        """Extend the previous chain to the last turn that is here now, and return it. If it lacked
        a record, return a new chain from turn 1 on. Raises FileError for a file that is not a
        turn."""
        complete_chain = None if previous_chain.missing_record else previous_chain
        return self.chain_of(
            self.turns(complete_chain.turn if complete_chain else 0), complete_chain
        )

    @cached_property
    def standing(self) -> Standing:
        """The standing after the last turn, as far as joins and notices decide it: seats and keys.

        Of the turns, only turn 1 and those that list notices are read. For idle seats and announced
        acts, use the standing of the whole chain. Raises FileError, also for a missing join or
        notice.
        """
        first_turn = next(self.turns(), None)
        if first_turn is None:
            return Standing(self.charter.content)
        roster = {seat: join.content for seat, join in self.joins_of(first_turn.content).items()}
        standing = Standing(self.charter.content, roster, joins=self.joins())
        for number, ids in self.listed_notices():
            standing = believed(standing, map(self.find_notice, ids), number)
        return standing

    def turn(self, file: RecordFile) -> Record[Turn]:
        """Read one turn record. Raises FileError."""
        maker = self.maker(file.name.turn).key
        try:
            record = self._read(Turn, file, lambda _, key: key == maker)
        except FileError as error:
            if error.reason == "key" and (sentence := self._other_maker_sentence(file)):
                raise FileError("key", file.path, sentence) from None
            raise
        self._check_place(
            file, record, f"this file has the wrong name: it contains turn {record.content.turn}"
        )
        return record

    def asking_turns(self) -> list[Record[Turn]]:
        """Return the turn that asked the open questions, and the notice-only turns after it; none
        before turn 1. A missing turn ends the search: turns after a gap do not count. Raises
        FileError."""
        turns = list[Record[Turn]]()
        for file in reversed(self.listing.turns[: self.listing.reached]):
            turns.insert(0, self.turn(file))
            if turns[0].content.has_play:
                break
        return turns

    def signer(self, file: RecordFile) -> bytes | None:
        """Return the key of the referee or the deputy that signed this file for its place; None if
        neither did."""
        turn_files = self.deputy_turns.turn_files(file.name.turn)
        turn_files = (
            x for x in turn_files if (x.path, x.turn_number) == (file.path, file.name.turn)
        )
        return next((turn_file.record.signed.key for turn_file in turn_files), None)

    def maker(self, turn: int = AFTER_LAST_TURN) -> Maker:
        """Return the maker of this turn, referee or deputy; without `turn`, the present maker."""
        return maker_of(self.charter.content, self.deputy_since, turn)

    @cached_property
    def deputy_turns(self) -> DeputyTurns:
        """The turns that the deputy may have signed."""
        return DeputyTurns(self)

    @property
    def deputy_since(self) -> int:
        """The first turn that the deputy signs as the referee; 0 if there is none."""
        return self.deputy_turns.first_turn.turn_number if self.deputy_turns.first_turn else 0

    def joins(self) -> dict[bytes, Record[Join]]:
        """Return the joins, by id: all that turns name or that invites let in, and others as long
        as there are not more than `MAX_OTHER_JOINS` in all. They are read once; bad files are noted
        as faults."""
        if self._joins is None:
            records = (self._try(self.join, file) for file in self._joins_to_read())
            self._joins = {record.id: record for record in records if record}
        return self._joins

    def _joins_to_read(self) -> list[RecordFile]:
        """Return the files of the joins to read. If some are left out, that is noted as a fault."""
        files = list(self.listing.joins)
        if len(files) <= MAX_OTHER_JOINS:
            return files
        named_ids = {saying.join for _, saying in self.take_ins()}
        with contextlib.suppress(FileError):  # whoever reads the turn reports what is wrong with it
            for first_turn in islice(self.turns(), 1):
                named_ids |= {*(first_turn.content.joins or {}).values()}
                named_ids |= {*first_turn.content.by_word}
        doors, needed_files = self.doors(), {*files_with_ids(files, named_ids)}
        needed_files |= {file for file in files if self._is_let_in(file, doors)}
        other_files = [file for file in files if file not in needed_files]
        limit = max(MAX_OTHER_JOINS - len(needed_files), 0)
        if len(other_files) > limit:
            read_count = len(needed_files) + limit
            sentence = (
                f"the folder seats/ has {len(files)} files, and pbem read only {read_count} of "
                "them: remove the files of people who do not play"
            )
            self.note(Fault(other_files[limit].path, "size", sentence))
        unread_files = set(other_files[limit:])
        return [file for file in files if file not in unread_files]

    def doors(self) -> list[tuple[str, bytes]]:
        """Return the seat and the key of each door by which joins that are worth reading came:
        before turn 1 the doors of the charter, then all doors in the referee's notices, in the
        order of their files.

        This needs no chain, which needs the joins itself. The door that counts for a new join is
        `Relation.door` in `record_fit_and_signer.py`.
        """
        if not self.listing.reached:
            return [*self.charter.content.doors.items()]
        doors, keys = list[tuple[str, bytes]](), self.charter.content.referee_keys
        for file in self.listing.notices:
            if file.name.seat == REFEREE:
                with contextlib.suppress(FileError):
                    saying = self.notice(file, lambda _, key: key in keys).content.saying
                    doors += [(saying.seat, saying.key)] if isinstance(saying, SetDoor) else []
        return doors

    def _is_let_in(self, file: RecordFile, doors: list[tuple[str, bytes]]) -> bool:
        """Return whether a door of the file's seat signed the keys in it; `doors` are seats and
        keys, as from `doors()`."""
        doors = [(seat, door) for seat, door in doors if seat == file.name.seat]
        if not doors or file.mark.size > MAX_JOIN_BYTES:
            return False
        with contextlib.suppress(FileError):
            data = self.folder.read(file)
            return any(_opens(door, data) for _, door in doors)
        return False

    def take_ins(self) -> list[tuple[int, TakeIn]]:
        """Return the declarations with which people took seats over, each with the number of a turn
        that lists the notice. Turns list such a notice twice if its act is announced first. A
        notice that is not here is left out; a turn that cannot be read ends the search."""
        take_ins = list[tuple[int, TakeIn]]()
        with contextlib.suppress(FileError):
            for number, ids in self.listed_notices():
                for notice_id in ids:
                    with contextlib.suppress(RecordError):
                        saying = self.find_notice(notice_id).content.saying
                        take_ins += [(number, saying)] if isinstance(saying, TakeIn) else []
        return take_ins

    def joins_of(
        self, first_turn: Turn, how_to_get: str = ": " + HOW_TO_GET
    ) -> dict[str, Record[Join]]:
        """Return the joins that turn 1 names, by seat. Raises FileError for a missing or bad one;
        `how_to_get` ends the sentence about a missing one."""
        joins, joins_by_seat = self.joins(), {}
        for seat, join_id in (first_turn.joins or {}).items():
            path = f"seats/{seat}-{join_id.hex()[:6]}.toml"
            for fault in self.faults:
                if fault.path == path and join_id not in joins:
                    raise FileError(fault.reason, path, fault.sentence)
            if join_id not in joins:
                sentence = f"the join of seat {seat} is missing" + how_to_get
                raise FileError("parent", path, sentence)
            joins_by_seat[seat] = joins[join_id]
        return joins_by_seat

    def find_orders(
        self, is_known_key: KnownKey, missing_sentence: str = ""
    ) -> Callable[[bytes], Record[Orders]]:
        """Return a function that finds orders by id and remembers them.

        It raises FileError for a bad file, or if `is_known_key(kind, key)` is false for the key
        that signed it. For a missing file it raises RecordError `parent` or, with
        `missing_sentence`, FileError `parent` with this sentence.
        """
        records_by_id: dict[bytes, Record[Orders]] = {}

        def find(order_id: bytes) -> Record[Orders]:
            """Return the orders with this id; of several files, any that has them."""
            if (record := records_by_id.get(order_id)) and is_known_key(
                Orders.kind, record.signed.key
            ):
                return record
            sentence = (
                f"the orders {order_id.hex()[:6]} are missing from this folder: " + HOW_TO_GET
            )
            last_error = RecordError("parent", sentence)
            if missing_sentence:
                last_error = FileError(
                    "parent", f"orders/*-{order_id.hex()[:6]}.toml", missing_sentence
                )
            for file in self._by_digits.get(("orders", order_id.hex()[:6]), ()):
                try:
                    if (record := self.orders(file, is_known_key)).id == order_id:
                        records_by_id[order_id] = record
                        return record
                except FileError as error:  # the next file may be the right one
                    last_error = error
            raise last_error

        return find

    def orders_with_id(self, order_id: bytes) -> Record[Orders] | None:
        """Return the orders with this id, whoever signed them; None if no good file has them."""
        with contextlib.suppress(FileError, RecordError):
            return self._find_signed(order_id)
        return None

    @cached_property
    def _find_signed(self) -> Callable[[bytes], Record[Orders]]:
        """The function that finds orders by id, whoever signed them (see `find_orders`)."""
        return self.find_orders(lambda _kind, _key: True)

    def finder(
        self, is_known_key: KnownKey = lambda _kind, _key: True, missing_sentence: str = ""
    ) -> Finder:
        """Return a finder of the records that turns name. It finds orders as `find_orders` with
        these arguments says; joins and notices count whoever signed them."""
        return Finder(
            self.find_orders(is_known_key, missing_sentence), self.joins, self.find_notice,
            self.find_deal,
        )  # fmt: skip

    def find_deal(self, deal_id: bytes) -> Record[Deal]:
        """Return the deal with this id, signed by the key of a co-dealer. Raises FileError if no
        file here has it."""
        sentence = f"this dealer's file is missing, although a turn lists it: {HOW_TO_GET}"
        last_error = FileError("parent", f"deals/*-{deal_id.hex()[:6]}.toml", sentence)
        for file in files_with_ids(self.listing.deals, [deal_id]):
            try:
                if (record := self.deal(file, self.is_co_dealer)).id == deal_id:
                    return record
            except FileError as error:  # the next file may be the right one
                last_error = error
        raise last_error

    def is_co_dealer(self, _kind: str, key: bytes) -> bool:
        """Return whether this is the key of a co-dealer or of its deputy; the kind of record does
        not matter."""
        return any(key in dealer.signing_keys for dealer in self.charter.content.dealers)

    def deals_after(self, turn: int) -> list[Record[Deal]]:
        """Return the deals after this turn, each signed by the dealer that it names or by its
        deputy; at most `MAX_DEALS` that one key signed. What is no such deal is left out, and noted
        as a fault, of the first `MAX_DEALS` such files."""
        records, counts, faults = list[Record[Deal]](), Counter[bytes](), list[Fault]()
        for file in self.listing.deals:
            if file.name.turn != turn:
                continue
            try:
                record = self.deal(file, self.is_co_dealer)
            except FileError as error:
                faults.append(Fault(file.path, error.reason, error.sentence))
                continue
            if not is_signed_by_its_dealer(self.charter.content, record):
                faults.append(Fault(file.path, "key", "another dealer signed this dealer's file"))
            elif counts[record.signed.key] == MAX_DEALS:
                sentence = (
                    f"this dealer has more than {MAX_DEALS} files after this turn, and pbem reads "
                    f"only {MAX_DEALS}: remove this file"
                )
                faults.append(Fault(file.path, "size", sentence))
            else:
                counts[record.signed.key] += 1
                records.append(record)
        for fault in faults[:MAX_DEALS]:
            self.note(fault)
        return records

    def missing_records(self, turn: Turn) -> list[MissingRecord]:
        """Return the joins, orders, notices and deals that a turn names, but that are not here,
        judging by the names of the files."""
        join_ids = (turn.joins or {}).items()
        named_records = [("join", seat, join_id) for seat, join_id in join_ids]
        named_records += [("orders", row.seat, row.id) for row in turn.orders]
        named_records += [("notice", row.seat, row.id) for row in turn.notices]
        named_records += [("deal", "", deal_id) for deal_id in turn.deals]
        join_short_ids = {file.name.short_id for file in self.listing.joins}
        rows = [
            MissingRecord(kind, seat, turn.turn, i.hex()[:6]) for kind, seat, i in named_records
        ]
        return [
            row for row in rows
            if (row.kind, row.digits) not in self._by_digits
            if row.kind != "join" or row.digits not in join_short_ids
        ]  # fmt: skip

    @cached_property
    def _by_digits(self) -> dict[tuple[str, str], list[RecordFile]]:
        """The files of orders, notices and deals, by kind and by the six digits in their names."""
        files_by_id: dict[tuple[str, str], list[RecordFile]] = {}
        for file in (*self.listing.orders, *self.listing.notices, *self.listing.deals):
            files_by_id.setdefault((file.name.kind, file.name.short_id), []).append(file)
        return files_by_id

    def all_orders(
        self, is_known_key: KnownKey, excluded_paths: Container[str] = ()
    ) -> list[Record[Orders]]:
        """Read all good orders, except at `excluded_paths`; bad files are noted as faults."""
        files = (file for file in self.listing.orders if file.path not in excluded_paths)
        records = (self._try(lambda f: self.orders(f, is_known_key), file) for file in files)
        return [record for record in records if record]

    def newest_orders(
        self, keys: Mapping[str, bytes], excluded_paths: Container[str], max_orders: int
    ) -> list[Record[Orders]]:
        """Return at most `max_orders` good orders of each seat, the orders that count first first.

        `keys` has the signing key of each seat to read, `excluded_paths` the paths of files to
        skip. Bad files are noted as faults, and once for each seat that it has more orders.
        """
        records: list[Record[Orders]] = []
        remaining_counts: dict[str, int] = dict.fromkeys(keys, max_orders)
        unusable_count, known_keys = 0, set(keys.values())
        for file in sorted(self.listing.orders, key=rank_of_file):
            seat = file.name.seat
            if file.path in excluded_paths or seat not in keys:
                continue
            if remaining_counts[seat] > 0:
                # to say whose orders lie under a wrong name, a file must be verified: this costs
                # time, so after a flood of unusable files a foreign key alone is the fault
                other_keys = known_keys if unusable_count < max_orders else ()
                seat_records = self.orders_signed_by(file, keys[seat], other_keys)
                records += seat_records
                remaining_counts[seat] -= len(seat_records)
                unusable_count += not seat_records
            elif remaining_counts[seat] == 0:
                remaining_counts[seat] = -1  # the fault is noted once
                sentence = (
                    f"seat {seat} has more than {max_orders} new sets of orders; pbem read only "
                    "the newest ones"
                )
                self.note(Fault(file.path, "size", sentence))
        return records

    def orders_signed_by(
        self, file: RecordFile, key: bytes, other_keys: Container[bytes] = ()
    ) -> list[Record[Orders]]:
        """Return the orders in this file if they are good and signed by `key`, else none.

        A bad file, or one with a key that is neither `key` nor in `other_keys`, is noted as a
        fault. With one of `other_keys`, the fault says whose orders lie there under a wrong name.
        """
        record = self._try(
            lambda f: self.orders(f, lambda _, signer: signer == key or signer in other_keys), file
        )
        return [record] if record and record.signed.key == key else []

    def orders_of(self, seat: str, key: bytes, first_turn: int = 0) -> Iterator[Record[Orders]]:
        """Yield the good orders of a seat, signed with its key, that answer turn `first_turn` or a
        later turn; the set that counts comes first."""
        seat_files = (file for file in self.listing.orders if file.name.seat == seat)
        files = [file for file in seat_files if file.name.turn >= first_turn]
        for file in sorted(files, key=rank_of_file):
            yield from self.orders_signed_by(file, key)

    def seats_with_answers(
        self,
        keys: Mapping[str, bytes],
        heads: Mapping[int, str],
        asking_turn: int,
    ) -> set[str]:
        """Return the seats with orders here for the open questions: signed with the seat's key, and
        built on a turn that asks them.

        `keys` has the signing key of each seat to ask about. `heads` has the head after each turn
        from the one before `asking_turn` to the last, in hex, by its number; `asking_turn` asked
        the questions. Seats in `plays` have answered the last turn before it was published.
        """
        charter, seats, last_turn = self.charter.content, set[str](), max(heads)
        for file in self.listing.orders:
            seat, turn = file.name.seat, file.name.turn
            if not (last_turn if seat in charter.plays else asking_turn) <= turn <= last_turn:
                continue
            if seat not in keys or seat in seats:
                continue  # one order file for each seat is enough, so the others are not verified
            for record in self.orders_signed_by(file, keys[seat]):
                if record.content.prev.hex() == heads[charter.turn_built_on(seat, turn)]:
                    seats.add(seat)
        return seats

    def find_notice(self, notice_id: bytes) -> Record[Notice]:
        """Find a notice by its id, whoever signed it. Raises RecordError (`parent`: no file)."""
        short_id = notice_id.hex()[:6]
        last_error = RecordError(
            "parent", f"the notice {short_id} is missing from this folder: " + HOW_TO_GET
        )
        for file in self._by_digits.get(("notice", short_id), ()):
            try:
                if (record := self.notice(file)).id == notice_id:
                    return record
            except FileError as error:  # the next file may be the right one
                last_error = error
        raise last_error

    def listed_notices(self) -> Iterator[tuple[int, list[bytes]]]:
        """Yield the number of each turn that lists notices, with the notices' ids. Other turns are
        not parsed. Raises FileError.

        If there is no notice file at all, nothing is yielded and no turn is read.
        """
        if not self.listing.notices:
            return
        for file in self.listing.turns[: self.listing.reached]:
            if b"\n[[notices]]\n" in self.folder.read(file):
                yield file.name.turn, [row.id for row in self.turn(file).content.notices]

    def final(self) -> Record[FinalRecord] | None:
        """Read the final record; None if it is not here. Raises FileError."""
        file = self.listing.final
        if file is None:
            return None
        signer = self.maker().key
        return self._read(FinalRecord, file, lambda _, key: key == signer)


def is_signed_by_its_dealer(charter: Charter, deal: Record[Deal]) -> bool:
    """Return whether the co-dealer that a deal names, or its deputy, signed it."""
    keys = (dealer.signing_keys for dealer in charter.dealers)
    return deal.signed.key in dict(enumerate(keys)).get(deal.content.dealer, ())


def rank_of_file(orders: RecordFile) -> tuple[int, int, str]:
    """Return the key that sorts the files of a seat's orders; the set that counts comes first."""
    return orders_rank(orders.name.turn, orders.name.revision, orders.name.short_id)


@lru_cache(4000)
def _opens(door: bytes, data: bytes) -> bool:
    """Return whether the key of a door signed the keys in this file, if it is a join."""
    try:
        return may_be_let_in(split(data).body, door)
    except RecordError:
        return False


def files_of(chain: Chain, listing: Listing) -> dict[str, Mark]:
    """Return the paths of the files from which the turns of a chain were made, with their marks
    (size, times, inode): charter, joins and turns, and the orders, notices and deals that turns
    list."""
    listed_files = files_with_ids(listing.orders, chain.listed_orders)
    listed_files += files_with_ids(listing.notices, chain.listed_notices)
    listed_files += files_with_ids(listing.deals, chain.listed_deals)
    files = [*((listing.charter,) if listing.charter else ()), *listing.joins]
    files += [file for file in listing.turns if file.name.turn <= chain.turn]
    # a file of a later turn only has the first digits of a listed id
    files += [file for file in listed_files if file.name.turn < chain.turn]
    return {file.path: file.mark for file in files}


def are_unchanged(files: Mapping[str, Sequence[int]], listing: Listing) -> bool:
    """Return whether all files of an earlier `files_of` still have the same marks."""
    marks = listing.marks
    return all(marks.get(path) == tuple(mark) for path, mark in files.items())


def open_folder(folder: SharedFolder, listing: Listing | None = None) -> Archive:
    """Open the game in a folder, listed or not. Raises NoGameError, FileError, StorageError."""
    listing = listing or folder.scan()
    if listing.charter is None:
        raise NoGameError(listing, _no_game(listing, folder))
    file = listing.charter
    try:
        charter = read_as(Charter, folder.read(file))
    except RecordError as error:
        folder.note_doubt(file)
        raise FileError(error.reason, file.path, error.sentence) from None
    return Archive(folder, listing, charter, game_id(charter.signed.body))


def read_game_id(folder: SharedFolder) -> bytes:
    """Return the id of the game in a folder; empty if no game can be read there.

    Raises AwayError if the folder is in a store that cannot be reached now.
    """
    try:
        return open_folder(folder).game
    except AwayError:
        raise
    except PbemError:
        return b""


_GO_THERE = TerminalText(
    "give the path of the game folder[[ with -C FOLDER (pbem list says where your games are)]]"
)


def _no_game(listing: Listing, folder: SharedFolder) -> str:
    """Say why no game is in a folder without a charter, and what to do."""
    location = folder.place
    if location.has_secret_address:
        return TerminalText(
            "no game is at {shown_address}; compare this address with the one that you got, or ask "
            "whoever made the game[[: their `pbem list` shows the address]]"
        ).format(shown_address=location.shown_address)
    if listing.state == "missing":
        return f"there is no folder {location}; " + _GO_THERE
    if listing.state == "waiting":
        return f"{location} has records but no game.toml yet; let the folder finish syncing"
    if listing.state == "empty":
        return TerminalText(
            "{location} is empty.[[ To make a game: pbem new NAME --players Ann,Bo. To unpack a "
            "game from an email: pbem receive FILE. If your game is in another folder, give its "
            "path with -C FOLDER]]"
        ).format(location=location)
    if paths := folder.games_below():
        if len(paths) == 1:
            return f"{location} is not a game folder, but it contains one: {paths[0]}; go there"
        folders = ", ".join(paths)
        return f"{location} is not a game folder; go into one of the games in it: {folders}"
    return f"{location} is not a game folder: it has no game.toml; " + _GO_THERE
