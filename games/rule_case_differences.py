"""Say how a table differs from what a rule case expects, and which name its writer meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def hint(word: str, names: Iterable[str]) -> str:
    """Return a hint with the name that the writer may have meant; if none is similar, with all
    names.

    >>> hint("dek", ["top", "deck"]), hint("x", ["top", "deck"])
    ("did you mean 'deck'?", 'choose one of: top, deck')
    """
    distinct_names = list(dict.fromkeys(names))
    return suggestion(word, distinct_names) or f"choose one of: {', '.join(distinct_names)}"


def suggestion(word: str, names: Iterable[str]) -> str:
    """Return a question with the name that the writer may have meant; empty if none is similar."""
    from difflib import get_close_matches

    close_matches = get_close_matches(word, list(names), 1, 0.7)
    return f"did you mean {close_matches[0]!r}?" if close_matches else ""


def differences(
    expected_facts: Mapping[str, Any], facts: Mapping[str, Any], prefix: str = ""
) -> Iterator[str]:
    """Yield a sentence for each fact that differs from the expected one.

    Facts that are not expected are not compared. ``prefix`` is the name of the table that the facts
    are in, with a point.
    """
    for key, expected in expected_facts.items():
        name = f"{prefix}{key}"
        if key not in facts:
            yield f"there is no {name}; {hint(key, facts)}"
            continue
        fact = facts[key]
        if isinstance(expected, dict) and isinstance(fact, Mapping):
            yield from differences(expected, fact, f"{name}.")
            continue
        is_equal = type(expected) is type(fact) and expected == fact
        if isinstance(fact, tuple):  # a pile of cards, in any order
            is_list = isinstance(expected, list)
            is_equal = is_list and sorted(map(str, expected)) == sorted(map(str, fact))
        if not is_equal:
            yield f"{name} is {format_value(fact)}, not {format_value(expected)}"


def format_value(value: Any) -> str:
    """Return a value, written as in a case file.

    >>> format_value({"a": ("horns 2",), "b": 3})
    '{ a = ["horns 2"], b = 3 }'
    """
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(format_value, value))}]"
    if isinstance(value, Mapping):
        parts = (f"{key} = {format_value(part)}" for key, part in value.items())
        return "{ " + ", ".join(parts) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)
