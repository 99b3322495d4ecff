"""Positions: a table of the course's game set by hand, and read, for rule cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine import Positions, put
from games.classroom.table import MOST, MOST_TRAITS, Species, State, dress, names_of
from games.evolution.position import Pool

_SPECIES = re.compile(r"(?P<name>[a-h][1-9][0-9]*)(?P<facts>(?: [a-z]+ \d+)*)(?:: (?P<traits>.+))?")
_FACT = re.compile(r"([a-z]+) (\d+)")
_KEYS = ("round", "first", "dealt", "hole", "deck", "deck_left", "hands", "bags", "out")


def positions(cards: tuple[str, ...]) -> Positions[State]:
    """How rule cases set and read a table that is played with these cards."""

    def read(state: State, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
        return set_table(state, data, Pool(cards))

    return Positions(read, facts)


def set_table(state: State, data: Mapping[str, Any], pool: Pool) -> Mapping[str, list[str]]:
    """Set the table as a case says; the deck, top card first.

    ``a = ["a1 population 2 food 1: horns, climbing 2"]`` is a row; a trait without its number takes
    any card. ``dealt = false`` asks first whether the game is over; cards that are neither named
    nor among the ``deck_left`` are discards. Raises ValueError for what cannot be.
    """
    _check_keys(state, data)
    state.round = _number(data, "round", 1, 1)
    state.hole = _number(data, "hole", 0, 0)
    state.first = state.seats.index(_seat(state, data.get("first", state.seats[0])))
    state.dealt = data.get("dealt", True) is True
    state.out = "".join(_seat(state, seat) for seat in _texts(data, "out"))
    for seat in state.seats:
        for text in _texts(data, seat):
            state.rows[seat].append(_species(state, seat, text))
    top = _zones(state, data, pool)
    for species in (species for row in state.rows.values() for species in row):
        species.traits = [pool.numbered(card) for card in species.traits]
        dress(state, species)
        _check_species(species)
        state.bank += species.food + species.fat
    state.bank += state.hole + sum(state.bags.values())
    deck = [*top, *pool.rest()]
    state.deck = _number(data, "deck_left", len(deck), len(top), len(deck))
    put(state.discards, deck[state.deck :])
    return {"deck": deck[: state.deck]}


def _zones(state: State, data: Mapping[str, Any], pool: Pool) -> list[str]:
    """Bags and hands, and the top of the deck; named cards are taken out of the pool."""
    for seat, bag in _of_seats(state, data, "bags").items():
        state.bags[seat] = _number({seat: bag}, seat, 0, 0)
    for seat in (hands := _of_seats(state, data, "hands")):
        put(state.hands[seat], _texts(hands, seat))
    top = _texts(data, "deck")
    for card in [*top, *(card for hand in state.hands.values() for card in hand)]:
        if " " not in card:
            raise ValueError(f"{card!r} needs its food, as in '{card} 3'")
    pool.claim_all(top)
    for hand in state.hands.values():
        pool.claim_all(hand)
    for row in state.rows.values():
        for species in row:
            pool.claim_all(species.traits)
    return top


# ------------------------------------------------------------------ species
def _species(state: State, seat: str, text: str) -> Species:
    """``a1 body 3 population 2 food 1 fat 0: horns, climbing 2``."""
    match = _SPECIES.fullmatch(text)
    if not match or not match["name"].startswith(seat):
        raise ValueError(
            f"{text!r} is no species of {seat}; write '{seat}1 body 3 population 2 food 1: horns'"
        )
    if state.find(match["name"]):
        raise ValueError(f"{match['name']} is there twice")
    species = Species(match["name"], seat, state.kits(()))
    for label, number in _FACT.findall(match["facts"]):
        if label not in ("body", "population", "food", "fat"):
            raise ValueError(f"{text!r}: a species has no {label!r}")
        setattr(species, label, int(number))
    species.traits = match["traits"].split(", ") if match["traits"] else []
    state.made[seat] = max(state.made[seat], int(match["name"][1:]))
    return species


def _check_species(species: Species) -> None:
    """A position that no play could reach is a mistake of the case."""
    wrong = {
        f"body is from 0 to {MOST}": species.body > MOST,
        f"population is from 1 to {MOST}": not 1 <= species.population <= MOST,
        f"more than {MOST_TRAITS} traits": len(species.traits) > MOST_TRAITS,
        "the same trait twice": len(set(names_of(species))) < len(species.traits),
        "more food than population": species.food > species.population,
        "more fat than its body size": species.fat > species.body,
        "fat without fat_tissue": species.fat > 0 and not species.has("fat_tissue"),
    }
    for what, is_so in wrong.items():
        if is_so:
            raise ValueError(f"{species.name}: {what}")


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


def _number(
    data: Mapping[str, Any], key: str, default: int, least: int, most: int | None = None
) -> int:
    found = data.get(key, default)
    if type(found) is not int or found < least or (most is not None and found > most):
        bound = f"from {least} up" if most is None else f"from {least} to {most}"
        raise ValueError(f"{key} is a number {bound}, not {found!r}")
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
        "hole": state.hole,
        "deck": state.deck,
        "discards": tuple(state.discards),
        "declined": list(state.declined),
        "out": list(state.out),
    }
    for seat in state.seats:
        found[seat] = {
            "hand": tuple(state.hands[seat]),
            "bag": state.bags[seat],
            "row": [species.name for species in state.rows[seat]],
        }
        found |= {f"{seat}{n + 1}": "gone" for n in range(state.made[seat])}
        found |= {species.name: _facts_of(species) for species in state.rows[seat]}
    return found


def _facts_of(species: Species) -> Mapping[str, Any]:
    return {
        "body": species.body,
        "population": species.population,
        "food": species.food,
        "fat": species.fat,
        "traits": names_of(species),
        "cards": species.traits[:],
    }
