"""Phrases that stand in several reports, letters and pages, and are the same in each."""

from __future__ import annotations

from typing import Final

LEAST_HARMFUL_CHOICE: Final = "the least harmful choice"
"""The answer that the default gives for a seat that stays silent."""
LEAST_HARMFUL_CHOICES: Final = "the least harmful choices"
CHOICE_AFTER_DEADLINE: Final = f"after that, {LEAST_HARMFUL_CHOICE} is made"
"""The end of a sentence about a deadline."""
END_TYPING: Final = "press Enter and Ctrl-D (Windows: Enter, Ctrl-Z, Enter)"
"""The keys to press at the end of a typed or pasted text."""
CO_DEALING_HOST_RULE: Final = "a host can be the co-dealer only of a game that it keeps itself"
SEND_INVITES: Final = "send each player their own invite, privately"
YOUR_PACKET: Final = "the secret part of the turn for your seat (your packet)"


def other_version_in_words(turn: int) -> str:
    """Return words for a version of a turn that the chain in the folder does not have."""
    return f"a version of turn {turn} that differs from the one in this folder"


def not_open_in_words(seat: str) -> str:
    """Return the reason why nobody can get this seat."""
    return f"seat {seat} is not open, so nobody else can take it over now"


def deck_in_words(deck: str) -> str:
    """Return the name of a deck in a sentence; a game's main deck has no name of its own."""
    return "the deck" if deck == "deck" else f"the {deck.replace('_', ' ')} deck"
