"""The texts of ``explain`` about the cards and terms of the course's game, in our own words."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Text, described
from games.classroom.traits import TRAITS

BOOK = "Evolution, the course's rules"
TRAIT_SOURCE = f"{BOOK}, Trait Cards"

BODIES = {
    "burrowing": "While its board holds food for the whole population, nothing can attack it.",
    "pack_hunting": "Adds its population to its body size against a Hard Shell, which is the only "
    "defence that body size can break.",
    "symbiosis": "Cannot be attacked while its right neighbour has the larger body.",
}
"""Text that we add to the docstring of a trait's class, by trait."""
NOTES = {
    "fat_tissue": "Storing is not a feeding step.",
    "fertile": "Fertile works even if the watering hole is empty, but never raises a population "
    "above 7.",
    "herding": "Pack Hunting makes no difference: only the populations are compared.",
    "horns": "If the Horns kill the attacker, nobody eats, not even a Scavenger.",
    "long_neck": "The food comes from the watering hole; Foraging and Cooperation work.",
    "scavenger": "The food comes from the watering hole; the attacker's owner begins. The "
    "attacker, or a target that survives, can itself be a Scavenger and eat.",
    "warning_call": "A neighbour with this trait protects a species even if that neighbour is the "
    "attacker.",
}
"""What the course's test cases decide besides the printed text, by trait."""
HOUSE = {"fat_tissue": "If Fat Tissue is replaced, the fat stored on it is lost (5.3)."}
TERMS = {
    "choice": Text(
        "the choice of a round",
        "What the course calls a turn is a round in `pbem`. All players submit their complete "
        "sealed choices at the same time. A choice begins with the food card. After that come any "
        "number of cards for new boards, growth and traits, and at the end `done`. Each card is "
        "used once; population and body are at most 7; a board has at most 3 different traits. A "
        "new board goes on the right, or on the left if you say so, and may be used in the same "
        "choice. The printed rules say that players choose one after the other, but in the "
        "course's own games they choose at the same time.",
        f"{BOOK}, steps 2 and 3, and its cases",
    ),
    "watering_hole": Text(
        "the watering hole",
        "All food comes from the watering hole, even the food of carnivores and "
        "scavengers. The food cards are added "
        "one after the other, in the order of play; the watering hole never goes below 0.",
        f"{BOOK}, step 4, and its cases",
    ),
    "traits": Text(
        "automatic traits",
        "When the food cards are turned up, every Fertile acts, then every Long Neck, then every "
        "Fat Tissue. Each time, the starting player goes first, and each player's boards act "
        "from left to right.",
        f"{BOOK}, step 4 and Trait Cards, and its cases",
    ),
    "feed": Text(
        "feeding",
        "Round robin, one feeding at a time, while there is food and somebody can eat: a hungry "
        "plant eater takes a token, a hungry carnivore attacks, Fat Tissue stores as much as you "
        "say. A player who can do nothing is skipped; a player with only one possible move makes "
        "it without being asked. You may decline if you can only attack or store fat; you are "
        "then out of this feeding.",
        f"{BOOK}, step 4, and its cases",
        "An attack on one of your own species is never made without asking you (5.5).",
    ),
    "attack": Text(
        "an attack",
        "The target loses an animal. If it dies out, its owner draws two cards immediately; Horns "
        "cost the attacker an animal; an attacker that survives makes a feeding step, and then "
        "every Scavenger does. Body size matters only for Hard Shell and Symbiosis.",
        f"{BOOK}, step 4 and Trait Cards",
    ),
    "end": Text(
        "the end of a round and of the game",
        "Each population is reduced to the amount of food that its species ate; the food goes into "
        "the bags; for each species that dies out, its owner draws two cards. The game is over "
        "when the deck has too few cards for the next deal. Discards never come back, and stored "
        "fat scores nothing.",
        f"{BOOK}, Playing the Game",
    ),
    "score": Text(
        "the score",
        "Food in the bag, populations, and trait cards; equal scores share a rank.",
        f"{BOOK}, Playing the Game",
        "A player who was removed from the game is ranked after all others.",
    ),
    "silly": Text(
        "the silly player",
        "The silly player plays for silent players, and as a bot. It sorts its hand by "
        "trait and food. The first "
        "card is the food card, and the next two make a new board with a trait. The cards after "
        "that raise the new board's population, raise its body, and replace its first trait. "
        "Without a third card there is no new board. First it stores fat where the most fits. "
        "Then it feeds its largest plant eater. Last, its largest carnivore attacks the "
        "largest species of another player; it never attacks its own species. The larger "
        "species is the one with more population; if equal, with more food; if still "
        "equal, with the larger body.",
        f"{BOOK} and its cases",
        "The course does not say that the silly player plays for silent players at a "
        "deadline: that is our own rule (5.10).",
    ),
    "removal": Text(
        "removal",
        "If the charter says so, a player who is silent at a deadline is removed from the game, "
        "as in the course: their boards and bag are gone, and their hand is put aside unseen.",
        f"{BOOK} and its cases",
        "Otherwise the silly player plays for a silent player. An illegal choice is refused "
        "with its reason and can be fixed until the deadline (5.10).",
    ),
}


def texts() -> Mapping[str, Text]:
    """Return a text for each trait, phase and term."""
    found = {}
    for name, trait in TRAITS.items():
        body = f"{BODIES.get(name) or described(trait)} {NOTES.get(name, '')}".rstrip()
        found[name] = Text(name.replace("_", " "), body, TRAIT_SOURCE, HOUSE.get(name, ""))
    return {**found, **TERMS}
