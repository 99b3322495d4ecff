"""The ways to deal, by the mode that a charter names. The hidden way, which few games need, is
loaded only for such a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.judge.dealing_mode_interfaces import CardMode
from pbem.judge.sealed_dealing_mode import SEALED
from pbem.records.charter import Charter
from pbem.records.record_header import DEALERS_MODE

MODES: Final[Mapping[str, CardMode]] = {SEALED.name: SEALED}
"""The ways that are loaded with this module, by the mode in a charter: not that of mode
`dealers`."""


def mode_of(charter: Charter) -> CardMode:
    """Return the way in which the charter's cards are dealt."""
    if charter.mode == DEALERS_MODE:
        from pbem.judge.hidden_dealing_mode import HIDDEN

        return HIDDEN
    return MODES[charter.mode]
