"""Single records in the files of one game folder, each checked for its place (protocol §6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

from engine.values import Mutable, Value
from pbem.files.disk import FileError
from pbem.files.folder import Found, Listing, Name, SharedFolder
from pbem.format.canonical import Reason, RecordError
from pbem.records.charter import Charter, FinalRecord, Join, Orders
from pbem.records.limits import MAX_NOTICE_BYTES
from pbem.records.notice import Notice
from pbem.records.press import Press
from pbem.records.read_record import Content, KnownKey, Record, read_as
from pbem.records.turn import Turn
from pbem.records.words import first_head

C = TypeVar("C", bound=Content)


class Fault(Value):
    """A file that is not a usable record of this game, and the reason."""

    path: str
    reason: Reason
    sentence: str


def file_name(record: Record[Content]) -> Name:
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
            return Name("notice", content.turn, content.writer, content.number, digits)
        case FinalRecord():
            return Name("final")
    return Name("charter")


class RecordFiles(Mutable):
    """The files of one game folder, each read as the record that its name promises.

    A file that cannot be read, of another game, or under the wrong name raises FileError, which
    names its path.
    """

    folder: SharedFolder
    whole: Listing
    """All files in the folder, known only by their names."""
    charter: Record[Charter]
    game: bytes
    faults: dict[Fault, None] = field(default_factory=dict)
    """What is wrong with files in the folder, in the order of finding; `note` adds to it."""

    def note(self, fault: Fault) -> None:
        """Note what is wrong with a file, once."""
        self.faults.setdefault(fault)

    def join(self, found: Found) -> Record[Join]:
        """Read one join. Raises FileError."""
        record = self._read(Join, found)
        seat = record.content.seat
        self._check_place(found, record, f"this is a join for seat {seat}")
        if record.content.prev != first_head(self.game):
            self._misplaced(found, "this join is for another charter")
        return record

    def orders(self, found: Found, known: KnownKey) -> Record[Orders]:
        """Read one order file. Raises FileError."""
        record = self._read(Orders, found, known)
        said = record.content
        told = f"these are orders of seat {said.seat} for turn {said.turn}"
        self._check_place(found, record, told)
        return record

    def press(self, found: Found, known: KnownKey) -> Record[Press]:
        """Read one message. Raises FileError."""
        record = self._read(Press, found, known)
        self._check_place(found, record, "this is a different message")
        return record

    def notice(self, found: Found, known: KnownKey | None = None) -> Record[Notice]:
        """Read one notice, signed by anybody or by a known key. Raises FileError."""
        if found.mark.size > MAX_NOTICE_BYTES:
            told = f"{found.mark.size} bytes; a notice has at most {MAX_NOTICE_BYTES}"
            raise FileError("size", found.path, told)
        record = self._read(Notice, found, known)
        self._check_place(found, record, "this is a different notice")
        return record

    def _read(self, kind: type[C], found: Found, known: KnownKey | None = None) -> Record[C]:
        try:
            record = read_as(kind, self.folder.read(found), known)
            if record.content.game != self.game:
                raise RecordError("place", "this file belongs to another game")
        except RecordError as error:
            self.folder.note_doubt(found)
            raise FileError(error.reason, found.path, error.sentence) from None
        return record

    def _try(self, read: Callable[[Found], Record[C]], found: Found) -> Record[C] | None:
        try:
            return read(found)
        except FileError as error:
            self.note(Fault(found.path, error.reason, error.sentence))
            return None

    def _check_place(self, found: Found, record: Record[Content], what: str) -> None:
        if file_name(record) != found.name:
            self._misplaced(found, what)

    def _misplaced(self, found: Found, what: str) -> None:
        self.folder.note_doubt(found)
        raise FileError("place", found.path, f"{what} under the wrong name; get the file again")
