"""What people see and read of Climate, besides what Evolution has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine import Drawings, Look, Prose, Scene, Text
from games.cards import trait_of
from games.climate.box import PARTS, Box, Event, Protection, Zone
from games.climate.phases.cycling import SENTENCES
from games.climate.table import ClimateState
from games.climate.traits import SHELTERED
from games.evolution import screen as evolution
from games.icon_files import icons
from games.texts import terms, trait_texts, word_of


# ------------------------------------------------------------------ the table
def scene(state: ClimateState) -> Scene:
    """Return Evolution's table and the climate; at the game's first question also a note on which
    values are stand-ins, which the charter repeats."""
    table = evolution.scene(state)
    facts = [("climate", said_of_zone(state, state.zone))]
    facts += [(f"{deck} event", said_of_event(state.event(deck))) for deck in state.piles]
    facts += [("set aside", str(state.aside))]
    is_first = state.round <= 1 and not state.food_cards and not state.discards
    if is_first and (notes := state.track.box.notes):
        facts.append(("values", notes))
    return table._replace(facts=(*table.facts, *facts))


def said_of_zone(state: ClimateState, zone: Zone) -> str:
    """Return the zone in words: its name, the population that it costs, and its food."""
    return f"{zone.name} ({zone.loss or 'no loss'}; food {state.track.food(zone):+d})"


def said_of_event(event: Event | None) -> str:
    """Return the event that is face up: its name, its zone and what it does."""
    if event is None:
        return "none left"
    return f"{event.name.replace('_', ' ')}, under {event.zone}: {event}"


# ------------------------------------------------------------------ sentences in prose
def prose() -> Prose:
    """Return the printed game's prose, with what Climate adds."""
    printed = evolution.prose(SENTENCES)
    return replace(
        printed,
        deeds={
            **printed.deeds,
            "cycle.done": "{name} puts no more cards under the deck",
            "again.done": "{name} does not feed again",
        },
        common={"climate": "the climate is now {after}", **evolution.COMMON},
    )


# ------------------------------------------------------------------ pictures
MARKS = ("sun", "snowflake", "set_aside", "values")


def drawings(box: Box) -> Drawings:
    """Return the icons of the cards, zones and events of this box; the climate is drawn as a
    track."""
    zones = [zone.name.replace(" ", "_") for zone in box.zones]
    names = [*map(trait_of, box.cards), *evolution.DRAWN, *MARKS, *zones, *box.events]
    track = Look("steps", steps=tuple(zone.name for zone in box.zones))
    return Drawings(icons(names), {**evolution.LOOKS, "set aside": Look("pile"), "climate": track})


# ------------------------------------------------------------------ explain
PACKAGE = "games.climate"
SOURCE = "Evolution: Climate"
CARDS = f"{SOURCE}, the cards, from several independent sources"


def texts(box: Box) -> Mapping[str, Text]:
    """Return the texts of evolution, with what Climate changes or adds."""
    found = {**evolution.texts(), **terms(PACKAGE, SOURCE)}
    for name, text in trait_texts(PACKAGE, SHELTERED, CARDS).items():
        house = [found[name].house if name in found else "", text.house]
        if "protection" in box.standin:
            house.append(word_of(PACKAGE, "protection", name))
        body = f"{text.body} {_sentence(box.protection[name])}".strip()
        found[name] = text._replace(body=body, house=" ".join(filter(None, house)))
    if box.notes:
        for name in map(trait_of, dict.fromkeys(box.cards)):
            found[name] = found[name]._replace(house=_joined(found[name].house, box.standin))
    found |= {zone.name.replace(" ", "_"): zone_text(box, zone) for zone in box.zones}
    found["zones"] = zones_text(box)
    found |= {event.name: event_text(box, event) for event in box.events.values()}
    if box.notes:
        found["standin"] = Text("stand-in values", box.notes, CARDS, box.notes)
    return found


def _sentence(protection: Protection) -> str:
    """Return a sentence on how a trait protects from heat and cold."""
    told = str(protection)
    costs = " if the zone costs a species of its body size any population"
    where = costs if " more " in told else ""
    return f"{told.capitalize()}{where}." if told else ""


def _joined(house: str, standin: tuple[str, ...]) -> str:
    """Return our own rulings about a card, followed by the printed values that we do not know."""
    parts = " and ".join(PARTS[part] for part in ("numbers", "icons") if part in standin)
    told = f"Stand-ins of our own: {parts}." if parts else ""
    return house if told in house else f"{house} {told}".strip()


def zones_text(box: Box) -> Text:
    """Return the text about the whole climate track, which says where to read about each zone."""
    names = ", ".join(zone.name for zone in box.zones)
    body = (
        f"The climate track, from the coldest zone to the hottest: {names}. The marker starts at"
        f" {box.zones[box.start].name}. `pbem explain {box.zones[0].name.replace(' ', '-')}` says"
        " how much population a zone costs and how much food it gives."
    )
    return Text("zones", body, f"{SOURCE}, Phase 4, Adjust the Climate", "")


def zone_text(box: Box, zone: Zone) -> Text:
    """Return the text about one zone of the climate track."""
    few, many = zone.food
    body = (
        f"{str(zone.loss or 'no loss').capitalize()}. Its food: {few:+d} with 2 or 3 players,"
        f" {many:+d} with 4 to 6."
    )
    told = ["These numbers are our own stand-ins."] if "zone_food" in box.standin else []
    return Text(zone.name, body, f"{SOURCE}, Climate Population Loss", " ".join(told))


def event_text(box: Box, event: Event) -> Text:
    """Return the text about one event card."""
    cards = "This card" if event.copies == 1 else f"Each of the {event.copies} cards"
    body = f"{cards} of the {event.deck} deck goes under {event.zone}: {event}."
    standin = "events" in box.standin
    house = "This card is our own stand-in, not a printed card." if standin else ""
    return Text(event.name.replace("_", " "), body, f"{SOURCE}, Climate Events", house)
