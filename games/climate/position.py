"""Positions with a climate track, for rule cases: what they hold besides evolution's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from engine import Positions, put
from games.climate.box import Box
from games.climate.table import ClimateState
from games.evolution import position as printed

KEYS = ("zone", "events", "event_decks", "gone", "fed_again", "set_aside")


def positions(box: Box) -> Positions[Any]:
    """How rule cases set and read a table that is played with the values of this box."""
    return Positions(partial(set_table, box), facts)


def set_table(box: Box, state: ClimateState, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Evolution's position, and besides:

    ``zone``: where the marker stands; ``events = { cold = "cold_snap" }``: what lies face up
    (nothing, where it is not said); ``event_decks = { cold = ["blizzard"] }``: what comes first;
    ``set_aside``: how many cards still are; further ones lie on the discard pile;
    ``gone``: events that left the game; ``fed_again``: species that fed a second time.
    """
    rest = {key: value for key, value in data.items() if key not in KEYS}
    decks = dict(printed.set_table(box.cards, state, rest))
    decks["deck"] = _aside(box, state, decks["deck"], data.get("set_aside"))
    names = [zone.name for zone in box.zones]
    if (zone := data.get("zone", names[box.start])) not in names:
        raise ValueError(f"zone is one of: {', '.join(names)}; not {zone!r}")
    state.marker = names.index(zone)
    state.gone = _known(box, data.get("gone", []))
    state.fed_again = list(data.get("fed_again", []))
    shown = data.get("events", {})
    _known(box, list(shown.values()))
    for deck in state.piles:
        if deck in shown:
            state.events[deck] = shown[deck]
        top = _known(box, data.get("event_decks", {}).get(deck, []))
        left = [e for e in box.deck(deck) if e not in (*top, *state.gone, shown.get(deck))]
        decks[deck] = [*top, *left]
        state.piles[deck] = len(decks[deck])
    return decks


def _aside(box: Box, state: ClimateState, cards: list[str], said: int | None) -> list[str]:
    """No more cards are set aside than at set-up: the others lie on the discard pile."""
    most = min(box.set_aside[len(state.seats)], state.aside)
    state.aside = most if said is None else said
    if not 0 <= state.aside <= most:
        raise ValueError(f"set_aside is from 0 to {most} here, not {said}")
    there = state.deck + state.aside
    put(state.discards, cards[there:])
    return cards[:there]


def _known(box: Box, names: list[str]) -> list[str]:
    for name in names:
        if name not in box.events:
            raise ValueError(f"{name!r} is no event; there are: {', '.join(sorted(box.events))}")
    return list(names)


def facts(state: ClimateState) -> Mapping[str, Any]:
    """Evolution's facts, and the climate."""
    return {
        **printed.facts(state),
        "zone": state.zone.name,
        "events": dict(state.events),
        "event_decks": dict(state.piles),
        "gone": tuple(state.gone),
        "set_aside": state.aside,
        "fed_again": list(state.fed_again),
    }
