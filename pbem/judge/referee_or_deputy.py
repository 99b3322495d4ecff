"""The person who makes a turn: the referee or the deputy (protocol §5)."""

from __future__ import annotations

from typing import Final, Literal

from engine.value_classes import Value
from pbem.records.charter import Charter
from pbem.records.record_header import MAX_TURN

Role = Literal["referee", "deputy"]
AFTER_LAST_TURN: Final = MAX_TURN + 1
"""A number beyond the last turn that a game can have: it asks who makes the next turn."""


class Maker(Value):
    """The person who makes a turn."""

    key: bytes
    """The key that signs it."""
    role: Role
    """The role in the charter."""
    name: str

    @property
    def called(self) -> str:
        """The name and the role, for sentences: `Flo, the deputy`."""
        return f"{self.name}, the {self.role}"


def maker_of(charter: Charter, deputy_since: int, turn: int = AFTER_LAST_TURN) -> Maker:
    """Return the maker of a turn, or without `turn` the present maker.

    `deputy_since` is the first turn that the deputy makes; 0 = none.
    """
    return maker_with(charter, charter.deputy_key if 0 < deputy_since <= turn else charter.key)


def maker_with(charter: Charter, key: bytes) -> Maker:
    """Return the maker who has this key, which must be the referee's or the deputy's."""
    if charter.deputy_key and key == charter.deputy_key:
        return Maker(key, "deputy", charter.deputy)
    return Maker(charter.key, "referee", charter.referee)
