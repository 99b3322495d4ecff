"""The turns of the Feeding phase, and Auto-Feed, which ends them when nothing is left to decide.

The app always plays with Auto-Feed (ruling 2.4). In the printed games it is an option and changes
no result: it only skips questions whose answers make no difference, as everybody can see.
"""

from __future__ import annotations

from functools import partial

from engine import Rules, Seat
from engine.decisions import Answer
from games.evolution.change_table import gain
from games.evolution.phases.feeding import Feed, end_of_feeding, feed_once, feeding_turn
from games.evolution.table import HOLE, Species, State
from games.shared_table import turns_until_all_pass


def feeding_phase(state: State) -> Rules:
    """Play turns clockwise from the First Player until all pass in a row; then end the feeding."""
    yield from feeding_turns(state)
    yield from end_of_feeding(state)


def feeding_turns(state: State, feed: Feed = feed_once) -> Rules:
    """Play feeding turns clockwise until all pass in a row; ``feed`` plays the feeding of a
    turn.
    """
    yield from turns_until_all_pass(state, partial(_play_turn, feed=feed))


def _play_turn(state: State, seat: Seat, feed: Feed) -> Answer:
    """Play one feeding turn. If nothing is left to decide, Auto-Feed feeds everybody instead, and
    the player passes."""
    if state.book.has_autofeed and is_nothing_to_decide(state):
        auto_feed(state)
        return "pass"
    return (yield from feeding_turn(state, seat, feed))


def is_nothing_to_decide(state: State) -> bool:
    """Return whether there is food for everybody and no player has anything to decide (ruling
    2.4)."""
    food_left = state.hole
    for row in state.rows.values():
        for species in row:
            hunger = species.hunger
            food_left -= hunger
            if food_left < 0 or has_choice(state, species, hunger):
                return False
    return True


def has_choice(state: State, species: Species, hunger: int) -> bool:
    """Return whether a species with this hunger can hunt, store fat or use Intelligence."""
    kit = species.kit
    if (kit.fat_room and species.fat_room) or (kit.meals and hunger):
        return True
    return bool(kit.extras) and any(next(iter(offer(state, species)), None) for offer in kit.extras)


def auto_feed(state: State) -> None:
    """Feed every species from the Watering Hole until it is full."""
    for species in state.species():
        gain(state, species, species.hunger, HOLE)
