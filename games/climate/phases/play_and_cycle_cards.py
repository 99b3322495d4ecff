"""Cycling: after playing cards, players put cards from their hand under the deck and draw as
many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from engine import (
    DONE,
    Decision,
    NotInHand,
    Offers,
    Rules,
    Seat,
    Sentence,
    Sentences,
    ask,
    ask_all,
    distinct,
    take,
    under,
)
from engine.counts_and_lists_in_prose import counted
from games.climate.table import ClimateState
from games.evolution import questions_ahead
from games.evolution.change_table import draw
from games.evolution.phases.play_cards import PLAY, play_turn, quick_play, turn_up
from games.evolution.sentences import FEEDING, FOOD, LEAF
from games.first_player_and_turns_until_all_pass import answer_done

CYCLE = Sentence(
    "cycle",
    "under the deck [{card}]",
    deed="{name} puts {card} under the deck",
    ordered="{card} under the deck",
    card="face down",
    use="Under the deck",
    target="swap it",
)
SENTENCES = Sentences(*PLAY.sentences, FOOD, *FEEDING, LEAF, CYCLE)
FORMS = SENTENCES.forms


def play_phase(state: ClimateState) -> Rules:
    """Phase 3, Play Cards: in turn, each player plays and cycles cards; then all new cards are
    turned face up.

    If the charter says so, all play their cards at the same time, and then all cycle cards at the
    same time (house rule C9).
    """
    if state.book.is_simultaneous:
        yield from quick_play(state)
        yield from cycle_together(state)
    else:
        for seat in state.order():
            yield from play_turn(state, seat)
            yield from cycle_cards(state, seat)
    yield from turn_up(state)


def cycle_cards(state: ClimateState, seat: Seat) -> Rules:
    """Let a player put any number of cards under the deck, in the player's order, and draw as many
    (3.7)."""
    question = cycle_decision(state, seat)
    while (text := (yield from ask(question))) != DONE:
        bury(state, seat, text)
    yield from replace_buried_cards(state, seat)


def cycle_together(state: ClimateState) -> Rules:
    """All players choose at the same time; then their cards go under the deck in order of play
    (C9).

    No choice limits another: players draw as many cards as went under the deck.
    """
    seats = [seat for seat in state.order() if len(cycle_options(state, seat)) > 1]
    wave = [cycle_list_decision(state, seat) for seat in seats]
    answers = yield from ask_all(wave)
    for seat, answer in zip(seats, answers, strict=True):
        for step in answer.split("; ")[:-1]:
            bury(state, seat, step)
    for seat in seats:
        yield from replace_buried_cards(state, seat)


def replace_buried_cards(state: ClimateState, seat: Seat) -> Rules:
    """Put the cards that the player chose under the deck, and draw the same number from its top."""
    buried = state.buried.pop(seat, [])
    if buried:
        # the cards stay in a separate zone until the deck has taken them
        state.buried[seat] = buried
        yield under(buried, state.deck, to=seat)
        del state.buried[seat]
        state.deck += len(buried)
        yield from draw(state, seat, len(buried), ending_round=state.round + 1)


def bury(state: ClimateState, seat: Seat, text: str) -> None:
    """Move one card from the hand to the cards that will go under the deck."""
    card = FORMS.parse(text)[1]["card"]
    take(state.hands[seat], card)
    state.buried.setdefault(seat, []).append(card)


def early_decision(
    state: ClimateState, seat: Seat, kind: str, earlier_lines: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Return the question of this kind that a seat may answer in advance: as in Evolution, or
    which cards to cycle."""
    if kind != "cycle" or not state.rows[seat]:
        return questions_ahead.early_decision(state, seat, kind, earlier_lines)
    future_state = questions_ahead.state_after_play(state, seat, earlier_lines)
    assert isinstance(future_state, ClimateState)
    return cycle_list_decision(future_state, seat)


def cycle_list_decision(state: ClimateState, seat: Seat) -> Decision:
    """Return the question about all the cards that a player cycles, given as one list."""
    return Decision(
        seat, "cycle", options_after, (state, seat), to=seat, script=True,
        default=answer_done, why=partial(why_not_cycle, state, seat),
    )  # fmt: skip


def options_after(state: ClimateState, seat: Seat, steps: Sequence[str]) -> Iterable[str]:
    """Return the options that follow these steps."""
    future_state = state.clone(seat)
    for text in steps:
        bury(future_state, seat, text)
    return cycle_options(future_state, seat)


def cycle_decision(state: ClimateState, seat: Seat) -> Decision:
    """Return the question about the next card to cycle; it is asked for one card at a time."""
    return Decision(
        seat, "cycle", cycle_options, (state, seat), to=seat,
        default=answer_done, why=partial(why_not_cycle, state, seat),
    )  # fmt: skip


def cycle_options(state: ClimateState, seat: Seat) -> Offers:
    """Return ``done``, and every card in hand, but no more cards than the deck contains."""
    is_below_limit = len(state.buried.get(seat, ())) < state.deck
    hand = distinct(state.hands[seat]) if is_below_limit else ()
    return Offers(hand, [DONE], by_way=[("under the deck [?]", hand)])


def why_not_cycle(
    state: ClimateState, seat: Seat, text: str, previous_steps: Sequence[str] = ()
) -> str | None:
    """Say why the card cannot go under the deck after these steps of the same list. (A seat that
    is asked for one card at a time has no steps: its hand is already smaller.)"""
    form, fields = FORMS.parse(text)
    if form != "cycle":
        return "now you can only put cards under the deck, or say 'done'"
    held_count = state.hands[seat].count(fields["card"])
    if held_count <= previous_steps.count(text):
        return NotInHand(f"{fields['card']} is not in your hand" + " any more" * bool(held_count))
    quantity = counted(state.deck, "card")
    return f"the deck contains only {quantity}, so you cannot put more cards under it"
