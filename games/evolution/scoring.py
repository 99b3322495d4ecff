"""End of Game Scoring."""

from __future__ import annotations

from engine import Result, Score
from games.evolution.table import State

TIE_BREAKS = ("traits", "population")
"""What decides between equal totals, in this order; then the win is shared."""


def points(state: State, seat: str) -> dict[str, int]:
    """Food behind the screen, population, and trait cards of the surviving species."""
    row = state.rows[seat]
    return {
        "food": state.screens[seat] + sum(x.fat for x in row),
        "population": sum(x.population for x in row),
        "traits": sum(len(x.traits) for x in row),
    }


def result(state: State) -> Result:
    """The standing; what lies on Fat Tissue counts, since it goes behind the screen at the end."""
    parts = {seat: points(state, seat) for seat in state.seats}
    keys = {seat: (sum(p.values()), *(p[name] for name in TIE_BREAKS)) for seat, p in parts.items()}
    ranked = sorted(state.seats, key=lambda seat: (*(-k for k in keys[seat]), seat))
    scores = tuple(
        Score(s, 1 + sum(other > keys[s] for other in keys.values()), keys[s][0], parts[s])
        for s in ranked
    )
    return Result(scores, decided_by(sorted(keys.values(), reverse=True)))


def decided_by(keys: list[tuple[int, ...]]) -> str:
    """The tie-break that decided who won, ``shared`` if none did, nothing if none was needed."""
    if len(keys) < 2 or keys[0][0] != keys[1][0]:
        return ""
    for i, name in enumerate(TIE_BREAKS, start=1):
        if keys[0][i] != keys[1][i]:
            return name
    return "shared"
