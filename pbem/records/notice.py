"""The record `notice`: somebody declares something, and the next turn applies it (§5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Final

from engine.values import Value
from pbem.format.canonical import RecordError, Scalar
from pbem.records.schema import (
    Header,
    Kind,
    Wrong,
    from_doc,
    mapping,
    number,
    scalar,
    to_doc,
    wire,
    word,
)

SCORE: Final = "score"
DRAW: Final = "draw"
NO_WINNER: Final = "no winner"
PLAY_ON: Final = "play on"
MOST_NOTICES: Final = 8
"""How many notices of one writer count after each turn."""
REFEREE: Final = "referee"
"""The name of the referee as a writer; other writers are seats, which are letters."""

SAYINGS: Final[dict[str, type[Saying]]] = {}
"""The kinds of notices, by name; `pbem/judge/notice_kinds.py` has them all, with their rules."""


class Saying(Value):
    """What a notice says: its fields. Each kind is a subclass with a name, and is known by it."""

    about: ClassVar[str]
    """The name of the kind, as the record writes it."""

    def __init_subclass__(cls) -> None:
        """Add the kind to SAYINGS."""
        super().__init_subclass__()
        if "about" in vars(cls):
            SAYINGS[cls.about] = cls


_says: Final = mapping(r"[a-z0-9_]{1,32}", scalar, 16)


class Notice(Header, kw_only=True):
    """A notice, written after the turn that its header names; stored as a file in `notices/`."""

    kind: ClassVar[Kind] = "notice"
    number: int = wire(number(1, MOST_NOTICES))
    """Counts this writer's notices after this turn."""
    about: str = wire(word)
    """What kind of notice it is."""
    says: Mapping[str, Scalar] | None = wire(_says, None)
    """What this kind of notice says: its own fields."""

    def __post_init__(self) -> None:
        """Read what the notice says. Raises RecordError `version` or `field`."""
        _ = self.saying

    @cached_property
    def saying(self) -> Saying:
        """What the notice says: `says`, as one of the classes in SAYINGS."""
        return read_saying(self.about, self.says or {})

    def check(self) -> None:
        """Raise Wrong if the fields contradict each other (see Header)."""
        super().check()
        if self.says is not None and not self.says:
            raise Wrong("says: must be left out when it is empty")

    @property
    def writer(self) -> str:
        """The seat that writes it, or `referee`."""
        return self.seat or REFEREE

    @property
    def rank(self) -> tuple[int, int]:
        """The place of this notice among those of its writer: a later notice has a greater one."""
        return self.turn, self.number


def read_saying(about: str, says: Mapping[str, Scalar]) -> Saying:
    """Read what a notice of this kind says. Raises RecordError `version` or `field`."""
    if about not in SAYINGS:
        told = f"this version of pbem does not know notices of kind {about}"
        raise RecordError("version", f"{told}: install a newer version")
    return from_doc(SAYINGS[about], says)


def notice_fields(saying: Saying) -> dict[str, Any]:
    """Return the fields `about` and `says` of a notice with these contents."""
    return {"about": saying.about, "says": to_doc(saying) or None}
