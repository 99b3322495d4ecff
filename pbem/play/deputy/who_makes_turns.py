"""Who makes a turn: the charter's referee or, from the deputy's first turn on, the deputy."""

from __future__ import annotations

from typing import Literal

from pbem.frozen import frozen
from pbem.records.charter_join_orders import Charter
from pbem.records.fields.header import MAX_TURN

Role = Literal["referee", "deputy"]
LAST = MAX_TURN + 1
"""The place of the last record that any chain can have: for whoever makes the next turn."""


@frozen
class Maker:
    """The person who makes a turn."""

    key: bytes
    """The key that signs it."""
    role: Role
    """What the charter calls them."""
    name: str

    @property
    def called(self) -> str:
        """The name and the role, for sentences: `Flo, the deputy`."""
        return f"{self.name}, the {self.role}"


def maker_of(charter: Charter, deputy_since: int, turn: int = LAST) -> Maker:
    """Return who makes this turn, if the deputy has made all turns since `deputy_since` (0: none).

    Without `turn`, return who makes the turns now.
    """
    return maker_with(charter, charter.deputy_key if 0 < deputy_since <= turn else charter.key)


def maker_with(charter: Charter, key: bytes) -> Maker:
    """Return the maker who has this key, which must be the referee's or the deputy's."""
    if charter.deputy_key and key == charter.deputy_key:
        return Maker(key, "deputy", charter.deputy)
    return Maker(charter.key, "referee", charter.referee)
