"""Say in words how a charter's options change the rules of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import Ruleset


def rules_chosen(ruleset: Ruleset[Any], options: Mapping[str, object]) -> list[str]:
    """Return a line that says which rules are not played as printed; empty if all are."""
    said = [
        option.doc if option.values == ("no", "yes") else f"{option.name}: {options[option.name]}"
        for option in ruleset.options
        if str(options.get(option.name, option.default)) != option.default
    ]
    return [f"rules of this game: {'; '.join(said)}"] if said else []
