"""Sentences, the only data that the engine passes around: text, with hidden cards in brackets.

A card is its text (``horns 4``); cards with equal texts are interchangeable; ``?`` is a card that
this replay does not know. In a sentence each hidden card has a separate bracket, so that one
regular expression can mask them without knowing the game: the number of cards is public, but not
which cards they are.
"""

from __future__ import annotations

import re

UNKNOWN = "?"
"""A card that this table does not know."""

_BRACKET = re.compile(r"\[([^\]]*)\]")


def mask(text: str) -> str:
    """Return the sentence with every card in brackets replaced by ``?``.

    >>> mask("[horns 4] on a1")
    '[?] on a1'
    """
    return _BRACKET.sub("[?]", text) if "[" in text else text


def cards_in(text: str) -> list[str]:
    """Return the bracketed cards of a sentence, in order."""
    return _BRACKET.findall(text)


def bare(text: str) -> str:
    """Return the sentence without brackets, as people may write a card.

    >>> bare("[horns 4] on a1")
    'horns 4 on a1'
    """
    return text.replace("[", "").replace("]", "")
