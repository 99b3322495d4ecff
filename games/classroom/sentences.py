"""The sentences of the course's game, as they are offered, ordered, logged and read."""

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
"""No brackets: a choice is sealed until all are in, and then none of it is secret."""

SHOWING = frozenset({"food", "right", "left", "trait", "replace", "population", "body"})
"""The forms that name a card of the hand: all that spend one."""
