"""Messages between people: who may write and open them, reading them, writing one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal

from engine.counts_and_lists_in_prose import counted
from engine.value_classes import Value
from pbem.files.file_errors import FileError, StorageError
from pbem.files.game_folder import RecordFile
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.read_and_check_record_file import Fault, file_name
from pbem.judge.record_chain import other_version_in_words
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.seat_holders_keys_and_agreements import SeatKeys, Standing
from pbem.records.press_message import (
    MAX_MESSAGE_CHARACTERS,
    MAX_MESSAGE_LINES,
    REFEREE,
    Press,
    lines,
    message_box_context,
    open_message,
    seal_message,
)
from pbem.records.read_and_sign_record import Record, make
from pbem.records.record_count_and_size_limits import MAX_MESSAGES, MAX_READ_MESSAGE_BYTES
from pbem.records.record_field_codecs import FieldError
from pbem.text.encodings_and_unusual_characters import unusual_name

# ---- who can write and open messages


Seating = Mapping[str, Sequence[SeatKeys]]
"""The keys of everybody who can write, by seat or `referee`: all that they had, the oldest first;
the last count now. Messages signed with the others can still be read."""


def keys_after(keys: Sequence[SeatKeys], turn: int) -> SeatKeys:
    """Return the keys that counted after this turn: they sign what was written then. `keys` are one
    person's or seat's, oldest first."""
    return next(k for k in keys if turn < k.valid_until)


def seating_with(standing: Standing) -> Seating:
    """Return the current and earlier keys of the referee and all seats."""
    charter, former = standing.charter, standing.former_keys
    seating: dict[str, Sequence[SeatKeys]] = {
        seat: (*former.get(seat, ()), SeatKeys(join.key, join.x25519, name=join.name))
        for seat, join in sorted(standing.roster.items())
    }
    referee = SeatKeys(charter.key, charter.desk, name=charter.referee)
    seating[REFEREE] = (referee,)
    if standing.deputy_since:
        deputy = SeatKeys(charter.deputy_key, charter.deputy_x25519, name=charter.deputy)
        seating[REFEREE] = (referee._replace(valid_until=standing.deputy_since), deputy)
    return seating


class Reader(Value):
    """One role of a person in a game, with the X25519 secret that opens its boxes."""

    role: str
    """The role: a seat, or `referee`."""
    secret: bytes
    """The X25519 secret."""

    def boxes(self, game: bytes, writer: str, seating: Seating) -> Iterator[tuple[str, bytes]]:
        """Yield each recipient of the writer's private messages whose boxes this reader can open,
        with the key of the boxes; the newest keys come first.

        Of another writer, the reader can open boxes to their own role; of their own role's
        messages, boxes to everybody.
        """
        own_public_key = public_of(self.secret)
        if writer != self.role:
            for k in reversed(seating[writer]):
                yield self.role, box_key(self.secret, k.x25519, game)
            return
        for recipient, keys in seating.items():
            for k in reversed(keys):
                if k.x25519 != own_public_key:  # nobody writes to themselves
                    yield recipient, box_key(self.secret, k.x25519, game)


# ---- reading

MAX_FAULTS: Final = 8
"""The number of files that are not messages and are reported one by one."""
SignerState = Literal["now", "before", "old key"]
"""The signer of a message. `now`: the person who has the seat, or is the referee, now. `before`: a
person who had it before. `old key`: a replaced key; this machine saw the message only later."""


class Message(Value):
    """A message that a person may read."""

    turn: int
    """The turn after which it was written."""
    number: int
    """The number among the writer's messages after that turn, from 1."""
    time: int
    """The writer's clock, in seconds since 1970 UTC; nothing proves that it was right."""
    writer: str
    """The writer: a seat, or `referee`."""
    recipient: str
    """The recipient: a seat or `referee`; empty for everybody."""
    lines: tuple[str, ...]
    id: str
    """The record's id in hex."""
    name: str = ""
    """The name of the person who was the writer then."""
    recipient_name: str = ""
    """The name of the person it is for; empty for everybody."""
    signer_state: SignerState = "now"
    """The signer, as the key shows."""


class PressReader:
    """A reader of the messages in one folder; `heads[k]` is the head after turn k.

    Nobody can stop a game with junk: a file counts only if it has a message's size and its writer's
    key signed it, and of those only a limited number after each turn.
    """

    def __init__(
        self,
        game_folder: Archive,
        heads: Sequence[bytes],
        seating: Seating,
        seen_ids: Collection[str] | None = None,
    ) -> None:
        """`seating` has the keys of each role, oldest first. `seen_ids` are the ids, in hex, of
        messages that this machine saw while their keys counted; with None, no message gets the
        state `old key`."""
        self.game_folder, self.heads, self.seating = game_folder, heads, seating
        self._seen_ids = seen_ids
        self._seen_short_ids = {message_id[:6] for message_id in seen_ids or ()}
        self._signers = {k.signing: role for role, keys in seating.items() for k in keys}
        self._faults: list[Fault] = []
        self._hidden_count = 0

    @property
    def faults(self) -> list[Fault]:
        """The faults of files in `press/`: at most `MAX_FAULTS`, and the number of the others."""
        files = counted(
            self._hidden_count,
            "more file that contains no message of this game: remove the file",
            "more files that contain no message of this game: remove the files",
        )
        sentence = f"the folder press/ has {files}"
        return [*self._faults, *([Fault("press/", "name", sentence)] if self._hidden_count else [])]

    def _note(self, fault: Fault) -> None:
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(fault)
        else:
            self._hidden_count += 1

    def records(
        self, turns: Collection[int] | None = None, excluded_paths: Collection[str] = ()
    ) -> list[Record[Press]]:
        """Return the messages of these turns (None: all) that count, without the files at
        `excluded_paths`, which use up their share too. After each turn, `MAX_MESSAGES` of each
        writer count. Bad and surplus files are noted as faults; messages after a turn that is not
        here are left out."""
        files = [
            file
            for file in self.game_folder.listing.press
            if file.name.turn < len(self.heads) and (turns is None or file.name.turn in turns)
        ]
        # messages that this machine has seen come first: nobody with an old key crowds them out
        seen_short_ids = self._seen_short_ids
        files.sort(key=lambda f: (f.name.short_id not in seen_short_ids, f.name.revision, f.path))
        files.sort(key=lambda f: (f.name.turn, f.name.seat))
        records: list[Record[Press]] = []
        for (turn, writer), group in groupby(files, key=lambda f: (f.name.turn, f.name.seat)):
            good_records: list[Record[Press]] = []
            excluded_count = 0
            for file in group:
                if excluded_count + len(good_records) == MAX_MESSAGES:
                    sentence = (
                        f"{format_role(writer)} wrote more than {MAX_MESSAGES} messages after turn "
                        f"{turn}; pbem reads only {MAX_MESSAGES}"
                    )
                    self._note(Fault(file.path, "size", sentence))
                    break
                if file.path in excluded_paths:
                    excluded_count += 1
                    continue
                try:
                    good_records.append(self._read(file))
                except FileError as error:
                    self._note(Fault(file.path, error.reason, error.sentence))
                except StorageError as error:
                    self._note(Fault(file.path, "file", str(error)))
            records += good_records
        return records

    def _read(self, file: RecordFile) -> Record[Press]:
        """Read a message; check its writer's seat, its key, and the turn of this chain that it
        follows. Raises FileError."""
        if file.mark.size > MAX_READ_MESSAGE_BYTES:
            sentence = (
                f"this file has {file.mark.size} bytes; a message has at most "
                f"{MAX_READ_MESSAGE_BYTES}"
            )
            raise FileError("size", file.path, sentence)
        if file.name.seat not in self.seating:
            sentence = (
                f"this is not a message of this game: {format_role(file.name.seat)} has no player"
            )
            raise FileError("place", file.path, sentence)
        record = self.game_folder.press(file, lambda _, key: key in self._signers)
        press, signer = record.content, self._signers[record.signed.key]
        if signer != press.writer:
            sentence = (
                f"this message is in the name of {format_role(press.writer)}, but is signed with "
                f"the key of {format_role(signer)}"
            )
            raise FileError("key", file.path, sentence)
        if record.signed.key != keys_after(self.seating[signer], press.turn).signing:
            sentence = (
                f"this message is signed with a key of {format_role(signer)} that was not valid "
                f"after turn {press.turn}"
            )
            raise FileError("key", file.path, sentence)
        if press.prev != self.heads[press.turn]:
            sentence = (
                f"{format_role(press.writer)} wrote this message after "
                f"{other_version_in_words(press.turn)}"
            )
            raise FileError("fork", file.path, sentence)
        return record

    def messages(
        self, records: Iterable[Record[Press]], readers: Sequence[Reader]
    ) -> list[Message]:
        """Return the messages in these records that the readers may read, in reading order: open
        messages, and private ones whose box one of the readers can open."""
        boxes: dict[str, list[tuple[str, bytes]]] = {writer: [] for writer in self.seating}
        for reader in readers:
            for writer, writer_boxes in boxes.items():
                writer_boxes += reader.boxes(self.game_folder.game, writer, self.seating)
        return sort_messages(
            message for record in records if (message := self._message(record, boxes))
        )

    def _message(
        self, record: Record[Press], boxes: dict[str, list[tuple[str, bytes]]]
    ) -> Message | None:
        """Return the message in a record; None if no reader can open it. `boxes` has, for each
        writer, the recipients and keys of the boxes that the readers can open."""
        press = record.content
        if press.text:
            return self._message_of(record, "", press.text)
        for recipient, key in boxes[press.writer]:
            try:
                return self._message_of(record, recipient, open_message(key, press))
            except RecordError as error:
                if error.reason != "box":  # sealed for this reader, but not a message
                    self._note(Fault(file_name(record).path, error.reason, error.sentence))
                    return None
        return None

    def _message_of(
        self, record: Record[Press], recipient: str, message_lines: tuple[str, ...]
    ) -> Message:
        """Return a message with these lines to a recipient, which is empty for everybody, with the
        names of writer and recipient at the time of writing."""
        press = record.content
        name, to_name = (
            keys_after(self.seating[role], press.turn).name if role else ""
            for role in (press.writer, recipient)
        )
        return Message(
            press.turn, press.number, press.time, press.writer, recipient, message_lines,
            record.id.hex(), name, to_name, self._signer_state(record),
        )  # fmt: skip

    def _signer_state(self, record: Record[Press]) -> SignerState:
        """Return the state of the signer of a message.

        The writer of a message chooses the turn after which it stands. So somebody with a replaced
        key can still date a message back: unless this machine saw the message in time, it gets the
        state `old key`.
        """
        if self.counts_now(record):
            return "now"
        if self._seen_ids is not None and record.id.hex() not in self._seen_ids:
            return "old key"
        keys = self.seating[record.content.writer]
        is_same_person = keys_after(keys, record.content.turn).name == keys[-1].name
        return "now" if is_same_person else "before"

    def counts_now(self, record: Record[Press]) -> bool:
        """Return whether the key that signed a message is its writer's key now."""
        return record.signed.key == self.seating[record.content.writer][-1].signing


def format_role(role: str) -> str:
    """Return the words for a role in a sentence.

    >>> format_role("b"), format_role("referee")
    ('seat b', 'the referee')
    """
    return f"seat {role}" if len(role) == 1 else f"the {role}"


def sort_messages(messages: Iterable[Message]) -> list[Message]:
    """Sort messages by turn, then by the writers' clocks; messages of one writer by number, even if
    the writer's clock went back."""
    latest_times: dict[tuple[int, str], int] = {}
    keyed_messages: list[tuple[tuple[int, int, str, int, str], Message]] = []
    for message in sorted(messages, key=lambda m: (m.turn, m.writer, m.number, m.time, m.id)):
        turn, writer = message.turn, message.writer
        shown_at = latest_times[turn, writer] = max(
            latest_times.get((turn, writer), 0), message.time
        )
        keyed_messages.append(((turn, shown_at, writer, message.number, message.id), message))
    return [message for _, message in sorted(keyed_messages, key=lambda pair: pair[0])]


# ---- writing

MAX_INPUT_CHARACTERS: Final = 1 << 16
"""The number of characters of typed or piped text that are read: more than any message has."""
_DROPPED_CHARACTERS = dict.fromkeys(map(ord, "\ufeff\ufe0e\ufe0f\u200d\u00ad"))
_SPACES = {ord(c): " " for c in "\t\u00a0\u202f\u2009"}


def lines_of(text: str) -> tuple[str, ...]:
    """Turn typed text into the lines of a message. Raises RecordError `field` if a message cannot
    contain it, or if it is empty or too long.

    Blank lines at both ends, spaces at line ends, and characters that only say how to draw another
    (as in emoji) go; unusual spaces become plain ones.

    >>> lines_of("  Hello,\\r\\nBo \\n\\n")
    ('  Hello,', 'Bo')
    """
    normalized_text = text.translate(_DROPPED_CHARACTERS).translate(_SPACES)
    normalized_text = normalized_text.replace("\r\n", "\n").replace("\r", "\n")
    message_lines = [line.rstrip(" ") for line in normalized_text.split("\n")]
    message_lines = "\n".join(message_lines).strip("\n").split("\n")
    if any("\ud800" <= character <= "\udfff" for character in normalized_text):
        raise RecordError("field", "the message is not UTF-8 text")
    for number, line in enumerate(message_lines, 1):
        for column, character in enumerate(line, 1):
            try:
                lines.read([character])
            except FieldError:
                name = unusual_name(character) or "a control character"
                sentence = (
                    f"character {column} of line {number} is {name}; a message can contain only "
                    "visible characters"
                )
                raise RecordError("field", sentence) from None
    size = sum(map(len, message_lines))
    if not size:
        raise RecordError("field", "the message is empty: it has no visible character")
    if size > MAX_MESSAGE_CHARACTERS or len(message_lines) > MAX_MESSAGE_LINES:
        sentence = (
            f"the message has {size} characters in {counted(len(message_lines), 'line')}; "
            f"the maximum is {MAX_MESSAGE_CHARACTERS} characters in {MAX_MESSAGE_LINES} lines, so "
            "write two messages"
        )
        raise RecordError("field", sentence)
    return tuple(message_lines)


def make_message(
    place: tuple[bytes, int, bytes],
    number: int,
    time: int,
    message_lines: tuple[str, ...],
    writer: Reader,
    key: SigningKey,
    recipient: str,
    seating: Seating,
) -> Record[Press]:
    """Make and sign a message at a place: the game, the turn before, and the head after it.

    `writer` is the role that writes, with its secret, and `key` its signing key; `number` counts
    the writer's messages after that turn, from 1. `recipient` is a seat or `referee`, or empty for
    everybody; `seating` has the recipient's keys. `time` is in seconds since 1970 UTC.
    """
    game, turn, head = place
    seat, box = "" if writer.role == REFEREE else writer.role, b""
    if recipient:
        box_context = message_box_context(turn, seat, number)
        private_key = box_key(writer.secret, seating[recipient][-1].x25519, game)
        box = seal_message(private_key, box_context, message_lines)
    press = Press(
        game=game, turn=turn, prev=head, seat=seat,
        number=number, time=time, text=() if recipient else message_lines, box=box,
    )  # fmt: skip
    return make(press, key)
