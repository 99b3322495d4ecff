"""The course's game for the eyes of people: table, prose, icons, texts of ``explain``."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Drawings, Look, Piece, Place, Prose, Scene, Seat, Text
from games.classroom.phases.legal_attacks_and_effects import why_not_attack
from games.classroom.sentences import SENTENCES
from games.classroom.table import Species, State
from games.classroom.traits import TRAITS
from games.data_and_icon_files import icons
from games.explain_texts import hunters_and_prey_report, term_texts, text_in_table, trait_texts
from games.food_number_cards import printed_cards, trait_of


# ------------------------------------------------------------------ the table
def scene(state: State) -> Scene:
    """Return the scene as seen from this state's viewpoint."""
    facts = (
        ("round", str(state.round)),
        ("starting player", state.order()[:1] or "nobody"),
        ("watering hole", str(state.hole)),
        ("deck", str(state.deck)),
        ("discards", str(len(state.discards))),
    )
    return Scene(facts, tuple(place(state, seat) for seat in state.seats))


def place(state: State, seat: Seat) -> Place:
    """Describe one player's place: row, bag and hand."""
    facts = [("bag", str(state.bags[seat]))]
    if seat in state.departed_seats:
        facts.append(("out of the game", "yes"))
    if seat in state.declined_seats and state.scope.endswith(".feed"):
        facts.append(("feeding", "declined"))
    pieces = tuple(piece(species) for species in state.rows[seat])
    return Place(seat, tuple(facts), pieces, tuple(state.hands[seat]))


def piece(species: Species) -> Piece:
    """Describe one species board for the scene."""
    facts = [
        ("body", str(species.body)),
        ("population", str(species.population)),
        ("food", str(species.food)),
    ]
    if species.has("fat_tissue"):
        facts.append(("fat", str(species.fat)))
    return Piece(species.name, tuple(facts), tuple(species.traits))


def about_piece(state: State, name: str) -> list[str]:
    """Describe the hunger, the possible attackers and the possible prey of a species."""
    species = state.creature_named(name)
    prey = [x.name for x in state.species() if why_not_attack(state, species, x) is None]
    hunters = [x for x in state.species() if x.kit.hunts and x is not species]
    reasons = ((x.name, why_not_attack(state, x, species)) for x in hunters)
    return hunters_and_prey_report(species.hunger, reasons, prey if species.kit.hunts else None)


# ------------------------------------------------------------------ sentences in prose
COMMON = {"watering hole": "the watering hole holds {after} (before: {before})"}
SEAT_FACTS = {"bag": "food in the bag"}


def prose() -> Prose:
    """Return the templates of the prose; no card is played face down, so none is turned face up."""
    return Prose(
        SENTENCES.deeds, SENTENCES.ordered, common=COMMON, seat_facts=SEAT_FACTS,
        reported_changes=SENTENCES.changes,
        emptied=("food",), piece="species", uses=SENTENCES.uses,
    )  # fmt: skip


# ------------------------------------------------------------------ pictures
DRAWN_FACTS = ("body", "population", "food", "fat", "bag", "round", "starting_player")
LOOKS = {
    "body": Look("bars", max_marks=7),
    "population": Look("dots", max_marks=7),
    "food": Look("leaves", max_fact="population"),
    "fat": Look("leaves", max_fact="body"),
    "watering hole": Look("pool"),
    "deck": Look("pile"),
    "discards": Look("pile"),
}


def drawings() -> Drawings:
    """Return the icons of all traits and facts of a species, and how the facts are drawn."""
    return Drawings(icons([*map(trait_of, printed_cards("games.classroom")), *DRAWN_FACTS]), LOOKS)


# ------------------------------------------------------------------ explain
BOOK = "Evolution, the course's rules"
PACKAGE = "games.classroom"


def texts() -> Mapping[str, Text]:
    """Return a text for each trait, phase and term."""
    text_by_trait = trait_texts(PACKAGE, TRAITS, f"{BOOK}, Trait Cards")
    for name, text in text_by_trait.items():
        body = text_in_table(PACKAGE, "bodies", name) or text.body
        notes = text_in_table(PACKAGE, "notes", name)
        text_by_trait[name] = text._replace(body=f"{body} {notes}".rstrip())
    return {**text_by_trait, **term_texts(PACKAGE, BOOK)}
