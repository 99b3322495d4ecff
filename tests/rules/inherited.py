"""Evolution's rule cases, played by the rulesets that were made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from engine import Ruleset
from games import registry
from games.climate.card_file import NEW_TRAITS, packaged_box
from games.climate.rules import climate_of
from games.evolution.traits import CARDS
from games.food_number_cards import trait_of
from pbem.rulecases.read_cases import Case
from tools.mutate_hooks import cases_of

AUTO_FEED = "Auto-Feed has fed all before the question is asked (ruling 2.4)"
NO_OPTION = "Auto-Feed is no option, but the rule (ruling 2.4)"
LEAVES = "leaf traits resolve by themselves (ruling 2.3)"
REPLACED = "traits are replaced, not discarded (ruling 2.2)"
TWO = "two players play with the whole deck and three traits (ruling 2.1)"
FEW = "two to four players (ruling 2)"
CYCLING = "after the plays come cards for under the deck (ruling 3.7)"
FOUR = "four traits (ruling 3)"
IN_TURN = "six players too play in turn, unless the charter says otherwise (ruling 3)"
MORE_CARDS = "other numbers of cards: in the deck, dealt, set aside (ruling 3; 3.3)"
SAID = "the reason is said otherwise, because every carnivore gets past Mud Wallowing"

DIFFERS: Mapping[str, Mapping[str, str]] = {
    "digital": {
        NO_OPTION: "R8-auto-feed R8-a-decision-is-asked R8-without-the-option",
        AUTO_FEED: """1.07-attack-size 1.10-horns-both-extinct feed-one-plant-food
            feed-clockwise-from-the-first-player feed-full-species-may-not-eat
            1.13-pass-is-not-final 1.05-cooperation-at-the-right-end 1.05-cooperation-chain
            1.05-chain-stops-at-a-full-species 1.05-one-trigger-for-a-big-meal 1.06-foraging
            feed-one-turn-one-species reveal-adds-food 1.01-negative-sum
            1.01-sum-first-minus-then-plus 1.01-sum-first-three-cards 1.17-no-food-cards
            1.13-thinks-besides-the-normal-feeding 1.12-two-defences-two-cards
            1.03-fertile-before-the-food-cards long-neck-takes-from-the-bank
            play-goes-once-around 1.19-face-down-trait-does-nothing-yet
            1.19-turned-up-it-works-at-once 1.09-both-die-and-the-deck-ends-between
            1.01-sum-of-nothing new-species-comes-between-nobody""",
        LEAVES: """1.02-default-order 1.02-player-chooses-the-order 1.02-all-are-used
            1.02-fertile-with-long-neck-and-foraging 1.02-long-neck-with-fat-and-cooperation
            1.02-order-across-species 1.02-first-player-first R3-many-and-one-that-matters
            1.14-fat-moves-after-fertile-grew""",
        REPLACED: """play-all-that-a-card-can-do 1.19-drop-face-up-trait 1.19-drop-new-trait
            1.19-drop-in-the-own-turn-only 1.14-drop-fat-tissue
            1.14-drop-another-trait-keeps-fat 1.20-drop-in-a-list-of-steps
            1.19-put-away-it-works-no-more 1.20-together-is-an-option
            1.20-who-can-do-nothing-is-not-asked""",
        TWO: """1.17-extinction-leaves-a-card 1.20-two-players-40-cards-out
            1.20-two-players-two-traits""",
        FEW: "1.20-six-players-at-once five-players-in-turn",
    },
    "climate": {
        CYCLING: """1.22-new-species-right-used-at-once play-goes-once-around
            1.23-silence-plays-nothing""",
        FOUR: """1.19-face-down-counts-for-the-limit 1.19-drop-face-up-trait
            1.20-two-players-two-traits three-players-three-traits""",
        IN_TURN: "1.20-drop-in-a-list-of-steps 1.20-six-players-at-once",
        MORE_CARDS: """1.16-starved-species-is-extinct R6-starved-one-by-one
            1.24-first-player-by-lot 1.18-deal-whole-allotments deal-for-each-species
            deal-free-species 1.17-last-card-dealt 1.17-one-card-left
            1.17-deck-ends-inside-a-deal 1.17-deck-and-discards-empty
            1.17-extinction-empties-deck 1.17-attack-empties-deck 1.17-deal-in-the-last-round
            1.20-two-players-40-cards-out 1.17-empty-deck-with-new-discards
            1.09-both-die-and-the-deck-ends-between 1.17-drawn-cards-may-be-the-own-traits
            1.17-empty-deck-at-a-kill 1.17-two-extinctions-one-shuffle""",
        SAID: "1.12-herbivore-negates-nothing",
    },
}
"""For each ruleset the cases that do not hold in it, by the reason."""


def differing(game: str) -> set[str]:
    """The ids of the cases that do not hold in the ruleset."""
    return {case for ids in DIFFERS[game].values() for case in ids.split()}


@cache
def ruleset_for(game: str) -> Ruleset[Any]:
    """The ruleset, with evolution's cards and without the climate's food, as an owner may set."""
    if game != "climate":
        return registry.ruleset(game)
    box = packaged_box()
    new = [card for card in box.cards if trait_of(card) in NEW_TRAITS]
    zones = tuple(replace(zone, food=(0, 0)) for zone in box.zones)
    no_cards_out = dict.fromkeys(box.set_aside, 0)
    cards = tuple(sorted([*CARDS, *new]))
    return climate_of(replace(box, cards=cards, zones=zones, set_aside=no_cards_out))


def inherited(game: str) -> list[Case]:
    """Evolution's cases that hold in the ruleset too."""
    cases = (replace(case, game=game) for case in cases_of("evolution"))
    return [case for case in cases if case.id not in differing(game)]
