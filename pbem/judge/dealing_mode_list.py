"""All ways to deal cards, and the way of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.judge.dealing_mode import CardMode
from pbem.judge.sealed_dealing_mode import SEALED
from pbem.records.charter import Charter

MODES: Final[Mapping[str, CardMode]] = {SEALED.name: SEALED}


def mode_of(_charter: Charter) -> CardMode:
    """Return the way in which the charter's cards are dealt. Charters name none: there is one."""
    return MODES["referee"]
