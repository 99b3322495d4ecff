"""The score at the end of the game: victory points; the larger discard pile wins a tie."""

from __future__ import annotations

from engine import Result, ranked
from games.origin.table import State

TIE_BREAK = "discard pile"


def points(state: State, seat: str) -> dict[str, int]:
    """Return a player's points: 2 for each animal, 1 for each trait card, more for traits that need
    food. The card of a pair lies between its two animals and counts once; it is no trait of
    either."""
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
    """Return the number of cards on a discard pile: one for each animal, and one for each of its
    trait cards."""
    return len(state.piles[seat]) + len(state.buried[seat])


def result(state: State) -> Result:
    """Return the final ranking.

    The larger discard pile wins a tie; if the piles are equal too, the players share the win.
    """
    parts = {seat: points(state, seat) for seat in state.seats}
    return ranked(parts, {TIE_BREAK: {seat: pile(state, seat) for seat in state.seats}})
