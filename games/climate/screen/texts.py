"""The texts of ``explain`` about Climate's cards, zones, events and rules."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Text
from games.cards import trait_of
from games.climate.box import PARTS, Box, Event, Protection, Zone
from games.climate.traits import SHELTERED
from games.evolution.screen.texts import texts as printed
from games.texts import terms, trait_texts, word_of

PACKAGE = "games.climate"
SOURCE = "Evolution: Climate"
CARDS = f"{SOURCE}, the cards, from several independent sources"


def texts(box: Box) -> Mapping[str, Text]:
    """Return the texts of evolution, with what Climate changes or adds."""
    found = {**printed(), **terms(PACKAGE, SOURCE)}
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
    where = " if the zone costs its body size anything" if " more " in told else ""
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
        " what a zone costs, and its food."
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
    body = f"Card of the {event.deck} deck, goes under {event.zone}: {event}."
    standin = "events" in box.standin
    house = "This card is our own stand-in, not a printed card." if standin else ""
    return Text(event.name.replace("_", " "), body, f"{SOURCE}, Climate Events", house)
