"""Find rulesets: those of this package, and those that other packages register as `pbem.games`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from engine import Ruleset

ENTRY_POINT_GROUP = "pbem.games"
"""The entry-point group under which other packages offer a ruleset."""
BUILT_IN_GAMES = {
    "evolution": "games.evolution.rules:EVOLUTION",
    "digital": "games.digital.rules:DIGITAL",
    "climate": "games.climate.rules:CLIMATE",
    "origin": "games.origin.rules:ORIGIN",
    "classroom": "games.classroom.rules:CLASSROOM",
}
"""The rulesets of this package: ``module:attribute``, by name; the first is the default."""


class UnknownGame(LookupError):
    """Raised if no ruleset with that name is installed."""


@cache
def ruleset(name: str) -> Ruleset[Any]:
    """Return the ruleset with that name, importing only that ruleset's module. Raises
    UnknownGame."""
    if path := BUILT_IN_GAMES.get(name):
        module, _, attribute = path.partition(":")
        loaded_ruleset = getattr(import_module(module), attribute)
    else:
        loaded_ruleset = _load_foreign_ruleset(name)
    assert isinstance(loaded_ruleset, Ruleset)
    return loaded_ruleset


def default_name() -> str:
    """Return the name of the default ruleset, used if no name is given."""
    return next(iter(BUILT_IN_GAMES))


def names() -> list[str]:
    """Return the names of all rulesets that are installed, those of this package first."""
    from importlib.metadata import entry_points

    foreign_names = sorted(point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    return [*BUILT_IN_GAMES, *(name for name in foreign_names if name not in BUILT_IN_GAMES)]


def _load_foreign_ruleset(name: str) -> Any:
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINT_GROUP):
        if point.name == name:
            return point.load()
    raise UnknownGame(f"no game is called {name!r}; the games are: {', '.join(names())}")
