"""Single records in the files of one game folder, each checked for its place (protocol §6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

from engine.value_classes import Mutable, Value
from pbem.files.file_errors import FileError
from pbem.files.game_folder import Listing, RecordFile, SharedFolder
from pbem.files.record_file_names import Name
from pbem.format.record_error import Reason, RecordError
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.game_id_and_chain_heads import first_head
from pbem.records.join import Join
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.press_message import Press
from pbem.records.read_and_sign_record import Content, KnownKey, Record, read_as
from pbem.records.record_count_and_size_limits import MAX_NOTICE_BYTES
from pbem.records.turn import Turn

C = TypeVar("C", bound=Content)


class Fault(Value):
    """A file that is not a usable record of this game, and the reason."""

    path: str
    reason: Reason
    sentence: str


def file_name(record: Record[Content]) -> Name:
    """Return the name of a record's file, which follows from header and id of the record."""
    content, short_id = record.content, record.id.hex()[:6]
    match content:
        case Join():
            return Name("join", seat=content.seat, short_id=short_id)
        case Orders():
            return Name("orders", content.turn, content.seat, content.revision, short_id)
        case Turn():
            return Name("turn", content.turn)
        case Press():
            return Name("press", content.turn, content.writer, content.number, short_id)
        case Notice():
            return Name("notice", content.turn, content.writer, content.number, short_id)
        case Deal():
            return Name("deal", content.turn, "", content.dealer, short_id)
        case FinalRecord():
            return Name("final")
    return Name("charter")


class RecordFiles(Mutable):
    """The files of one game folder, each read as the record that its name promises.

    A file that cannot be read, of another game, or under the wrong name raises FileError, which
    names its path. The folder gets a note about it (`note_doubt`): what it has may be an old copy
    of the file, to be fetched again.
    """

    folder: SharedFolder
    complete_listing: Listing
    """All files in the folder, known only by their names."""
    charter: Record[Charter]
    game: bytes
    """The game's id, which follows from its charter."""
    faults: dict[Fault, None] = field(default_factory=dict)
    """The faults of files in the folder, in the order of finding; `note` adds one."""

    def note(self, fault: Fault) -> None:
        """Note the fault of a file, once."""
        self.faults.setdefault(fault)

    def join(self, file: RecordFile) -> Record[Join]:
        """Read a file of the folder as a join. Raises FileError."""
        record = self._read(Join, file)
        seat = record.content.seat
        self._check_place(
            file, record, f"this file has the wrong name: it contains a join for seat {seat}"
        )
        if record.content.prev != first_head(self.game):
            self._misplaced(
                file, "this join was made for another game.toml than the one in this folder"
            )
        return record

    def orders(self, file: RecordFile, is_known_key: KnownKey) -> Record[Orders]:
        """Read one order file. Raises FileError, also if `is_known_key("orders", key)` is false for
        the key that signed it: this is asked before the signature is verified."""
        record = self._read(Orders, file, is_known_key)
        orders = record.content
        sentence = (
            f"this file has the wrong name: it contains orders of seat {orders.seat} "
            f"for turn {orders.turn}"
        )
        self._check_place(file, record, sentence)
        return record

    def deal(self, file: RecordFile, is_known_key: KnownKey) -> Record[Deal]:
        """Read one deal record; for `is_known_key` see `orders`. Raises FileError."""
        record = self._read(Deal, file, is_known_key)
        deal = record.content
        sentence = (
            f"this file has the wrong name: it contains a file of dealer {deal.dealer} after "
            f"turn {deal.turn}"
        )
        self._check_place(file, record, sentence)
        return record

    def press(self, file: RecordFile, is_known_key: KnownKey) -> Record[Press]:
        """Read one message; for `is_known_key` see `orders`. Raises FileError."""
        record = self._read(Press, file, is_known_key)
        self._check_place(file, record, "the name of this file belongs to a different message")
        return record

    def notice(self, file: RecordFile, is_known_key: KnownKey | None = None) -> Record[Notice]:
        """Read one notice, signed by anybody or, with `is_known_key` (see `orders`), by a known
        key. Raises FileError."""
        if file.mark.size > MAX_NOTICE_BYTES:
            sentence = (
                f"this file has {file.mark.size} bytes; a notice has at most {MAX_NOTICE_BYTES}"
            )
            raise FileError("size", file.path, sentence)
        record = self._read(Notice, file, is_known_key)
        self._check_place(file, record, "the name of this file belongs to a different notice")
        return record

    def _read(
        self, kind: type[C], file: RecordFile, is_known_key: KnownKey | None = None
    ) -> Record[C]:
        """Read a file as a record of this kind and this game. Raises FileError.

        `is_known_key` says which keys may have signed it; None allows every key. If the bytes are
        no such record, the folder notes a doubt, because its copy of the file may be bad; if the
        file cannot be read at all, the error of `folder.read` passes.
        """
        try:
            record = read_as(kind, self.folder.read(file), is_known_key)
            if record.content.game != self.game:
                raise RecordError("place", "this file belongs to another game")
        except RecordError as error:
            self.folder.note_doubt(file)
            raise FileError(error.reason, file.path, error.sentence) from None
        return record

    def _try(self, read: Callable[[RecordFile], Record[C]], file: RecordFile) -> Record[C] | None:
        """Read a file with `read`; if it raises FileError, note the fault and return None."""
        try:
            return read(file)
        except FileError as error:
            self.note(Fault(file.path, error.reason, error.sentence))
            return None

    def _check_place(self, file: RecordFile, record: Record[Content], clause: str) -> None:
        """Raise FileError `place` unless the file has the name of its record; `clause` says what
        the record is."""
        if file_name(record) != file.name:
            self._misplaced(file, clause)

    def _misplaced(self, file: RecordFile, clause: str) -> None:
        self.folder.note_doubt(file)
        raise FileError(
            "place",
            file.path,
            f"{clause}; get the file again",
        )
