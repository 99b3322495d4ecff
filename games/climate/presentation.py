"""Show Climate to people: everything that Evolution does not have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine import Drawings, Look, Prose, Scene, Text
from games.climate.classes_of_printed_zones_and_events import (
    PARTS,
    Box,
    Event,
    Protection,
    Zone,
    standin_sentence,
)
from games.climate.phases.play_and_cycle_cards import SENTENCES
from games.climate.table import ClimateState
from games.climate.traits import SHELTERED
from games.data_and_icon_files import icons
from games.evolution import presentation as evolution
from games.explain_texts import term_texts, text_in_table, trait_texts
from games.food_number_cards import trait_of


# ------------------------------------------------------------------ the table
def scene(state: ClimateState) -> Scene:
    """Return Evolution's table and the climate; at the game's first question also a note on
    stand-in values, which the charter repeats."""
    table = evolution.scene(state)
    facts = [("climate", zone_in_words(state, state.zone))]
    facts += [(f"{deck} event", event_in_words(state.event(deck))) for deck in state.piles]
    facts += [("set aside", str(state.set_aside_count))]
    # nobody has played a card yet
    is_first = state.round <= 1 and not state.food_cards and not state.discards
    if is_first and (notes := state.track.box.notes):
        facts.append(("values", notes))
    return table._replace(facts=(*table.facts, *facts))


def zone_in_words(state: ClimateState, zone: Zone) -> str:
    """Return the zone in words: its name, the population that it costs, and its food."""
    return f"{zone.name} ({zone.loss or 'no loss'}; food {state.track.food(zone):+d})"


def event_in_words(event: Event | None) -> str:
    """Return the event that is face up, in words: its name, its zone and its effects."""
    if event is None:
        return "none left"
    return f"{event.name.replace('_', ' ')}, under {event.zone}: {event}"


# ------------------------------------------------------------------ sentences in prose
def prose() -> Prose:
    """Return the printed game's prose, with what Climate adds."""
    printed_prose = evolution.prose(SENTENCES)
    return replace(
        printed_prose,
        deeds={
            **printed_prose.deeds,
            "cycle.done": "{name} puts no more cards under the deck",
            "again.done": "{name} does not feed again",
        },
        common={"climate": "the climate is now {after}", **evolution.COMMON_FACTS},
    )


# ------------------------------------------------------------------ pictures
MARKS = ("sun", "snowflake", "set_aside", "values")


def drawings(box: Box) -> Drawings:
    """Return the icons of the cards, zones and events of this box; the climate is drawn as a
    track."""
    zones = [zone.name.replace(" ", "_") for zone in box.zones]
    names = [*map(trait_of, box.cards), *evolution.DRAWN_FACTS, *MARKS, *zones, *box.events]
    track = Look("steps", steps=tuple(zone.name for zone in box.zones))
    return Drawings(icons(names), {**evolution.LOOKS, "set aside": Look("pile"), "climate": track})


# ------------------------------------------------------------------ explain
PACKAGE = "games.climate"
SOURCE = "Evolution: Climate"
CARDS = f"{SOURCE}, the printed cards, as several independent sources describe them"


def texts(box: Box) -> Mapping[str, Text]:
    """Return the texts of evolution, by name, with what Climate changes or adds: protections,
    zones, events, and notes on stand-ins (values of our own, where the printed ones are
    unknown)."""
    texts_by_name = {**evolution.texts(), **term_texts(PACKAGE, SOURCE)}
    for name, text in trait_texts(PACKAGE, SHELTERED, CARDS).items():
        house = [texts_by_name[name].house if name in texts_by_name else "", text.house]
        if "protection" in box.standin_parts:
            house.append(text_in_table(PACKAGE, "protection", name))
        body = f"{text.body} {_protection_sentence(box.protection[name])}".strip()
        texts_by_name[name] = text._replace(body=body, house=" ".join(filter(None, house)))
    if box.notes:
        for name in map(trait_of, dict.fromkeys(box.cards)):
            text = texts_by_name[name]
            texts_by_name[name] = text._replace(house=_with_standins(text.house, box.standin_parts))
    texts_by_name |= {zone.name.replace(" ", "_"): zone_text(box, zone) for zone in box.zones}
    texts_by_name["zones"] = zones_text(box)
    texts_by_name |= {event.name: event_text(box, event) for event in box.events.values()}
    if box.notes:
        texts_by_name["standin"] = Text("stand-in values", box.notes, CARDS, box.notes)
    return texts_by_name


def _protection_sentence(protection: Protection) -> str:
    """Return a sentence on how a trait protects from heat and cold."""
    words = str(protection)
    condition = ""
    if min(protection.heat, protection.cold) < 0:
        condition = " It loses more only in a zone where its body size loses population."
    return f"{words.capitalize()}.{condition}" if words else ""


def _with_standins(house: str, standin_parts: tuple[str, ...]) -> str:
    """Return our own rulings about a card, followed by a note on its stand-in values."""
    parts = " and ".join(PARTS[part] for part in ("numbers", "icons") if part in standin_parts)
    if not parts:
        return house
    sentence = standin_sentence(parts)
    return house if sentence in house else f"{house} {sentence}".strip()


def zones_text(box: Box) -> Text:
    """Return the text about the whole climate track."""
    names = ", ".join(zone.name for zone in box.zones)
    body = (
        f"The climate track, from the coldest zone to the hottest: {names}. The marker starts at"
        f" {box.zones[box.start].name}. The explanation of a zone, such as “{box.zones[0].name}”,"
        " says how much population it costs and how much food it gives."
    )
    return Text("zones", body, f"{SOURCE}, Phase 4, Adjust the Climate", "")


def zone_text(box: Box, zone: Zone) -> Text:
    """Return the text about one zone of the climate track."""
    few_food, many_food = zone.food
    body = (
        f"Population: {zone.loss or 'no loss'}. Food: {few_food:+d} with 2 or 3 players,"
        f" {many_food:+d} with 4 to 6."
    )
    is_standin = "zone_food" in box.standin_parts
    sentence = "These numbers of food are stand-ins, because we do not know the printed numbers."
    house = sentence if is_standin else ""
    return Text(zone.name, body, f"{SOURCE}, Climate Population Loss", house)


def event_text(box: Box, event: Event) -> Text:
    """Return the text about one event card."""
    cards = "This card" if event.copies == 1 else f"Each of the {event.copies} cards"
    body = (
        f"{cards} of the {event.deck} deck is for the zone {event.zone}. When the marker is there:"
        f" {event}."
    )
    is_standin = "events" in box.standin_parts
    sentence = "This card is a stand-in of our own, because we do not know the printed cards."
    house = sentence if is_standin else ""
    return Text(event.name.replace("_", " "), body, f"{SOURCE}, Climate Events", house)
