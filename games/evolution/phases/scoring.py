"""The score at the end of the game (End of Game Scoring)."""

from __future__ import annotations

from engine import Result, ranked
from games.evolution.table import State

TIE_BREAKS = ("traits", "population")
"""The tie-breaks between equal totals, in this order; after them, the win is shared."""


def points(state: State, seat: str) -> dict[str, int]:
    """Return the parts of a player's score: food behind the screen, population, and trait cards."""
    row = state.rows[seat]
    return {
        "food": state.screens[seat] + sum(x.fat for x in row),
        "population": sum(x.population for x in row),
        "traits": sum(len(x.traits) for x in row),
    }


def result(state: State) -> Result:
    """Return the final ranking; food on Fat Tissue counts, because the end moves it behind the
    screen."""
    parts_by_seat = {seat: points(state, seat) for seat in state.seats}
    tie_breaks = {
        name: {seat: parts[name] for seat, parts in parts_by_seat.items()} for name in TIE_BREAKS
    }
    return ranked(parts_by_seat, tie_breaks)
