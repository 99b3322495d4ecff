"""Positions: a table of the North Star family set by hand, and read, for rule cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from engine import Positions, put
from games.evolution.table import (
    MOST_BODY,
    MOST_POPULATION,
    Species,
    State,
    dress,
    trait_of,
)

_SPECIES = re.compile(r"(?P<name>[a-h][1-9][0-9]*)(?P<facts>(?: [a-z]+ \d+)*)(?:: (?P<traits>.+))?")
_FACT = re.compile(r"([a-z]+) (\d+)")
_KEYS = (
    "round", "first", "last", "hole", "deck", "deck_left", "discards",
    "hands", "screens", "food_cards",
)  # fmt: skip


def positions(cards: tuple[str, ...]) -> Positions[State]:
    """How rule cases set and read a table that is played with these cards."""
    return Positions(partial(set_table, cards), facts)


def set_table(
    cards: tuple[str, ...], state: State, data: Mapping[str, Any]
) -> Mapping[str, list[str]]:
    """Set the table as a case says (docs/rule-cases.md); the deck, top card first."""
    _check_keys(state, data)
    pool = Pool(cards)
    state.round = _number(data, "round", 1, 1)
    state.last = _number(data, "last", 0, 0)
    state.hole = _number(data, "hole", 0, 0)
    state.first = state.seats.index(_seat(state, data.get("first", state.seats[0])))
    for seat in state.seats:
        for text in _texts(data, seat):
            state.rows[seat].append(_species(state, seat, text))
    _zones(state, data, pool)
    for species in state.species():
        pool.claim_all(species.traits)
    top = _texts(data, "deck")
    pool.claim(top)
    for species in state.species():
        species.traits = [pool.numbered(card) for card in species.traits]
        dress(state, species)
        _check_species(state, species)
    state.bank = state.hole + sum(state.screens.values())
    state.bank += sum(species.food + species.fat for species in state.species())
    return {"deck": _deck(state, data, top, pool)}


# ------------------------------------------------------------------ cards
class Pool:
    """The printed cards, less those that lie somewhere already."""

    def __init__(self, cards: Iterable[str]) -> None:
        self._left = Counter(cards)
        self._printed = self._left.copy()
        self._traits = {trait_of(card) for card in self._left}

    def claim(self, cards: Iterable[str]) -> None:
        """Take cards, each named in full."""
        for card in cards:
            if card in self._traits:
                raise ValueError(f"{card!r} needs its food number, as in '{card} 3'")
            self._claim(card)

    def claim_all(self, cards: Iterable[str]) -> None:
        """Take those that are named in full; for mere traits cards are found later."""
        self.claim(card for card in cards if card not in self._traits)

    def _claim(self, card: str) -> None:
        if card not in self._printed:
            raise ValueError(f"{card!r} is no card of this game")
        if not self._left[card]:
            raise ValueError(f"{card!r} is printed {self._printed[card]} times, not more")
        self._left[card] -= 1

    def numbered(self, card: str) -> str:
        """The card itself, or for a mere trait its first card that lies nowhere yet."""
        if card not in self._traits:
            return card
        found = next((c for c in sorted(self.rest()) if trait_of(c) == card), None)
        if found is None:
            raise ValueError(f"there are not so many cards of {card}")
        self._claim(found)
        return found

    def rest(self) -> list[str]:
        """What lies nowhere, sorted."""
        return sorted(self._left.elements())


def _zones(state: State, data: Mapping[str, Any], pool: Pool) -> None:
    """Hands, screens, food cards and discards."""
    for seat, screen in _of_seats(state, data, "screens").items():
        name = f"screens of {seat}"
        state.screens[seat] = _number({name: screen}, name, 0, 0)
    for seat in (hands := _of_seats(state, data, "hands")):
        put(state.hands[seat], _texts(hands, seat))
    for n, (seat, card) in enumerate(_of_seats(state, data, "food_cards").items()):
        state.food_cards[seat] = (str(card), (-2, n))
    state.food_cards = {s: state.food_cards[s] for s in state.order() if s in state.food_cards}
    put(state.discards, _texts(data, "discards"))
    pool.claim(card for card, _ in state.food_cards.values())
    for zone in (state.discards, *state.hands.values()):
        pool.claim(zone)


def _deck(state: State, data: Mapping[str, Any], top: list[str], pool: Pool) -> list[str]:
    """The cards named, then all that lie nowhere; below the deck those that are set aside."""
    deck = [*top, *pool.rest()]
    left = _number(data, "deck_left", max(len(top), len(deck) - state.book.aside), 0)
    if not len(top) <= left <= len(deck):
        raise ValueError(f"deck_left is from {len(top)} to {len(deck)} here, not {left}")
    state.deck, state.aside = left, len(deck) - left
    return deck


# ------------------------------------------------------------------ species
def _species(state: State, seat: str, text: str) -> Species:
    """``a1 body 3 population 2 food 1: horns, (climbing 2)``; face down in brackets."""
    match = _SPECIES.fullmatch(text)
    if not match or not match["name"].startswith(seat):
        raise ValueError(
            f"{text!r} is no species of {seat}; write '{seat}1 body 3 population 2 food 1: horns'"
        )
    if state.find(match["name"]):
        raise ValueError(f"{match['name']} is there twice")
    species = Species(match["name"], seat, state.book.kits(()))
    for label, number in _FACT.findall(match["facts"]):
        if label not in ("body", "population", "food", "fat"):
            raise ValueError(f"{text!r}: a species has no {label!r}")
        setattr(species, label, int(number))
    for n, card in enumerate(match["traits"].split(", ") if match["traits"] else ()):
        down = card.startswith("(") and card.endswith(")")
        species.traits.append(card.strip("()"))
        species.down.append((-1, _at(species.name) * 10 + n) if down else None)
    state.made[seat] = max(state.made[seat], _at(species.name))
    return species


def _at(name: str) -> int:
    return int(name[1:])


def _check_species(state: State, species: Species) -> None:
    """A position that no play could reach is a mistake of the case."""
    name, limit = species.name, state.book.trait_limit
    traits = [trait_of(card) for card in species.traits]
    wrong = {
        f"body is from 1 to {MOST_BODY}": not 1 <= species.body <= MOST_BODY,
        f"population is from 1 to {MOST_POPULATION}": not 1
        <= species.population
        <= MOST_POPULATION,
        f"more than {limit} traits": len(traits) > limit,
        "the same trait twice": len(set(traits)) < len(traits),
        "more food than population": species.food > species.need,
        "more fat than its body size": species.fat > species.body,
    }
    for what, is_so in wrong.items():
        if is_so:
            raise ValueError(f"{name}: {what}")
    if species.fat and not species.has("fat_tissue"):
        raise ValueError(f"{name}: fat without fat_tissue")


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


def _number(data: Mapping[str, Any], key: str, default: int, least: int) -> int:
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
    """What a case may ask of the table; a species that is no more is the word ``gone``."""
    found: dict[str, Any] = {
        "round": state.round,
        "first": state.seats[state.first],
        "last": state.last,
        "hole": state.hole,
        "deck": state.deck,
        "discards": tuple(state.discards),
        "food_cards": {seat: card for seat, (card, _) in state.food_cards.items()},
    }
    for seat in state.seats:
        found[seat] = {
            "hand": tuple(state.hands[seat]),
            "screen": state.screens[seat],
            "row": [species.name for species in state.rows[seat]],
        }
        found |= {f"{seat}{n + 1}": "gone" for n in range(state.made[seat])}
    return found | {species.name: species_facts(species) for species in state.species()}


def species_facts(species: Species) -> Mapping[str, Any]:
    """One species board; cards face down in brackets."""
    cards = [
        f"({card})" if down else card
        for card, down in zip(species.traits, species.down, strict=True)
    ]
    return {
        "body": species.body,
        "population": species.population,
        "food": species.food,
        "fat": species.fat,
        "traits": [re.sub(r" -?\d+( [a-z]+)?", "", card) for card in cards],
        "cards": cards,
    }
