"""What ``explain`` says about the app's rules, besides the cards."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Text
from games.evolution.texts import texts as printed

SOURCE = "Evolution, the app's rules"

RULES: Mapping[str, Text] = {
    "replacing": Text(
        "replacing a trait",
        "A trait leaves a species only when another card is laid on it. The old card is discarded"
        " at once and food stored on it goes to your food bag; the new one is turned up, and works"
        " from then on, when all have played.",
        f"{SOURCE}, Play Cards",
        "The app does not say when the new trait begins to work: when it is turned up.",
    ),
    "leaf": Text(
        "traits before the reveal",
        "They resolve by themselves, player by player from the First Player: all Fertile, then all"
        " Long Neck, then all Fat Tissue, each left to right.",
        f"{SOURCE}, Reveal Food",
        "The app does not say in which order.",
    ),
    "auto_feed": Text(
        "auto-feed",
        "As soon as the Watering Hole holds enough for every hungry species and nobody has anything"
        " to decide, all are fed from it at once. To decide there is something while a carnivore"
        " is hungry, a species could store fat, or one with Intelligence is hungry and its owner"
        " holds a card.",
        f"{SOURCE}, Feeding",
        "The app gives carnivores as its example; the exact list is ours.",
    ),
    "limits": Text(
        "the deck and the limits",
        "All 129 cards and three traits for each species, whatever the number of players.",
        f"{SOURCE}, Play Cards",
        "The app names neither the deck nor an exception for two players.",
    ),
    "end": Text(
        "the end of the game",
        "When the deck runs out while cards are dealt, this round is the last; when it runs out"
        " later, the next one. Equal points: more trait points, then more population points, then"
        " a shared win.",
        f"{SOURCE}, End of Feeding and scoring",
        'The app says once "this round" and once "the previous round"; a third tie is not named.',
    ),
}


def texts() -> Mapping[str, Text]:
    """The printed cards and the rules in which the app differs."""
    return {**printed(), **RULES}
