"""Concessions of players without `pbem`: a reply that begins with `I concede the game`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

# A player cannot take a concession back, so nothing is guessed: only one sentence is accepted.

CONCESSION: Final = "I concede the game"
"""The line with which a reply that concedes must begin."""
_SALUTATION: Final = (
    r"(?i)(?:hi|hey|hello|hallo|dear|good (?:morning|day|afternoon|evening))(?:\W+\w+){0,3}\W*|\w+,"
)
_WISH: Final = (
    r"(?i)(?:i think )?(?:i |we )?"
    r"(?:hereby |will |must |should |have to |want to |would like to |wish to )?"
    r"(?:concede|resign|surrender|capitulate|forfeit|give up)(?: the game| this game| now)*"
)
_MENTION: Final = r"(?i)\bconced(?:e|es|ed|ing)\b"
_MAX_LINE_CHARACTERS: Final = 160
"""Longer lines, in characters, are not read."""


def concedes(lines: Sequence[str]) -> bool:
    """Return whether a reply with these lines, without quotes and empty lines, concedes the game:
    the sentence comes first, after a greeting at most."""
    if not lines:
        return False
    concessions = [line.rstrip(".! ").casefold() == CONCESSION.casefold() for line in lines[:2]]
    return concessions[0] or (concessions[-1] and bool(re.fullmatch(_SALUTATION, lines[0])))


def mentions_conceding(line: str) -> bool:
    """Return whether a line mentions conceding, or says in other words that its writer gives up."""
    wishes = re.fullmatch(_WISH, line.rstrip("?!. "))
    return bool(wishes or (len(line) <= _MAX_LINE_CHARACTERS and re.search(_MENTION, line)))
