"""The header of all records, and the fields, words and limits that records share (protocol §5)."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from engine.value_classes import Value
from pbem.records.record_field_codecs import FieldError, hexed, number, text, visible_text, wire

RecordKind = Literal["charter", "join", "orders", "turn", "final", "press", "notice", "deal"]

PROTOCOL: Final = 1
REFEREE_MODE: Final = "referee"
DEALERS_MODE: Final = "dealers"
MODES: Final = (REFEREE_MODE, DEALERS_MODE)
MAX_SEATS: Final = 16
MAX_TURN: Final = 9999
"""The last turn that a game can have: it ends the game."""

SEAT_PATTERN: Final = "[a-p]"
seat_letter: Final = text(1, 1, SEAT_PATTERN, "a seat's letter, a to p")
_no_seat: Final = text(0, 1, f"{SEAT_PATTERN}?", "a seat's letter, or empty")
word: Final = text(1, 32, r"[a-z0-9_-]+", "a-z 0-9 _ -")
person: Final = visible_text(40)
"""A person's name."""
card_text: Final = text(
    1,
    80,
    r"(?! )[ !#-:<-Z^-~]+(?<! )",
    'printable ASCII without [ ] ; " \\ and without spaces at either end',
)
"""A card. Without `"` and `\\`, no character takes two bytes; packet sizes rely on that."""


def last_turn_warning(turn: int) -> str:
    """Say that a game has few turns left after this one: a tenth of all, or fewer; else empty."""
    turns_left = MAX_TURN - turn
    if not 0 < turns_left <= MAX_TURN // 10:
        return ""
    clause = f"turn {MAX_TURN} is the last that a game can have; it will end the game with the"
    return f"{clause} scores as they are"


class Header(Value, kw_only=True):
    """The fields that all records share, after `v` and `kind`: the record's place in the game."""

    kind: ClassVar[RecordKind]
    game: bytes = wire(hexed(32, empty=True))
    """The game's id; empty in the charter."""
    turn: int = wire(number(0, MAX_TURN + 1))
    """The record's place in the game, by its kind (protocol §5)."""
    prev: bytes = wire(hexed(32, empty=True))
    """The head that the record builds on; empty in the charter."""
    seat: str = wire(_no_seat)
    """The seat that writes it: in joins and orders, and in messages and notices unless the referee
    writes them."""

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other or the kind."""
        has_seat = self.kind in ("join", "orders")
        if bool(self.seat) != has_seat and self.kind not in ("press", "notice"):
            raise FieldError(
                f"the field seat is {repr(self.seat) if self.seat else 'empty'}; in a "
                f"record of kind {self.kind} it must be {'a letter' if has_seat else 'empty'}"
            )
        is_chained = self.kind != "charter"
        if bool(self.game) != is_chained or bool(self.prev) != is_chained:
            raise FieldError(
                f"the field game or prev is empty; a record of kind {self.kind} must have both"
                if is_chained
                else f"the field game or prev is not empty; in a record of kind {self.kind} both "
                "must be empty"
            )
        may_be_0 = self.kind in ("charter", "join", "deal")
        if (self.turn > 0 and self.kind in ("charter", "join")) or (not self.turn and not may_be_0):
            raise FieldError(
                f"the field turn is {self.turn}, which is not possible in a record of kind "
                f"{self.kind}"
            )
        if self.turn > MAX_TURN and self.kind != "final":
            raise FieldError(
                f"the field turn is {self.turn}, but the last turn that a game can have is "
                f"{MAX_TURN}"
            )
