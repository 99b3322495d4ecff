"""Show Evolution to people: the table, prose, icons, and texts of ``explain``."""

from __future__ import annotations

from collections.abc import Mapping

from engine import UNKNOWN, Drawings, Look, Piece, Place, Prose, Scene, Seat, Sentences, Text
from games.data_and_icon_files import icons
from games.evolution.phases.legal_attacks_and_effects import negations, why_not_prey
from games.evolution.sentences import SENTENCES
from games.evolution.table import Species, State
from games.evolution.traits import CARDS, TRAITS
from games.explain_texts import hunters_and_prey_report, term_texts, trait_texts
from games.food_number_cards import trait_of


# ------------------------------------------------------------------ the table
def scene(state: State) -> Scene:
    """Return the scene as seen from this state's viewpoint."""
    facts = (
        ("round", round_of(state)),
        ("first player", state.seats[state.first_seat_index]),
        ("watering hole", str(state.hole)),
        ("food cards down", str(sum(tag is not None for _, tag in state.food_cards.values()))),
        ("deck", str(state.deck)),
        ("discards", str(len(state.discards))),
    )
    return Scene(facts, tuple(place(state, seat) for seat in state.seats))


def round_of(state: State) -> str:
    """Return the number of the round, and whether it is the final one; after the game, the final
    round."""
    if not state.final_round:
        return str(state.round)
    if state.round > state.final_round:
        return f"{state.final_round} (over)"
    return f"{state.round}" + (" (the last)" if state.final_round == state.round else "")


def place(state: State, seat: Seat) -> Place:
    """Describe one player's place: row, screen and hand."""
    facts: list[tuple[str, str]] = [("food", str(state.screens[seat]))]
    if seat in state.food_cards:
        card, tag = state.food_cards[seat]
        face_down_card = "face down" if card == UNKNOWN else f"{card} (face down)"
        facts.append(("food card", face_down_card if tag is not None else card))
    pieces = tuple(piece(species) for species in state.rows[seat])
    return Place(seat, tuple(facts), pieces, tuple(state.hands[seat]))


def piece(species: Species) -> Piece:
    """Describe one species board for the scene."""
    facts = [
        ("body", str(species.body)),
        ("population", str(species.population)),
        ("food", str(species.food)),
    ]
    if species.fat or species.has("fat_tissue"):
        facts.append(("fat", str(species.fat)))
    cards = [
        "(face down)" if card == UNKNOWN else f"{card} (face down)" if tag is not None else card
        for card, tag in zip(species.traits, species.face_down_tags, strict=True)
    ]
    return Piece(species.name, tuple(facts), tuple(cards))


def about_piece(state: State, name: str) -> list[str]:
    """Return sentences on the hunger, the hunters and the prey of a species.

    Only face-up traits count; hunters need not be hungry.
    """
    species = state.creature_named(name)
    prey = [x.name for x in state.species() if why_not_prey(state, species, x) is None]
    hunters = [x for x in state.species() if x.kit.meals and x is not species]
    reasons = ((x.name, _why_safe(state, x, species)) for x in hunters)
    return hunters_and_prey_report(species.hunger, reasons, prey if species.kit.meals else None)


def _why_safe(state: State, hunter: Species, species: Species) -> str | None:
    reason = why_not_prey(state, hunter, species)
    if reason and hunter.kit.negates and next(negations(state, hunter, species), None):
        return f"{reason}, unless {hunter.name} uses Intelligence"
    return reason


# ------------------------------------------------------------------ sentences in prose
REVEALED_FACTS = {
    "food of {seat} is {card}": "the food card of {seat} is {card}",
    "{sp}.{i} is {card}": "{sp} has {card}",
}
COMMON_FACTS = {"watering hole": "the Watering Hole holds {after} (before: {before})"}
SEAT_FACTS = {"food": "food behind the screen"}
DEPARTURES = ("{pieces} dies out", "{pieces} die out")


def prose(sentences: Sentences = SENTENCES) -> Prose:
    """Return the templates of the prose, for these sentences."""
    deeds = {**sentences.deeds, "play.done": "{name} plays no more cards"}
    return Prose(
        deeds, sentences.ordered, REVEALED_FACTS, COMMON_FACTS, SEAT_FACTS, sentences.changes,
        ("food",), departures=DEPARTURES, piece="species", uses=sentences.uses,
    )  # fmt: skip


# ------------------------------------------------------------------ pictures
DRAWN_FACTS = ("body", "population", "food", "fat", "round", "first_player")
LOOKS = {
    "body": Look("bars", max_marks=6),
    "population": Look("dots", max_marks=6),
    "food": Look("leaves", max_fact="population"),
    "fat": Look("leaves", max_fact="body"),
    "watering hole": Look("pool"),
    "food cards down": Look("pile"),
    "deck": Look("pile"),
    "discards": Look("pile"),
}


def drawings() -> Drawings:
    """Return the icons of all traits and facts of a species, and how the facts are drawn."""
    return Drawings(icons([*map(trait_of, CARDS), *DRAWN_FACTS]), LOOKS)


# ------------------------------------------------------------------ explain
PACKAGE = "games.evolution"
BOOK = "Evolution (North Star, 2nd edition)"


def texts() -> Mapping[str, Text]:
    """Return a text for each trait, phase and term."""
    return {**trait_texts(PACKAGE, TRAITS, f"{BOOK}, Trait Cards"), **term_texts(PACKAGE, BOOK)}
