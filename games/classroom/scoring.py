"""The score (Playing the Game): food bag, populations, and trait cards."""

from __future__ import annotations

from engine import Result, Score
from games.classroom.table import State


def points(state: State, seat: str) -> dict[str, int]:
    """The parts of a player's score; stored fat counts nothing (ruling 5.9)."""
    row = state.rows[seat]
    return {
        "bag": state.bags[seat],
        "population": sum(species.population for species in row),
        "traits": sum(len(species.traits) for species in row),
    }


def result(state: State) -> Result:
    """The standing: equal scores share a rank; whoever was removed comes after all others."""
    parts = {seat: points(state, seat) for seat in state.seats}
    keys = {seat: (seat not in state.out, sum(p.values())) for seat, p in parts.items()}
    ranked = sorted(state.seats, key=lambda seat: keys[seat], reverse=True)
    scores = tuple(
        Score(s, 1 + sum(other > keys[s] for other in keys.values()), keys[s][1], parts[s])
        for s in ranked
    )
    shared = len(scores) > 1 and scores[1].rank == 1
    return Result(scores, "shared" if shared else "")
