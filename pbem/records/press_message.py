"""The record `press`: a signed message to all, or to one person in a box (protocol §5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from pbem.format.encrypted_box import TAG, BoxContext, open_box, seal
from pbem.format.record_error import RecordError
from pbem.records.record_count_and_size_limits import MAX_MESSAGES
from pbem.records.record_field_codecs import Codec, FieldError, array, boxed, number, text, wire
from pbem.records.record_header import Header, RecordKind
from pbem.records.turn import MAX_TIME

MAX_MESSAGE_LINES: Final = 40
MAX_MESSAGE_CHARACTERS: Final = 1000
"""The most characters of all lines together."""
PRESS_BOX: Final = 4096
"""Padded size of every private message. The longest text fits, even with four bytes a character."""

lines: Final[Codec[tuple[str, ...]]] = array(text(0, MAX_MESSAGE_CHARACTERS), 1, MAX_MESSAGE_LINES)


def check_text(message_lines: Sequence[str]) -> None:
    """Raise FieldError unless these lines can be a message: 1 to 1000 characters, and neither the
    first nor the last line is blank."""
    size = sum(map(len, message_lines))
    if not 1 <= size <= MAX_MESSAGE_CHARACTERS:
        raise FieldError(
            f"the message has {size} characters; it must have 1 to {MAX_MESSAGE_CHARACTERS}"
        )
    if not message_lines[0].strip() or not message_lines[-1].strip():
        raise FieldError("the first or the last line of the message is blank")


def read_text(plaintext: bytes) -> tuple[str, ...]:
    """Return the lines in an opened box, whose sealer is not trusted. Raises RecordError
    `field`."""
    try:
        message_lines = lines.read(plaintext.decode().split("\n"))
        check_text(message_lines)
    except (UnicodeDecodeError, FieldError):
        raise RecordError(
            "field", "the encrypted part of this message does not contain text"
        ) from None
    return message_lines


REFEREE: Final = "referee"
"""The name of the referee as a writer or receiver; seats are letters."""

_number = number(1, MAX_MESSAGES)
_time = number(0, MAX_TIME)
_press_box = boxed(lambda n: n == PRESS_BOX + TAG, f"base64 of a box of {PRESS_BOX + TAG} bytes")


class Press(Header, kw_only=True):
    """A message, written after the turn that its header names; stored as a file in `press/`."""

    kind: ClassVar[RecordKind] = "press"
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
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if bool(self.text) == bool(self.box):
            raise FieldError(
                "this message has both an open text (field text) and an encrypted one (field box)"
                if self.text
                else "this message has neither an open text (field text) nor an encrypted one "
                "(field box)"
            )
        if self.text:
            check_text(self.text)

    @property
    def writer(self) -> str:
        """The seat that writes it, or `referee`."""
        return self.seat or REFEREE


def seal_message(key: bytes, context: BoxContext, message_lines: Sequence[str]) -> bytes:
    """Seal a private message in a box for this context (see `message_box_context`); `key` is the
    key of all boxes between the two people."""
    return seal(key, context, "\n".join(message_lines).encode(), PRESS_BOX)


def message_box_context(turn: int, seat: str, count: int) -> BoxContext:
    """Return the context of a message's box: turn, writer's seat (empty: referee) and number."""
    return BoxContext("press", "text", turn, seat, count)


def open_message(key: bytes, press: Press) -> tuple[str, ...]:
    """Return the lines of a private message. Raises RecordError `box`, `padding`, `field`."""
    return read_text(
        open_box(key, message_box_context(press.turn, press.seat, press.number), press.box)
    )
