"""The table as plain data for a screen."""

from __future__ import annotations

from engine import UNKNOWN, Piece, Place, Scene, Seat
from games.origin.phases.scoring import pile
from games.origin.table import Animal, State


def scene(state: State) -> Scene:
    """Return the scene as seen from this state's viewpoint."""
    turn = min(state.round, state.last or state.round)
    facts = (
        ("turn", f"{turn}" + (" (the last)" if turn == state.last else "")),
        ("first player", state.seats[state.first]),
        ("food bank", str(state.bank)),
        ("deck", str(state.deck)),
    )
    return Scene(facts, tuple(place(state, seat) for seat in state.seats))


def place(state: State, seat: Seat) -> Place:
    """Describe one player's place: animals, hand and the size of the discard pile."""
    facts = [("discard pile", str(pile(state, seat)))]
    if seat in state.out and state.scope.endswith(".development"):
        facts.append(("development", "passed"))
    pieces = tuple(piece(state, animal) for animal in state.rows[seat])
    return Place(seat, tuple(facts), pieces, tuple(state.hands[seat]))


def piece(state: State, animal: Animal) -> Piece:
    """Describe one animal with everything on it, and the pair cards between it and others."""
    facts = [("food", f"{animal.food}/{animal.need}")]
    facts += [(colour, str(n)) for colour, n in (("red", animal.red), ("blue", animal.blue)) if n]
    if places := animal.count("fat_tissue"):
        facts.append(("fat", f"{animal.fat}/{places}"))
    notes = [f"used {name}" for name in animal.turned]
    notes += ["hibernates"] if animal.hibernating else []
    notes += ["poisoned"] if animal.poisoned else []
    if notes:
        facts.append(("now", ", ".join(notes)))
    own = "(face down)" if animal.card == UNKNOWN else f"{animal.card} (face down)"
    cards = [own, *(trait.name for trait in animal.traits), *pair_words(state, animal)]
    return Piece(animal.name, tuple(facts), tuple(cards))


def pair_words(state: State, animal: Animal) -> list[str]:
    """Return the pair cards of an animal, each with its partner and direction."""
    words = []
    for pair in state.pairs_of(animal):
        other = pair.other(animal.name)
        if pair.name != "symbiosis":
            words.append(f"{pair.name} with {other}")
        elif pair.one == animal.name:
            words.append(f"symbiosis: protects {other}")
        else:
            words.append(f"symbiosis: protected by {other}")
    return words
