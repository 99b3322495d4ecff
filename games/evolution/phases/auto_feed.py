"""Auto-Feed: it ends the Feeding phase when nothing is left to decide.

The app always plays with Auto-Feed (ruling 2.4). In the printed games it is an option and changes
no result: it only skips questions whose answers make no difference, as everybody can see.
"""

from __future__ import annotations

from games.evolution.change_table import gain
from games.evolution.table import HOLE, Species, State


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
