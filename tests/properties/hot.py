"""Rulesets for the laws only: decks and dice that make what is rare happen often."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Ruleset
from games.origin.card_and_dice_data import DICE, ONE_SET, Dice, traits_of
from games.origin.rules import KITS, ORIGIN
from games.origin.table import Book, State

RARE = {
    "carnivorous", "mimicry", "parasite", "poisonous", "running", "scavenger", "sharp_vision",
    "tail_loss",
}  # fmt: skip
HOTTER = [card for card in ONE_SET if RARE & set(traits_of(card))]
HOT_CARDS = tuple(sorted([*ONE_SET, *HOTTER, *HOTTER]))


def hot_setup(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """One deck for all, and two tokens more for each player: more animals, more hunters."""
    dice, plus = DICE[len(seats)]
    return State(Book(ruleset.kits or KITS, HOT_CARDS, Dice(dice, plus + 2 * len(seats))), seats)


HOT_ORIGIN = ORIGIN.extend(
    name="hot origin", players=range(2, 5), setup=hot_setup, decks={"deck": HOT_CARDS}
)
