"""Make the questions that a seat may answer in advance: feedings, as they would be after its
choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import DONE, Decision, Seat
from games.classroom.phases.feeding import feed_options
from games.classroom.phases.sealed_choices import next_steps, play
from games.classroom.table import State


def early_decision(
    state: State, seat: Seat, kind: str, earlier_lines: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Return the question about a feeding, as it would be if nobody else acted and food were
    left; None for other kinds, and for a seat without boards.

    ``earlier_lines`` are the seat's other order lines, by kind: before feeding, its choice is
    played first, up to the first step that is not possible.
    """
    if kind != "feed" or not state.rows[seat]:
        return None
    future_state = state.clone(seat)
    if state.scope.endswith(".choice"):
        for text in earlier_lines.get("choice", ()):
            if text == DONE or text not in next_steps(future_state, seat):
                break
            play(future_state, seat, text)
        future_state.hole = max(future_state.hole, 1)
    return Decision(seat, "feed", feed_options, (future_state, seat))
