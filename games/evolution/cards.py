"""The deck, from the data file beside this module."""

from __future__ import annotations

import tomllib

from games.data import package_data


def printed(package: str) -> tuple[str, ...]:
    """All cards of a package's ``cards.toml``, as ``trait number``, sorted."""
    data = tomllib.loads(package_data(package, "cards.toml"))
    return tuple(sorted(f"{trait} {n}" for trait, foods in data["food"].items() for n in foods))


CARDS = printed("games.evolution")
