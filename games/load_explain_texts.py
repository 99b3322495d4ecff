"""Load the texts of ``explain`` that are not about cards, from ``texts.toml`` in a ruleset's
folder.

``[terms.NAME]`` is a phase or a term: ``title``, ``body``, ``section`` of the rulebook (or
``source``, if that is no section), and, under ``house``, our own rulings with their numbers.
``[house]`` has such rulings for traits.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine import Text, described
from games.data_files import package_data


@cache
def _texts_file(package: str) -> Mapping[str, Any]:
    return tomllib.loads(package_data(package, "texts.toml"))


def word_of(package: str, table: str, name: str) -> str:
    """Return the text for a name in a table of the file; empty if there is none."""
    word = _texts_file(package).get(table, {}).get(name, "")
    assert isinstance(word, str)
    return word


def house_of(package: str, trait: str) -> str:
    """Return our own rulings about a trait; empty if there are none."""
    return word_of(package, "house", trait)


def terms(package: str, book: str) -> dict[str, Text]:
    """Return the texts about phases and terms, with their places in the rulebook titled `book`."""
    texts = {}
    for name, term in _texts_file(package)["terms"].items():
        section, source = term.get("section"), term.get("source")
        source = source or (f"{book}, {section}" if section else f"not in the rulebook: {book}")
        texts[name] = Text(term["title"], term["body"], source, term.get("house", ""))
    return texts


def trait_texts(package: str, traits: Mapping[str, object], source: str) -> dict[str, Text]:
    """Return a text for each trait: the docstring of its class, with our own rulings."""
    return {
        name: Text(name.replace("_", " "), described(trait), source, house_of(package, name))
        for name, trait in traits.items()
    }
