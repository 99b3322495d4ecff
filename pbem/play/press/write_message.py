"""Write a message: sign it, and seal it if it is for one person only."""

from __future__ import annotations

from typing import Final

from pbem.format.errors import RecordError
from pbem.format.keys import SigningKey
from pbem.play.press.seating import Reader, Seating, key_between
from pbem.records.fields.schema import Wrong
from pbem.records.press.message_record import REFEREE, Press, place_of, seal_message
from pbem.records.press.message_text import MOST_LINES, MOST_TEXT, lines
from pbem.records.read_record import Record, make

MOST_TYPED: Final = 1 << 16
"""How many characters of typed or piped text are read: more than any message has."""
_DROPPED = dict.fromkeys(map(ord, "\ufeff\ufe0e\ufe0f\u200d\u00ad"))
_SPACES = {ord(c): " " for c in "\t\u00a0\u202f\u2009"}


def lines_of(text: str) -> tuple[str, ...]:
    """Turn what somebody typed into the lines of a message.

    This removes blank lines at the beginning and the end, spaces at line ends, and characters that
    only say how to draw the character before them (as in emoji). Unusual spaces become plain
    spaces. Raises RecordError `field` with a sentence for text that a message cannot contain.
    """
    from pbem.text.odd_characters import strange

    plain = text.translate(_DROPPED).translate(_SPACES).replace("\r\n", "\n").replace("\r", "\n")
    said = "\n".join(line.rstrip(" ") for line in plain.split("\n")).strip("\n").split("\n")
    if any("\ud800" <= character <= "\udfff" for character in plain):
        raise RecordError("field", "this is not UTF-8 text")
    for number, line in enumerate(said, 1):
        for place, character in enumerate(line, 1):
            try:
                lines.read([character])
            except Wrong:
                where = f"line {number}, character {place}"
                told = strange(character) or "a control character"
                told = f"{where} is {told}; a message can hold only characters that people see"
                raise RecordError("field", told) from None
    size = sum(map(len, said))
    if not size:
        raise RecordError("field", "the message is empty: it has no visible character")
    if size > MOST_TEXT or len(said) > MOST_LINES:
        told = f"this has {size} characters in {len(said)} lines"
        told += f"; a message has at most {MOST_TEXT}, in {MOST_LINES} lines, so write two messages"
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
    """Make and sign a message.

    `place` is the game, the turn after which it is written, and the head after that turn. `to` is a
    seat or `referee`; it is empty for a message to everybody.
    """
    game, turn, head = place
    seat = "" if writer.who == REFEREE else writer.who
    box = b""
    if to:
        box = seal_message(
            key_between(writer, to, game, seating), place_of(turn, seat, number), said
        )
    press = Press(
        game=game, turn=turn, prev=head, seat=seat,
        number=number, time=time, text=() if to else said, box=box,
    )  # fmt: skip
    return make(press, key)
