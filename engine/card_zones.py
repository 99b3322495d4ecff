"""Zones: the cards in one place, such as a hand, as sorted lists; equal cards are the same card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.log import ALL, Seat
from engine.sentences.cards_in_brackets import UNKNOWN


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
