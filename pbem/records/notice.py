"""The record `notice`: somebody declares something, and the next turn applies it (§5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Final

from engine.value_classes import Value
from pbem.format.canonical_toml import Scalar
from pbem.format.record_error import RecordError
from pbem.records.record_count_and_size_limits import MAX_NOTICES
from pbem.records.record_field_codecs import (
    from_doc,
    left_out_if_empty,
    mapping,
    number,
    scalar,
    to_doc,
    wire,
)
from pbem.records.record_header import Header, RecordKind, word

SCORE: Final = "score"
DRAW: Final = "draw"
NO_WINNER: Final = "no winner"
PLAY_ON: Final = "play on"
REFEREE: Final = "referee"
"""The name of the referee as a writer; other writers are seats, which are letters."""

SAYINGS: Final[dict[str, type[Saying]]] = {}
"""The kinds of notices, by name; `pbem/judge/notice_kinds.py` has them all, with their rules."""


class Saying(Value):
    """The declaration in a notice. Each kind of notice is a subclass, registered by its name."""

    about: ClassVar[str]
    """The name of the kind, as the record writes it."""

    def __init_subclass__(cls) -> None:
        """Add the kind to SAYINGS."""
        super().__init_subclass__()
        if "about" in vars(cls):
            SAYINGS[cls.about] = cls


_kind_fields: Final = mapping(r"[a-z0-9_]{1,32}", scalar, 16)


class Notice(Header, kw_only=True):
    """A notice, written after the turn that its header names; stored as a file in `notices/`."""

    kind: ClassVar[RecordKind] = "notice"
    number: int = wire(number(1, MAX_NOTICES))
    """Counts this writer's notices after this turn."""
    about: str = wire(word)
    """The kind of the notice."""
    says: Mapping[str, Scalar] | None = wire(_kind_fields, None)
    """The fields of this kind of notice."""

    def __post_init__(self) -> None:
        """Read the declaration. Raises RecordError `version` or `field`."""
        _ = self.saying

    @cached_property
    def saying(self) -> Saying:
        """The declaration: `says`, as one of the classes in SAYINGS."""
        return read_saying(self.about, self.says or {})

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if self.says is not None and not self.says:
            raise left_out_if_empty("says")

    @property
    def writer(self) -> str:
        """The seat that writes it, or `referee`."""
        return self.seat or REFEREE

    @property
    def rank(self) -> tuple[int, int]:
        """A sort key among the writer's notices: a later notice has a greater rank."""
        return self.turn, self.number


def read_saying(kind: str, kind_fields: Mapping[str, Scalar]) -> Saying:
    """Read the declaration in a notice of this kind. Raises RecordError `version` or `field`."""
    if kind not in SAYINGS:
        sentence = f"this version of pbem does not know the kind of notice {kind!r}"
        raise RecordError("version", f"{sentence}; install a newer version")
    return from_doc(SAYINGS[kind], kind_fields)


def notice_fields(saying: Saying) -> dict[str, Any]:
    """Return the fields `about` and `says` of a notice with these contents."""
    return {"about": saying.about, "says": to_doc(saying) or None}
