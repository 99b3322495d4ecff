"""Sentences for ``explain``: the food that a creature lacks, its hunters and its prey."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST = 4
"""The most hunters whose reasons are given."""


def about(
    lacks: int, hunters: Iterable[tuple[str, str | None]], prey: Sequence[str] | None
) -> list[str]:
    """Say this of one creature. ``hunters`` are the other carnivores, each with the reason why it
    cannot attack the creature; ``prey`` is None for a creature that cannot attack at all."""
    said = [f"It lacks {lacks} food." if lacks else "It has all the food that it needs."]
    found = list(hunters)
    if can := [name for name, why in found if why is None]:
        said.append(f"{_listed(can)} can attack it.")
    else:
        said.append(f"No {'other ' * (prey is not None)}carnivore on the table can attack it.")
    said += [f"{name} cannot: {why}." for name, why in found if why][:MOST]
    if prey is not None:
        said.append(f"It can attack {_listed(prey) or 'nobody now'}.")
    return said


def _listed(names: Sequence[str]) -> str:
    *some, last = names or ("",)
    return f"{', '.join(some)} and {last}" if some else last
