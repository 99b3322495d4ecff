"""Make the questions that a seat may answer in advance: cards to play, and feedings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import Decision, Seat
from games.origin.phases.development import develop, develop_options, development_list
from games.origin.phases.feeding import feed_options
from games.origin.table import State


def ahead(
    state: State, seat: Seat, kind: str, given: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Return the question about cards to play or a feeding, as it would be after the seat's other
    lines."""
    if kind == "feed":
        return feed_ahead(state, seat, given)
    if kind != "develop" or not developing(state) or seat in state.out:
        return None
    return development_list(state, seat)


def developing(state: State) -> bool:
    """Return whether the game is in the development phase."""
    return state.scope.endswith(".development")


def feed_ahead(state: State, seat: Seat, given: Mapping[str, Sequence[str]]) -> Decision | None:
    """Return the question about a feeding, as it would be if nobody else acted and there were
    food."""
    then = state.clone(seat)
    if developing(state):
        for text in given.get("develop", ()):
            if text in develop_options(then, seat) and seat not in then.out:
                develop(then, seat, text)
        then.bank = max(then.bank, 1)
    return Decision(seat, "feed", feed_options, (then, seat)) if then.rows[seat] else None
