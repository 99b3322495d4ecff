"""The header of all records, and the words, letters and limits that they share (protocol §3)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar, Final, Literal

from pbem.frozen import frozen
from pbem.records.fields.schema import Wrong, hexed, number, shown, text, wire

Kind = Literal["charter", "join", "orders", "turn", "final", "press", "notice"]

PROTOCOL: Final = 1
MODES: Final = ("referee",)
MAX_SEATS: Final = 16
MAX_TURN: Final = 9999
"""The last turn that a game can have: it ends the game."""

SEAT_PATTERN: Final = "[a-p]"
seat_letter: Final = text(1, 1, SEAT_PATTERN, "a seat's letter, a to p")
_no_seat: Final = text(0, 1, f"{SEAT_PATTERN}?", "a seat's letter, or empty")
word: Final = text(1, 32, r"[a-z0-9_-]+", "a-z 0-9 _ -")
person: Final = shown(40)
"""A person's name."""
card_text: Final = text(
    1,
    80,
    r"(?! )[ !#-:<-Z^-~]+(?<! )",
    'printable ASCII without [ ] ; " \\ and without spaces at either end',
)
"""A card. Without `"` and `\\`, no character takes two bytes; packet sizes rely on that."""


def near_the_last_turn(turn: int) -> str:
    """Say that a game has few turns left after this one: a tenth of all, or fewer; else empty."""
    left = MAX_TURN - turn
    if not 0 < left <= MAX_TURN // 10:
        return ""
    told = f"turn {MAX_TURN} is the last that a game can have; it will end the game with the"
    return f"{told} scores as they are"


def rising(name: str, keys: list[Any]) -> None:
    """Raise Wrong unless the keys are in ascending order, the only valid order of a set."""
    if any(a >= b for a, b in pairwise(keys)):
        wrong = Wrong("must be in ascending order, without duplicates")
        wrong.path.append(name)
        raise wrong


@frozen(kw_only=True)
class Header:
    """The fields that all records share, after `v` and `kind`: the record's place in the game."""

    kind: ClassVar[Kind]
    game: bytes = wire(hexed(32, empty=True))
    """The game's id; empty in the charter."""
    turn: int = wire(number(0, MAX_TURN + 1))
    """Its place in the game: 0 for charter and joins, k for turn k, the orders that answer it and
    the messages and notices written after it, k + 1 for the final after turn k."""
    prev: bytes = wire(hexed(32, empty=True))
    """The head that the record builds on; empty in the charter."""
    seat: str = wire(_no_seat)
    """The seat that writes it: in joins and orders, and in messages and notices unless the referee
    writes them."""

    def check(self) -> None:
        """Raise Wrong if the fields contradict each other or the kind."""
        seated = self.kind in ("join", "orders")
        if bool(self.seat) != seated and self.kind not in ("press", "notice"):
            raise Wrong(f"seat: must {'be a letter' if seated else 'be empty'} in {self.kind}")
        chained = self.kind != "charter"
        if bool(self.game) != chained or bool(self.prev) != chained:
            raise Wrong(f"game, prev: {'missing' if chained else 'must be empty'} in {self.kind}")
        if (self.turn == 0) != (self.kind in ("charter", "join")):
            raise Wrong(f"turn: cannot be {self.turn} in {self.kind}")
        if self.turn > MAX_TURN and self.kind != "final":
            raise Wrong(f"turn: cannot be more than {MAX_TURN} in {self.kind}")
