"""Set up and read a table of Evolution, or of a ruleset made from it, for rule cases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from engine import Positions, Seat, put
from games import positions as said
from games.cards import trait_of
from games.evolution.table import MOST_BODY, MOST_POPULATION, Species, State
from games.evolution.table_changes import dress

TRACKS = ("body", "population", "food", "fat")
"""The numbers of a species board."""
_SPECIES = re.compile(r"(?P<name>[a-h][1-9][0-9]*)(?P<facts>(?: [a-z]+ \d+)*)(?:: (?P<traits>.+))?")
_FACT = re.compile(r"([a-z]+) (\d+)")
_KEYS = (
    "round", "first", "last", "hole", "deck", "deck_left", "discards",
    "hands", "screens", "food_cards",
)  # fmt: skip


def positions(cards: tuple[str, ...]) -> Positions[State]:
    """Return the functions with which rule cases set up and read a table that is played with these
    cards."""
    return Positions(partial(set_table, cards), facts)


def set_table(
    cards: tuple[str, ...], state: State, data: Mapping[str, Any]
) -> Mapping[str, list[str]]:
    """Set up the table as a case says (docs/rule-cases.md); return the deck, top card first."""
    said.check_keys(data, _KEYS, state.seats)
    pool = Pool(cards)
    state.round = said.number(data, "round", 1, 1)
    state.last = said.last_round(data, state.round)
    state.hole = said.number(data, "hole")
    state.first = state.seats.index(said.seat_of(state.seats, data.get("first", state.seats[0])))
    for seat in state.seats:
        for text in said.texts(data, seat):
            state.rows[seat].append(_species(state, seat, text))
    _zones(state, data, pool)
    for species in state.species():
        pool.claim_named(species.traits)
    top = said.texts(data, "deck")
    pool.claim(top)
    for species in state.species():
        species.traits = [pool.numbered(card) for card in species.traits]
        dress(state, species)
        _check_species(state, species)
    state.bank = state.hole + sum(state.screens.values())
    state.bank += sum(species.food + species.fat for species in state.species())
    return {"deck": _deck(state, data, top, pool)}


# ------------------------------------------------------------------ cards
class Pool(said.Pool):
    """The cards that have no place yet; a case may omit a card's food number if the number does not
    matter."""

    def __init__(self, cards: Iterable[str]) -> None:
        super().__init__(cards)
        self._traits = {trait_of(card) for card in self.rest()}

    def claim(self, cards: Iterable[str]) -> None:
        """Take cards, each named in full. Raises ValueError if they are not there."""
        for card in cards:
            if card in self._traits:
                raise ValueError(f"{card!r} needs its food number, as in '{card} 3'")
            super().claim([card])

    def claim_named(self, cards: Iterable[str]) -> None:
        """Take the cards that are given with a number; `numbered` finds cards for the other traits
        later."""
        self.claim(card for card in cards if card not in self._traits)

    def numbered(self, card: str) -> str:
        """Return the card; for a trait without a number, the first free card with that trait."""
        if card not in self._traits:
            return card
        found = next((c for c in self.rest() if trait_of(c) == card), None)
        if found is None:
            raise ValueError(f"there are not enough {card} cards")
        self.claim([found])
        return found


def _zones(state: State, data: Mapping[str, Any], pool: Pool) -> None:
    """Read hands, screens, food cards and discards."""
    seats = state.seats
    state.screens |= said.numbers_by_seat(seats, data, "screens")
    for seat, hand in said.texts_by_seat(seats, data, "hands").items():
        put(state.hands[seat], hand)
    for n, (seat, card) in enumerate(said.by_seat(seats, data, "food_cards").items()):
        state.food_cards[seat] = (str(card), (-2, n))
    if state.food_cards and (phase := said.phase_of(state.scope)) in ("deal", "food", "feed"):
        raise ValueError(f"food_cards: no food card is face down when {phase!r} begins")
    state.food_cards = {s: state.food_cards[s] for s in state.order() if s in state.food_cards}
    put(state.discards, said.texts(data, "discards"))
    pool.claim(card for card, _ in state.food_cards.values())
    for zone in (state.discards, *state.hands.values()):
        pool.claim(zone)


def _deck(state: State, data: Mapping[str, Any], top: list[str], pool: Pool) -> list[str]:
    """Make the deck: the named cards on top, then all cards without a place, last those set
    aside."""
    deck = [*top, *pool.rest()]
    state.deck = said.cards_left(data, top, deck, max(len(top), len(deck) - state.book.aside))
    state.aside = len(deck) - state.deck
    return deck


# ------------------------------------------------------------------ species
def read_species(seat: Seat, text: str) -> tuple[str, dict[str, int], list[str]]:
    """Read ``a1 body 3 food 1: horns, climbing 2``: the name, the numbers by track, the cards.

    Raises ValueError if the text does not describe a species of this seat.
    """
    match = _SPECIES.fullmatch(text)
    if not match or not match["name"].startswith(seat):
        raise ValueError(
            f"{text!r} is not a species of {seat}; "
            f"write '{seat}1 body 3 population 2 food 1: horns'"
        )
    tracks = {label: int(number) for label, number in _FACT.findall(match["facts"])}
    for label in tracks:
        if label not in TRACKS:
            raise ValueError(f"{text!r}: a species has no {label!r}")
    return match["name"], tracks, match["traits"].split(", ") if match["traits"] else []


def _species(state: State, seat: Seat, text: str) -> Species:
    """Read a species board; face-down cards are in brackets."""
    name, tracks, cards = read_species(seat, text)
    if state.find(name):
        raise ValueError(f"{name} is listed twice")
    species = Species(name, seat, state.book.kits(()))
    for track, value in tracks.items():
        setattr(species, track, value)
    at = said.number_of(name)
    for n, card in enumerate(cards):
        down = card.startswith("(") and card.endswith(")")
        species.traits.append(card.strip("()"))
        species.down.append((-1, at * 10 + n) if down else None)
    state.made[seat] = max(state.made[seat], at)
    return species


def _check_species(state: State, species: Species) -> None:
    limit = state.book.trait_limit
    names = {trait_of(card) for card in species.traits}
    body, population = species.body, species.population
    wrong = {
        f"body must be from 1 to {MOST_BODY}": not 1 <= body <= MOST_BODY,
        f"population must be from 1 to {MOST_POPULATION}": not 1 <= population <= MOST_POPULATION,
        f"more than {limit} traits": len(species.traits) > limit,
        "the same trait twice": len(names) < len(species.traits),
        "more food than population": species.food > species.need,
        "more fat than its body size": species.fat > species.body,
        "fat without fat_tissue": species.fat > 0 and not species.has("fat_tissue"),
    }
    said.refuse(species.name, wrong)


# ------------------------------------------------------------------ facts
def facts(state: State) -> Mapping[str, Any]:
    """Return the facts that a rule case can check; a species that died out has the value
    ``gone``."""
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
    """Return the facts of one species board; face-down cards are in brackets."""
    cards = [
        f"({card})" if down else card
        for card, down in zip(species.traits, species.down, strict=True)
    ]
    return {
        **{track: getattr(species, track) for track in TRACKS},
        "traits": [re.sub(r" -?\d+( [a-z]+)?", "", card) for card in cards],
        "cards": cards,
    }
