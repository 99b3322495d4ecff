"""The silly player: the course's own strategy, for silent players and as a bot (ruling 5.12).

The silly player is not clever, but its choices are exactly defined, so everybody can check them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine import DONE, UNKNOWN, Decision, Seat
from games.classroom.phases.legal_attacks_and_effects import why_not_attack
from games.classroom.table import Species, State
from games.food_number_cards import food_of, trait_of


def card_sort_key(card: str) -> tuple[str, int]:
    """Return a sort key for cards: by trait name, then by food."""
    return trait_of(card), food_of(card)


def silly_choice(state: State, seat: Seat) -> str:
    """Return the whole choice of a turn, made only from the seat's hand.

    The first card is the food card; the second and third make a new board with a trait (with only
    two cards there is no board). The fourth raises the board's population, the fifth its body, and
    the sixth replaces its first trait. A table that does not know the hand has ``?`` for each card.
    """
    hand = state.hands[seat]
    if UNKNOWN not in hand:
        hand = sorted(hand, key=card_sort_key)
    board = f"{seat}{state.creature_counts[seat] + 1}"
    steps = [f"food {card}" for card in hand[:1]]
    steps += [f"{hand[1]}: new board", f"{hand[2]} on {board}"] if len(hand) > 2 else []
    steps += [f"{card}: {board} population" for card in hand[3:4]]
    steps += [f"{card}: {board} body" for card in hand[4:5]]
    steps += [f"{card} instead of 1 on {board}" for card in hand[5:6]]
    return "; ".join([*steps, DONE])


def size_sort_key(species: Species) -> tuple[int, int, int]:
    """Return a sort key for the size of a species: population, then food, then body."""
    return species.population, species.food, species.body


def silly_feeding(state: State, seat: Seat) -> str:
    """Choose what to feed: first fat, then the largest hungry vegetarian, then the largest
    carnivore with a target.

    Fat is stored where most of it fits or, if equally much fits, on the larger species. The target
    is the largest species of another player; the silly player never attacks its own.
    """
    row = state.rows[seat] if state.hole else []
    fattest = max(row, key=lambda species: (species.fat_room, size_sort_key(species)), default=None)
    if fattest is not None and (room := fattest.fat_room):
        return f"{fattest.name} stores {min(room, state.hole)}"
    hungry = sorted((x for x in row if x.hunger), key=size_sort_key, reverse=True)
    for species in hungry:
        if not species.kit.hunts:
            return f"{species.name} eats"
    for species in hungry:
        if target := silly_target(state, species):
            return f"{species.name} attacks {target.name}"
    return "decline"


def silly_target(state: State, attacker: Species) -> Species | None:
    """Return the largest species of another player that the carnivore may attack; if several are
    equally large, that of the next player in turn."""
    other_seats = state.order(attacker.owner)[1:]
    targets = [
        target
        for seat in other_seats
        for target in state.rows[seat]
        if why_not_attack(state, attacker, target) is None
    ]
    return max(targets, key=size_sort_key, default=None)


class Silly:
    """The silly player as a bot."""

    sees = True

    def __init__(self, rng: Random) -> None:
        """Make the bot; it does not use the random numbers."""

    def choose(
        self, state: State, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
    ) -> str:
        """Choose as the silly player does (see engine.Bot)."""
        if decision.script:
            return silly_choice(state, decision.seat).split("; ")[len(steps)]
        return silly_feeding(state, decision.seat)
