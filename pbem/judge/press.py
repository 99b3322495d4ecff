"""Messages between people: who may write and open them, reading them, writing one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal

from engine.values import Value
from pbem.files.disk import FileError, StorageError
from pbem.files.folder import Found
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.keys import SigningKey
from pbem.judge.archive import Archive
from pbem.judge.record_files import Fault, file_name
from pbem.judge.standing import SeatKeys, Standing
from pbem.records.limits import MAX_MESSAGES, MAX_READ_MESSAGE_BYTES
from pbem.records.press import (
    MAX_MESSAGE_CHARACTERS,
    MAX_MESSAGE_LINES,
    REFEREE,
    Press,
    lines,
    open_message,
    place_of,
    seal_message,
)
from pbem.records.read_record import Record, make
from pbem.records.schema import FieldError
from pbem.text.names import unusual_name

# ---- who can write and open messages


Seating = Mapping[str, Sequence[SeatKeys]]
"""The keys of everybody who can write, by seat or `referee`: all that they had, the oldest first;
the last count now. Messages signed with the others can still be read."""


def keys_after(keys: Sequence[SeatKeys], turn: int) -> SeatKeys:
    """Return the keys that counted after this turn: they sign what was written then."""
    return next(one for one in keys if turn < one.until)


def seating_with(standing: Standing) -> Seating:
    """Return the current and earlier keys of the referee and all seats."""
    charter, former = standing.charter, standing.former
    seating: dict[str, Sequence[SeatKeys]] = {
        seat: (*former.get(seat, ()), SeatKeys(join.key, join.x25519, name=join.name))
        for seat, join in sorted(standing.roster.items())
    }
    referee = SeatKeys(charter.key, charter.desk, name=charter.referee)
    seating[REFEREE] = (referee,)
    if standing.deputy_since:
        deputy = SeatKeys(charter.deputy_key, charter.deputy_x25519, name=charter.deputy)
        seating[REFEREE] = (referee._replace(until=standing.deputy_since), deputy)
    return seating


class Reader(Value):
    """One role of a person in a game, with the X25519 secret that opens its boxes."""

    who: str
    """The role: a seat, or `referee`."""
    secret: bytes

    def boxes(self, game: bytes, writer: str, seating: Seating) -> Iterator[tuple[str, bytes]]:
        """Return each possible recipient of this writer's private messages, with the key of the
        box, as far as this reader can open it."""
        mine = public_of(self.secret)
        if writer != self.who:
            for one in reversed(seating[writer]):
                yield self.who, box_key(self.secret, one.x25519, game)
            return
        for other, keys in seating.items():
            for one in reversed(keys):
                if one.x25519 != mine:
                    yield other, box_key(self.secret, one.x25519, game)


# ---- reading

MOST_FAULTS: Final = 8
"""How many files that are not messages are reported one by one."""
By = Literal["now", "before", "old key"]
"""Who signed a message. `now`: whoever has the seat, or is the referee, now. `before`: somebody who
had it before. `old key`: a key that was replaced; this machine saw the message only after that."""


class Message(Value):
    """A message that a person may read."""

    turn: int
    number: int
    time: int
    """The writer's clock, in seconds since 1970 UTC; nothing proves that it was right."""
    writer: str
    """Who wrote the message: a seat, or `referee`."""
    to: str
    """Who the message is for: a seat or `referee`; empty for everybody."""
    lines: tuple[str, ...]
    id: str
    """The record's id in hex."""
    name: str = ""
    """The name of the person who was the writer then."""
    to_name: str = ""
    """The name of the person it is for; empty for everybody."""
    by: By = "now"
    """Whether its writer's key counts now."""


class PressReader:
    """Reads the messages in one folder; `heads[k]` is the head after turn k.

    Nobody can stop a game with junk: a file counts only if it has a message's size and its writer's
    key signed it, and of those only a limited number after each turn.
    """

    def __init__(
        self,
        game_folder: Archive,
        heads: Sequence[bytes],
        seating: Seating,
        seen: Collection[str] | None = None,
    ) -> None:
        """`seen` are the ids, in hex, of messages that this machine saw while their keys counted;
        None if nobody needs to know which of the others an old key may have signed later."""
        self.game_folder, self.heads, self.seating = game_folder, heads, seating
        self._seen = seen
        self._seen_digits = {ident[:6] for ident in seen or ()}
        self._signers = {one.signing: who for who, keys in seating.items() for one in keys}
        self._faults: list[Fault] = []
        self._more = 0

    @property
    def faults(self) -> list[Fault]:
        """What is wrong with files in `press/`: eight sentences, and the number of the others."""
        told = f"{self._more} more files in press/ are not messages that count: remove them"
        return [*self._faults, *([Fault("press/", "name", told)] if self._more else [])]

    def _note(self, fault: Fault) -> None:
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(fault)
        else:
            self._more += 1

    def records(
        self, turns: Collection[int] | None = None, besides: Collection[str] = ()
    ) -> list[Record[Press]]:
        """Return the messages of these turns (None: all) that count, without the files
        `besides`."""
        here = [
            found
            for found in self.game_folder.listing.press
            if found.name.turn < len(self.heads) and (turns is None or found.name.turn in turns)
        ]
        # first what this machine has seen, so that nobody with an old key can crowd it out
        seen = self._seen_digits
        here.sort(key=lambda f: (f.name.digits not in seen, f.name.revision, f.path))
        here.sort(key=lambda f: (f.name.turn, f.name.seat))
        records: list[Record[Press]] = []
        for (turn, writer), files in groupby(here, key=lambda f: (f.name.turn, f.name.seat)):
            good: list[Record[Press]] = []
            known = 0
            for found in files:
                if known + len(good) == MAX_MESSAGES:
                    told = f"{named(writer)} has more messages after turn {turn} than pbem reads"
                    told += f" ({MAX_MESSAGES}); the others do not count"
                    self._note(Fault(found.path, "size", told))
                    break
                if found.path in besides:
                    known += 1
                    continue
                try:
                    good.append(self._read(found))
                except FileError as error:
                    self._note(Fault(found.path, error.reason, error.sentence))
                except StorageError as error:
                    self._note(Fault(found.path, "file", str(error)))
            records += good
        return records

    def _read(self, found: Found) -> Record[Press]:
        if found.mark.size > MAX_READ_MESSAGE_BYTES:
            told = f"{found.mark.size} bytes; a message has at most {MAX_READ_MESSAGE_BYTES}"
            raise FileError("size", found.path, told)
        if found.name.seat not in self.seating:
            told = f"not a message of this game: {named(found.name.seat)} has no player"
            raise FileError("place", found.path, told)
        record = self.game_folder.press(found, lambda _, key: key in self._signers)
        press, signer = record.content, self._signers[record.signed.key]
        if signer != press.writer:
            told = f"signed with the key of {named(signer)}, in the name of {named(press.writer)}"
            raise FileError("key", found.path, told)
        if record.signed.key != keys_after(self.seating[signer], press.turn).signing:
            told = f"signed with a key of {named(signer)} that did not count after turn "
            told += f"{press.turn}"
            raise FileError("key", found.path, told)
        if press.prev != self.heads[press.turn]:
            told = f"{named(press.writer)} wrote this message after a turn {press.turn}"
            raise FileError("fork", found.path, f"{told} that differs from the turn here")
        return record

    def messages(
        self, records: Iterable[Record[Press]], readers: Sequence[Reader]
    ) -> list[Message]:
        """Return the messages in these records that the readers may read, in reading order."""
        boxes: dict[str, list[tuple[str, bytes]]] = {writer: [] for writer in self.seating}
        for reader in readers:
            for writer, mine in boxes.items():
                mine += reader.boxes(self.game_folder.game, writer, self.seating)
        return in_order(said for record in records if (said := self._message(record, boxes)))

    def _message(
        self, record: Record[Press], boxes: dict[str, list[tuple[str, bytes]]]
    ) -> Message | None:
        press = record.content
        if press.text:
            return self._message_of(record, "", press.text)
        for to, key in boxes[press.writer]:
            try:
                return self._message_of(record, to, open_message(key, press))
            except RecordError as error:
                if error.reason != "box":  # sealed for this reader, but not a message
                    self._note(Fault(file_name(record).path, error.reason, error.sentence))
                    return None
        return None

    def _message_of(self, record: Record[Press], to: str, said: tuple[str, ...]) -> Message:
        press = record.content
        name, to_name = (
            keys_after(self.seating[who], press.turn).name if who else ""
            for who in (press.writer, to)
        )
        return Message(
            press.turn, press.number, press.time, press.writer, to, said, record.id.hex(),
            name, to_name, self._by(record),
        )  # fmt: skip

    def _by(self, record: Record[Press]) -> By:
        """Return whether the key that signed a message counts now.

        The writer of a message chooses the turn after which it stands. So somebody who has a key
        that no longer counts can still date a message back.
        """
        if self.counts_now(record):
            return "now"
        if self._seen is not None and record.id.hex() not in self._seen:
            return "old key"
        keys = self.seating[record.content.writer]
        same = keys_after(keys, record.content.turn).name == keys[-1].name
        return "now" if same else "before"

    def counts_now(self, record: Record[Press]) -> bool:
        """Return whether the key that signed a message is its writer's key now."""
        return record.signed.key == self.seating[record.content.writer][-1].signing


def named(who: str) -> str:
    """Return the words for a writer in a sentence: `seat b` or `the referee`."""
    return f"seat {who}" if len(who) == 1 else f"the {who}"


def in_order(messages: Iterable[Message]) -> list[Message]:
    """Sort messages by turn, then by the writers' clocks; one writer's by their numbers."""
    latest: dict[tuple[int, str], int] = {}
    keyed: list[tuple[tuple[int, int, str, int, str], Message]] = []
    for said in sorted(messages, key=lambda m: (m.turn, m.writer, m.number, m.time, m.id)):
        whose = (said.turn, said.writer)
        when = latest[whose] = max(latest.get(whose, 0), said.time)
        keyed.append(((said.turn, when, said.writer, said.number, said.id), said))
    return [said for _, said in sorted(keyed, key=lambda pair: pair[0])]


# ---- writing

MOST_TYPED: Final = 1 << 16
"""How many characters of typed or piped text are read: more than any message has."""
_DROPPED = dict.fromkeys(map(ord, "\ufeff\ufe0e\ufe0f\u200d\u00ad"))
_SPACES = {ord(c): " " for c in "\t\u00a0\u202f\u2009"}


def lines_of(text: str) -> tuple[str, ...]:
    """Turn what somebody typed into the lines of a message. Raises RecordError `field`.

    Blank lines at both ends, spaces at line ends, and characters that only say how to draw another
    (as in emoji) go; unusual spaces become plain ones.
    """
    plain = text.translate(_DROPPED).translate(_SPACES).replace("\r\n", "\n").replace("\r", "\n")
    said = "\n".join(line.rstrip(" ") for line in plain.split("\n")).strip("\n").split("\n")
    if any("\ud800" <= character <= "\udfff" for character in plain):
        raise RecordError("field", "this is not UTF-8 text")
    for number, line in enumerate(said, 1):
        for place, character in enumerate(line, 1):
            try:
                lines.read([character])
            except FieldError:
                where = f"line {number}, character {place}"
                told = unusual_name(character) or "a control character"
                told = f"{where} is {told}; a message can contain only visible characters"
                raise RecordError("field", told) from None
    size = sum(map(len, said))
    if not size:
        raise RecordError("field", "the message is empty: it has no visible character")
    if size > MAX_MESSAGE_CHARACTERS or len(said) > MAX_MESSAGE_LINES:
        told = f"this has {size} characters in {len(said)} lines"
        told += f"; a message has at most {MAX_MESSAGE_CHARACTERS}, in {MAX_MESSAGE_LINES} lines"
        told += ", so write two messages"
        raise RecordError("field", told)
    return tuple(said)


def make_message(
    place: tuple[bytes, int, bytes],
    number: int,
    time: int,
    said: tuple[str, ...],
    writer: Reader,
    key: SigningKey,
    to: str,
    seating: Seating,
) -> Record[Press]:
    """Make and sign a message at a place: the game, the turn before, and the head after it. `to` is
    a seat or `referee`, or empty for everybody."""
    game, turn, head = place
    seat, box = "" if writer.who == REFEREE else writer.who, b""
    if to:
        box_place = place_of(turn, seat, number)
        box = seal_message(box_key(writer.secret, seating[to][-1].x25519, game), box_place, said)
    press = Press(
        game=game, turn=turn, prev=head, seat=seat,
        number=number, time=time, text=() if to else said, box=box,
    )  # fmt: skip
    return make(press, key)
