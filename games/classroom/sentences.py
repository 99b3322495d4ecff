"""The forms of all sentences in the course's game, as they are offered, ordered and logged."""

from __future__ import annotations

from engine import Forms

FORMS = Forms(
    food="food {card}",
    right="{card}: new board",
    left="{card}: new board on the left",
    trait="{card} on {sp}",
    replace="{card} instead of {i} on {sp}",
    population="{card}: {sp} population",
    body="{card}: {sp} body",
    done="done",
    eats="{sp} eats",
    stores="{sp} stores {n}",
    attacks="{sp} attacks {who}",
    decline="decline",
    leave="leave the game",
)
"""All forms; they have no brackets, because a choice is sealed until all are in, and then
public."""

SHOWING = frozenset({"food", "right", "left", "trait", "replace", "population", "body"})
"""The forms that show a card from the hand: all that use one."""
