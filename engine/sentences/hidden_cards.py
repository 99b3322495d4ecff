"""Sentences, the only data that the engine passes around: text, with hidden cards in brackets.

A card is its text (``horns 4``); cards with equal texts are interchangeable; ``?`` is a card that
this replay does not know. In a sentence each hidden card has a separate bracket, so that one
regular expression can mask them without knowing the game: the number of cards is public, but not
which cards they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

Seat = str
"""A seat's letter, or one of CHANCE, PUBLIC, ALL."""

CHANCE = "*"
"""The seat to which dice and decks belong."""
PUBLIC = ""
"""The viewpoint of the table: what everybody may see."""
ALL = "ALL"
"""The viewpoint that sees everything: the referee's, or anybody's after the game."""
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


def take(zone: list[str], card: str) -> None:
    """Remove a card from a zone; if this table does not know the zone, remove an unknown card.

    Cards are never removed by position: equal cards are the same card.
    """
    zone.remove(card if card in zone else UNKNOWN)


def put(zone: list[str], cards: Iterable[str]) -> None:
    """Add cards to a zone and keep the zone sorted, so that its order reveals nothing."""
    zone.extend(cards)
    zone.sort()


def distinct(zone: Sequence[str]) -> Sequence[str]:
    """Return the different cards of a zone. Every unknown card is kept, because each may be
    different."""
    distinct_cards = dict.fromkeys(zone)
    return zone if UNKNOWN in distinct_cards else list(distinct_cards)


def hidden(zone: Iterable[str]) -> list[str]:
    """Return the zone with every card unknown, for viewpoints that may only count its cards."""
    return [UNKNOWN for _ in zone]


def zones_seen(zones: Mapping[Seat, list[str]], viewpoint: Seat) -> dict[Seat, list[str]]:
    """Return copies of the zones of all seats as seen from this viewpoint: each seat knows its own
    zone."""
    return {s: z[:] if viewpoint in (ALL, s) else hidden(z) for s, z in zones.items()}
