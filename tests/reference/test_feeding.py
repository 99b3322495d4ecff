"""Feeding, played twice: by `games/`, and by the second implementation."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.reference.hunting import carry_out, feedings, normal, silent_hunt, thoughts
from tests.reference.model import Model
from tests.reference.seeds import as_case, is_short, repeatable, seeds
from tests.reference.tables import Pair

NAMES = ("evolution", "digital", "climate")


class Feeding:
    """A Feeding phase with random answers; each question, option and result is compared."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.model, self.fed = pair, pair.model, set[str]()
        self.answers: list[str] = []
        self.auto_fed: Model | None = None
        """The end that Auto-Feed would have led to, from where it could have begun (R8)."""

    def play(self) -> None:
        passes = 0
        while passes < len(self.pair.seats):
            for seat in self.model.order():
                passes = passes + 1 if self.passes(seat) else 0
                if passes == len(self.pair.seats):
                    break
        self.model.end_of_feeding()
        assert self.auto_fed in (None, self.model), "Auto-Feed changes no result"
        assert self.pair.question() is None
        self.pair.compare_ends()

    def passes(self, seat: str) -> bool:
        """Play one turn; return whether the seat passed."""
        if self.pair.auto and self.model.auto_feeds():
            self.model.auto_feed()
            return True
        if self.auto_fed is None and self.model.auto_feeds():
            self.auto_fed = deepcopy(self.model)
            self.auto_fed.auto_feed()
            self.auto_fed.end_of_feeding()
        thought = False
        while "thinks" in (text := self.ask("feed", seat, feedings(self.model, seat))):
            self.do(text)
            thought = True
        if text == "pass":
            return not thought
        self.do(text)
        self.feed_again(seat, text.split()[0])
        while options := set(thoughts(self.model, seat)):
            if (text := self.ask("think", seat, {*options, "done"})) == "done":
                break
            self.do(text)
        return False

    def feed_again(self, seat: str, name: str) -> None:
        """Feed a Nocturnal species a second time, once a round (ruling 3.4)."""
        board = self.model.find(name)
        if board is None or "nocturnal" not in board.traits or name in self.fed:
            return
        text = self.ask("again", seat, {*normal(self.model, board), "done"})
        if text != "done":
            self.fed.add(name)
            self.do(text)

    def ask(self, kind: str, seat: str, options: set[str]) -> str:
        decision = self.pair.question()
        self.pair.compare()
        assert decision is not None
        assert (decision.kind, decision.seat) == (kind, seat)
        listed = decision.option_list()
        assert sorted(listed) == sorted(self.with_cards(seat, options))
        assert decision.default is not None
        silence = silent_hunt(self.model, seat) if kind == "feed" else "done"
        assert decision.default() == silence
        return self.choose(listed)

    def with_cards(self, seat: str, options: set[str]) -> set[str]:
        """Name in the uses of Intelligence each card that the seat has."""
        hand = self.pair.table.state.hands[seat]
        thinks = {f"{text} {card}" for text in options if "thinks" in text for card in hand}
        return thinks | {text for text in options if "thinks" not in text}

    def choose(self, listed: list[str]) -> str:
        """Answer by chance, but rather attack than eat, and rather eat than stop."""
        rng = self.pair.rng
        hunts = [text for text in listed if "despite" in text]
        hunts = hunts or [text for text in listed if "attacks" in text]
        feeds = [text for text in listed if " " in text]
        wish = hunts if hunts and rng.random() < 0.6 else feeds if rng.random() < 0.9 else listed
        text = rng.choice(wish or listed)
        self.answers.append(text)
        self.pair.table.take_answer(text)
        return text

    def do(self, text: str) -> None:
        """Play the answer in the second implementation; `games/` asks which cards an attack
        costs."""
        for _ in text.partition(" despite ")[2].split()[::2]:
            decision = self.pair.question()
            assert decision is not None
            assert decision.kind == "pay"
            self.pair.table.take_answer(self.pair.rng.choice(decision.option_list()))
        carry_out(self.model, text)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seeds", seeds(100, 1000), ids=len)
@pytest.mark.parametrize("name", NAMES)
def test_both_implementations_of_evolution_feed_alike(name: str, seeds: range) -> None:
    answers, compared = list[str](), 0
    for seed in seeds:
        feeding = Feeding(Pair(name, seed, "feed"))
        with repeatable(seed, lambda now=feeding: as_case(now.pair.data, now.answers)):
            feeding.play()
        answers += feeding.answers
        compared += feeding.auto_fed is not None
    seen = {word for text in answers for word in text.split()}
    assert not is_short(seeds) or seen >= {"eats", "attacks", "despite", "thinks", "pass"}
    assert not is_short(seeds) or bool(compared) == (name != "digital")
