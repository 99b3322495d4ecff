"""Find rulesets: those of this package, and those that other packages register as `pbem.games`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from engine import Ruleset

GROUP = "pbem.games"
"""The entry-point group under which other packages offer a ruleset."""
OURS = {
    "evolution": "games.evolution.rules:EVOLUTION",
    "digital": "games.digital.rules:DIGITAL",
    "climate": "games.climate.rules:CLIMATE",
    "origin": "games.origin.rules:ORIGIN",
    "classroom": "games.classroom.rules:CLASSROOM",
}


class UnknownGame(LookupError):
    """Raised if no ruleset with that name is installed."""


@cache
def ruleset(name: str) -> Ruleset[Any]:
    """Return the ruleset with that name, importing only that ruleset's module. Raises
    UnknownGame."""
    if place := OURS.get(name):
        module, _, attribute = place.partition(":")
        found = getattr(import_module(module), attribute)
    else:
        found = _foreign(name)
    assert isinstance(found, Ruleset)
    return found


def first() -> str:
    """Return the default ruleset, used if no name is given."""
    return next(iter(OURS))


def names() -> list[str]:
    """Return the names of all rulesets that are installed, ours first."""
    from importlib.metadata import entry_points

    others = sorted(point.name for point in entry_points(group=GROUP))
    return [*OURS, *(name for name in others if name not in OURS)]


def _foreign(name: str) -> Any:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        if point.name == name:
            return point.load()
    raise UnknownGame(f"no game is called {name!r}; the games are: {', '.join(names())}")
