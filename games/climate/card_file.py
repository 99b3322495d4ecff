"""Read the data file of a box: every value is checked, and each error says where it is.

A *stand-in* is a value of our own, in place of a printed value that we do not know. Owners of the
printed game can write a file with the values of their box; ``standin`` in a file lists the parts
that still have stand-ins.

In all functions, ``location`` says which part of the file a value belongs to, and begins the
message of an error; ``data`` is a part of the parsed file.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from games.climate.classes_of_printed_zones_and_events import (
    PARTS,
    Box,
    Event,
    Loss,
    Protection,
    Weather,
    Zone,
)
from games.data_and_icon_files import package_data
from games.evolution.traits import CARDS as EVOLUTION_CARDS
from games.food_number_cards import trait_of

NEW_TRAITS = (
    "cooling_frills", "heavy_fur", "hibernation", "migratory", "mud_wallowing", "nocturnal",
)  # fmt: skip
TRAITS = tuple(dict.fromkeys((*map(trait_of, EVOLUTION_CARDS), *NEW_TRAITS)))
"""The names of the 23 traits (ruling 3.1)."""
CARD_COUNTS = range(60, 401)
"""The numbers of cards that a box may have in all."""
PROTECTION = {
    "burrowing": Protection(heat=1, cold=1),
    "cooling_frills": Protection(heat=3),
    "heavy_fur": Protection(heat=-1, cold=4),
    "hibernation": Protection(cold=1),
    "migratory": Protection(heat=1, cold=1),
    "mud_wallowing": Protection(heat=1),
    "nocturnal": Protection(heat=1),
}
"""The protections that are used if a file does not give them (ruling 3.4)."""
DECKS = ("cold", "hot")
PLAYER_COUNTS = range(2, 7)
_CARD = re.compile(r"(-?\d{1,2})(?: (sun|snowflake)| ([2-4]) (sun|snowflake)s)?")
"""A food number and perhaps icons: ``3``, ``-1 snowflake``, ``4 2 suns``."""
_NAME = re.compile(r"[a-z]+(_[a-z]+)*")
_NEEDED_KEYS = ("standin", "start", "set_aside", "cards", "zones", "events")
_KEYS = (*_NEEDED_KEYS, "protection")


class BadCards(ValueError):
    """Raised for an impossible value in a data file; the message says which and where."""


def cards_template() -> str:
    """Return the data file of this package: comments, and our stand-ins for the printed values."""
    return package_data("games.climate", "cards.toml")


def packaged_box() -> Box:
    """Return the box with the stand-in values of this package."""
    return make_box(tomllib.loads(cards_template()))


def make_box(data: Mapping[str, Any]) -> Box:
    """Make a box from a parsed data file. Raises BadCards with what is wrong, and where."""
    _check_keys(data, _KEYS, "the file", needed_keys=_NEEDED_KEYS)
    cards = _read_cards(_read_table(data, "cards", "the file"))
    zone_tables = _read_list(data, "zones")
    zones = tuple(_read_zone(table, f"zone {n}") for n, table in enumerate(zone_tables, 1))
    names = [zone.name for zone in zones]
    if repeated_names := [name for name, count in Counter(names).items() if count > 1]:
        hint = "each zone needs a different name"
        raise BadCards(f"zones: {repeated_names[0]!r} is listed twice; {hint}")
    if len(zones) < 3:
        raise BadCards(f"zones: at least three are needed, not {len(zones)}")
    start_name = data["start"]
    if start_name not in names[1:-1]:
        start_names = ", ".join(names[1:-1])
        raise BadCards(f"start: {start_name!r} is not possible; choose one of: {start_names}")
    start = names.index(start_name)
    box = Box(
        cards, zones, start, _read_set_aside(data, len(cards)),
        _read_events(_read_list(data, "events"), names, start), _read_protection(data),
        _read_standin_parts(data),
    )  # fmt: skip
    for deck in DECKS:
        if not box.deck(deck):
            raise BadCards(f"events: the {deck} deck has no event cards; give it at least one")
    return box


# ------------------------------------------------------------------ parts
def _read_cards(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the list of cards of each trait: ``horns = ["3", "4 2 suns"]``. Return all cards,
    sorted, each as trait, food number and icons one by one: ``horns 4 sun sun``. Raises
    BadCards."""
    _check_keys(data, TRAITS, "cards", needed_keys=TRAITS)
    cards = []
    for trait in data:
        texts = _read_list(data, trait, f"cards.{trait}")
        if not texts:
            raise BadCards(f"cards.{trait}: at least one card is needed")
        for text in texts:
            if not isinstance(text, str) or not (match := _CARD.fullmatch(text)):
                raise BadCards(
                    f"cards.{trait}: {text!r} is not a card; write a food number and perhaps"
                    ' icons (up to 4), as in "3", "-1 snowflake" or "4 2 suns"'
                )
            number, icon, count, icons = match.groups()
            marks = [icon] if icon else [icons] * int(count or 0)
            cards.append(" ".join([trait, str(int(number)), *marks]))
    if len(cards) not in CARD_COUNTS:
        bounds = f"{CARD_COUNTS[0]} to {CARD_COUNTS[-1]}"
        raise BadCards(f"cards: there must be {bounds} in all, not {len(cards)}")
    return tuple(sorted(cards))


def _read_zone(data: Any, location: str) -> Zone:
    """Read a zone: ``name``, perhaps ``loss``, and ``food`` as two numbers. Raises BadCards."""
    if isinstance(data, dict) and isinstance(data.get("name"), str):
        location = f"zone {data['name']!r}"
    _check_keys(data, ("name", "loss", "food"), location, needed_keys=("name", "food"))
    if not isinstance(data["name"], str) or not re.fullmatch(r"[a-z]+( [a-z]+)*", data["name"]):
        raise BadCards(f'{location}: a name must be in lowercase letters, as in "ice age"')
    food = _read_list(data, "food", location)
    if len(food) != 2:
        hint = "the first for 2 or 3 players, the second for 4 to 6"
        raise BadCards(f"{location}: food must be two numbers: {hint}")
    few_food, many_food = (_read_number(count, -30, 30, f"{location}: food") for count in food)
    loss = _read_loss(data["loss"], ("heat", "cold"), location) if "loss" in data else None
    return Zone(data["name"], loss, (few_food, many_food))


def _read_loss(data: Any, allowed_weathers: tuple[Weather, ...], event_or_zone: str) -> Loss:
    """Read a loss, such as ``{ cold = 2, body = [1, 4] }``: the cause, out of those allowed, with
    the population lost, and the range of body sizes. ``event_or_zone`` says whose loss it is, for
    messages. Raises BadCards."""
    location = f"{event_or_zone}, in 'loss'"
    _check_keys(data, (*allowed_weathers, "body"), location, needed_keys=("body",))
    weathers = [weather for weather in allowed_weathers if weather in data]
    if len(weathers) != 1:
        raise BadCards(f"{location}: give exactly one of {', '.join(allowed_weathers)}")
    body = _read_list(data, "body", location)
    if len(body) != 2:
        raise BadCards(f"{location}: body must be a smallest and a largest body size, as in [1, 4]")
    min_body, max_body = (_read_number(n, 1, 6, f"{location}: body") for n in body)
    if min_body > max_body:
        bounds = f"[{max_body}, {min_body}]"
        raise BadCards(f"{location}: body must give the smaller number first: {bounds}")
    count = _read_number(data[weathers[0]], 1, 6, f"{location}: {weathers[0]}")
    return Loss(weathers[0], count, min_body, max_body)


def _read_events(data: list[Any], zones: list[str], start: int) -> Mapping[str, Event]:
    """Read the event cards; return them by name. ``zones`` are the names of the zones, from the
    coldest on, and ``start`` is the index of the first one of a game. Raises BadCards."""
    events: dict[str, Event] = {}
    for number, event_table in enumerate(data, 1):
        event = _read_event(event_table, zones, start, f"event {number}")
        if event.name in events:
            raise BadCards(
                f"event {event.name!r}: two cards have this name; if they are the same card, list "
                "the card once, with 'copies'; otherwise give one of them a different name"
            )
        events[event.name] = event
    return events


def _read_event(data: Any, zones: list[str], start: int, location: str) -> Event:
    """Read one event card; ``zones`` and ``start`` as in `_read_events`. Cards of the cold deck
    are for zones colder than the start, those of the hot deck for hotter ones. Raises BadCards,
    also for a card without any effect."""
    keys = (
        "deck", "card", "zone", "copies", "move", "food", "draw", "loss", "instead",
        "food_instead", "leaves",
    )  # fmt: skip
    _check_keys(data, keys, location, needed_keys=("deck", "card", "zone"))
    name, deck, zone = data["card"], data["deck"], data["zone"]
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name in TRAITS:
        hint = "write names in the style of cold_snap"
        raise BadCards(f"{location}: {name!r} is not a valid name for an event; {hint}")
    location = f"event {name!r}"
    if deck not in DECKS:
        raise BadCards(f'{location}: the deck must be "cold" or "hot", not {deck!r}')
    side = zones[:start] if deck == "cold" else zones[start + 1 :]
    if zone not in side:
        zone_names = ", ".join(side)
        raise BadCards(
            f"{location}: a card of the {deck} deck must have one of these zones: {zone_names}"
        )
    if name.replace("_", " ") in zones:
        raise BadCards(f"{location}: a zone already has this name; give the card a different name")
    event = Event(
        name, deck, zone,
        _read_number(data.get("move", 0), -len(zones), len(zones), f"{location}: move"),
        _read_number(data.get("food", 0), -30, 30, f"{location}: food"),
        _read_number(data.get("draw", 0), 0, 5, f"{location}: draw"),
        _read_loss(data["loss"], ("heat", "cold", "harm"), location) if "loss" in data else None,
        _read_flag(data, "instead", location), _read_flag(data, "food_instead", location),
        _read_flag(data, "leaves", location),
        _read_number(data.get("copies", 1), 1, 9, f"{location}: copies"),
    )  # fmt: skip
    if event.replaces_zone_loss and not event.loss:
        raise BadCards(
            f"{location}: 'instead = true' needs a 'loss', which replaces the loss of the zone"
        )
    if event.replaces_zone_food and "food" not in data:
        raise BadCards(
            f"{location}: 'food_instead = true' needs a 'food', which replaces the food of the zone"
        )
    if not (event.move or event.food or event.replaces_zone_food or event.draw or event.loss):
        hint = "give it at least one of move, food, draw or loss"
        raise BadCards(f"{location}: this card has no effect; {hint}")
    return event


def _read_set_aside(data: Mapping[str, Any], card_count: int) -> Mapping[int, int]:
    """Read the number of cards to set aside for each number of players. Raises BadCards, also if
    fewer than the smallest box's number of cards would be left to play with."""
    counts, keys = _read_table(data, "set_aside", "the file"), [str(n) for n in PLAYER_COUNTS]
    _check_keys(counts, keys, "set_aside", needed_keys=keys)
    max_count = card_count - CARD_COUNTS[0]
    return {int(n): _read_number(counts[n], 0, max_count, f"set_aside.{n}") for n in keys}


def _read_protection(data: Mapping[str, Any]) -> Mapping[str, Protection]:
    """Read the protection of each trait that has one; if the file gives none, return our own
    values. Raises BadCards."""
    if "protection" not in data:
        return PROTECTION
    protection_table = _read_table(data, "protection", "the file")
    _check_keys(protection_table, PROTECTION, "protection", needed_keys=PROTECTION)
    protections = {}
    for name in PROTECTION:
        location = f"protection.{name}"
        _check_keys(protection_table[name], ("heat", "cold"), location, needed_keys=())
        numbers = protection_table[name]
        heat = _read_number(numbers.get("heat", 0), -6, 6, f"{location}: heat")
        cold = _read_number(numbers.get("cold", 0), -6, 6, f"{location}: cold")
        protections[name] = Protection(heat, cold)
    return protections


def _read_standin_parts(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the parts whose values are our stand-ins, including protections that the file does not
    give."""
    parts = _read_list(data, "standin")
    if unknown_parts := [p for p in parts if not isinstance(p, str) or p not in PARTS]:
        known_parts = ", ".join(PARTS)
        raise BadCards(f"standin: {unknown_parts[0]!r} is not possible; choose from: {known_parts}")
    if repeated_parts := [part for part, count in Counter(parts).items() if count > 1]:
        raise BadCards(f"standin: {repeated_parts[0]!r} is listed twice")
    return tuple(parts if "protection" in data else dict.fromkeys([*parts, "protection"]))


# ------------------------------------------------------------------ types
def _check_keys(
    data: Any, known_keys: Collection[str], location: str, needed_keys: Collection[str]
) -> None:
    """Raise BadCards unless this is a table that has all needed keys, and none that is unknown."""
    if not isinstance(data, dict):
        raise BadCards(f"{location} must be a table, not {data!r}")
    if unknown_keys := [key for key in data if key not in known_keys]:
        known_names = ", ".join(known_keys)
        raise BadCards(f"{location}: unknown name {unknown_keys[0]!r}; known: {known_names}")
    if missing_keys := [key for key in needed_keys if key not in data]:
        raise BadCards(f"{location}: {missing_keys[0]} is missing")


def _read_table(data: Mapping[str, Any], key: str, location: str) -> Mapping[str, Any]:
    if not isinstance(data[key], dict):
        raise BadCards(f"{location}: {key} must be a table, not {data[key]!r}")
    return dict(data[key])


def _read_list(data: Mapping[str, Any], key: str, location: str = "the file") -> list[Any]:
    if not isinstance(data[key], list):
        raise BadCards(f"{location}: {key} must be a list, not {data[key]!r}")
    return list(data[key])


def _read_number(number: object, minimum: int, maximum: int, location: str) -> int:
    if type(number) is not int or not minimum <= number <= maximum:
        bounds = f"from {minimum} to {maximum}"
        raise BadCards(f"{location} must be a whole number {bounds}, not {number!r}")
    return number


def _read_flag(data: Mapping[str, Any], key: str, location: str) -> bool:
    flag = data.get(key, False)
    if not isinstance(flag, bool):
        raise BadCards(f"{location}: {key} must be true or false, not {flag!r}")
    return flag
