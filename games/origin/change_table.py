"""Change the table: tokens come and go, cards are played and discarded."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Seat, Tag, put
from games.origin.table import Animal, Colour, Pair, State, Trait, can_take


# ------------------------------------------------------------------ cards
def new_animal(state: State, seat: Seat, card: str, tag: Tag) -> Animal:
    """Play a card face down as a new animal, at the right end of the row."""
    state.creature_counts[seat] += 1
    animal = Animal(f"{seat}{state.creature_counts[seat]}", seat, card, tag, state.book.kits(()))
    state.rows[seat].append(animal)
    return animal


def add_trait(state: State, animal: Animal, card: str, name: str) -> None:
    """Put a trait card on an animal."""
    state.played_card_count += 1
    animal.traits.append(Trait(card, name, state.played_card_count))
    update_kit(state, animal)


def add_pair(
    state: State, first_animal: Animal, second_animal: Animal, card: str, name: str
) -> None:
    """Put a trait card between two animals; in a symbiosis the first is the symbiont."""
    state.played_card_count += 1
    kit = state.book.kits.kit_of(name)
    pair = Pair(card, name, state.played_card_count, first_animal.name, second_animal.name, kit)
    state.pairs[first_animal.owner].append(pair)


def update_kit(state: State, animal: Animal) -> None:
    """Find the hooks of the animal's traits; call this whenever its traits have changed."""
    animal.kit = state.book.kits(trait.name for trait in animal.traits)


def lose_trait(state: State, animal: Animal, name: str, is_filled: bool = False) -> None:
    """Discard one trait card of that name: the newest, or the oldest if it is a filled fat card
    (O5).

    A filled fat card is discarded with its token. Food above the new need goes into empty fat
    cards, or else is lost (ruling 4.5). A discarded Hibernation card no longer counts as used: with
    a new one the animal may hibernate again (house rule O16).
    """
    traits = [trait for trait in animal.traits if trait.name == name]
    if state.book.kits.kit_of(name).fat_cards:  # without an empty card, a filled one is lost
        is_filled = is_filled or len(traits) == animal.fat
    lost_trait = traits[0] if is_filled else traits[-1]
    animal.traits.remove(lost_trait)
    put(state.piles[animal.owner], [lost_trait.card])
    update_kit(state, animal)
    if not animal.has("hibernation_ability"):
        animal.last_hibernation = 0
    if is_filled:
        animal.fat -= 1
        remove_from_play(state, 1)
    while animal.food > animal.need:
        _remove_food(animal)
        if animal.fat_room > 0:
            animal.fat += 1
        else:
            remove_from_play(state, 1)


def _remove_food(animal: Animal) -> None:
    """Remove one token of food from the animal, a red one first: the colour makes no difference
    (O1)."""
    if animal.red:
        animal.red -= 1
    else:
        animal.blue -= 1


def lose_pair(state: State, owner: Seat, pair: Pair) -> None:
    """Discard a pair card."""
    state.pairs[owner].remove(pair)
    put(state.piles[owner], [pair.card])


def bury(state: State, animal: Animal) -> None:
    """Remove a dead animal: its own face-down card goes to the owner's `buried` cards, its trait
    and pair cards to the owner's pile; its tokens leave play."""
    owner = animal.owner
    state.rows[owner] = [survivor for survivor in state.rows[owner] if survivor is not animal]
    for pair in list(state.pairs_of(animal)):
        lose_pair(state, owner, pair)
    put(state.buried[owner], [animal.card])
    put(state.piles[owner], (trait.card for trait in animal.traits))
    remove_from_play(state, animal.food + animal.fat)


# ------------------------------------------------------------------ tokens
def add_to_play(state: State, tokens: int) -> None:
    """Count tokens that come into play."""
    state.tokens += tokens


def remove_from_play(state: State, tokens: int) -> None:
    """Count tokens that leave play."""
    state.tokens -= tokens


def receive(animal: Animal, colour: Colour) -> None:
    """Put one token on an animal that can take it; if the animal is fed, the token becomes fat."""
    animal.food_taken += 1
    if not animal.hunger:
        animal.fat += 1
    elif colour == "red":
        animal.red += 1
    else:
        animal.blue += 1


def take_red(state: State, animal: Animal) -> None:
    """Move one red token from the food bank to the animal."""
    state.bank -= 1
    receive(animal, "red")


def take_blue(state: State, animal: Animal, tokens: int = 1) -> int:
    """Give the animal as many of these blue tokens as fit; returns how many it took."""
    for taken_count in range(tokens):
        if not can_take(state, animal):
            return taken_count
        add_to_play(state, 1)
        receive(animal, "blue")
    return tokens


def rob(pirate: Animal, victim: Animal) -> None:
    """Piracy: move one token from the victim to the pirate, a red one first (O1)."""
    colour: Colour = "red" if victim.red else "blue"
    _remove_food(victim)
    receive(pirate, colour)


def convert(animal: Animal, tokens: int) -> None:
    """Turn yellow tokens into blue ones; this does not count as getting food."""
    animal.fat -= tokens
    animal.blue += tokens


def graze(state: State, animal: Animal) -> None:
    """Destroy one red token in the food bank."""
    animal.has_grazed = True
    state.bank -= 1
    remove_from_play(state, 1)


def end_turn(state: State, animals: Iterable[Animal]) -> None:
    """End a game turn: remove all tokens except fat, and make used cards ready again."""
    remove_from_play(state, state.bank)
    state.bank = 0
    for animal in animals:
        remove_from_play(state, animal.food)
        animal.red = animal.blue = 0
        animal.used_traits = []
        animal.is_hibernating = animal.has_grazed = False
