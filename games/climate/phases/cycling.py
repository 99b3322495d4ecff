"""Cycling: after their plays, players put hand cards under the deck and draw as many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from engine import DONE, Decision, Rules, Seat, Unreadable, ask, distinct, take, under
from games.climate.table import ClimateState
from games.evolution.phases.play_cards import after_food, play, play_options, play_turn, turn_up
from games.evolution.phases.play_cards import ahead as printed
from games.evolution.sentences import FORMS as PRINTED
from games.evolution.table_changes import draw
from games.tables import done

FORMS = PRINTED.extend(cycle="under the deck [{card}]")


def play_phase(state: ClimateState) -> Rules:
    """Phase 3, Play Cards: in turn, each player's plays and cycling; then all cards turn up."""
    for seat in state.order():
        yield from play_turn(state, seat)
        yield from cycle(state, seat)
    yield from turn_up(state)


def cycle(state: ClimateState, seat: Seat) -> Rules:
    """Put any number of cards under the deck, in the player's order, and draw as many (3.7)."""
    while (text := (yield from ask(cycle_decision(state, seat)))) != DONE:
        bury(state, seat, text)
    buried = state.buried.pop(seat, [])
    if buried:
        # the cards stay in their own zone until the deck has taken them
        state.buried[seat] = buried
        yield under(buried, state.deck, to=seat)
        del state.buried[seat]
        state.deck += len(buried)
        yield from draw(state, seat, len(buried), final=state.round + 1)


def bury(state: ClimateState, seat: Seat, text: str) -> None:
    """Move one card of the hand to those that will go under the deck."""
    card = FORMS.parse(text)[1]["card"]
    take(state.hands[seat], card)
    state.buried.setdefault(seat, []).append(card)


def ahead(
    state: ClimateState, seat: Seat, kind: str, given: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Cards to play as in evolution; cards to put under the deck after the plays given."""
    if kind != "cycle" or not state.rows[seat]:
        return printed(state, seat, kind, given)
    then = after_food(state, seat, given)
    assert isinstance(then, ClimateState)
    for text in given.get("play", ()):
        if text == DONE or text not in play_options(then, seat):
            break
        play(then, seat, text, (state.entry, 0))
    return Decision(
        seat, "cycle", options_after, (then, seat), to=seat, script=True,
        why=partial(why_not_cycle, then, seat),
    )  # fmt: skip


def options_after(state: ClimateState, seat: Seat, steps: Sequence[str]) -> Iterable[str]:
    """The options after these steps."""
    then = state.clone(seat)
    for text in steps:
        bury(then, seat, text)
    return cycle_options(then, seat)


def cycle_decision(state: ClimateState, seat: Seat) -> Decision:
    """The question, asked for one card after the other."""
    return Decision(
        seat, "cycle", cycle_options, (state, seat), to=seat,
        default=done, why=partial(why_not_cycle, state, seat),
    )  # fmt: skip


def cycle_options(state: ClimateState, seat: Seat) -> Iterable[str]:
    """``done``, or any card of the hand while fewer go under the deck than it contains."""
    yield DONE
    if len(state.buried.get(seat, ())) < state.deck:
        yield from (f"under the deck [{card}]" for card in distinct(state.hands[seat]))


def why_not_cycle(
    state: ClimateState, seat: Seat, text: str, before: Sequence[str] = ()
) -> str | None:
    """Why the card cannot go under the deck, after the cards before."""
    try:
        form, said = FORMS.parse(text)
    except Unreadable:
        return None
    if form != "cycle":
        return "now you may only put cards under the deck, or be done"
    there = state.hands[seat].count(said["card"])
    if there <= before.count(text):
        return f"{said['card']} is not in your hand" + " any more" * bool(there)
    return f"you cannot put more cards under the deck than it contains: {state.deck}"
