"""What ``explain`` says about Climate's cards, zones, events and rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine import Text, described
from games.climate.box import PARTS, Box, Event, Zone
from games.climate.traits import NEW, Burrowing
from games.evolution.table import trait_of
from games.evolution.texts import texts as printed

SOURCE = "Evolution: Climate"
CARDS = f"{SOURCE}, cards as several independent sources have them"

HOUSE: Mapping[str, str] = {
    "burrowing": "The protection from cold is ours; that from heat is in the rulebook.",
    "cooling_frills": "That it protects from 3 of heat is ours.",
    "heavy_fur": "Both numbers are ours.",
    "hibernation": "The protection from cold is ours, and that its need counts wherever the"
    " population would: room on the board, hunger, Burrowing.",
    "migratory": "The protection from cold is ours; that from heat is in the rulebook.",
    "mud_wallowing": "The protection from heat is ours.",
    "nocturnal": "That the second feeding comes at once, and once a round, is ours.",
}


def texts(box: Box) -> Mapping[str, Text]:
    """The cards of evolution, and all that Climate changes or adds."""
    traits = {**NEW, "burrowing": Burrowing()}
    found = {**printed()}
    for name, trait in traits.items():
        title, house = name.replace("_", " "), HOUSE.get(name, "")
        found[name] = Text(title, described(trait), CARDS, house)
    if box.notes:
        for name in map(trait_of, dict.fromkeys(box.cards)):
            found[name] = replace(found[name], house=_joined(found[name].house, box.standin))
    found |= RULES
    found |= {zone.name.replace(" ", "_"): zone_text(box, zone) for zone in box.zones}
    found |= {event.name: event_text(box, event) for event in box.events.values()}
    if box.notes:
        found["standin"] = Text("stand-in values", box.notes, CARDS, box.notes)
    return found


def _joined(house: str, standin: tuple[str, ...]) -> str:
    """What is ours about a card, and which of its printed values we do not have."""
    parts = " and ".join(PARTS[part] for part in ("numbers", "icons") if part in standin)
    told = f"Stand-ins of our own: {parts}." if parts else ""
    return house if told in house else f"{house} {told}".strip()


def zone_text(box: Box, zone: Zone) -> Text:
    """One zone of the climate track."""
    few, many = zone.food
    body = (
        f"{str(zone.loss or 'no loss').capitalize()}. Its food: {few:+d} with 2 or 3 players,"
        f" {many:+d} with 4 to 6."
    )
    told = ["The food is a stand-in of our own."] if "zone_food" in box.standin else []
    return Text(zone.name, body, f"{SOURCE}, Climate Population Loss", " ".join(told))


def event_text(box: Box, event: Event) -> Text:
    """One event card."""
    body = f"Card of the {event.deck} deck, lies under {event.zone}: {event}."
    standin = "events" in box.standin
    house = "A stand-in of our own, not a printed card." if standin else ""
    return Text(event.name.replace("_", " "), body, f"{SOURCE}, Climate Events", house)


RULES: Mapping[str, Text] = {
    "climate": Text(
        "the climate",
        "In phase 4 the marker moves one zone warmer if the Food Cards show more suns than"
        " snowflakes, one colder if fewer. Then an event under its zone happens, every species"
        " suffers the loss of the zone, the zone's food is added to the Food Cards' sum, and a"
        " used event is replaced.",
        f"{SOURCE}, Phase 4",
        "There are nine zones; at an end of the track the marker stays.",
    ),
    "losses": Text(
        "losses to heat and cold",
        "All species lose at the same time, by their plain body size; protections add up and"
        " never turn a loss into a gain. Food above what a smaller population needs goes to the"
        " bag. The extinct are drawn for from the First Player, left to right.",
        f"{SOURCE}, Climate Population Loss",
        "Where surplus food goes and the order of the draws are ours.",
    ),
    "events": Text(
        "climate events",
        "One card of the cold and one of the hot deck lie face up, each under the zone it"
        " names; it happens when the marker stands there in phase 4, moved or not. Cold Snap and"
        " Heat Wave take the place of the zone's loss in that round. A used card goes under its"
        " deck, and the next one cannot happen in the same round.",
        f"{SOURCE}, Climate Events",
        "A loss to neither heat nor cold is not protected from; under a Cold Snap or a Heat"
        " Wave the zone's food stays as it is.",
    ),
    "cycling": Text(
        "cards under the deck",
        "After your plays you may put any number of hand cards under the deck, in your order"
        " but no more than it holds, and draw as many. They cannot be played in this round.",
        f"{SOURCE}, Play Cards",
        "They may be discarded in this round for an attack or for Intelligence.",
    ),
    "set_aside": Text(
        "cards set aside",
        "Some cards are set aside with 2, 3 or 4 players: they become the deck when it runs out;"
        " after that, and with 5 or 6 players, the discards do.",
        f"{SOURCE}, Deal Cards",
        "How many is from several independent sources. A deck that runs out in phase 4 makes"
        " the next round the last.",
    ),
}
