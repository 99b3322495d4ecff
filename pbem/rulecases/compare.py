"""Find the differences between what a case says and what the game shows, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.positions import hint


def differences(said: Mapping[str, Any], found: Mapping[str, Any], at: str = "") -> Iterator[str]:
    """Yield a sentence for each value that differs from what the case says.

    Values that the case does not mention are not compared.
    """
    for key, value in said.items():
        name = f"{at}{key}"
        if key not in found:
            yield f"there is no {name}; {hint(key, found)}"
            continue
        actual = found[key]
        if isinstance(value, dict) and isinstance(actual, Mapping):
            yield from differences(value, actual, f"{name}.")
        elif not _same(value, actual):
            yield f"{name} is {shown(actual)}, not {shown(value)}"


def _same(said: Any, actual: Any) -> bool:
    """Return whether two values are equal; order matters in a list, but not in a pile of cards (a
    tuple)."""
    if isinstance(actual, tuple):
        return isinstance(said, list) and sorted(map(str, said)) == sorted(map(str, actual))
    return type(said) is type(actual) and bool(said == actual)


def shown(value: Any) -> str:
    """Return a value, written as in a case file."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {shown(part)}" for key, part in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)
