"""The deck, from the data file beside this module."""

from __future__ import annotations

import tomllib
from importlib.resources import files


def printed(package: str) -> tuple[str, ...]:
    """All cards of a package's ``cards.toml``, as ``trait number``, sorted."""
    data = tomllib.loads(files(package).joinpath("cards.toml").read_text("utf-8"))
    return tuple(sorted(f"{trait} {n}" for trait, foods in data["food"].items() for n in foods))


CARDS = printed("games.evolution")
