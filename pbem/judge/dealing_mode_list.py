"""All ways to deal cards, and the way of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.format.canonical_toml import RecordError
from pbem.judge.dealing_mode import CardMode
from pbem.judge.sealed_dealing_mode import SEALED
from pbem.records.charter import Charter

MODES: Final[Mapping[str, CardMode]] = {SEALED.name: SEALED}


def mode_of(charter: Charter) -> CardMode:
    """Return the way in which the charter's cards are dealt. Raises RecordError `version` for a
    way that this version cannot play."""
    if charter.mode not in MODES:
        sentence = f"this version of pbem cannot play games in mode {charter.mode}"
        raise RecordError("version", f"{sentence}: install a newer version")
    return MODES[charter.mode]
