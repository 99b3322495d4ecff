"""The forms of all sentences in Evolution, as they are offered, ordered and logged."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Forms

FORMS = Forms(
    trait="[{card}] on {sp}",
    body="{card}: {sp} body",
    population="{card}: {sp} population",
    left="{card}: new species on the left",
    right="{card}: new species on the right",
    drop="drop {i} of {sp}: {card}",
    done="done",
    food="[{card}]",
    eats="{sp} eats",
    attacks="{sp} attacks {who}",
    despite="{sp} attacks {who} despite {words}",
    thinks="{sp} thinks for {card}",
    pay="discard {card}",
    leaf="{t} of {sp}",
    **{"pass": "pass"},
)
"""All forms; ``drop`` names a face-down card by its place, because the table may not know its
name."""

SHOWING = frozenset({"body", "population", "left", "right", "thinks", "pay"})
"""The forms that show a card from the hand; ``drop`` names a card that is already on the table."""


def words_of(words: str) -> list[str]:
    """Split names joined as in ``climbing and horns`` into a list."""
    return words.split(" and ")


def said_of(found: Iterable[str]) -> str:
    """Join names as in ``climbing and horns``, always in alphabetical order."""
    return " and ".join(sorted(found))
