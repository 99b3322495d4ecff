"""Set up and read a table with a climate track for rule cases, besides what Evolution has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from engine import Positions, put
from games import positions as said
from games.climate.box import Box
from games.climate.table import ClimateState
from games.evolution import position as printed

KEYS = ("zone", "events", "event_decks", "gone", "fed_again", "set_aside")


def positions(box: Box) -> Positions[Any]:
    """Return the functions with which rule cases set up and read a table with the values of this
    box."""
    return Positions(partial(set_table, box), facts)


def set_table(box: Box, state: ClimateState, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Set up Evolution's position and the climate; return the decks, top card first.

    ``zone``: the zone of the marker; ``events = { cold = "cold_snap" }``: the events that are face
    up (none if this is missing); ``event_decks = { cold = ["blizzard"] }``: the top cards of the
    event decks; ``set_aside``: the number of cards set aside, with all others on the discard pile;
    ``gone``: events that left the game; ``fed_again``: species that fed a second time.
    """
    rest = {key: value for key, value in data.items() if key not in KEYS}
    decks = dict(printed.set_table(box.cards, state, rest))
    decks["deck"] = _aside(box, state, decks["deck"], data.get("set_aside"))
    names = [zone.name for zone in box.zones]
    if (zone := data.get("zone", names[box.start])) not in names:
        raise ValueError(f"zone must be one of {', '.join(names)}, not {zone!r}")
    state.marker = names.index(zone)
    state.fed_again = said.texts(data, "fed_again")
    if strange := [name for name in state.fed_again if state.find(name) is None]:
        raise ValueError(f"fed_again: there is no {strange[0]}")
    return {**decks, **_set_events(box, state, data)}


def _set_events(box: Box, state: ClimateState, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Put the events that the case names face up; all other events go into their decks, sorted."""
    shown, tops = _of_decks(state, data, "events"), _of_decks(state, data, "event_decks")
    state.gone = said.texts(data, "gone")
    decks: dict[str, list[str]] = {}
    for deck in state.piles:
        up = [shown[deck]] if deck in shown else []
        top = said.texts_in(tops.get(deck, []), f"event_decks.{deck}")
        gone = [
            name for name in state.gone if name not in box.events or box.events[name].deck == deck
        ]
        for name in (named := [*up, *top, *gone]):
            if named.count(name) > box.deck(deck).count(name):
                cards = ", ".join(box.deck(deck))
                raise ValueError(f"{name!r}: the {deck} deck has only {cards}")
        if up:
            state.events[deck] = up[0]
        rest = Counter(box.deck(deck)) - Counter(named)
        decks[deck] = [*top, *sorted(rest.elements())]
        state.piles[deck] = len(decks[deck])
    return decks


def _of_decks(state: ClimateState, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict) or not set(found) <= set(state.piles):
        raise ValueError(f"{key} must be written as {{ cold = …, hot = … }}, not {found!r}")
    return found


def _aside(box: Box, state: ClimateState, cards: list[str], given: Any) -> list[str]:
    """Set aside at most as many cards as at set-up; all further cards go onto the discard pile."""
    most = min(box.set_aside[len(state.seats)], state.aside)
    state.aside = most if given is None else given
    if type(state.aside) is not int or not 0 <= state.aside <= most:
        raise ValueError(f"set_aside must be from 0 to {most} here, not {given!r}")
    there = state.deck + state.aside
    put(state.discards, cards[there:])
    return cards[:there]


def facts(state: ClimateState) -> Mapping[str, Any]:
    """Return the facts that a rule case can check: Evolution's, and those of the climate."""
    return {
        **printed.facts(state),
        "zone": state.zone.name,
        "events": dict(state.events),
        "event_decks": dict(state.piles),
        "gone": tuple(state.gone),
        "set_aside": state.aside,
        "fed_again": list(state.fed_again),
    }
