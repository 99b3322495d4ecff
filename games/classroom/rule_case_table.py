"""Set up and read a table of the course's game for rule cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Positions, Seat, put
from games import rule_case_position_parts as cases
from games.classroom.table import MAX_TRACK, MAX_TRAITS, Species, State, names_of, update_kit
from games.evolution.rule_case_table import TRACKS, TraitPool, read_species

_KEYS = ("round", "first", "dealt", "hole", "deck", "deck_left", "hands", "bags", "out")


def positions() -> Positions[State]:
    """Return the functions with which rule cases set up and read a table."""
    return Positions(set_table, facts)


def set_table(state: State, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Set up the table as a case says (``data``); return ``deck``, the cards of the deck, top
    first.

    ``a = ["a1 population 2 food 1: horns, climbing 2"]`` is a row; a trait without its number takes
    any card. With ``dealt = false``, play begins with the check whether the game is over. Cards
    without a place are in the deck, below those named on its top; if ``deck_left`` says that fewer
    are left, the others are discards. Raises ValueError for an impossible position.
    """
    cases.check_keys(data, _KEYS, state.seats)
    state.round = cases.read_number(data, "round", 1, 1)
    state.hole = cases.read_number(data, "hole")
    state.first_seat_index = state.seats.index(
        cases.read_seat(state.seats, data.get("first", state.seats[0]))
    )
    state.is_dealt = data.get("dealt", True) is True
    state.departed_seats = "".join(
        cases.read_seat(state.seats, seat) for seat in cases.read_strings(data, "out")
    )
    for seat in state.seats:
        for text in cases.read_strings(data, seat):
            state.rows[seat].append(_read_species(state, seat, text))
    pool = TraitPool(state.printed_deck)
    top = _read_zones(state, data, pool)
    for species in (species for row in state.rows.values() for species in row):
        species.traits = [pool.claim_card(card) for card in species.traits]
        update_kit(state, species)
        _check_species(species)
        state.bank += species.food + species.fat
    state.bank += state.hole + sum(state.bags.values())
    deck = [*top, *pool.free_cards()]
    state.deck = cases.read_deck_size(data, top, deck, len(deck))
    put(state.discards, deck[state.deck :])
    return {"deck": deck[: state.deck]}


def _read_zones(state: State, data: Mapping[str, Any], pool: TraitPool) -> list[str]:
    """Read bags, hands and the top of the deck, and take the named cards out of the pool, also
    those on boards; return the top of the deck."""
    state.bags |= cases.read_numbers_by_seat(state.seats, data, "bags")
    for seat, hand in cases.read_strings_by_seat(state.seats, data, "hands").items():
        put(state.hands[seat], hand)
        pool.claim(hand)
    top = cases.read_strings(data, "deck")
    pool.claim(top)
    for row in state.rows.values():
        for species in row:
            pool.claim_numbered(species.traits)
    return top


def _read_species(state: State, seat: Seat, text: str) -> Species:
    """Read a species board; all its cards are face up."""
    name, tracks, cards = read_species(seat, text)
    if state.find(name):
        raise ValueError(f"{name} is listed twice")
    species = Species(name, seat, state.kits(()))
    species.traits = [*cards]
    for track, value in tracks.items():
        setattr(species, track, value)
    state.creature_counts[seat] = max(state.creature_counts[seat], cases.creature_number(name))
    return species


def _check_species(species: Species) -> None:
    """Raise ValueError if the numbers or traits of a board are impossible."""
    faults = {
        f"body must be from 0 to {MAX_TRACK}": species.body > MAX_TRACK,
        f"population must be from 1 to {MAX_TRACK}": not 1 <= species.population <= MAX_TRACK,
        f"it has more than {MAX_TRAITS} traits": len(species.traits) > MAX_TRAITS,
        "it has one trait twice": len(set(names_of(species))) < len(species.traits),
        "it has more food than its population": species.food > species.population,
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
        "hole": state.hole,
        "deck": state.deck,
        "discards": tuple(state.discards),
        "declined": list(state.declined_seats),
        "out": list(state.departed_seats),
    }
    for seat in state.seats:
        facts_by_key[seat] = {
            "hand": tuple(state.hands[seat]),
            "bag": state.bags[seat],
            "row": [species.name for species in state.rows[seat]],
        }
        facts_by_key |= {f"{seat}{n + 1}": "gone" for n in range(state.creature_counts[seat])}
        for species in state.rows[seat]:
            tracks = {track: getattr(species, track) for track in TRACKS}
            facts_by_key[species.name] = {
                **tracks,
                "traits": names_of(species),
                "cards": species.traits[:],
            }
    return facts_by_key
