"""The record `notice`: somebody in the game declares something, and the next turn applies it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Final

from pbem.format.canonical import Scalar
from pbem.format.errors import RecordError
from pbem.frozen import frozen
from pbem.records.fields.header import Header, Kind, word
from pbem.records.fields.schema import Codec, Wrong, from_doc, mapping, number, to_doc, wire
from pbem.records.notices.sayings import SAYINGS, Saying

MOST_NOTICES: Final = 8
"""How many notices of one writer count after each turn."""
REFEREE: Final = "referee"
"""The name of the referee as a writer; other writers are seats, which are letters."""


def _scalar(value: Any) -> Scalar:
    if not isinstance(value, str | int | bool) or (type(value) is str and len(value) > 400):
        raise Wrong("must be an integer, true or false, or a string of at most 400 characters")
    return value


_says: Final = mapping(r"[a-z0-9_]{1,32}", Codec(_scalar, lambda v: v, "see below"), 16)


@frozen(kw_only=True)
class Notice(Header):
    """A notice, written after the turn that its header names; stored as a file in `notices/`."""

    kind: ClassVar[Kind] = "notice"
    number: int = wire(number(1, MOST_NOTICES))
    """Counts this writer's notices after this turn."""
    about: str = wire(word)
    """What kind of notice it is."""
    says: Mapping[str, Scalar] | None = wire(_says, None)
    """What this kind of notice says: its own fields."""
    saying: Saying = field(init=False, compare=False, repr=False)
    """The fields of `says`, as one of the classes in `sayings`."""

    def __post_init__(self) -> None:
        """Read what the notice says. Raises RecordError `version` or `field`."""
        object.__setattr__(self, "saying", read_saying(self.about, self.says or {}))

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
        """Return a key by which to sort this writer's notices: the key of a later notice is
        greater."""
        return self.turn, self.number


def read_saying(about: str, says: Mapping[str, Scalar]) -> Saying:
    """Read what a notice of this kind says.

    Raises RecordError `version` for a kind that this program does not know, `field` for wrong
    fields.
    """
    if about not in SAYINGS:
        told = f"this version of pbem does not know notices of kind {about}"
        raise RecordError("version", f"{told}: install a newer version")
    return from_doc(SAYINGS[about], says)


def notice_fields(saying: Saying) -> dict[str, Any]:
    """Return the fields `about` and `says` of a notice with these contents."""
    return {"about": saying.about, "says": to_doc(saying) or None}
