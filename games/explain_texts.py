"""The texts of ``explain`` that several rulesets make in the same way: of phases, terms and traits,
from ``texts.toml`` in a ruleset's folder; and of a creature with its hunters and prey.

``[terms.NAME]`` is a phase or a term: ``title``, ``body``, ``section`` of the rulebook (or
``source``, if that is no section), and, under ``house``, our own rulings with their numbers.
``[house]`` has such rulings for traits.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from engine import Text, docstring_line
from engine.counts_and_lists_in_prose import join_words
from games.data_and_icon_files import package_data


@cache
def _texts_file(package: str) -> Mapping[str, Any]:
    return tomllib.loads(package_data(package, "texts.toml"))


def text_in_table(package: str, table: str, name: str) -> str:
    """Return the text for a name in a table of the file; empty if there is none. The table
    ``house`` has our own rulings about traits."""
    text = _texts_file(package).get(table, {}).get(name, "")
    assert isinstance(text, str)
    return text


def term_texts(package: str, book: str) -> dict[str, Text]:
    """Return the texts about phases and terms, with their places in the rulebook titled `book`."""
    texts = {}
    for name, term in _texts_file(package)["terms"].items():
        section, source = term.get("section"), term.get("source")
        no_section = f"our own words; {book} has no section on this"
        source = source or (f"{book}, {section}" if section else no_section)
        texts[name] = Text(term["title"], term["body"], source, term.get("house", ""))
    return texts


def trait_texts(package: str, traits: Mapping[str, object], source: str) -> dict[str, Text]:
    """Return a text for each trait: the docstring of its class, with our own rulings."""
    return {
        name: Text(
            name.replace("_", " "),
            docstring_line(trait),
            source,
            text_in_table(package, "house", name),
        )
        for name, trait in traits.items()
    }


MAX_REASONS = 4
"""The greatest number of hunters whose reasons are given."""


def hunters_and_prey_report(
    lack: int, hunters: Iterable[tuple[str, str | None]], prey: Sequence[str] | None
) -> list[str]:
    """Return the sentences about one creature.

    ``lack`` is the food that it still needs. ``hunters`` are the other carnivores, each with the
    reason why it cannot attack the creature, or None. ``prey`` is None for a creature that cannot
    attack at all.

    >>> hunters_and_prey_report(0, [("b1", None), ("c2", "a1 climbs")], ["b2", "c1"])[1:]
    ['b1 can attack it.', 'c2 cannot: a1 climbs.', 'It can attack b2 and c1.']
    """
    sentences = [f"It lacks {lack} food." if lack else "It has all the food that it needs."]
    reasons = list(hunters)
    if attackers := [name for name, reason in reasons if reason is None]:
        sentences.append(f"{join_words(attackers)} can attack it.")
    else:
        sentences.append(f"No {'other ' * (prey is not None)}carnivore on the table can attack it.")
    sentences += [f"{name} cannot: {reason}." for name, reason in reasons if reason][:MAX_REASONS]
    if prey is not None:
        sentences.append(f"It can attack {join_words(prey) or 'nobody now'}.")
    return sentences
