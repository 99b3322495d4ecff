"""What a seat may answer before it is asked: cards to play, and feedings as they would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from engine import DONE, Decision, Seat, cards_in, take
from games.evolution.phases.feeding import feed_options
from games.evolution.phases.play_cards import (
    draft_of,
    options_after,
    play,
    play_options,
    why_not_play,
)
from games.evolution.table import State
from games.evolution.table_changes import dress


def ahead(
    state: State, seat: Seat, kind: str, given: Mapping[str, Sequence[str]]
) -> Decision | None:
    """The cards to play, or the feedings, after the other lines given."""
    if not state.rows[seat]:
        return None
    if kind == "play":
        return play_ahead(state, seat, given)
    return feed_ahead(state, seat, given) if kind == "feed" else None


def play_ahead(state: State, seat: Seat, given: Mapping[str, Sequence[str]]) -> Decision:
    """The question of the cards to play: the food card has left the hand already."""
    then = after_food(state, seat, given)
    return Decision(
        seat, "play", options_after, (draft_of(then, seat), seat), to=seat, script=True,
        why=partial(why_not_play, then, seat),
    )  # fmt: skip


def feed_ahead(state: State, seat: Seat, given: Mapping[str, Sequence[str]]) -> Decision:
    """The question of a feeding if everybody else did nothing and there is food.

    The seat's own traits count as face up, as they will be.
    """
    then = after_play(state, seat, given)
    for species in then.rows[seat]:
        species.down = [None for _ in species.down]
        dress(then, species)
    if not state.scope.endswith(".feed"):
        then.hole = max(then.hole, 1)
    return Decision(seat, "feed", feed_options, (then, seat))


def after_food(state: State, seat: Seat, given: Mapping[str, Sequence[str]]) -> State:
    """What the seat sees when the food card that it chooses has left its hand."""
    then = state.clone(seat)
    for text in given.get("food", ())[:1]:
        (card,) = cards_in(text) or [""]
        if card in then.hands[seat] and seat not in then.food_cards:
            take(then.hands[seat], card)
    return then


def after_play(state: State, seat: Seat, given: Mapping[str, Sequence[str]]) -> State:
    """What the seat sees after its food card and its legal plays."""
    then = after_food(state, seat, given)
    for text in given.get("play", ()):
        if text == DONE or text not in play_options(then, seat):
            break
        play(then, seat, text, (state.entry, 0))
    return then
