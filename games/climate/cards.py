"""Read the data file of a box: every value is checked, and each error says where it is."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from games.cards import trait_of
from games.climate.box import PARTS, Box, Event, Loss, Protection, Weather, Zone
from games.data import package_data
from games.evolution.cards import CARDS as EVOLUTION_CARDS

NEW = (
    "cooling_frills", "heavy_fur", "hibernation", "migratory", "mud_wallowing", "nocturnal",
)  # fmt: skip
TRAITS = tuple(dict.fromkeys((*map(trait_of, EVOLUTION_CARDS), *NEW)))
"""The names of the 23 traits (ruling 3.1)."""
CARDS = range(60, 401)
"""How many cards a box may have in all."""
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
PLAYERS = range(2, 7)
_CARD = re.compile(r"(-?\d{1,2})(?: (sun|snowflake)| ([2-4]) (sun|snowflake)s)?")
"""A food number and perhaps icons: ``3``, ``-1 snowflake``, ``4 2 suns``."""
_NAME = re.compile(r"[a-z]+(_[a-z]+)*")
_NEEDED = ("standin", "start", "set_aside", "cards", "zones", "events")
_KEYS = (*_NEEDED, "protection")


class BadCards(ValueError):
    """Raised for an impossible value in a data file; the message says which and where."""


def cards_template() -> str:
    """Return the data file of this package: comments, and our stand-ins for the printed values."""
    return package_data("games.climate", "cards.toml")


def packaged() -> Box:
    """Return the box with the stand-in values of this package."""
    return validate(tomllib.loads(cards_template()))


def validate(data: Mapping[str, Any]) -> Box:
    """Make a box from a parsed data file. Raises BadCards with what is wrong, and where."""
    _only(data, _KEYS, "the file", needed=_NEEDED)
    cards = _cards(_table(data, "cards", "the file"))
    zones = tuple(_zone(zone, f"zone {n}") for n, zone in enumerate(_list(data, "zones"), 1))
    names = [zone.name for zone in zones]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise BadCards(f"zones: {twice[0]!r} is listed twice; each zone needs a different name")
    if len(zones) < 3:
        raise BadCards(f"zones: at least three are needed, not {len(zones)}")
    start = data["start"]
    if start not in names[1:-1]:
        raise BadCards(f"start: {start!r} is not one of: {', '.join(names[1:-1])}")
    box = Box(
        cards, zones, names.index(start), _set_aside(data, len(cards)),
        _events(_list(data, "events"), names, names.index(start)), _protection(data),
        _standin(data),
    )  # fmt: skip
    for deck in DECKS:
        if not box.deck(deck):
            raise BadCards(f"events: the {deck} deck has no event cards")
    return box


# ------------------------------------------------------------------ parts
def _cards(data: Mapping[str, Any]) -> tuple[str, ...]:
    _only(data, TRAITS, "cards", needed=TRAITS)
    found = []
    for trait in data:
        texts = _list(data, trait, f"cards.{trait}")
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
            found.append(" ".join([trait, str(int(number)), *marks]))
    if len(found) not in CARDS:
        raise BadCards(f"cards: there must be {CARDS[0]} to {CARDS[-1]} in all, not {len(found)}")
    return tuple(sorted(found))


def _zone(data: Any, where: str) -> Zone:
    if isinstance(data, dict) and isinstance(data.get("name"), str):
        where = f"zone {data['name']!r}"
    _only(data, ("name", "loss", "food"), where, needed=("name", "food"))
    if not isinstance(data["name"], str) or not re.fullmatch(r"[a-z]+( [a-z]+)*", data["name"]):
        raise BadCards(f'{where}: a name must be in lowercase letters, as in "ice age"')
    food = _list(data, "food", where)
    if len(food) != 2:
        told = "the first for 2 or 3 players, the second for 4 to 6"
        raise BadCards(f"{where}: food must be two numbers: {told}")
    few, many = (_number(count, -30, 30, f"{where}: food") for count in food)
    loss = _loss(data["loss"], ("heat", "cold"), where) if "loss" in data else None
    return Zone(data["name"], loss, (few, many))


def _loss(data: Any, kinds: tuple[Weather, ...], where: str) -> Loss:
    where = f"{where}: loss"
    _only(data, (*kinds, "body"), where, needed=("body",))
    named = [kind for kind in kinds if kind in data]
    if len(named) != 1:
        raise BadCards(f"{where}: give exactly one of {', '.join(kinds)}")
    body = _list(data, "body", where)
    if len(body) != 2:
        raise BadCards(f"{where}: body must be a range, as in [1, 4]")
    least, most = (_number(n, 1, 6, f"{where}: body") for n in body)
    if least > most:
        raise BadCards(f"{where}: body must give the smaller number first: [{most}, {least}]")
    return Loss(named[0], _number(data[named[0]], 1, 6, f"{where}: {named[0]}"), least, most)


def _events(data: list[Any], zones: list[str], start: int) -> Mapping[str, Event]:
    found: dict[str, Event] = {}
    for n, event in enumerate(data, 1):
        new = _event(event, zones, start, f"event {n}")
        if new.name in found:
            told = "write equal cards once, with 'copies'; give others different names"
            raise BadCards(f"event {new.name!r}: another card already has this name; {told}")
        found[new.name] = new
    return found


def _event(data: Any, zones: list[str], start: int, where: str) -> Event:
    keys = (
        "deck", "card", "zone", "copies", "move", "food", "draw", "loss", "instead",
        "food_instead", "leaves",
    )  # fmt: skip
    _only(data, keys, where, needed=("deck", "card", "zone"))
    name, deck, zone = data["card"], data["deck"], data["zone"]
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name in TRAITS:
        told = "is not a valid name for an event; write names in the style of cold_snap"
        raise BadCards(f"{where}: {name!r} {told}")
    where = f"event {name!r}"
    if deck not in DECKS:
        raise BadCards(f'{where}: the deck must be "cold" or "hot", not {deck!r}')
    side = zones[:start] if deck == "cold" else zones[start + 1 :]
    if zone not in side:
        told = f"a card of the {deck} deck must go under one of: {', '.join(side)}"
        raise BadCards(f"{where}: {told}")
    if name.replace("_", " ") in zones:
        raise BadCards(f"{where}: a zone already has this name; give the card a different name")
    event = Event(
        name, deck, zone,
        _number(data.get("move", 0), -len(zones), len(zones), f"{where}: move"),
        _number(data.get("food", 0), -30, 30, f"{where}: food"),
        _number(data.get("draw", 0), 0, 5, f"{where}: draw"),
        _loss(data["loss"], ("heat", "cold", "harm"), where) if "loss" in data else None,
        _flag(data, "instead", where), _flag(data, "food_instead", where),
        _flag(data, "leaves", where), _number(data.get("copies", 1), 1, 9, f"{where}: copies"),
    )  # fmt: skip
    if event.instead and not event.loss:
        raise BadCards(
            f"{where}: 'instead = true' needs a 'loss', which replaces the loss of the zone"
        )
    if event.food_instead and "food" not in data:
        raise BadCards(
            f"{where}: 'food_instead = true' needs a 'food', which replaces the food of the zone"
        )
    if not (event.move or event.food or event.food_instead or event.draw or event.loss):
        told = "this card has no effect; give it at least one of move, food, draw or loss"
        raise BadCards(f"{where}: {told}")
    return event


def _set_aside(data: Mapping[str, Any], cards: int) -> Mapping[int, int]:
    found, keys = _table(data, "set_aside", "the file"), [str(n) for n in PLAYERS]
    _only(found, keys, "set_aside", needed=keys)
    return {int(n): _number(found[n], 0, cards - 60, f"set_aside.{n}") for n in keys}


def _protection(data: Mapping[str, Any]) -> Mapping[str, Protection]:
    if "protection" not in data:
        return PROTECTION
    found = _table(data, "protection", "the file")
    _only(found, PROTECTION, "protection", needed=PROTECTION)
    shelters = {}
    for name in PROTECTION:
        where = f"protection.{name}"
        _only(found[name], ("heat", "cold"), where, needed=())
        heat, cold = (
            _number(found[name].get(to, 0), -6, 6, f"{where}: {to}") for to in ("heat", "cold")
        )
        shelters[name] = Protection(heat, cold)
    return shelters


def _standin(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the parts whose values are our stand-ins, including protections that the file does not
    give."""
    named = _list(data, "standin")
    if strange := [part for part in named if not isinstance(part, str) or part not in PARTS]:
        raise BadCards(f"standin: {strange[0]!r} is not one of: {', '.join(PARTS)}")
    if twice := [part for part, count in Counter(named).items() if count > 1]:
        raise BadCards(f"standin: {twice[0]!r} is listed twice")
    return tuple(named if "protection" in data else {**dict.fromkeys(named), "protection": None})


# ------------------------------------------------------------------ shapes
def _only(data: Any, known: Collection[str], where: str, needed: Collection[str]) -> None:
    if not isinstance(data, dict):
        raise BadCards(f"{where}: a table is needed, not {data!r}")
    if strange := [key for key in data if key not in known]:
        raise BadCards(f"{where}: unknown name {strange[0]!r}; known: {', '.join(known)}")
    if missing := [key for key in needed if key not in data]:
        raise BadCards(f"{where}: {missing[0]} is missing")


def _table(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    if not isinstance(data[key], dict):
        raise BadCards(f"{where}: {key} must be a table, not {data[key]!r}")
    return dict(data[key])


def _list(data: Mapping[str, Any], key: str, where: str = "the file") -> list[Any]:
    if not isinstance(data[key], list):
        raise BadCards(f"{where}: {key} must be a list, not {data[key]!r}")
    return list(data[key])


def _number(found: object, least: int, most: int, where: str) -> int:
    if type(found) is not int or not least <= found <= most:
        raise BadCards(f"{where} must be a whole number from {least} to {most}, not {found!r}")
    return found


def _flag(data: Mapping[str, Any], key: str, where: str) -> bool:
    found = data.get(key, False)
    if not isinstance(found, bool):
        raise BadCards(f"{where}: {key} must be true or false, not {found!r}")
    return found
