"""Make the questions that a seat may answer in advance: feedings, as they would be after its
choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import DONE, Decision, Seat
from games.classroom.phases.choosing import next_steps, play
from games.classroom.phases.feeding import feed_options
from games.classroom.table import State


def ahead(
    state: State, seat: Seat, kind: str, given: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Return the question about a feeding, as it would be if nobody else acted and food were
    left."""
    if kind != "feed" or not state.rows[seat]:
        return None
    then = state.clone(seat)
    if state.scope.endswith(".choice"):
        for text in given.get("choice", ()):
            if text == DONE or text not in next_steps(then, seat):
                break
            play(then, seat, text)
        then.hole = max(then.hole, 1)
    return Decision(seat, "feed", feed_options, (then, seat))
