"""Prose for the sentences of Evolution and the rulesets made from it."""

from __future__ import annotations

from engine import Prose

TOLD = {
    "food.food": "{name} puts {card} face down at the Watering Hole",
    "trait": "{name} plays {card} face down on {sp}",
    "body": "{name} discards {card}: {sp} grows in body size",
    "population": "{name} discards {card}: {sp} grows in population",
    "left": "{name} discards {card} for a new species on the left",
    "right": "{name} discards {card} for a new species on the right",
    "drop": "{name} takes {card} off {sp}",
    "eats": "{sp} eats",
    "attacks": "{sp} attacks {who}",
    "despite": "{sp} attacks {who} despite {words}",
    "thinks": "{sp} uses its Intelligence",
    "pay": "{name} discards {card}",
    "leaf": "{t} of {sp} comes first",
    "play.done": "{name} plays no more cards",
    "done": "{name} is done",
    "pass": "{name} passes",
}
ORDERS = {
    "food": "{card} to the Watering Hole",
    "trait": "{card} on {sp}",
    "body": "{card} for the body of {sp}",
    "population": "{card} for the population of {sp}",
    "left": "{card} for a new species{new} on the left",
    "right": "{card} for a new species{new} on the right",
    "drop": "{card} comes off {sp}",
    "thinks": "{sp} uses Intelligence",
    "leaf": "{t} of {sp} first",
}
FACTS = {
    "food of {seat} is {card}": "the food card of {seat} is {card}",
    "{sp}.{i} is {card}": "{sp} has {card}",
}
COMMON = {"watering hole": "the Watering Hole holds {after} (before: {before})"}
OWN = {"food": "food behind the screen"}
SAID = {
    "eats": {"food": 1, "watering hole": -1},
    "body": {"body": 1},
    "population": {"population": 1},
}
GONE = ("{pieces} dies out", "{pieces} die out")


def prose() -> Prose:
    """Return the templates of the printed game's prose."""
    return Prose(TOLD, ORDERS, FACTS, COMMON, OWN, SAID, ("food",), gone=GONE)
