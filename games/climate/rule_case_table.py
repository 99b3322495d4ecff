"""Set up and read a table with a climate track for rule cases, besides what Evolution has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from engine import Positions, put
from games import rule_case_position_parts as cases
from games.climate.classes_of_printed_zones_and_events import Box
from games.climate.table import ClimateState
from games.evolution import rule_case_table as evolution_tables

CLIMATE_KEYS = ("zone", "events", "event_decks", "gone", "fed_again", "set_aside")


def positions(box: Box) -> Positions[Any]:
    """Return the functions with which rule cases set up and read a table of this box."""
    return Positions(partial(set_table, box), facts)


def set_table(box: Box, state: ClimateState, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Set up Evolution's position and the climate; return the decks, top card first.

    ``zone``: the zone of the marker; ``events = { cold = "cold_snap" }``: the events that are face
    up (none if this is missing); ``event_decks = { cold = ["blizzard"] }``: the top cards of the
    event decks; ``set_aside``: the number of cards set aside, with all others on the discard pile;
    ``gone``: events that left the game; ``fed_again``: species that fed a second time.
    """
    evolution_data = {key: value for key, value in data.items() if key not in CLIMATE_KEYS}
    decks = dict(evolution_tables.set_table(state, evolution_data))
    decks["deck"] = _set_aside(box, state, decks["deck"], data.get("set_aside"))
    names = [zone.name for zone in box.zones]
    if (zone := data.get("zone", names[box.start])) not in names:
        raise ValueError(f"there is no climate zone {zone!r}; the zones are: {', '.join(names)}")
    state.marker = names.index(zone)
    state.twice_fed_species = cases.read_strings(data, "fed_again")
    if unknown_names := [name for name in state.twice_fed_species if state.find(name) is None]:
        raise ValueError(f"fed_again: there is no {unknown_names[0]}")
    return {**decks, **_set_events(box, state, data)}


def _set_events(box: Box, state: ClimateState, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Put the events that the case names face up; all other events go into their decks, sorted,
    below those named on top. Return the event decks by name, top card first."""
    face_up_events = _read_by_deck(state, data, "events")
    top_cards_by_deck = _read_by_deck(state, data, "event_decks")
    state.removed_events = cases.read_strings(data, "gone")
    decks: dict[str, list[str]] = {}
    for deck in state.piles:
        face_up_names = [face_up_events[deck]] if deck in face_up_events else []
        top_names = cases.check_strings(top_cards_by_deck.get(deck, []), f"event_decks.{deck}")
        removed_names = [
            name
            for name in state.removed_events
            if name not in box.events or box.events[name].deck == deck
        ]
        for name in (placed_names := [*face_up_names, *top_names, *removed_names]):
            if placed_names.count(name) > box.deck(deck).count(name):
                cards = ", ".join(box.deck(deck))
                raise ValueError(
                    f"this case needs more {name!r} cards than the {deck} deck has; its cards: "
                    f"{cards}"
                )
        if face_up_names:
            state.events[deck] = face_up_names[0]
        remaining_counts = Counter(box.deck(deck)) - Counter(placed_names)
        decks[deck] = [*top_names, *sorted(remaining_counts.elements())]
        state.piles[deck] = len(decks[deck])
    return decks


def _read_by_deck(state: ClimateState, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    values_by_deck = data.get(key, {})
    if not isinstance(values_by_deck, dict) or not set(values_by_deck) <= set(state.piles):
        form = "{ cold = …, hot = … }"
        raise ValueError(f"{key} must be written as {form}, not {values_by_deck!r}")
    return values_by_deck


def _set_aside(box: Box, state: ClimateState, cards: list[str], count: Any) -> list[str]:
    """Set aside the number of cards that the case gives, at most as many as at set-up (the default,
    as far as there are cards); all further cards go onto the discard pile.

    ``cards`` are the deck, and then all cards without a place. Return the deck with the cards set
    aside.
    """
    max_count = min(box.set_aside[len(state.seats)], state.set_aside_count)
    state.set_aside_count = max_count if count is None else count
    if type(state.set_aside_count) is not int or not 0 <= state.set_aside_count <= max_count:
        raise ValueError(f"set_aside must be from 0 to {max_count} here, not {count!r}")
    kept_count = state.deck + state.set_aside_count
    put(state.discards, cards[kept_count:])
    return cards[:kept_count]


def facts(state: ClimateState) -> Mapping[str, Any]:
    """Return the facts that a rule case can check: Evolution's, and those of the climate."""
    return {
        **evolution_tables.facts(state),
        "zone": state.zone.name,
        "events": dict(state.events),
        "event_decks": dict(state.piles),
        "gone": tuple(state.removed_events),
        "set_aside": state.set_aside_count,
        "fed_again": list(state.twice_fed_species),
    }
