"""Set up and read a table of Evolution, or of a ruleset made from it, for rule cases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from engine import Positions, Seat, put
from games import rule_case_position_parts as cases
from games.evolution.change_table import update_kit
from games.evolution.table import MAX_BODY, MAX_POPULATION, Species, State
from games.food_number_cards import trait_of

TRACKS = ("body", "population", "food", "fat")
"""The numbers of a species board."""
_SPECIES = re.compile(r"(?P<name>[a-h][1-9][0-9]*)(?P<facts>(?: [a-z]+ \d+)*)(?:: (?P<traits>.+))?")
_FACT = re.compile(r"([a-z]+) (\d+)")
_KEYS = (
    "round", "first", "last", "hole", "deck", "deck_left", "discards",
    "hands", "screens", "food_cards",
)  # fmt: skip


def positions() -> Positions[State]:
    """Return the functions with which rule cases set up and read a table."""
    return Positions(set_table, facts)


def set_table(state: State, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Set up the table as a case says (``data``, see docs/rule-cases.md); return ``deck``: the
    cards of the deck, top first, and then those set aside. Raises ValueError for an impossible
    position.
    """
    cases.check_keys(data, _KEYS, state.seats)
    pool = TraitPool(state.book.cards)
    state.round = cases.read_number(data, "round", 1, 1)
    state.final_round = cases.read_final_round(data, state.round)
    state.hole = cases.read_number(data, "hole")
    first_seat = cases.read_seat(state.seats, data.get("first", state.seats[0]))
    state.first_seat_index = state.seats.index(first_seat)
    for seat in state.seats:
        for text in cases.read_strings(data, seat):
            state.rows[seat].append(_read_species_board(state, seat, text))
    _read_zones(state, data, pool)
    for species in state.species():
        pool.claim_numbered(species.traits)
    top_cards = cases.read_strings(data, "deck")
    pool.claim(top_cards)
    for species in state.species():
        species.traits = [pool.claim_card(card) for card in species.traits]
        update_kit(state, species)
        _check_species(state, species)
    state.bank = state.hole + sum(state.screens.values())
    state.bank += sum(species.food + species.fat for species in state.species())
    return {"deck": _make_deck(state, data, top_cards, pool)}


# ------------------------------------------------------------------ cards
class TraitPool(cases.Pool):
    """The cards that have no place yet; a case may omit a card's food number if the number does not
    matter."""

    def __init__(self, cards: Iterable[str]) -> None:
        super().__init__(cards)
        self._traits = {trait_of(card) for card in self.free_cards()}

    def claim(self, cards: Iterable[str]) -> None:
        """Take cards, each named in full. Raises ValueError if they are not there."""
        for card in cards:
            if card in self._traits:
                raise ValueError(f"{card!r} needs its food number, as in '{card} 3'")
            super().claim([card])

    def claim_numbered(self, cards: Iterable[str]) -> None:
        """Take the cards that are given with a number. The other traits stay open; `claim_card`
        gives each a card, when all numbered cards are taken."""
        self.claim(card for card in cards if card not in self._traits)

    def claim_card(self, card: str) -> str:
        """Return a card that has its number; for a trait without a number, take and return the
        first free card with that trait."""
        if card not in self._traits:
            return card
        free_card = next((c for c in self.free_cards() if trait_of(c) == card), None)
        if free_card is None:
            raise ValueError(f"the game has too few {card} cards for this case")
        self.claim([free_card])
        return free_card


def _read_zones(state: State, data: Mapping[str, Any], pool: TraitPool) -> None:
    """Read hands, screens, food cards and discards."""
    seats = state.seats
    state.screens |= cases.read_numbers_by_seat(seats, data, "screens")
    for seat, hand in cases.read_strings_by_seat(seats, data, "hands").items():
        put(state.hands[seat], hand)
    food_cards = cases.read_by_seat(seats, data, "food_cards")
    for index, (seat, card) in enumerate(food_cards.items()):
        # a tag that no log entry has: no entry of this case put the card down
        state.food_cards[seat] = (str(card), (-2, index))
    if state.food_cards and (phase := cases.phase_of(state.scope)) in ("deal", "food", "feed"):
        raise ValueError(f"food_cards: no food card is face down when {phase!r} begins")
    state.food_cards = {s: state.food_cards[s] for s in state.order() if s in state.food_cards}
    put(state.discards, cases.read_strings(data, "discards"))
    pool.claim(card for card, _ in state.food_cards.values())
    for zone in (state.discards, *state.hands.values()):
        pool.claim(zone)


def _make_deck(
    state: State, data: Mapping[str, Any], top_cards: list[str], pool: TraitPool
) -> list[str]:
    """Make the deck: the named cards on top, then all cards without a place, at the end the cards
    set aside."""
    deck = [*top_cards, *pool.free_cards()]
    usual_size = max(len(top_cards), len(deck) - state.book.set_aside_count)
    state.deck = cases.read_deck_size(data, top_cards, deck, usual_size)
    state.set_aside_count = len(deck) - state.deck
    return deck


# ------------------------------------------------------------------ species
def read_species(seat: Seat, text: str) -> tuple[str, dict[str, int], list[str]]:
    """Read ``a1 body 3 food 1: horns, climbing 2``: the name, the numbers by track, the cards.

    Raises ValueError if the text does not describe a species of this seat.
    """
    match = _SPECIES.fullmatch(text)
    if not match or not match["name"].startswith(seat):
        raise ValueError(
            f"{text!r} is not a species of seat {seat}; "
            f"write '{seat}1 body 3 population 2 food 1: horns'"
        )
    tracks = {label: int(number) for label, number in _FACT.findall(match["facts"])}
    for label in tracks:
        if label not in TRACKS:
            raise ValueError(f"{text!r}: a species has no {label!r}")
    return match["name"], tracks, match["traits"].split(", ") if match["traits"] else []


def _read_species_board(state: State, seat: Seat, text: str) -> Species:
    """Read a species board; face-down cards are in parentheses, and get tags that no log entry
    has. Raises ValueError."""
    name, tracks, cards = read_species(seat, text)
    if state.find(name):
        raise ValueError(f"{name} is listed twice")
    species = Species(name, seat, state.book.kits(()))
    for track, value in tracks.items():
        setattr(species, track, value)
    species_number = cases.creature_number(name)
    for index, card in enumerate(cards):
        is_face_down = card.startswith("(") and card.endswith(")")
        species.traits.append(card.strip("()"))
        species.face_down_tags.append((-1, species_number * 10 + index) if is_face_down else None)
    state.creature_counts[seat] = max(state.creature_counts[seat], species_number)
    return species


def _check_species(state: State, species: Species) -> None:
    """Raise ValueError if the numbers or traits of a species are impossible."""
    limit = state.book.trait_limit
    traits = {trait_of(card) for card in species.traits}
    body, population = species.body, species.population
    faults = {
        f"body must be from 1 to {MAX_BODY}": not 1 <= body <= MAX_BODY,
        f"population must be from 1 to {MAX_POPULATION}": not 1 <= population <= MAX_POPULATION,
        f"it has more than {limit} traits": len(species.traits) > limit,
        "it has one trait twice": len(traits) < len(species.traits),
        "it has more food than its population": species.food > species.need,
        "it has more fat than its body size": species.fat > species.body,
        "it has fat without fat_tissue": species.fat > 0 and not species.has("fat_tissue"),
    }
    cases.refuse(species.name, faults)


# ------------------------------------------------------------------ facts
def facts(state: State) -> Mapping[str, Any]:
    """Return the facts that a rule case can check: of the table, of each seat and of each species,
    by its name. A species that died out has the value ``gone``. A list is compared in its order, a
    tuple in any order."""
    facts_by_key: dict[str, Any] = {
        "round": state.round,
        "first": state.seats[state.first_seat_index],
        "last": state.final_round,
        "hole": state.hole,
        "deck": state.deck,
        "discards": tuple(state.discards),
        "food_cards": {seat: card for seat, (card, _) in state.food_cards.items()},
    }
    for seat in state.seats:
        facts_by_key[seat] = {
            "hand": tuple(state.hands[seat]),
            "screen": state.screens[seat],
            "row": [species.name for species in state.rows[seat]],
        }
        names = [f"{seat}{n + 1}" for n in range(state.creature_counts[seat])]
        facts_by_key |= dict.fromkeys(names, "gone")
    return facts_by_key | {species.name: species_facts(species) for species in state.species()}


def species_facts(species: Species) -> Mapping[str, Any]:
    """Return the facts of one species board; face-down cards are in parentheses."""
    is_hidden = [tag is not None for tag in species.face_down_tags]

    def bracketed(names: Iterable[str]) -> list[str]:
        pairs = zip(names, is_hidden, strict=True)
        return [f"({name})" if hidden else name for name, hidden in pairs]

    return {
        **{track: getattr(species, track) for track in TRACKS},
        "traits": bracketed(map(trait_of, species.traits)),
        "cards": bracketed(species.traits),
    }
