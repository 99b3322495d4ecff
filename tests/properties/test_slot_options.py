"""What a referee who knows only slots allows, once cards are named, the full table allows too."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from engine import ALL, Decision
from engine.sentences.legality import why_not
from engine.sentences.slots_in_sentences import Slot, open_slots, with_names
from games.registry import BUILT_IN_GAMES, ruleset
from tests.kit.selection import long
from tests.properties.slot_games import Lockstep

ATTEMPTS = 12
"""How many sentences are tried at each question."""
HIDDEN_TWICE = re.compile(r"has \w+( \w+)* already$")
"""Why the full table refuses a card in a bracket: nobody else can know it yet."""


class Attempts(Lockstep):
    """A game in lockstep; at each question, sentences that fit the public options are tried with
    any slots, cards and words."""

    tries: Random

    def _search_maker(self) -> None:
        """The attempts tell it cards."""

    def _ask(self, seat: str, questions: dict[str, Decision]) -> None:
        public = dict(self.maker.referee.table.pending)
        for key, full_decision in questions.items():
            for _ in range(ATTEMPTS):
                self._try(public[key], full_decision)
        super()._ask(seat, questions)

    def _try(self, decision: Decision, full_decision: Decision) -> None:
        hands, cards = self.maker.referee.hands, self.cards[decision.seat]
        text = self._sentence(decision)
        names, first_reason = dict(hands.names), hands.why_not(decision, text)
        hands.names |= {
            Slot(decision.seat, n): cards[n] for n in open_slots(text) if n in cards
        }  # all needed slots are opened
        reason = hands.why_not(decision, text)
        hands.names = names
        real_text = re.sub(r"#(\d+)", lambda match: cards.get(int(match[1]), "no card"), text)
        full_reason = why_not(full_decision, real_text, ALL, self.game.ruleset.vocabulary)
        outcome = (text, real_text, first_reason, reason, full_reason)
        self.count["allowed" if reason is None else "refused"] += 1
        if reason is None:
            assert first_reason is None, outcome
            is_hidden = "[" in text and full_reason and HIDDEN_TWICE.search(full_reason)
            assert full_reason is None or is_hidden, outcome

    def _sentence(self, decision: Decision) -> str:
        """A sentence of options of the public table, one for each step."""
        cards, words = self.cards[decision.seat], sorted(self.game.ruleset.words)
        held, used_numbers = list(self.maker.referee.hands.held[decision.seat]), list[int]()

        def fill(match: re.Match[str]) -> str:
            before = match.string[: match.start()]
            if before.endswith(" as "):
                return self.tries.choice(words)
            pool = used_numbers if before.startswith("drop") and used_numbers else held
            number = self.tries.choice(pool or [0])
            if pool is held and number in held and self.tries.random() < 0.9:
                held.remove(number)
            used_numbers.append(number)
            return f"#{number}"

        if not decision.script:
            return re.sub(r"\?", fill, self.tries.choice(decision.option_list()))
        steps: list[str] = []
        for _ in range(self.tries.choice([0, 1, 1, 2, 2, 3, 4, 5])):
            named_steps = [with_names(step, cards) for step in steps]
            options = [x for x in decision.option_list(named_steps) if x != decision.ends]
            drops = [x for x in options if x.startswith("drop")]
            if not options:
                break
            steps.append(re.sub(r"\?", fill, self.tries.choice(drops * 2 + options)))
        return "; ".join([*steps, decision.ends])


PLAYERS = {"evolution": 4, "digital": 3, "climate": 4, "origin": 3, "classroom": 4}
CASES: list[tuple[str, int]] = [(name, number) for name in BUILT_IN_GAMES for number in range(8)]


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("name", "number"), [*(x for x in CASES if x[1] < 2), *long(x for x in CASES if x[1] >= 2)]
)
def test_what_slots_allow_the_table_with_all_cards_allows_too(name: str, number: int) -> None:
    has_together = "together" in {option.name for option in ruleset(name).options}
    options = {"together": "yes"} if number % 2 and has_together else {}
    bot = ("greedy", "random")[number // 2 % 2]
    game = Attempts(ruleset(name), PLAYERS[name], f"options {number}", "ask", bot, options)
    game.tries = Random(f"{name} {number}")
    game.play()
    assert min(game.count["allowed"], game.count["refused"]) > 10, Counter[Any](game.count)
