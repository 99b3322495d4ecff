"""Sentences for ``explain``: the food that a creature lacks, its hunters and its prey."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
        sentences.append(f"{_join_names(attackers)} can attack it.")
    else:
        sentences.append(f"No {'other ' * (prey is not None)}carnivore on the table can attack it.")
    sentences += [f"{name} cannot: {reason}." for name, reason in reasons if reason][:MAX_REASONS]
    if prey is not None:
        sentences.append(f"It can attack {_join_names(prey) or 'nobody now'}.")
    return sentences


def _join_names(names: Sequence[str]) -> str:
    *first_names, last_name = names or ("",)
    return f"{', '.join(first_names)} and {last_name}" if first_names else last_name
