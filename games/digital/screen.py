"""What people read of the app's rules: prose, and texts of ``explain``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine import Prose, Text
from games.evolution import screen as evolution
from games.texts import terms

# ------------------------------------------------------------------ sentences in prose
GONE = ("drop", "leaf")
"""The forms of Evolution's sentences that do not exist in the app."""


def prose() -> Prose:
    """Return the printed game's prose, with sentences for traits that are replaced."""
    told = {form: text for form, text in evolution.TOLD.items() if form not in GONE}
    orders = {form: text for form, text in evolution.ORDERS.items() if form not in GONE}
    told["replace"] = "{name} plays {card} face down on {sp} in place of {card2}"
    orders["replace"] = "{card} on {sp} in place of {card2}"
    return replace(evolution.prose(), deeds=told, orders=orders)


# ------------------------------------------------------------------ explain
def texts() -> Mapping[str, Text]:
    """Return the texts of the printed game, and the rules in which the app differs."""
    return {**evolution.texts(), **terms("games.digital", "Evolution, the app's rules")}
