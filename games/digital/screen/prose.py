"""The sentences of the app's rules in prose."""

from __future__ import annotations

from dataclasses import replace

from engine import Prose
from games.evolution.screen.prose import ORDERS, TOLD
from games.evolution.screen.prose import prose as printed

GONE = ("drop", "leaf")
"""The forms of Evolution's sentences that do not exist in the app."""


def prose() -> Prose:
    """Return the printed game's prose, with sentences for traits that are replaced."""
    told = {form: text for form, text in TOLD.items() if form not in GONE}
    orders = {form: text for form, text in ORDERS.items() if form not in GONE}
    told["replace"] = "{name} plays {card} face down on {sp} in place of {card2}"
    orders["replace"] = "{card} on {sp} in place of {card2}"
    return replace(printed(), told=told, orders=orders)
