"""The table with the climate, as plain data for a screen."""

from __future__ import annotations

from engine import Scene
from games.climate.box import Event, Zone
from games.climate.table import ClimateState
from games.evolution.screen.scene import scene as table


def scene(state: ClimateState) -> Scene:
    """Return Evolution's table and the climate, with a note on which values are stand-ins."""
    printed = table(state)
    facts = [("climate", said_of_zone(state, state.zone))]
    facts += [(f"{deck} event", said_of_event(state.event(deck))) for deck in state.piles]
    facts += [("set aside", str(state.aside))]
    if notes := state.track.box.notes:
        facts.append(("values", notes))
    return printed._replace(facts=(*printed.facts, *facts))


def said_of_zone(state: ClimateState, zone: Zone) -> str:
    """Return the zone in words: its name, the population that it costs, and its food."""
    return f"{zone.name} ({zone.loss or 'no loss'}; food {state.track.food(zone):+d})"


def said_of_event(event: Event | None) -> str:
    """Return the event that is face up: its name, its zone and what it does."""
    if event is None:
        return "none left"
    return f"{event.name.replace('_', ' ')}, under {event.zone}: {event}"
