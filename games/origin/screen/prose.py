"""The sentences of Origin in prose."""

from __future__ import annotations

from engine import Prose

TOLD = {
    "animal": "{name} lays down {card} as a new animal",
    "trait": "{name} gives {sp} {card}",
    "use": "{name} gives {sp} {t} (the card is {card})",
    "protects": "{name} plays {card}: {sp} protects {who}",
    "pair": "{name} links {sp} and {who} by {t} (the card is {card})",
    "eats": "{sp} eats",
    "attacks": "{sp} attacks {who}",
    "converts": "{sp} turns {n} fat into food",
    "robs": "{sp} robs {who}",
    "grazes": "{sp} grazes: one food is removed from the bank",
    "hibernates": "{sp} hibernates",
    "runs": "{sp} runs",
    "redirects": "{sp} sends the attacker on to {who}",
    "loses": "{sp} loses {t}",
    "spills": "{sp} loses {t} with its fat",
    "parts": "{sp} loses {t}, shared with {who}",
    "scavenges": "{sp} takes the scraps",
    "shares": "{t} passes food from {sp} to {who}",
    "rolls": "{who} rolls {n}",
    "done": "{name} is done",
    "pass": "{name} passes",
}
ORDERS = {
    "animal": "{card} as a new animal{new}",
    "use": "{t} on {sp} (the card is {card})",
    "pair": "{t} on {sp} and {who} (the card is {card})",
    "converts": "{sp} turns {n} fat into food",
}
COMMON = {"food bank": "the food bank holds {after} (before: {before})"}
SAID = {"eats": {"food": 1, "red": 1, "food bank": -1}, "grazes": {"food bank": -1}}
EMPTIED = ("food", "red", "blue", "food bank")
GONE = ("{pieces} dies", "{pieces} die")


def prose() -> Prose:
    """Return the templates of Origin's prose; a face-down card is never turned face up."""
    return Prose(TOLD, ORDERS, common=COMMON, said=SAID, emptied=EMPTIED, gone=GONE)
