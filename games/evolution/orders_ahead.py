"""Make the questions that a seat may answer in advance: cards, leaf traits, feedings, payments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from engine import DONE, Decision, Seat, cards_in, take
from games.cards import trait_of
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
from games.evolution.table_changes import dress
from games.evolution.traits import LEAVES

Given = Mapping[str, Sequence[str]]
"""The other lines of the same orders, by kind."""


def ahead(state: State, seat: Seat, kind: str, given: Given) -> Decision | None:
    """Return the question of this kind, as it would be after the seat's other lines."""
    found = AHEAD.get(kind)
    return found(state, seat, given) if found and state.rows[seat] else None


def play_ahead(state: State, seat: Seat, given: Given) -> Decision:
    """Return the question of which cards to play; the food card has already left the hand."""
    then = after_food(state, seat, given)
    return Decision(
        seat, "play", options_after, (draft_of(then, seat), seat), to=seat, script=True,
        why=partial(why_not_play, then, seat),
    )  # fmt: skip


def feed_ahead(state: State, seat: Seat, given: Given) -> Decision:
    """Return the question about a feeding, as it would be if nobody else acted and there were food.

    The seat's own traits count as face up, because they will be by then.
    """
    then = turn_up_own_traits(after_play(state, seat, given), seat)
    if not state.scope.endswith(".feed"):
        then.hole = max(then.hole, 1)
    return Decision(seat, "feed", feed_options, (then, seat))


def leaf_ahead(state: State, seat: Seat, given: Given) -> Decision:
    """Return the question of the order in which the seat's leaf traits act.

    If the orders play no cards yet, it lists all leaf traits that the seat could have with its
    hand.
    """
    then = turn_up_own_traits(after_play(state, seat, given), seat)
    hand = [] if "play" in given or not before_play(state) else then.hands[seat]
    may = [trait for trait in LEAVES if trait in map(trait_of, hand)]
    return Decision(seat, "leaf", leaf_options_ahead, (then, seat, tuple(may)), script=True)


def leaf_options_ahead(
    state: State, seat: Seat, may: Sequence[str], steps: Sequence[str]
) -> Iterator[str]:
    """Yield the leaf traits on the table, then those that could come from the hand."""
    yield from leaf_options(state, seat, LEAVES, steps)
    for trait in may:
        for species in state.rows[seat]:
            if not species.has(trait) and f"{trait} of {species.name}" not in steps:
                yield f"{trait} of {species.name}"


def think_ahead(state: State, seat: Seat, given: Given) -> Decision | None:
    """Return the question about Intelligence after a feeding, for the species that it could feed
    now, from the cards still in hand."""
    then = turn_up_own_traits(after_play(state, seat, given), seat)
    return Decision(seat, "think", think_options, (then, seat)) if can_think(then, seat) else None


def pay_ahead(state: State, seat: Seat, given: Given) -> Decision | None:
    """Return the question of which card pays for an attack, from the cards still in hand."""
    then = after_play(state, seat, given)
    return Decision(seat, "pay", pay_options, (then, seat, 1)) if then.hands[seat] else None


def before_play(state: State) -> bool:
    """Return whether the round has not gone beyond the Play Cards phase."""
    return state.scope.rpartition(".")[2] in ("deal", "food", "play")


def turn_up_own_traits(then: State, seat: Seat) -> State:
    """Turn the seat's own traits face up in this state, as they will be later, and return it."""
    for species in then.rows[seat]:
        species.down = [None for _ in species.down]
        dress(then, species)
    return then


def after_food(state: State, seat: Seat, given: Given) -> State:
    """Return the state as the seat sees it once the food card of its orders has left its hand."""
    then = state.clone(seat)
    for text in given.get("food", ())[:1]:
        (card,) = cards_in(text) or [""]
        if card in then.hands[seat] and seat not in then.food_cards:
            take(then.hands[seat], card)
    return then


def after_play(state: State, seat: Seat, given: Given) -> State:
    """Return the state as the seat sees it after its food card and its legal plays."""
    then = after_food(state, seat, given)
    for text in given.get("play", ()):
        if text == DONE or text not in play_options(then, seat):
            break
        play(then, seat, text, (state.entry, 0))
    return then


AHEAD = {
    "play": play_ahead, "leaf": leaf_ahead, "feed": feed_ahead, "think": think_ahead,
    "pay": pay_ahead,
}  # fmt: skip
