"""What each kind of notice says: one small class a kind, with its fields on the wire.

What a notice does to a game is in `pbem/play/seats`, one function a kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final


@dataclass(frozen=True, slots=True)
class Saying:
    """What a notice says; each kind is a subclass."""

    about: ClassVar[str]
    """The name of the kind, as the record writes it."""


@dataclass(frozen=True, slots=True)
class Concede(Saying):
    """The seat resigns: from now on its choices are made without it, and it is ranked last."""

    about: ClassVar[str] = "concede"


SAYINGS: Final[dict[str, type[Saying]]] = {kind.about: kind for kind in (Concede,)}
"""The kinds of notices, by name."""
