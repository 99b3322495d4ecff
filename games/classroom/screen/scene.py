"""The table as plain data for a screen."""

from __future__ import annotations

from engine import Piece, Place, Scene, Seat
from games.classroom.table import Species, State


def scene(state: State) -> Scene:
    """Return the scene as seen from this state's viewpoint."""
    facts = (
        ("turn", str(state.round)),
        ("starting player", (state.order() or "nobody")[:1]),
        ("watering hole", str(state.hole)),
        ("deck", str(state.deck)),
        ("discards", str(len(state.discards))),
    )
    return Scene(facts, tuple(place(state, seat) for seat in state.seats))


def place(state: State, seat: Seat) -> Place:
    """Describe one player's place: row, bag and hand."""
    facts = [("bag", str(state.bags[seat]))]
    if seat in state.out:
        facts.append(("out of the game", "yes"))
    if seat in state.declined and state.scope.endswith(".feed"):
        facts.append(("feeding", "declined"))
    pieces = tuple(piece(species) for species in state.rows[seat])
    return Place(seat, tuple(facts), pieces, tuple(state.hands[seat]))


def piece(species: Species) -> Piece:
    """Describe one species board."""
    facts = [
        ("body", str(species.body)),
        ("population", str(species.population)),
        ("food", str(species.food)),
    ]
    if species.has("fat_tissue"):
        facts.append(("fat", str(species.fat)))
    return Piece(species.name, tuple(facts), tuple(species.traits))
