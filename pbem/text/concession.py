"""Read how a player without `pbem` concedes: a reply that begins with `I concede the game`.

A player cannot take a concession back, so this module does not guess: it accepts only one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

SENTENCE: Final = "I concede the game"
"""The line with which a reply that concedes must begin."""
_GREETING: Final = re.compile(
    r"(?:hi|hey|hello|hallo|dear|good (?:morning|day|afternoon|evening))(?:\W+\w+){0,3}\W*|\w+,",
    re.I,
)
_WISH: Final = re.compile(
    r"(?:i think )?(?:i |we )?"
    r"(?:hereby |will |must |should |have to |want to |would like to |wish to )?"
    r"(?:concede|resign|surrender|capitulate|forfeit|give up)(?: the game| this game| now)*"
)
_MENTION: Final = re.compile(r"\bconced(?:e|es|ed|ing)\b", re.I)
_LONGEST: Final = 160
"""Longer lines, in characters, are not read."""


def concedes(lines: Sequence[str]) -> bool:
    """Return whether a reply with these lines, without quotes and empty lines, concedes the game:
    the sentence comes first, after a greeting at most."""
    begun = [line.rstrip(".! ").casefold() == SENTENCE.casefold() for line in lines[:2]]
    return bool(begun) and (begun[0] or (begun[-1] and bool(_GREETING.fullmatch(lines[0]))))


def wishes_to_concede(said: str) -> bool:
    """Return whether a line in lower case says in other words that its writer gives up."""
    return bool(_WISH.fullmatch(said))


def mentions_conceding(line: str) -> bool:
    """Return whether conceding is mentioned anywhere in a line."""
    return len(line) <= _LONGEST and bool(_MENTION.search(line))
