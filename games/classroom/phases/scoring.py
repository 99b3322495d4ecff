"""The score (Playing the Game): food bag, populations, and trait cards."""

from __future__ import annotations

from engine import Result, ranked
from games.classroom.table import State


def points(state: State, seat: str) -> dict[str, int]:
    """Return the parts of a player's score; stored fat does not count (ruling 5.9)."""
    row = state.rows[seat]
    return {
        "bag": state.bags[seat],
        "population": sum(species.population for species in row),
        "traits": sum(len(species.traits) for species in row),
    }


def result(state: State) -> Result:
    """Return the final ranking: equal scores share a rank; removed players come last."""
    return ranked(
        {seat: points(state, seat) for seat in state.seats}, departed_seats=state.departed_seats
    )
