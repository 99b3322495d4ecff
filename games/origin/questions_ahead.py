"""Make the questions that a seat may answer in advance: cards to play, and feedings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine import Decision, Seat
from games.origin.phases.attacks import possible_losses
from games.origin.phases.development import develop, develop_options, development_list
from games.origin.phases.feeding import feed_options
from games.origin.table import State


def early_decision(
    state: State, seat: Seat, kind: str, earlier_lines: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Return the question about cards to play, a feeding or the answers to an attack; None if it
    cannot be asked.

    A feeding and the answers to an attack are asked as after the seat's lines for the development
    phase. The question about cards to play is a script: its own lines are its steps.
    """
    if kind == "feed":
        return feed_ahead(state, seat, earlier_lines)
    if kind == "defend":
        return defend_ahead(state, seat, earlier_lines)
    if kind != "develop" or not is_developing(state) or seat in state.passed_seats:
        return None
    return development_list(state, seat)


def is_developing(state: State) -> bool:
    """Return whether the game is in the development phase."""
    return state.scope.endswith(".development")


def feed_ahead(
    state: State, seat: Seat, earlier_lines: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Return the question about a feeding, as it would be if nobody else acted and there were
    food."""
    future_state = after_development(state, seat, earlier_lines)
    if is_developing(state):
        future_state.bank = max(future_state.bank, 1)
    if not future_state.rows[seat]:
        return None
    return Decision(seat, "feed", feed_options, (future_state, seat))


def defend_ahead(
    state: State, seat: Seat, earlier_lines: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Return the question how to defend: for each of the seat's animals, whatever attacks it."""
    lines = list(answers_ahead(after_development(state, seat, earlier_lines), seat))
    return Decision(seat, "defend", lambda: lines) if lines else None


def answers_ahead(state: State, seat: Seat) -> Iterator[str]:
    """Yield all answers to an attack that the seat's animals may ever have."""
    for animal in state.rows[seat]:
        if animal.has("running"):
            yield f"{animal.name} runs"
        if animal.has("tail_loss"):
            yield from possible_losses(state, animal)
        if animal.has("mimicry"):
            for decoy in state.rows[seat]:
                if decoy is not animal:
                    yield f"{animal.name} redirects to {decoy.name}"
        if animal.kit.answers:
            yield f"{animal.name} does not defend"


def after_development(
    state: State, seat: Seat, earlier_lines: Mapping[str, Sequence[str]]
) -> State:
    """Return the table as it would be after the seat's lines for the development phase."""
    future_state = state.clone(seat)
    for text in earlier_lines.get("develop", ()) if is_developing(state) else ():
        if text in develop_options(future_state, seat) and seat not in future_state.passed_seats:
            develop(future_state, seat, text)
    return future_state
