"""The laws are no decoration: rules that break one of them are caught within a few games."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Self

import pytest

from engine import (
    DONE,
    UNKNOWN,
    Decision,
    Phase,
    Rules,
    Ruleset,
    Seat,
    ask,
    ask_all,
    cards_in,
    take,
)
from games.evolution.change_table import discard
from games.evolution.phases.play_cards import play, play_decision, turn_up
from games.evolution.rules import EVOLUTION, food_options
from games.evolution.table import State
from tests.kit.selection import long
from tests.properties.laws import LawfulGame

GAMES = 30


def caught(ruleset: Ruleset[Any], games: int = GAMES) -> str:
    """How the first game that breaks a law fails; empty if all hold."""
    for seed in range(games):
        try:
            LawfulGame(ruleset.game("abc"), seed).run()
        except Exception as error:  # noqa: BLE001 - whatever the broken rule leads to
            return f"{type(error).__name__}: {error}"
    return ""


def with_phase(name: str, run: Callable[[State], Rules]) -> Ruleset[Any]:
    return EVOLUTION.extend(phases={name: Phase(name, run)})


def skips_by_hidden_cards(state: State) -> Rules:
    """Whoever holds no carnivore is not asked: the skip tells what he holds."""
    for seat in state.order():
        while any(card.startswith("carnivore") for card in state.hands[seat]):
            text = yield from ask(play_decision(state, seat))
            if text == DONE:
                break
            play(state, seat, text, (state.entry, 0))
    yield from turn_up(state)


def turns_up_in_silence(state: State) -> Rules:
    """Face-down cards are turned without a word in the log."""
    for seat in state.order():
        while (text := (yield from ask(play_decision(state, seat)))) != DONE:
            play(state, seat, text, (state.entry, 0))
    for species in state.species():
        species.face_down_tags = [None] * len(species.traits)


def hides_a_card_in_the_open(state: State) -> Rules:
    """The food card goes to the open pile at once."""
    wave = [
        Decision(s, "food", lambda s: [f"[{c}]" for c in state.hands[s]], (s,), to=s)
        for s in state.order()
        if state.hands[s]
    ]
    for decision, text in zip(wave, (yield from ask_all(wave)), strict=True):
        (card,) = cards_in(text)
        take(state.hands[decision.seat], card)
        discard(state, card)


def binds_too_late(state: State) -> Rules:
    """The options look at the loop's variable when it has moved on."""
    seats = [seat for seat in state.order() if state.hands[seat]]
    wave = [
        Decision(seat, "food", lambda: [f"[{c}]" for c in state.hands[seat]], to=seat)  # noqa: B023 - the fault
        for seat in seats
    ]
    for seat, text in zip(seats, (yield from ask_all(wave)), strict=True):
        (card,) = cards_in(text)
        take(state.hands[seat], card)
        state.food_cards[seat] = (card, (state.entry, 0))


def loses_a_card(state: State) -> Rules:
    """The food card is taken out of the game."""
    wave = [
        Decision(s, "food", lambda s: [f"[{c}]" for c in state.hands[s]], (s,), to=s)
        for s in state.order()
        if state.hands[s]
    ]
    for decision, text in zip(wave, (yield from ask_all(wave)), strict=True):
        take(state.hands[decision.seat], cards_in(text)[0])


def invents_food(state: State) -> Rules:
    """Food appears on the Watering Hole without leaving the bank."""
    state.hole += 1
    yield from EVOLUTION.phases[3].run(state)


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("play", skips_by_hidden_cards), ("play", turns_up_in_silence),
        ("food", hides_a_card_in_the_open), ("food", binds_too_late), ("food", loses_a_card),
        ("reveal", invents_food),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)  # fmt: skip
def test_the_law_checks_catch_each_rule_that_breaks_one(
    name: str, run: Callable[[State], Rules]
) -> None:
    assert caught(with_phase(name, run))


def test_the_law_checks_catch_a_sentence_that_two_forms_fit() -> None:
    forms = EVOLUTION.forms.extend(munches="{sp} eats")
    assert caught(EVOLUTION.extend(forms=forms))


def test_the_law_checks_catch_a_view_that_hides_a_players_own_hand() -> None:
    """A seat's own hand must never be unknown to it."""

    class Shy(State):
        def clone(self, viewpoint: Seat) -> Self:
            seen = super().clone(viewpoint)
            seen.hands = {s: ["?"] * len(z) for s, z in seen.hands.items()}
            return seen

    def setup(ruleset: Ruleset[Any], seats: str, options: Any) -> State:
        state = EVOLUTION.setup(ruleset, seats, options)
        return Shy(state.book, state.seats)

    assert caught(EVOLUTION.extend(setup=setup))


def shows_the_cheapest_card(state: State) -> Rules:
    """The default looks at the hand, also where nobody knows it."""
    wave = [
        Decision(s, "food", food_options, (state, s), to=s, default=partial(cheapest, state, s))
        for s in state.order()
        if state.hands[s]
    ]
    for decision, text in zip(wave, (yield from ask_all(wave)), strict=True):
        (card,) = cards_in(text)
        take(state.hands[decision.seat], card)
        state.food_cards[decision.seat] = (card, (state.entry + wave.index(decision), 0))


def cheapest(state: State, seat: Seat) -> str:
    return f"[{min(state.hands[seat], key=lambda card: int(card.split(' ')[1]))}]"


def test_the_law_checks_catch_a_default_that_needs_the_hand() -> None:
    assert caught(with_phase("food", shows_the_cheapest_card)).startswith("IndexError")


def forgets_growth(state: State, text: str) -> list[str]:
    return [] if text.endswith((" body", " population")) else EVOLUTION.shows(state, text)


def names_twice(state: State, text: str) -> list[str]:
    return EVOLUTION.shows(state, text) * 2


def tells_what_is_face_down(state: State, text: str) -> list[str]:
    return [*EVOLUTION.shows(state, text), *(card for card in cards_in(text) if card != "?")]


def tells_what_turns_up(state: State, text: str) -> list[str]:
    return [*EVOLUTION.shows(state, text), *(c for _, c in EVOLUTION.turned_up(state, text, 0))]


@pytest.mark.parametrize(
    "shows",
    [lambda s, t: [], forgets_growth, names_twice, tells_what_is_face_down, tells_what_turns_up],
)
def test_the_law_checks_catch_too_few_or_too_many_shown_cards(
    shows: Callable[..., list[str]],
) -> None:
    assert "law 5" in caught(EVOLUTION.extend(shows=shows))


def gives_a_card_away(state: State) -> Rules:
    """The food card goes to the neighbour's hand: it is in a hand to which it was not dealt."""
    wave = [
        Decision(s, "food", lambda s: [f"[{c}]" for c in state.hands[s]], (s,), to=s)
        for s in state.order()
        if state.hands[s]
    ]
    for decision, text in zip(wave, (yield from ask_all(wave)), strict=True):
        (card,) = cards_in(text)
        take(state.hands[decision.seat], card)
        state.hands[state.order(decision.seat)[1]].append(UNKNOWN)


def test_the_law_checks_catch_a_hand_that_is_not_what_was_dealt() -> None:
    assert "the hand of" in caught(with_phase("food", gives_a_card_away))


@pytest.mark.long
@pytest.mark.parametrize("games", [1, *long([6])])
def test_the_law_checks_raise_no_alarm_for_lawful_rules(games: int) -> None:
    assert caught(EVOLUTION, games) == ""
