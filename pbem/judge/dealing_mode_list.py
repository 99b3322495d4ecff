"""All ways to deal cards, and the way of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.judge.dealing_mode import CardMode
from pbem.judge.sealed_dealing_mode import SEALED
from pbem.records.charter import Charter
from pbem.records.record_header import DEALERS_MODE

MODES: Final[Mapping[str, CardMode]] = {SEALED.name: SEALED}
"""The ways that are loaded with this module: not that of mode `dealers`, which few games need."""


def mode_of(charter: Charter) -> CardMode:
    """Return the way in which the charter's cards are dealt."""
    if charter.mode == DEALERS_MODE:
        from pbem.judge.hidden_dealing_mode import HIDDEN

        return HIDDEN
    return MODES[charter.mode]
