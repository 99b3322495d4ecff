"""Positions: a table of Origin set by hand, and read, for rule cases (docs/rule-cases.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from engine import Positions, put
from games.origin.cards import uses
from games.origin.development import PAIRS, why_no_pair, why_no_trait
from games.origin.table import Animal, State
from games.origin.traits import TRAITS
from games.origin.verbs import add_pair, add_trait

_ANIMAL = re.compile(
    r"(?P<name>[a-h][1-9][0-9]*)(?: \((?P<card>[a-z_/]+)\))?"
    r"(?P<facts>(?: (?:red|blue|fat|slept) \d+| hibernating| poisoned)*)(?:: (?P<traits>.+))?"
)
_FACT = re.compile(r"(red|blue|fat|slept) (\d+)")
_TRAIT = re.compile(r"(?:(?P<card>[a-z_/]+) as )?(?P<name>[a-z_]+)(?P<used> used)?")
_PAIR = re.compile(r"(?:(?P<card>[a-z_/]+) as )?(?P<name>[a-z_]+) (?P<one>\w+) (?P<two>\w+)")
_KEYS = (
    "round", "first", "last", "bank", "deck", "deck_left", "hands", "piles", "buried", "pairs",
)  # fmt: skip


def set_table(state: State, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Set the table as a case says; the deck, top card first.

    Trait cards are as old as they are written, pair cards younger. What lies nowhere else is in
    the deck, or out of play where ``deck_left`` says that fewer are left.
    """
    _check_keys(state, data)
    pool = Pool(state.book.deck)
    state.round = _number(data, "round", 1, 1)
    state.last = _number(data, "last", 0)
    state.bank = _number(data, "bank", 0)
    state.first = state.seats.index(_seat(state, data.get("first", state.seats[0])))
    for zones, key in ((state.hands, "hands"), (state.piles, "piles"), (state.buried, "buried")):
        for seat in (found := _of_seats(state, data, key)):
            cards = _texts(found, seat)
            pool.claim(*cards)
            put(zones[seat], cards)
    top = _texts(data, "deck")
    pool.claim(*top)
    _animals(state, data, pool)
    for animal in state.animals():
        animal.card = pool.any_card(animal.card)
    state.tokens = state.bank + sum(x.food + x.fat for x in state.animals())
    return {"deck": _deck(state, data, top, pool)}


def _animals(state: State, data: Mapping[str, Any], pool: Pool) -> None:
    for seat in state.seats:
        for text in _texts(data, seat):
            _animal(state, seat, text, pool)
    for text in _texts(data, "pairs"):
        _pair(state, text, pool)
    for animal in state.animals():
        pool.claim(*([animal.card] if animal.card else []))
        _check_tokens(animal)


def _deck(state: State, data: Mapping[str, Any], top: list[str], pool: Pool) -> list[str]:
    deck = [*top, *pool.rest()]
    left = _number(data, "deck_left", len(deck))
    if not len(top) <= left <= len(deck):
        raise ValueError(f"deck_left is from {len(top)} to {len(deck)} here, not {left}")
    state.deck = left
    if not left and not state.last:
        state.last = state.round  # the deck shrinks at the end of a turn: this one began without
    state.boxed += len(deck) - left
    return deck[:left]


# ------------------------------------------------------------------ cards
class Pool:
    """The cards in play, less those that lie somewhere already."""

    def __init__(self, cards: Iterable[str]) -> None:
        self._left = Counter(cards)
        self._printed = self._left.copy()

    def claim(self, *cards: str) -> None:
        """Take these cards. Raises ValueError if they are not there."""
        for card in cards:
            if card not in self._printed:
                raise ValueError(f"{card!r} is no card of this game")
            if not self._left[card]:
                raise ValueError(f"{card!r} is printed {self._printed[card]} times, not more")
            self._left[card] -= 1

    def with_trait(self, trait: str) -> str:
        """The card that may be played as this trait and of which most are left."""
        cards = [card for card in dict.fromkeys(self.rest()) if trait in uses(card)]
        if not cards:
            raise ValueError(f"there are not so many cards with {trait}")
        card = max(cards, key=lambda card: self._left[card])
        self.claim(card)
        return card

    def any_card(self, card: str) -> str:
        """The card, or the last one that lies nowhere: an animal may be any."""
        if not card:
            card = self.rest()[-1]
            self.claim(card)
        return card

    def rest(self) -> list[str]:
        """What lies nowhere, sorted."""
        return sorted(self._left.elements())


# ------------------------------------------------------------------ animals
def _animal(state: State, seat: str, text: str, pool: Pool) -> None:
    """``a1 (running) red 1 fat 1: carnivorous used, grazing/fat_tissue as fat_tissue``."""
    match = _ANIMAL.fullmatch(text)
    if not match or not match["name"].startswith(seat):
        raise ValueError(f"{text!r} is no animal of {seat}; write '{seat}1 red 1 fat 1: swimming'")
    name, number = match["name"], int(match["name"][1:])
    if number <= state.made[seat]:
        raise ValueError(f"{name}: the animals of {seat} are named from left to right")
    state.made[seat] = number
    animal = Animal(name, seat, match["card"] or "", (-1, number), state.book.kits(()))
    for label, count in _FACT.findall(match["facts"]):
        setattr(animal, label, int(count))
    animal.hibernating = " hibernating" in match["facts"]
    animal.poisoned = " poisoned" in match["facts"]
    if animal.hibernating:
        animal.slept = state.round
    state.rows[seat].append(animal)
    for trait in match["traits"].split(", ") if match["traits"] else ():
        _trait(state, animal, trait, pool)


def _trait(state: State, animal: Animal, text: str, pool: Pool) -> None:
    match = _TRAIT.fullmatch(text)
    if not match or match["name"] not in TRAITS or match["name"] in PAIRS:
        raise ValueError(f"{animal.name}: {text!r} is no trait of one animal")
    name = match["name"]
    player = animal.owner
    if state.book.kits((name,)).host:
        player = next(seat for seat in state.seats if seat != animal.owner)
    if reason := why_no_trait(state, player, name, animal):
        raise ValueError(reason)
    add_trait(state, animal, _card(match["card"], name, pool), name)
    if match["used"]:
        animal.turned.append(name)


def _pair(state: State, text: str, pool: Pool) -> None:
    """``cooperation a1 a2``, ``symbiosis a1 a2``: of the latter a1 protects a2."""
    match = _PAIR.fullmatch(text)
    if not match or match["name"] not in PAIRS:
        raise ValueError(f"{text!r} is no pair card; write 'cooperation a1 a2'")
    one, two = state.find(match["one"]), state.find(match["two"])
    if one is None or two is None:
        raise ValueError(f"{text!r}: both animals must be there")
    if reason := why_no_pair(state, match["name"], one, two):
        raise ValueError(reason)
    add_pair(state, one, two, _card(match["card"], match["name"], pool), match["name"])


def _card(card: str | None, trait: str, pool: Pool) -> str:
    if card is None:
        return pool.with_trait(trait)
    pool.claim(card)
    if trait not in uses(card):
        raise ValueError(f"{card!r} is no card with {trait}")
    return card


def _check_tokens(animal: Animal) -> None:
    """A position that no play could reach is a mistake of the case."""
    if animal.food > animal.need:
        raise ValueError(f"{animal.name}: needs {animal.need}, and has {animal.food}")
    if animal.fat_room < 0:
        raise ValueError(f"{animal.name}: more fat than fat tissue")


# ------------------------------------------------------------------ reading the mapping
def _check_keys(state: State, data: Mapping[str, Any]) -> None:
    known = [*_KEYS, *state.seats]
    if strange := [key for key in data if key not in known]:
        raise ValueError(f"no such place: {', '.join(strange)}; there are: {', '.join(known)}")


def _seat(state: State, seat: object) -> str:
    if not isinstance(seat, str) or len(seat) != 1 or seat not in state.seats:
        raise ValueError(f"{seat!r} is no seat; there are: {', '.join(state.seats)}")
    return seat


def _of_seats(state: State, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise ValueError(f"{key} is written as {{ a = … }}, with a seat's letter for each part")
    return {_seat(state, seat): value for seat, value in found.items()}


def _number(data: Mapping[str, Any], key: str, default: int, least: int = 0) -> int:
    found = data.get(key, default)
    if type(found) is not int or found < least:
        raise ValueError(f"{key} is a number from {least} up, not {found!r}")
    return found


def _texts(data: Mapping[str, Any], key: str) -> list[str]:
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise ValueError(f"{key} is a list of texts, not {found!r}")
    return list(found)


# ------------------------------------------------------------------ facts
def facts(state: State) -> Mapping[str, Any]:
    """What a case may ask of the table; an animal that is no more is the word ``gone``."""
    found: dict[str, Any] = {
        "round": state.round,
        "first": state.seats[state.first],
        "last": state.last,
        "bank": state.bank,
        "deck": state.deck,
    }
    for seat in state.seats:
        found[seat] = {
            "hand": tuple(state.hands[seat]),
            "row": [animal.name for animal in state.rows[seat]],
            "pairs": [f"{pair.name} {pair.one} {pair.two}" for pair in state.pairs[seat]],
            "pile": tuple(state.piles[seat]),
            "buried": tuple(state.buried[seat]),
        }
        found |= {f"{seat}{n + 1}": "gone" for n in range(state.made[seat])}
    return found | {animal.name: animal_facts(animal) for animal in state.animals()}


def animal_facts(animal: Animal) -> Mapping[str, Any]:
    """One animal."""
    return {
        "card": animal.card,
        "red": animal.red,
        "blue": animal.blue,
        "food": animal.food,
        "fat": animal.fat,
        "need": animal.need,
        "fed": animal.fed,
        "traits": [trait.name for trait in animal.traits],
        "cards": [trait.card for trait in animal.traits],
        "used": tuple(animal.turned),
        "hibernating": animal.hibernating,
        "poisoned": animal.poisoned,
    }


POSITIONS = Positions(set_table, facts)
