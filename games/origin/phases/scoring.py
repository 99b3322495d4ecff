"""End of the Game: victory points, and the discard pile that decides between equals."""

from __future__ import annotations

from engine import Result, ranked
from games.origin.table import State

TIE_BREAK = "discard pile"


def points(state: State, seat: str) -> dict[str, int]:
    """2 for each animal, 1 for each trait card, and what traits that need food add."""
    row = state.rows[seat]
    extra = 0
    for animal in row:
        for fold in animal.kit.points:
            extra = fold(extra)
    return {
        "animals": 2 * len(row),
        "traits": sum(len(animal.traits) for animal in row) + len(state.pairs[seat]),
        "need": extra,
    }


def pile(state: State, seat: str) -> int:
    """The size of a discard pile: an animal's own card and each trait card count."""
    return len(state.piles[seat]) + len(state.buried[seat])


def result(state: State) -> Result:
    """The standing; if points are equal, the larger discard pile, then a shared win."""
    parts = {seat: points(state, seat) for seat in state.seats}
    return ranked(parts, {TIE_BREAK: {seat: pile(state, seat) for seat in state.seats}})
