"""The sentences of the course's game in prose."""

from __future__ import annotations

from engine import Prose

TOLD = {
    "food": "{name} puts {card} at the watering hole",
    "right": "{name} gives {card} for a new board on the right",
    "left": "{name} gives {card} for a new board on the left",
    "trait": "{name} lays {card} on {sp}",
    "replace": "{name} lays {card} on {sp} in place of trait {i}",
    "population": "{name} gives {card}: {sp} grows in population",
    "body": "{name} gives {card}: {sp} grows in body size",
    "done": "{name} is done",
    "eats": "{sp} eats",
    "stores": "{sp} stores {n} food on its Fat Tissue",
    "attacks": "{sp} attacks {who}",
    "decline": "{name} eats nothing more in this round",
    "leave": "{name} leaves the game",
}
ORDERS = {
    "food": "{card} to the watering hole",
    "right": "{card} for a new board{new} on the right",
    "left": "{card} for a new board{new} on the left",
    "replace": "{card} on {sp} in place of trait {i}",
    "population": "{card} for the population of {sp}",
    "body": "{card} for the body of {sp}",
    "stores": "{sp} stores {n}",
    "decline": "eat nothing more in this round",
}
COMMON = {"watering hole": "the watering hole holds {after} (before: {before})"}
OWN = {"bag": "food in the bag"}
SAID = {
    "eats": {"food": 1, "watering hole": -1},
    "body": {"body": 1},
    "population": {"population": 1},
}


def prose() -> Prose:
    """Return the templates of the prose; no card is played face down, so none is turned face up."""
    return Prose(TOLD, ORDERS, common=COMMON, own=OWN, said=SAID, emptied=("food",))
