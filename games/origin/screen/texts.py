"""The texts of ``explain`` about the cards, phases and terms of Origin, in our own words."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Text, described
from games.origin.cards import COPIES, DICE, PAIRS, uses
from games.origin.sentences import title
from games.origin.traits import TRAITS
from games.texts import house_of, terms

PACKAGE = "games.origin"
BOOK = "Evolution: The Origin of Species (RightGames), rules of the game"
PRINTED = frozenset({"carnivorous", "fat_tissue", "high_body_weight", "parasite"})
"""Traits whose effect is in the rulebook; the effect of others is printed only on the cards."""


def texts() -> Mapping[str, Text]:
    """Return a text for each trait, each card with two traits, each phase and each term."""
    found = {name: trait_text(name) for name in TRAITS}
    found |= {card: card_text(card) for card in COPIES if "/" in card}
    return {**found, **terms(PACKAGE, BOOK), "food bank": food_bank()}


def trait_text(name: str) -> Text:
    """Return the text about a trait: what it does, where it is printed, and on how many cards."""
    cards = sum(copies for card, copies in COPIES.items() if name in uses(card))
    if name in PRINTED:
        where = f"{BOOK}: Traits"
    elif name in PAIRS:
        where = f"{BOOK}: Pairwise Traits, and the card"
    else:
        where = "the card; the rulebook only mentions the trait"
    return Text(
        title(name),
        f"{described(TRAITS[name])} On {cards} cards of a set.",
        where,
        house_of(PACKAGE, name),
    )


def card_text(card: str) -> Text:
    """Return the text about a card with two traits."""
    one, two = map(title, uses(card))
    body = f"Played as {one}, as {two}, or face down as an animal; the choice is final."
    return Text(card.replace("_", " "), body, f"{BOOK}: Development Phase")


def food_bank() -> Text:
    """Return the text about the food bank: the dice for each number of players."""
    rolls = []
    for players, (dice, plus) in DICE.items():
        number = "one die" if dice == 1 else f"{dice} dice"
        rolls.append(f"{players} players {number}" + (f" + {plus}" if plus else ""))
    body = f"The first player rolls: {'; '.join(rolls)}. The sum is the food bank, in red tokens."
    source = f"{BOOK}: Food Bank Determination Phase; Playing with Two Game Sets"
    return Text("food bank", body, source)
