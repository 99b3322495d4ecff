"""File records that came by mail: check each, and put it where its signed header says."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from pbem.files.file_errors import FileError, StorageError, TakenError
from pbem.files.game_folder import RecordFile, SharedFolder
from pbem.files.game_folder_places import Place
from pbem.files.record_file_names import Name, RecordKind
from pbem.format.record_error import Reason, RecordError
from pbem.judge.orders_in_force import why_misplaced
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.read_and_make_messages import format_role
from pbem.judge.record_chain import Chain
from pbem.judge.record_fit_and_signer import Relation, Signer, keys_of_people
from pbem.judge.records_of_game_folder import open_folder
from pbem.judge.referee_or_deputy import maker_with
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.game_id_and_chain_heads import first_head
from pbem.records.join import Join, is_let_in
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.press_message import REFEREE, Press
from pbem.records.read_and_sign_record import Content, Record, read
from pbem.records.record_count_and_size_limits import (
    MAX_DEALS,
    MAX_DOOR_JOINS,
    MAX_MESSAGES,
    MAX_NOTICE_FILES,
    MAX_ORDER_SETS,
    MAX_OTHER_JOINS,
)
from pbem.records.turn import Turn
from pbem.text.terminal_and_page_wording import TerminalText

_ORDER: Final = (Charter, Join, Turn, Orders, FinalRecord, Press)


def filing_rank(record: Record[Content]) -> tuple[int, int, int, bytes]:
    """Return a sort key that puts each record after the records that it is checked against.

    Notices and deals come after the turn after which they were written, and before the next one.
    """
    is_after_turn = isinstance(record.content, Notice | Deal)
    kind = Turn if is_after_turn else type(record.content)
    return _ORDER.index(kind), record.content.turn, is_after_turn, record.id


Create = Callable[[SharedFolder, Name, bytes], bool]
"""Puts a record into the folder of its game as `SharedFolder.create` does; raises RecordError too
if there are other limits than the filer's."""


def create_in_folder(folder: SharedFolder, name: Name, data: bytes) -> bool:
    """Put a record into the folder of its game; return whether it was not there yet. Raises
    TakenError if another file has the name, StorageError."""
    return folder.create(name, data)


class FilingRule(NamedTuple):
    """Which records of one kind mail files, because they may count here now or later.

    The sentences (`wrong_key` to `too_many`, `too_late`) are for `str.format` with `subject`,
    `path` (the record's file in the game's folder), `writer`, `turn`, `before` (the turn on which
    the record builds), `next` (the turn after `turn`) and `count` (`max_files`). `subject` is
    formatted first, with `writer` and `kind` (of notice).
    """

    signers: tuple[Signer, ...]
    """The keys that may have signed a record; a later turn decides whether they count."""
    wrong_key: str
    """Sentence for another key."""
    no_player: str = ""
    """Sentence for a seat that nobody has; empty if only the key matters."""
    fork: str = ""
    """Sentence for a record that builds on another turn than the one here; empty if it is filed."""
    too_many: str = ""
    """Sentence for more than `max_files`; empty without a limit."""
    max_files: int = 0
    """The most files of one key for one writer and turn, besides those in turns."""
    subject: str = ""
    """The beginning of sentences."""
    has_to_wait: bool = False
    """Whether a record waits for the turn on which it builds."""
    too_late: str = ""
    """Sentence for a record that the next turn, which is here, does not list; empty if it is
    filed."""


COMPARE_WORDS: Final = "; compare your twelve words with those of the other players"
_REFEREE_RULE: Final = FilingRule(
    ("referee",),
    "is not signed by the referee of this game",
    fork="{path} follows a version of turn {before} that differs from yours" + COMPARE_WORDS,
)
FILING_RULES: Final[Mapping[RecordKind, FilingRule]] = {
    "turn": _REFEREE_RULE,
    "final": _REFEREE_RULE,
    "orders": FilingRule(
        ("joined", "named"),
        "is not signed by the player in {writer}",
        no_player="nobody plays {writer} in this game",
        too_many="{writer} already has {count} sets of orders for turn {turn}: orders/ has no "
        "room for more",
        max_files=MAX_ORDER_SETS,
    ),
    "press": FilingRule(
        ("then",),
        "this message is not signed by {writer}",
        no_player="{writer} has no player, so nobody can write messages from it",
        fork="{subject}follows a version of turn {turn} that differs from yours" + COMPARE_WORDS,
        too_many="{writer} already has {count} messages after turn {turn}: press/ has no room for "
        "more",
        max_files=MAX_MESSAGES,
        subject="a message from {writer} ",
        has_to_wait=True,
    ),
    "notice": FilingRule(
        ("anybody",),
        "{subject}is signed with a key that nobody in this game has",
        fork="{subject}follows a version of turn {turn} that differs from yours" + COMPARE_WORDS,
        too_many="{subject}was refused: notices/ already has {count} files from this writer after "
        "turn {turn}",
        max_files=MAX_NOTICE_FILES,
        subject="a notice of {writer} (kind: {kind}) ",
        has_to_wait=True,
    ),
    "deal": FilingRule(
        ("dealer",),
        "{subject}is not signed by this dealer",
        fork="{subject}follows a version of turn {turn} that differs from yours" + COMPARE_WORDS,
        too_many="{subject}was refused: deals/ already has {count} files of this dealer after turn "
        "{turn}",
        max_files=MAX_DEALS,
        subject="the file with the cards that {writer} dealt ",
        has_to_wait=True,
        too_late="{subject}came too late: turn {next} was made without the file",
    ),
}
_MISSING_TURN: Final = (
    "{subject}was written after turn {turn}, and is waiting for that turn to arrive"
)
_MISSING_JOIN: Final = "{subject}is waiting for the join of {writer}, which has not arrived yet"


class LocalFault(RecordError):
    """A record was refused because of the files on this computer: only its owner can mend that, so
    the sentence, which has a path, is for nobody else."""


class RecordFiler:
    """Puts records into the folder of their game, and knows what was new there."""

    def __init__(
        self,
        folder: SharedFolder,
        charter: Record[Charter] | None = None,
        create: Create = create_in_folder,
    ) -> None:
        """With `charter`, make the folder if it does not exist. `create` puts a record into it.

        Raises what `open_folder` raises, and what `create` raises for the charter.
        """
        self.folder = folder
        self._create = create
        self._signers: dict[RecordFile, bytes] = {}
        """The key that signed each file; empty if it is no record."""
        self.new_records: list[Record[Content]] = []
        """The records that this run filed, in order."""
        self.present_count = 0
        """How many records of this run were in the folder already."""
        self._stale: bool
        """Whether records were filed since `_look` that other records are checked against."""
        self._look_count: int
        """How many of the `new_records` were filed before the last `_look`."""
        self._chain: Chain | None
        if charter:
            self._write(charter)
        self.is_new_folder = bool(self.new_records)
        """Whether this run made the folder."""
        self.game_folder = open_folder(self.folder)
        """The game's folder as it was when it was last read."""
        self.turns: list[Record[Turn]] = []
        """The turns there, up to the first that is missing or wrong."""
        self._look()

    @property
    def root(self) -> Place:
        """The place of the game's folder."""
        return self.folder.place

    @property
    def title(self) -> str:
        """The game's title."""
        return self.game_folder.charter.content.title

    def _look(self) -> None:
        """Read the folder again, with the records filed since. The list of turns ends before a bad
        one; `pbem status` says which turn is bad."""
        self._stale, self._look_count = False, len(self.new_records)
        self._chain = None
        with contextlib.suppress(FileError, StorageError):
            self.game_folder = open_folder(self.folder)
            self.turns += self.game_folder.turns(len(self.turns))

    @property
    def chain(self) -> Chain:
        """The results of the turns in the folder: heads, seats, listed orders."""
        if self._chain is None:
            self._chain = self.game_folder.chain_of(self.turns)
        return self._chain

    @property
    def _recent_records(self) -> list[Record[Content]]:
        """The records that this run has filed since `_look` last read the folder."""
        return self.new_records[self._look_count :]

    def file_record(self, record: Record[Content]) -> None:
        """Put a record of this game into the folder, unless the folder already has the record.

        A new record is added to `new_records`, another counted in `present_count`. Raises
        RecordError with the reason if the record is refused (then nothing is written), or
        StorageError.
        """
        if self._stale and (self.turns or not isinstance(record.content, Join)):
            self._look()  # before turn 1, a join is not checked against other records
        if not self.folder.has(file_name(record), record.file):
            self._check(record)
        self._write(record)
        self._stale = not isinstance(record.content, Orders | Press)

    def knows(self, key: bytes) -> bool:
        """Return whether this is a key of somebody in the game, as far as the folder shows."""
        return key in keys_of_people(self.game_folder, self.chain)

    def _write(self, record: Record[Content]) -> None:
        """Put a record into the folder, and count it. Raises RecordError `fork` if a different file
        has its name, and is not a turn that this one replaces."""
        try:
            if self._create(self.folder, file_name(record), record.file):
                self.new_records.append(record)
            else:
                self.present_count += 1
        except TakenError:
            if not self._replace_turn(record):
                raise self._taken_name_error(record) from None
            self.new_records.append(record)

    def _replace_turn(self, record: Record[Content]) -> bool:
        """Set aside the turn in the folder with the number of this record, if the record is the
        turn that counts, and put the record there; return whether the turn was replaced.

        A deputy's turn counts instead of the referee's once a notice says that the deputy takes
        over; before, the referee's counts. The old file is set aside, not deleted.
        """
        turn = record.content
        if not isinstance(turn, Turn):
            return False
        game_folder = self.game_folder
        takes_over = game_folder.deputy_turns.takes_over(Record(record.signed, turn))
        if not takes_over and record.signed.key != game_folder.maker(turn.turn).key:
            return False
        for turn_file in game_folder.complete_listing.turns:
            if turn_file.name.turn == turn.turn and game_folder.signer(turn_file) not in (
                None,
                record.signed.key,
            ):
                self.folder.set_aside(turn_file)
                return self.folder.create(turn_file.name, record.file)
        return False

    def _taken_name_error(self, record: Record[Content]) -> RecordError:
        """Return why the record cannot have its name: a different file has it."""
        name = file_name(record).path
        location = f"{name} in {self.folder.place}"
        removal_step = TerminalText(
            "remove this file from the folder, then [[run pbem receive||read the mail]] again"
        )
        try:
            present_record = read(self.folder.read(name))
        except RecordError:
            return LocalFault("fork", f"{location} is damaged: " + removal_step)
        if present_record.id == record.id and isinstance(record.content, Notice):
            return LocalFault("fork", f"{location} is signed with another key: " + removal_step)
        if isinstance(record.content, Turn) and present_record.id != record.id:
            keys = {*self.game_folder.charter.content.referee_keys, record.signed.key}
            if present_record.signed.key not in keys:
                return LocalFault(
                    "fork", f"{location} is not signed by the referee: " + removal_step
                )
        return RecordError("fork", self._two_files(record, present_record))

    def _two_files(self, record: Record[Content], present_record: Record[Content]) -> str:
        """Say in a refusal how the record from the mail differs from `present_record`, which has
        its file name here; of turns and final records, who signed each, and which turn counts."""
        name = file_name(record).path
        if present_record.id == record.id:
            return f"you already have {name} with the same content, but with another signature"
        ids = f"{present_record.id.hex()[:6]} in the folder, {record.id.hex()[:6]} in the mail"
        different = (
            f"a different file already has the name {name} ({ids}); show both files to the referee"
        )
        if not isinstance(record.content, Turn | FinalRecord):
            return different
        charter = self.game_folder.charter.content
        if present_record.signed.key == record.signed.key:
            maker = maker_with(charter, record.signed.key).called
            return (
                f"{maker}, signed two different files called {name} ({ids}), and so made two "
                "versions of the game; show both files to all players"
            )
        if isinstance(record.content, FinalRecord):
            return different
        present_signer, new_signer = (
            maker_with(charter, r.signed.key).name for r in (present_record, record)
        )
        maker = self.game_folder.maker(record.content.turn).name
        return (
            f"{present_signer} signed the file {name} in the folder, and {new_signer} signed the "
            f"one in the mail; only {maker} may sign this file"
        )

    # -------------------------------------------------------------- one record
    def _check(self, record: Record[Content]) -> None:
        """Check a record against the game in the folder, as its kind's `FilingRule` says. Raises
        RecordError: `parent` if it must wait, `key`, `fork`, `place`, or `state` if there is no
        room."""
        content = record.content
        relation = Relation(self.game_folder, self.chain, record)
        if isinstance(content, Join):
            self._check_join(relation, content)
        if content.kind not in FILING_RULES:
            return
        rule, writer = FILING_RULES[content.kind], self._writer_of(content)
        kind = content.about if isinstance(content, Notice) else ""
        words = {
            "subject": rule.subject.format(writer=writer, kind=kind), "writer": writer,
            "path": file_name(record).path, "turn": content.turn, "before": relation.place,
            "next": content.turn + 1, "count": rule.max_files,
        }  # fmt: skip
        if rule.has_to_wait and relation.fit == "ahead":
            raise RecordError("parent", _MISSING_TURN.format(**words))
        if relation.lacks_join:
            raise RecordError("parent", _MISSING_JOIN.format(**words))
        if rule.no_player and not relation.has_player:
            raise RecordError("key", rule.no_player.format(**words))
        is_checked = isinstance(content, Notice) and relation.is_listed  # by the turn's readers
        if not is_checked and not relation.is_signed_by(*rule.signers):
            raise RecordError("key", rule.wrong_key.format(**words))
        if rule.fork and relation.fit == "fork":
            raise RecordError("fork", rule.fork.format(**words))
        if rule.too_late and not relation.is_listed and relation.place < self.chain.turn:
            raise RecordError("state", rule.too_late.format(**words))
        if (
            rule.too_many
            and not relation.is_listed
            and self._has_signed_too_many(record, rule.max_files)
        ):
            raise RecordError("state", rule.too_many.format(**words))

    def _writer_of(self, content: Content) -> str:
        """Return the writer of a record for a sentence."""
        if isinstance(content, Deal):
            dealers = self.game_folder.charter.content.dealers[content.dealer :]
            return dealers[0].name if dealers else f"dealer {content.dealer}"
        return format_role(content.seat or REFEREE)

    def _has_signed_too_many(self, record: Record[Content], max_files: int) -> bool:
        """Return whether the record's key has already signed `max_files` files like the record, in
        the folder or in this run (see `Name.is_like`). Files of other keys do not count, so that
        they cannot keep the record out."""
        name, listing = file_name(record), self.game_folder.listing
        files = [x for x in (*listing.records, *listing.press) if x.name.is_like(name)]
        keys = [
            recent_record.signed.key
            for recent_record in self._recent_records
            if file_name(recent_record).is_like(name)
        ]
        if len(files) + len(keys) < max_files:
            return False
        return [*keys, *map(self._signer, files)].count(record.signed.key) >= max_files

    def _check_join(self, relation: Relation, join: Join) -> None:
        """Check a join against the charter and the other joins. Raises RecordError: `place` for a
        different charter or an unknown seat, `state` for too many joins or a seat that is not
        open."""
        if join.prev != first_head(self.game_folder.game):
            raise RecordError("place", "this join is for a game with a different game.toml")
        if relation.is_listed:
            return  # it is filed no matter how many others are here
        if join.seat not in self.game_folder.charter.content.doors:
            raise RecordError("place", f"this game has no seat {join.seat}")
        new_joins = [
            recent_record.content
            for recent_record in self._recent_records
            if isinstance(recent_record.content, Join)
        ]
        count, limit, clause = len(self.game_folder.listing.joins), MAX_OTHER_JOINS, ""
        count += len(new_joins)
        if door := relation.door:  # the seat's invite signed it: strangers cannot use up its room
            count = sum(is_let_in(joined, door) for joined in (*relation.joins, *new_joins))
            limit, clause = MAX_DOOR_JOINS, f" with the invite of seat {join.seat}"
        if count >= limit:
            sentence = (
                f"seats/ already contains {limit} joins{clause}; remove the joins of strangers"
            )
            raise RecordError("state", sentence)
        if self.turns and not relation.is_open:
            sentence = f"the game has begun without this join, and seat {join.seat} is not open"
            raise RecordError("state", sentence)

    def _signer(self, record_file: RecordFile) -> bytes:
        """Return the key that signed a file; empty if it is no record."""
        if record_file not in self._signers:
            self._signers[record_file] = b""
            with contextlib.suppress(RecordError, StorageError):
                self._signers[record_file] = read(self.folder.read(record_file)).signed.key
        return self._signers[record_file]

    # -------------------------------------------------------------- all records
    def notes(self) -> list[tuple[Reason, str]]:
        """Say, after all records are filed, what is missing and what came too late: sentences, each
        with the reason that gives the exit code."""
        self._look()
        return [*self._missing_notes(), *self._misplaced_notes()]

    def _missing_notes(self) -> list[tuple[Reason, str]]:
        """Return one note that names the missing turns, and the missing records that turns name:
        the first three, and the number of others. No note if nothing is missing."""
        listing = self.game_folder.listing
        missing_names = [f"turn {number}" for number in self.game_folder.listing.gaps]
        files = (*listing.orders, *listing.joins, *listing.notices, *listing.deals)
        digits = {file.name.short_id for file in files}
        take_ins = self.game_folder.take_ins()
        for turn in self.turns:
            labelled_ids = [(f" of seat {x.seat}", x.id) for x in turn.content.orders]
            labelled_ids += [
                (f" of seat {seat}", join_id)
                for seat, join_id in (turn.content.joins or {}).items()
            ]
            later_take_ins = [
                take_in for number, take_in in take_ins if number == turn.content.turn
            ]
            labelled_ids += [
                (f" of seat {take_in.seat}", take_in.join) for take_in in later_take_ins
            ]
            labelled_ids += [("", record_id) for record_id in turn.content.own]
            labelled_ids += [(f" ({x.about})", x.id) for x in turn.content.notices]
            labelled_ids += [(" of a dealer", deal_id) for deal_id in turn.content.deals]
            for owner, record_id in labelled_ids:
                if record_id.hex()[:6] not in digits:
                    label = f"the file {record_id.hex()[:6]}{owner}"
                    missing_names.append(f"{label}, which turn {turn.content.turn} lists")
        if listing.final and not missing_names and not self.chain.is_over:
            missing_names.append("the last turn")
        if not missing_names:
            return []
        more_clause = f", and {len(missing_names) - 3} more" if len(missing_names) > 3 else ""
        sentence = TerminalText(
            "missing: {names}{more}; ask {maker} [[for the bundle that `pbem send --all` writes||"
            "to send all files again]]; pbem keeps everything that came"
        ).format(
            names=", ".join(missing_names[:3]),
            more=more_clause,
            maker=self.game_folder.maker().name,
        )
        return [("parent", sentence)]

    def _misplaced_notes(self) -> list[tuple[Reason, str]]:
        """Say which new orders cannot count, and why: their turn is missing, they came too late, or
        they answer a different version of a turn.

        Seats in the charter's `plays` answer before the turn is published, so their orders may be
        ahead of the turns here.
        """
        notes: list[tuple[Reason, str]] = []
        last_turn, listed_orders = self.chain.turn, self.chain.listed_orders
        own_ids = {record_id for turn in self.turns for record_id in turn.content.own}
        referee_seats = self.game_folder.charter.content.plays
        for record in self.new_records:
            orders = record.content
            if not isinstance(orders, Orders) or record.id in listed_orders or record.id in own_ids:
                continue
            name = f"orders {record.id.hex()[:6]} of seat {orders.seat}"
            if orders.turn > last_turn:
                if orders.seat not in referee_seats:
                    notes.append(
                        ("parent", f"{name} answer turn {orders.turn}, which is not here yet")
                    )
            elif reason := why_misplaced(
                orders,
                self.chain.heads,
                orders.seat in referee_seats,
                False,
                self.chain.asking_turn,
            ):
                if reason == "late":
                    sentence = (
                        f"{name} came too late: they answer turn {orders.turn}, but the next turn "
                        "is already made"
                    )
                    notes.append(("state", sentence))
                else:
                    sentence = f"{name} answer a version of turn {orders.turn} that differs from "
                    sentence += "yours" + COMPARE_WORDS
                    notes.append(("fork", sentence))
        return notes
