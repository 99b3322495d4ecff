"""Origin for the eyes of people: the table, prose, icons, and texts of ``explain``."""

from __future__ import annotations

from collections.abc import Mapping

from engine import UNKNOWN, Drawings, Look, Piece, Place, Prose, Scene, Seat, Text, docstring_line
from games.data_and_icon_files import icons
from games.explain_texts import hunters_and_prey_report, term_texts, text_in_table
from games.origin.card_and_dice_data import COPIES, DICE, ONE_SET, PAIRS, traits_of
from games.origin.phases.attacks import why_not_prey
from games.origin.phases.scoring import pile
from games.origin.sentences import SENTENCES, title
from games.origin.table import Animal, State
from games.origin.traits import TRAITS


# ------------------------------------------------------------------ the table
def scene(state: State) -> Scene:
    """Return the scene as seen from this state's viewpoint."""
    # after the game, `round` is one more than the final round
    shown_round = min(state.round, state.final_round or state.round)
    is_last = bool(state.final_round) and shown_round == state.final_round
    facts = (
        ("round", f"{shown_round}" + (" (the last)" if is_last else "")),
        ("first player", state.seats[state.first_seat_index]),
        ("food bank", str(state.bank)),
        ("deck", str(state.deck)),
    )
    return Scene(facts, tuple(place(state, seat) for seat in state.seats))


def place(state: State, seat: Seat) -> Place:
    """Describe one player's place: animals, hand and the size of the discard pile."""
    facts = [("discard pile", str(pile(state, seat)))]
    if seat in state.passed_seats and state.scope.endswith(".development"):
        facts.append(("development", "passed"))
    pieces = tuple(piece(state, animal) for animal in state.rows[seat])
    return Place(seat, tuple(facts), pieces, tuple(state.hands[seat]))


def piece(state: State, animal: Animal) -> Piece:
    """Describe one animal: its cards, tokens and pair cards."""
    facts = [("food", f"{animal.food}/{animal.need}")]
    facts += [(colour, str(n)) for colour, n in (("red", animal.red), ("blue", animal.blue)) if n]
    if places := animal.count("fat_tissue"):
        facts.append(("fat", f"{animal.fat}/{places}"))
    notes = [f"used {name}" for name in animal.used_traits]
    notes += ["hibernates"] if animal.is_hibernating else []
    notes += ["poisoned"] if animal.is_poisoned else []
    if notes:
        facts.append(("now", ", ".join(notes)))
    animal_card = "(face down)" if animal.card == UNKNOWN else f"{animal.card} (face down)"
    cards = [animal_card, *(trait.name for trait in animal.traits), *pair_words(state, animal)]
    return Piece(animal.name, tuple(facts), tuple(cards))


def about_piece(state: State, name: str) -> list[str]:
    """Describe the hunger, the possible attackers and the possible prey of an animal.

    Only face-up cards count; it does not matter who is hungry.
    """
    animal = state.creature_named(name)
    prey = [x.name for x in state.animals() if why_not_prey(state, animal, x) is None]
    hunters = [x for x in state.animals() if x.has("carnivorous") and x is not animal]
    reasons = ((x.name, why_not_prey(state, x, animal)) for x in hunters)
    return hunters_and_prey_report(
        animal.hunger, reasons, prey if animal.has("carnivorous") else None
    )


def pair_words(state: State, animal: Animal) -> list[str]:
    """Return the pair cards of an animal, each with its partner and direction."""
    words = []
    for pair in state.pairs_of(animal):
        partner = pair.partner(animal.name)
        if pair.name != "symbiosis":
            words.append(f"{pair.name} with {partner}")
        elif pair.first_animal == animal.name:
            words.append(f"symbiosis: protects {partner}")
        else:
            words.append(f"symbiosis: protected by {partner}")
    return words


# ------------------------------------------------------------------ sentences in prose
COMMON = {"food bank": "the food bank holds {after} (before: {before})"}
EMPTIED = ("food", "red", "blue", "food bank")
DEPARTURES = ("{pieces} dies", "{pieces} die")


def prose() -> Prose:
    """Return the templates of Origin's prose; a face-down card is never turned face up."""
    return Prose(
        SENTENCES.deeds, SENTENCES.ordered, common=COMMON,
        reported_changes=SENTENCES.changes, emptied=EMPTIED, departures=DEPARTURES, piece="animal",
        uses=SENTENCES.uses,
    )  # fmt: skip


# ------------------------------------------------------------------ pictures
DRAWN_FACTS = ("food", "fat", "red", "blue", "now", "round", "first_player")
LOOKS = {
    "food": Look("leaves"),
    "fat": Look("dots"),
    "red": Look("dots"),
    "blue": Look("bars"),
    "food bank": Look("pool"),
    "deck": Look("pile"),
    "discard pile": Look("pile"),
}


def drawings() -> Drawings:
    """Return the icons of all traits and facts of an animal, and how the facts are drawn."""
    traits = [trait for card in ONE_SET for trait in card.split("/")]
    return Drawings(icons([*traits, *DRAWN_FACTS]), LOOKS)


# ------------------------------------------------------------------ explain
PACKAGE = "games.origin"
BOOK = "Evolution: The Origin of Species (RightGames), rules of the game"
PRINTED = frozenset({"carnivorous", "fat_tissue", "high_body_weight", "parasite"})
"""Traits whose effect is in the rulebook; the effect of others is printed only on the cards."""


def texts() -> Mapping[str, Text]:
    """Return a text for each trait, each card with two traits, each phase and each term."""
    text_by_name = {name: trait_text(name) for name in TRAITS}
    text_by_name |= {card: card_text(card) for card in COPIES if "/" in card}
    return {**text_by_name, **term_texts(PACKAGE, BOOK), "food bank": food_bank()}


def trait_text(name: str) -> Text:
    """Return the text about a trait: what it does, where it is printed, and on how many cards."""
    cards = sum(copies for card, copies in COPIES.items() if name in traits_of(card))
    if name in PRINTED:
        source = f"{BOOK}: Traits"
    elif name in PAIRS:
        source = f"{BOOK}: Pairwise Traits, and the card"
    else:
        source = "the printed card; the rulebook only mentions the trait"
    return Text(
        title(name),
        f"{docstring_line(TRAITS[name])} It is on {cards} cards of each game set.",
        source,
        text_in_table(PACKAGE, "house", name),
    )


def card_text(card: str) -> Text:
    """Return the text about a card with two traits: how it is played, and what each trait does."""
    uses = ", ".join(f"as {title(trait)}" for trait in traits_of(card))
    effects = [
        f"{title(trait).capitalize()}: {docstring_line(TRAITS[trait])}" for trait in traits_of(card)
    ]
    body = f"You play the card {uses}, or face down as an animal; you cannot change this later."
    return Text(
        card.replace("_", " "),
        "\n".join([*effects, body]),
        f"{BOOK}: Development Phase, and the card",
    )


def food_bank() -> Text:
    """Return the text about the food bank: the dice for each number of players."""
    rolls = []
    for players, (dice, plus) in DICE.items():
        number = "one die" if dice == 1 else f"{dice} dice"
        rolls.append(f"with {players} players {number}" + (f" + {plus}" if plus else ""))
    body = (
        f"The first player rolls dice: {'; '.join(rolls)}. The sum is the number of red tokens in "
        "the food bank."
    )
    source = f"{BOOK}: Food Bank Determination Phase; Playing with Two Game Sets"
    return Text("food bank", body, source)
