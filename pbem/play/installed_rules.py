"""Find an installed ruleset by its name, with an owner's card file if the game has one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import Ruleset


@lru_cache(16)
def ruleset_with(name: str, cards: str = "") -> Ruleset[Any]:
    """Return the ruleset with that name; `cards` may be an owner's card file with different values.

    Raises LookupError if no such ruleset is installed, ValueError for an unusable card file.
    """
    from games.registry import ruleset

    found = ruleset(name)
    if not cards:
        return found
    if found.card_file is None:
        told = "the values of all its cards are already known"
        raise ValueError(f"{name} cannot use a card file: {told}")
    from pbem.text.handwritten_toml import loads

    return found.card_file.read(loads(cards))
