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
    state.played += 1
    animal.traits.append(Trait(card, name, state.played))
    dress(state, animal)


def add_pair(state: State, one: Animal, two: Animal, card: str, name: str) -> None:
    """Put a trait card between two animals; in a symbiosis the first is the symbiont."""
    state.played += 1
    kit = state.book.kits.kit_of(name)
    state.pairs[one.owner].append(Pair(card, name, state.played, one.name, two.name, kit))


def dress(state: State, animal: Animal) -> None:
    """Find the hooks of the animal's traits; call this whenever its traits have changed."""
    animal.kit = state.book.kits(trait.name for trait in animal.traits)


def lose_trait(state: State, animal: Animal, name: str, filled: bool = False) -> None:
    """Discard one trait card of that name: the newest, or the oldest if it is a filled fat card
    (O5).

    A filled fat card is discarded with its token. Food above the new need goes into empty fat
    cards, or else is lost (ruling 4.5). A discarded Hibernation card no longer counts as used: with
    a new one the animal may hibernate again (house rule O16).
    """
    cards = [trait for trait in animal.traits if trait.name == name]
    if state.book.kits.kit_of(name).fat_cards:
        filled = filled or len(cards) == animal.fat
    gone = cards[0] if filled else cards[-1]
    animal.traits.remove(gone)
    put(state.piles[animal.owner], [gone.card])
    dress(state, animal)
    if not animal.has("hibernation_ability"):
        animal.slept = 0
    if filled:
        animal.fat -= 1
        leave(state, 1)
    while animal.food > animal.need:
        _drop(animal)
        if animal.fat_room > 0:
            animal.fat += 1
        else:
            leave(state, 1)


def _drop(animal: Animal) -> None:
    """Remove one token from the animal, a red one first: the colour makes no difference (O1)."""
    if animal.red:
        animal.red -= 1
    else:
        animal.blue -= 1


def lose_pair(state: State, owner: Seat, pair: Pair) -> None:
    """Discard a pair card."""
    state.pairs[owner].remove(pair)
    put(state.piles[owner], [pair.card])


def bury(state: State, animal: Animal) -> None:
    """Put a dead animal with all its cards on the owner's pile; its tokens leave play."""
    owner = animal.owner
    state.rows[owner] = [other for other in state.rows[owner] if other is not animal]
    for pair in list(state.pairs_of(animal)):
        lose_pair(state, owner, pair)
    put(state.buried[owner], [animal.card])
    put(state.piles[owner], (trait.card for trait in animal.traits))
    leave(state, animal.food + animal.fat)


# ------------------------------------------------------------------ tokens
def enter(state: State, tokens: int) -> None:
    """Count tokens that come into play."""
    state.tokens += tokens


def leave(state: State, tokens: int) -> None:
    """Count tokens that leave play."""
    state.tokens -= tokens


def receive(animal: Animal, colour: Colour) -> None:
    """Put one token on an animal that can take it; if the animal is fed, the token becomes fat."""
    animal.eaten += 1
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
    """Give the animal as many blue tokens as it can take; returns how many."""
    for taken in range(tokens):
        if not can_take(state, animal):
            return taken
        enter(state, 1)
        receive(animal, "blue")
    return tokens


def rob(pirate: Animal, victim: Animal) -> None:
    """Piracy: move one token from the victim to the pirate, a red one first (O1)."""
    colour: Colour = "red" if victim.red else "blue"
    _drop(victim)
    receive(pirate, colour)


def convert(animal: Animal, tokens: int) -> None:
    """Turn yellow tokens into blue ones; this does not count as getting food."""
    animal.fat -= tokens
    animal.blue += tokens


def graze(state: State, animal: Animal) -> None:
    """Destroy one red token in the food bank."""
    animal.grazed = True
    state.bank -= 1
    leave(state, 1)


def clear(state: State, animals: Iterable[Animal]) -> None:
    """End a game turn: remove all tokens except fat, and make used cards ready again."""
    leave(state, state.bank)
    state.bank = 0
    for animal in animals:
        leave(state, animal.food)
        animal.red = animal.blue = 0
        animal.turned = []
        animal.hibernating = animal.grazed = False
