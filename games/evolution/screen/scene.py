"""The table as plain data for a screen."""

from __future__ import annotations

from engine import UNKNOWN, Piece, Place, Scene, Seat
from games.evolution.table import Species, State


def scene(state: State) -> Scene:
    """Return the scene as seen from this state's viewpoint."""
    facts = (
        ("round", round_of(state)),
        ("first player", state.seats[state.first]),
        ("watering hole", str(state.hole)),
        ("food cards down", str(sum(tag is not None for _, tag in state.food_cards.values()))),
        ("deck", str(state.deck)),
        ("discards", str(len(state.discards))),
    )
    return Scene(facts, tuple(place(state, seat) for seat in state.seats))


def round_of(state: State) -> str:
    """Return the number of the round, and whether it is the last; after the game, the last
    round."""
    if not state.last:
        return str(state.round)
    if state.round > state.last:
        return f"{state.last} (over)"
    return f"{state.round}" + (" (the last)" if state.last == state.round else "")


def place(state: State, seat: Seat) -> Place:
    """Describe one player's place: row, screen and hand."""
    facts: list[tuple[str, str]] = [("food", str(state.screens[seat]))]
    if seat in state.food_cards:
        card, tag = state.food_cards[seat]
        down = "face down" if card == UNKNOWN else f"{card} (face down)"
        facts.append(("food card", down if tag is not None else card))
    pieces = tuple(piece(species) for species in state.rows[seat])
    return Place(seat, tuple(facts), pieces, tuple(state.hands[seat]))


def piece(species: Species) -> Piece:
    """Describe one species board."""
    facts = [
        ("body", str(species.body)),
        ("population", str(species.population)),
        ("food", str(species.food)),
    ]
    if species.fat or species.has("fat_tissue"):
        facts.append(("fat", str(species.fat)))
    cards = [
        "(face down)" if card == UNKNOWN else f"{card} (face down)" if down else card
        for card, down in zip(species.traits, species.down, strict=True)
    ]
    return Piece(species.name, tuple(facts), tuple(cards))
