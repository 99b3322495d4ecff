"""The record `press`: a signed message to all, or to one person in a box (protocol §5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import TAG, Place, open_box, seal
from pbem.records.schema import Codec, Header, Kind, Wrong, boxed, many, number, text, wire
from pbem.records.turn import MAX_TIME

MOST_LINES: Final = 40
MOST_TEXT: Final = 1000
"""The most characters of all lines together."""
PRESS: Final = 4096
"""Padded size of every private message. The longest text fits, even with four bytes a character."""

lines: Final[Codec[tuple[str, ...]]] = many(text(0, MOST_TEXT), 1, MOST_LINES)


def check_text(said: Sequence[str]) -> None:
    """Raise Wrong unless these lines, 1 to 1000 characters without blank ends, can be a message."""
    size = sum(map(len, said))
    if not 1 <= size <= MOST_TEXT:
        raise Wrong(f"text: {size} characters; a message has 1 to {MOST_TEXT}")
    if not said[0].strip() or not said[-1].strip():
        raise Wrong("text: the first and the last line must not be blank")


def read_text(plain: bytes) -> tuple[str, ...]:
    """Return the lines in an opened box, whose sealer is not trusted. Raises RecordError
    `field`."""
    try:
        said = lines.read(plain.decode().split("\n"))
        check_text(said)
    except (UnicodeDecodeError, Wrong):
        raise RecordError("field", "the box does not hold the text of a message") from None
    return said


MOST_MESSAGES: Final = 64
"""How many messages of one writer count after each turn."""
REFEREE: Final = "referee"
"""The name of the referee as a writer or receiver; seats are letters."""

_number = number(1, MOST_MESSAGES)
_time = number(0, MAX_TIME)
_press_box = boxed(lambda n: n == PRESS + TAG, f"base64 of a box of {PRESS + TAG} bytes")


class Press(Header, kw_only=True):
    """A message, written after the turn that its header names; stored as a file in `press/`."""

    kind: ClassVar[Kind] = "press"
    number: int = wire(_number)
    """The number of this message among the writer's messages after this turn."""
    time: int = wire(_time)
    """The writer's clock: it puts messages in order, and proves nothing."""
    text: tuple[str, ...] = wire(lines, ())
    """A message to all: its lines, together 1 to 1000 characters; the first and the last line are
    not blank."""
    box: bytes = wire(_press_box, b"")
    """A private message, in place of `text`: the same lines in UTF-8 with LF between them."""

    def check(self) -> None:
        """Raise Wrong if the fields contradict each other (see Header)."""
        super().check()
        if bool(self.text) == bool(self.box):
            raise Wrong("text, box: exactly one of them must be present")
        if self.text:
            check_text(self.text)

    @property
    def writer(self) -> str:
        """The seat that writes it, or `referee`."""
        return self.seat or REFEREE


def seal_message(key: bytes, place: Place, said: Sequence[str]) -> bytes:
    """Seal a private message in a box; `key` is the key of all boxes between the two people."""
    return seal(key, place, "\n".join(said).encode(), PRESS)


def place_of(turn: int, seat: str, count: int) -> Place:
    """Return the place of a message's box: turn, writer's seat (empty: referee) and number."""
    return Place("press", "text", turn, seat, count)


def open_message(key: bytes, press: Press) -> tuple[str, ...]:
    """Return the lines of a private message. Raises RecordError `box`, `padding`, `field`."""
    return read_text(open_box(key, place_of(press.turn, press.seat, press.number), press.box))
