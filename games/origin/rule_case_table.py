"""Set up and read a table of Origin for rule cases (docs/rule-cases.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine import Positions, put
from games import rule_case_position_parts as cases
from games.origin.card_and_dice_data import PAIRS, traits_of
from games.origin.change_table import add_pair, add_trait
from games.origin.phases.development import why_no_pair, why_no_trait
from games.origin.table import Animal, State
from games.origin.traits import TRAITS

_ANIMAL = re.compile(
    r"(?P<name>[a-h][1-9][0-9]*)(?: \((?P<card>[a-z_/]+)\))?"
    r"(?P<facts>(?: (?:red|blue|fat|slept) \d+| hibernating| poisoned)*)(?:: (?P<traits>.+))?"
)
_FACT = re.compile(r"(red|blue|fat|slept) (\d+)")
_ATTRIBUTES = {"red": "red", "blue": "blue", "fat": "fat", "slept": "last_hibernation"}
"""For each fact with a number, the attribute of an animal that keeps it."""
_TRAIT = re.compile(r"(?:(?P<card>[a-z_/]+) as )?(?P<name>[a-z_]+)(?P<used> used)?")
_PAIR = re.compile(r"(?:(?P<card>[a-z_/]+) as )?(?P<name>[a-z_]+) (?P<one>\w+) (?P<two>\w+)")
_KEYS = (
    "round", "first", "last", "bank", "deck", "deck_left", "hands", "piles", "buried", "pairs",
)  # fmt: skip


def set_table(state: State, data: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Fill the empty table ``state`` as a case says (``data``); return ``deck``, the cards of the
    deck, top first. Raises ValueError for an impossible position.

    The order of trait cards in the text is the order in which they were played; pair cards are
    newer. Cards without a place are in the deck, or out of play if ``deck_left`` says that fewer
    are left.
    """
    cases.check_keys(data, _KEYS, state.seats)
    pool = Pool(state.book.deck)
    state.round = cases.read_number(data, "round", 1, 1)
    state.final_round = cases.read_final_round(data, state.round)
    state.bank = _read_bank(state, data)
    state.first_seat_index = state.seats.index(
        cases.read_seat(state.seats, data.get("first", state.seats[0]))
    )
    for zones, key in ((state.hands, "hands"), (state.piles, "piles"), (state.buried, "buried")):
        for seat, cards in cases.read_strings_by_seat(state.seats, data, key).items():
            pool.claim(cards)
            put(zones[seat], cards)
    top = cases.read_strings(data, "deck")
    pool.claim(top)
    _read_animals(state, data, pool)
    for animal in state.animals():
        animal.card = animal.card or pool.claim_last_card()
    state.tokens = state.bank + sum(x.food + x.fat for x in state.animals())
    deck = [*top, *pool.free_cards()]
    state.deck = cases.read_deck_size(data, top, deck, len(deck))
    if not state.deck and not state.final_round:
        # the deck shrinks only at the end of a turn, so it was already empty
        state.final_round = state.round
    state.boxed_card_count += len(deck) - state.deck
    for animal in state.animals():
        _check_animal(state, animal)
    return {"deck": deck[: state.deck]}


def _read_bank(state: State, data: Mapping[str, Any]) -> int:
    """Read the food bank, which is empty before the dice are rolled."""
    bank = cases.read_number(data, "bank")
    if bank and (phase := cases.phase_of(state.scope)) in ("development", "food"):
        raise ValueError(f"bank is {bank}, but no dice have been rolled when {phase!r} begins")
    return bank


def _read_animals(state: State, data: Mapping[str, Any], pool: Pool) -> None:
    """Read the animals with their traits, then the pairs, and take their cards out of the pool.
    Animals whose own card is not named get one later, when all named cards are taken."""
    for seat in state.seats:
        for text in cases.read_strings(data, seat):
            _read_animal(state, seat, text, pool)
    for text in cases.read_strings(data, "pairs"):
        _read_pair(state, text, pool)
    for animal in state.animals():
        pool.claim([animal.card] if animal.card else [])


class Pool(cases.Pool):
    """The cards in play; if a case does not say which card it means, any suitable card is used."""

    def claim_card_with_trait(self, trait: str) -> str:
        """Take and return a card that may be played as this trait; of several, the one with the
        most copies left."""
        cards = [card for card in dict.fromkeys(self.free_cards()) if trait in traits_of(card)]
        if not cards:
            raise ValueError(f"the game has too few cards with {trait} for this case")
        card = max(cards, key=self.free_count)
        self.claim([card])
        return card

    def claim_last_card(self) -> str:
        """Take and return the last card without a place, because any card can be an animal."""
        card = self.free_cards()[-1]
        self.claim([card])
        return card


# ------------------------------------------------------------------ animals
def _read_animal(state: State, seat: str, text: str, pool: Pool) -> None:
    """Read ``a1 (running) red 1 fat 1: carnivorous used, grazing/fat_tissue as fat_tissue``."""
    match = _ANIMAL.fullmatch(text)
    if not match or not match["name"].startswith(seat):
        raise ValueError(
            f"{text!r} is not an animal of seat {seat}; write one as in "
            f"'{seat}1 red 1 fat 1: swimming'"
        )
    name, number = match["name"], cases.creature_number(match["name"])
    if number <= state.creature_counts[seat]:
        raise ValueError(
            f"{name}: name the animals of seat {seat} from left to right: {seat}1, {seat}2, …"
        )
    state.creature_counts[seat] = number
    animal = Animal(name, seat, match["card"] or "", (-1, number), state.book.kits(()))
    for label, number_text in _FACT.findall(match["facts"]):
        setattr(animal, _ATTRIBUTES[label], int(number_text))
    animal.is_hibernating = " hibernating" in match["facts"]
    animal.is_poisoned = " poisoned" in match["facts"]
    if animal.is_hibernating:
        animal.last_hibernation = state.round
    state.rows[seat].append(animal)
    for trait in match["traits"].split(", ") if match["traits"] else ():
        _read_trait(state, animal, trait, pool)


def _read_trait(state: State, animal: Animal, text: str, pool: Pool) -> None:
    """Read ``swimming``, ``carnivorous used`` or ``parasite/fat_tissue as fat_tissue``."""
    match = _TRAIT.fullmatch(text)
    if not match or match["name"] not in TRAITS or match["name"] in PAIRS:
        raise ValueError(
            f"{animal.name}: {text!r} is not a trait of a single animal; write a trait's name, as "
            "in 'swimming', or 'swimming used' after its use. Pairs belong in 'pairs'"
        )
    name = match["name"]
    player = animal.owner
    kit = state.book.kits.kit_of(name)
    if kit.host:  # a parasite, which somebody else has played
        player = next(seat for seat in state.seats if seat != animal.owner)
    if reason := why_no_trait(kit, player, name, animal):
        raise ValueError(reason)
    add_trait(state, animal, _claim_card(match["card"], name, pool), name)
    if match["used"]:
        animal.used_traits.append(name)


def _read_pair(state: State, text: str, pool: Pool) -> None:
    """Read ``cooperation a1 a2``, or ``symbiosis a1 a2``, in which a1 protects a2."""
    match = _PAIR.fullmatch(text)
    if not match or match["name"] not in PAIRS:
        raise ValueError(
            f"{text!r} is not a pair card on two animals; write one as in 'cooperation a1 a2'"
        )
    first_animal, second_animal = state.find(match["one"]), state.find(match["two"])
    if first_animal is None or second_animal is None:
        raise ValueError(f"{text!r}: both animals must be on the table")
    if reason := why_no_pair(state, match["name"], first_animal, second_animal):
        raise ValueError(reason)
    card = _claim_card(match["card"], match["name"], pool)
    add_pair(state, first_animal, second_animal, card, match["name"])


def _claim_card(card: str | None, trait: str, pool: Pool) -> str:
    """Take the card, or any card with this trait if none is named, out of the pool."""
    if card is None:
        return pool.claim_card_with_trait(trait)
    pool.claim([card])
    if trait not in traits_of(card):
        raise ValueError(f"{card!r} is not a card with {trait}")
    return card


def _check_animal(state: State, animal: Animal) -> None:
    """Raise ValueError if the animal's numbers are impossible.

    That a hibernating animal is fed is no fault: Tail Loss can have lowered its need.
    """
    is_asleep, slept_in = animal.is_hibernating, animal.last_hibernation
    has_slept_before = slept_in > 0 and not is_asleep
    max_round = state.round if is_asleep else state.round - 1
    faults = {
        f"it has {animal.food} food, but needs only {animal.need}": animal.food > animal.need,
        "it has more fat than fat_tissue cards": animal.fat_room < 0,
        f"'slept {slept_in}' must name a round before this one": slept_in > max_round,
        "it has slept before, but it has no hibernation ability": (
            has_slept_before and not animal.has("hibernation_ability")
        ),
        "nobody hibernates in the last round": is_asleep and state.round == state.final_round,
    }
    cases.refuse(animal.name, faults)


# ------------------------------------------------------------------ facts
def facts(state: State) -> Mapping[str, Any]:
    """Return the facts that a rule case can check; an animal that died has the value ``gone``."""
    facts_by_key: dict[str, Any] = {
        "round": state.round,
        "first": state.seats[state.first_seat_index],
        "last": state.final_round,
        "bank": state.bank,
        "deck": state.deck,
    }
    for seat in state.seats:
        facts_by_key[seat] = {
            "hand": tuple(state.hands[seat]),
            "row": [animal.name for animal in state.rows[seat]],
            "pairs": [f"{p.name} {p.first_animal} {p.second_animal}" for p in state.pairs[seat]],
            "pile": tuple(state.piles[seat]),
            "buried": tuple(state.buried[seat]),
        }
        facts_by_key |= {f"{seat}{n + 1}": "gone" for n in range(state.creature_counts[seat])}
    return facts_by_key | {animal.name: animal_facts(animal) for animal in state.animals()}


def animal_facts(animal: Animal) -> Mapping[str, Any]:
    """Return the facts about one animal that a rule case can check."""
    return {
        "card": animal.card,
        "red": animal.red,
        "blue": animal.blue,
        "food": animal.food,
        "fat": animal.fat,
        "need": animal.need,
        "fed": animal.is_fed,
        "traits": [trait.name for trait in animal.traits],
        "cards": [trait.card for trait in animal.traits],
        "used": tuple(animal.used_traits),
        "hibernating": animal.is_hibernating,
        "poisoned": animal.is_poisoned,
    }


def positions() -> Positions[State]:
    """Return the functions with which rule cases set up and read a table."""
    return Positions(set_table, facts)
