"""Make the questions that a seat may answer in advance: cards, leaf traits, feedings, payments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from engine import DONE, Decision, Seat, cards_in, take
from games.evolution.change_table import update_kit
from games.evolution.phases.feeding import can_think, feed_options, pay_options, think_options
from games.evolution.phases.leaf_traits import leaf_options
from games.evolution.phases.play_cards import (
    draft_of,
    options_after,
    play,
    play_options,
    why_not_play,
)
from games.evolution.table import State
from games.food_number_cards import trait_of

EarlierLines = Mapping[str, Sequence[str]]
"""The other lines of the same orders, by kind."""


def early_decision(
    state: State, seat: Seat, kind: str, earlier_lines: EarlierLines
) -> Decision | None:
    """Return the question of this kind, as it would be after the seat's other lines; None if it
    cannot be answered in advance."""
    make_decision = EARLY_DECISIONS.get(kind)
    return make_decision(state, seat, earlier_lines) if make_decision and state.rows[seat] else None


def early_play_decision(state: State, seat: Seat, earlier_lines: EarlierLines) -> Decision:
    """Return the question of which cards to play; the food card has already left the hand."""
    future_state = state_after_food(state, seat, earlier_lines)
    return Decision(
        seat, "play", options_after, (draft_of(future_state, seat), seat), to=seat, script=True,
        why=partial(why_not_play, future_state, seat),
    )  # fmt: skip


def early_feed_decision(state: State, seat: Seat, earlier_lines: EarlierLines) -> Decision:
    """Return the question about a feeding of a later phase, on a table on which nobody else has
    acted and at least one food is left.

    The seat's own traits count as face up, because the Play Cards phase will turn them up.
    """
    future_state = state_after_reveal(state, seat, earlier_lines)
    if not state.scope.endswith(".feed"):
        future_state.hole = max(future_state.hole, 1)
    return Decision(seat, "feed", feed_options, (future_state, seat))


def early_leaf_decision(state: State, seat: Seat, earlier_lines: EarlierLines) -> Decision:
    """Return the question of the order in which the seat's leaf traits act.

    If the orders play no cards yet, the question lists all leaf traits that the seat could have
    with its hand.
    """
    future_state = state_after_reveal(state, seat, earlier_lines)
    may_play = "play" not in earlier_lines and is_before_reveal(state)
    hand_traits = set(map(trait_of, future_state.hands[seat])) if may_play else set()
    leaf_traits = state.book.kits.traits_with("leaf")
    possible_traits = tuple(trait for trait in leaf_traits if trait in hand_traits)
    arguments = (future_state, seat, possible_traits)
    return Decision(seat, "leaf", early_leaf_options, arguments, script=True)


def early_leaf_options(
    state: State, seat: Seat, possible_traits: Sequence[str], steps: Sequence[str]
) -> Iterator[str]:
    """Yield the leaf traits on the table, then those that could come from the hand."""
    yield from leaf_options(state, seat, steps)
    for trait in possible_traits:
        for species in state.rows[seat]:
            if not species.has(trait) and f"{trait} of {species.name}" not in steps:
                yield f"{trait} of {species.name}"


def early_think_decision(state: State, seat: Seat, earlier_lines: EarlierLines) -> Decision | None:
    """Return the question about Intelligence after a feeding, for the cards still in hand; None if
    Intelligence can feed no species now."""
    future_state = state_after_reveal(state, seat, earlier_lines)
    if not can_think(future_state, seat):
        return None
    return Decision(seat, "think", think_options, (future_state, seat))


def early_pay_decision(state: State, seat: Seat, earlier_lines: EarlierLines) -> Decision | None:
    """Return the question of which card pays for an attack; None if the hand will be empty."""
    future_state = state_after_play(state, seat, earlier_lines)
    if not future_state.hands[seat]:
        return None
    return Decision(seat, "pay", pay_options, (future_state, seat, 1))


def is_before_reveal(state: State) -> bool:
    """Return whether the round has not gone beyond the Play Cards phase."""
    return state.scope.rpartition(".")[2] in ("deal", "food", "play")


def state_after_food(state: State, seat: Seat, earlier_lines: EarlierLines) -> State:
    """Return the seat's view of the table, with the food card of the orders out of the hand, if it
    is there and no food card is down yet."""
    future_state = state.clone(seat)
    for text in earlier_lines.get("food", ())[:1]:
        (card,) = cards_in(text) or [""]
        if card in future_state.hands[seat] and seat not in future_state.food_cards:
            take(future_state.hands[seat], card)
    return future_state


def state_after_play(state: State, seat: Seat, earlier_lines: EarlierLines) -> State:
    """Return the seat's view of the table after the food card and the legal plays of the orders."""
    future_state = state_after_food(state, seat, earlier_lines)
    for text in earlier_lines.get("play", ()):
        if text == DONE or text not in play_options(future_state, seat):
            break
        play(future_state, seat, text, (state.entry, 0))
    return future_state


def state_after_reveal(state: State, seat: Seat, earlier_lines: EarlierLines) -> State:
    """Return the seat's view of the table after these plays, with the seat's traits face up."""
    future_state = state_after_play(state, seat, earlier_lines)
    for species in future_state.rows[seat]:
        species.face_down_tags = [None for _ in species.face_down_tags]
        update_kit(future_state, species)
    return future_state


EARLY_DECISIONS = {
    "play": early_play_decision,
    "leaf": early_leaf_decision,
    "feed": early_feed_decision,
    "think": early_think_decision,
    "pay": early_pay_decision,
}
"""For each kind, the function that makes its question in advance."""
