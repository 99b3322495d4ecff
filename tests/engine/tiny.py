"""A game on one page for the engine's tests: cards are dealt, one is kept in secret, some eat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import (
    CHANCE,
    Decision,
    Forms,
    Option,
    Phase,
    QuestionKind,
    Result,
    Rules,
    Ruleset,
    Scene,
    Together,
    ask,
    ask_all,
    cards_in,
    deal,
    put,
    reveal,
    shuffle,
    zones_seen,
)

CARDS = ("green", "red", "red")


@dataclass
class State:
    """Hands, and what was said."""

    seats: str
    options: Mapping[str, str]
    hands: dict[str, list[str]] = field(default_factory=dict)
    said: list[tuple[str, int]] = field(default_factory=list)
    scope: str = ""
    entry: int = 0
    round: int = 0

    def clone(self, viewpoint: str) -> State:
        """See the engine's State."""
        hands = zones_seen(self.hands, viewpoint)
        return State(self.seats, self.options, hands, self.said[:], self.scope)

    def cards(self) -> Iterator[str]:
        """See the engine's State."""
        return (card for hand in self.hands.values() for card in hand)

    def total(self) -> int:
        """See the engine's State."""
        return len(CARDS)

    def stray_tokens(self) -> int:
        """See the engine's State."""
        return 0


def empty_hands(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """Empty hands."""
    return State(seats, options, {seat: [] for seat in seats})


def opening(state: State) -> Rules:
    """One card each."""
    yield from ask(shuffle(CARDS))
    for seat in state.seats:
        text = yield from ask(deal(seat, 1))
        put(state.hands[seat], cards_in(text))


def yes_no_rules(state: State) -> Rules:
    """Everybody says yes or no, at the same time."""
    yield Together()
    wave = [Decision(s, "choose", lambda: ["yes", "no"]) for s in state.seats]
    answers = yield from ask_all(wave)
    state.said += [(answer, state.entry) for answer in answers]


def eating(state: State) -> Rules:
    """Twice each; the second time there is nothing to choose. Then a card is shown."""
    for seat in state.seats:
        state.said.append(((yield from ask(Decision(seat, "eat", lambda: ["leaf", "nut"]))), 0))
        rest = Decision(seat, "eat", lambda: ["rest"], to=seat)
        state.said.append(((yield from ask(rest)), 0))
    seat = state.seats[0]
    yield from ask(reveal(seat, "the card", state.hands[seat][0]))


def result_without_winner(state: State) -> Result:
    """Nobody wins."""
    return Result(())


TINY: Ruleset[Any] = Ruleset(
    name="tiny",
    title="Tiny",
    players=range(2, 4),
    options=(Option("long", "three rounds"), Option("tone", "how it is told", ("dry", "wet"))),
    decks={"deck": CARDS},
    words=frozenset({"nothing"}),
    setup=empty_hands,
    opening=Phase("open", opening),
    phases=(Phase("choose", yes_no_rules), Phase("eat", eating)),
    over=lambda state: state.round > (3 if state.options["long"] == "yes" else 1),
    result=result_without_winner,
    forms=Forms(),
    kinds={"choose": QuestionKind("choose", "?"), "eat": QuestionKind("eat", "?", script=True)},
    scene=lambda state: Scene((), ()),
)


class Says:
    """Answers what it is given by seat and kind, and notes what entered the log."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts
        self.entries: list[Any] = []

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """See Settler."""
        assert decision.seat != CHANCE
        text = self.texts.get(f"{decision.seat}_{decision.kind}")
        return None if text is None else (text, "line [1]")

    def entered(self, entry: Any) -> None:
        """See Settler."""
        self.entries.append(entry)


ALWAYS = {"a_choose": "yes", "b_choose": "no", "a_eat": "leaf", "b_eat": "nut"}
