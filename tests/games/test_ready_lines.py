"""Every ruleset's ready lines: total ones answer, and every table finds the same choice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import ALL, CHANCE, PUBLIC, Decision, Entry, Line, Referee, SeedDealer, Table, view
from engine.make_and_ask_bots import ask_bot, make_bot
from engine.sentences.ready_lines import ReadyCall, ReadyLine, chosen_option, remaining_options
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.judge.bot_order_lines import total_line
from pbem.records.orders import MAX_LINE_BYTES, parse_line
from pbem.simulation.bot_games_with_round_orders import PlayWithOrders
from tests.kit.selection import long


class Watch:
    """Bots play, and each question is shown to a test before it is answered."""

    def __init__(self, name: str, seed: int, bot: str) -> None:
        rules = ruleset(name)
        self.game = rules.game("abc")
        self.bot = make_bot(rules, bot, Random(seed))
        self.referee = Referee(
            self.game, SeedDealer(f"{name} {seed}".encode()), viewpoints="abc", checks_entries=False
        )

    def questions(self) -> Iterator[tuple[str, Decision]]:
        while pending := self.referee.advance(self):
            yield from pending
            self.answers = {key: ask_bot(self.bot, self.state, one) for key, one in pending}

    @property
    def state(self) -> Any:
        return self.referee.full_table.state

    answers: dict[str, str] = {}  # noqa: RUF012 - a test's own

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        return (self.answers[key], "line [1]") if key in self.answers else None

    def entered(self, entry: Entry) -> None:
        self.answers.pop(entry.key, None)


def ready_call(line: ReadyLine, seat: str) -> ReadyCall:
    return ReadyCall(line, next(other for other in "bca" if other != seat))


def without_card(option: str) -> str:
    """An option without the card that Intelligence discards, which only its owner's table knows."""
    return re.sub(r" thinks for .*", " thinks", option)


def ready_choice(table: Table[Any], key: str, line: ReadyLine) -> str | None:
    """What the line chooses on this table, and what it leaves if it holds back."""
    decision = next(one for k, one in table.pending if k == key)
    options = [] if decision.script else decision.option_list()
    if line.keeps:
        left = remaining_options(
            [ready_call(line, decision.seat)], table.state.clone(PUBLIC), decision.seat, options
        )
        return "; ".join(dict.fromkeys(map(without_card, left)))
    return chosen_option(ready_call(line, decision.seat), table.state, decision.seat, options)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seeds", [range(1), *long([range(3)])])
@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_a_ready_line_chooses_the_same_on_every_table(name: str, bot: str, seeds: range) -> None:
    met: set[str] = set()
    for seed in seeds:
        watch = Watch(name, seed, bot)
        for key, decision in watch.questions():
            for line in ruleset(name).ready_lines.lines_of(decision.kind):
                seats = [ALL, decision.seat] if line.reads_hand else [ALL, PUBLIC, *"abc"]
                found = {ready_choice(watch.referee.tables[seat], key, line) for seat in seats}
                assert len(found) == 1, (key, line.sentence, found)
                (text,) = found
                met |= {line.sentence} if text else set()
                assert text or not line.total, (key, line.sentence)
                if text and not line.keeps:
                    assert watch.referee.full_table.why_not(decision, text) is None
    assert len(met) > len(ruleset(name).ready) / 2  # the test met most of them


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_every_kind_has_a_line_that_always_answers(name: str) -> None:
    rules = ruleset(name)
    for kind in rules.kinds.values():
        text, own = total_line(rules, kind)
        assert text
        read = rules.ready_lines.read(kind.name, text)
        assert (read is not None and read.line.total) or text in rules.forms.templates.values()
        assert own == (read is not None and read.line.reads_hand)


@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_ready_lines_are_plain_words_and_no_sentences_of_the_game(name: str) -> None:
    rules = ruleset(name)
    for line in rules.ready:
        text = line.sentence.replace("{seat}", "b")
        assert not rules.forms.matching(text), text
        assert line.kind in rules.kinds
        assert (line.choose is None) == (line.keeps is not None)
        assert re.fullmatch(r"[a-z', ]+", text), text
        parsed = parse_line(f"always {line.kind}: {text}")
        assert len(f"always {line.kind}: {parsed.text}") < MAX_LINE_BYTES
        assert not line.description.endswith(".")


# ---------------------------------------------------------------- the same as one by one
class OneByOne:
    """Answers each question with an order of one exact line, as in a log."""

    def __init__(self, rules: Any, log: list[Entry]) -> None:
        self.rules, self.log = rules, {entry.key: entry for entry in log}
        self.asked: str = ""

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        entry = self.log[key]
        steps = entry.text.split("; ") if decision.script else [entry.text]
        lines = [Line(n, decision.kind, text) for n, text in enumerate(steps, start=1)]
        orders = self.rules.orders(decision.seat, int(key.partition(".")[0]), lines)
        return orders.answer(key, decision)

    def entered(self, entry: Entry) -> None:
        pass


@pytest.mark.sample(1)
@pytest.mark.parametrize("way", ["policy", "whole"])
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_whole_rounds_log_what_the_same_choices_would_one_by_one(name: str, way: str) -> None:
    rules = ruleset(name)
    game = rules.game("abcd")
    bots = {seat: make_bot(rules, "greedy", Random(0)) for seat in game.seats}
    at_once = PlayWithOrders(game, bots, dict.fromkeys(game.seats, way), SeedDealer(b"1"))
    at_once.play()
    log = at_once.referee.log
    single = Referee(game, SeedDealer(b"1"), checks_entries=True)
    assert single.advance(OneByOne(rules, log)) == []
    assert [(e.key, e.seat, e.text) for e in single.log] == [(e.key, e.seat, e.text) for e in log]
    chosen_by_seats = [e for e in log if e.by.startswith(("line", "always"))]
    assert len(chosen_by_seats) > 5 * at_once.rounds
    if way == "whole":
        assert set(at_once.waves_by_round()) == {1}
    assert all(e.seat != CHANCE for e in view(chosen_by_seats, PUBLIC))
