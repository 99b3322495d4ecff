"""The five laws of the engine as checks over whole random games, for any ruleset.

1 replay · 2 view commutes with replay · 3 the options are the law · 4 nothing is lost ·
5 nothing becomes known without a word (`known.py`).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from engine import (
    ALL,
    PUBLIC,
    UNKNOWN,
    Decision,
    Entry,
    Game,
    Ruleset,
    SeedDealer,
    Table,
    Unreadable,
    bare,
    mask,
    merge,
    view,
)
from engine.make_and_ask_bots import ask_bot
from engine.random_bot import RandomBot
from tests.properties.known import Accounts

MOST_QUESTIONS = 20_000
"""A game that asks more often than this does not end."""


class Sometimes:
    """Answers like a random bot, but now and then not yet, by default, or from a standing line."""

    def __init__(self, check: LawfulGame, rng: random.Random) -> None:
        self.check, self.rng, self.bot = check, rng, RandomBot(rng)

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        if self.rng.random() < 0.05:
            return None
        text = ask_bot(self.bot, None, decision)
        if self.rng.random() < 0.15:
            self.check.question(key, decision, text)
        if decision.default and self.rng.random() < 0.1:
            self.check.public_default(key)
            return decision.default(), "default"
        by = "line" if self.rng.random() < 0.7 else "always"
        return text, f"{by} [{self.rng.randint(1, 9)}]"

    def entered(self, entry: Entry) -> None:
        self.check.said.append(entry.text.split("; ")[0])


class LawfulGame:
    """One random game, with every law checked on the way and at its end."""

    def __init__(self, game: Game[Any], seed: int) -> None:
        self.game, self.seed, self.rng = game, seed, random.Random(seed)
        self.said: list[str] = ["done"]
        self.count: Counter[str] = Counter()
        self.referee = self._referee([])

    def _referee(self, log: Iterable[Entry]) -> Accounts:
        return Accounts(self.game, SeedDealer(f"law {self.seed}".encode()), log)

    def run(self) -> LawfulGame:
        """Play to the end. AssertionError where a law is broken."""
        settler = Sometimes(self, self.rng)
        while self.referee.advance(settler):
            self.count["pauses"] += 1
            for table in self.referee.tables.values():
                self.same(table)
            if self.rng.random() < 0.02:
                self.lost_machine()
            assert self.count["pauses"] < MOST_QUESTIONS, "the game does not end"
        self.end()
        return self

    # ---------------------------------------------------------- law 1 and 2
    def same(self, table: Table[Any]) -> None:
        """A table that only saw its view is the view of the full table, questions included."""
        full = self.referee.full_table
        assert table.state == full.state.clone(table.viewpoint), (
            f"law 2 for {table.viewpoint or 'public'}"
        )
        assert open_question_keys(table) == open_question_keys(full), "the questions are a tell"
        self.conserved(table)
        if table.viewpoint not in (ALL, PUBLIC):
            self.sharp(table)

    def sharp(self, table: Table[Any]) -> None:
        """What a seat may see is there."""
        (place,) = [
            p for p in self.game.ruleset.scene(table.state).places if p.seat == table.viewpoint
        ]
        assert UNKNOWN not in place.hand

    def lost_machine(self) -> None:
        """Replay the log on a new machine and go on there."""
        again = self._referee(self.referee.log)
        assert again.full_table.state == self.referee.full_table.state
        assert open_question_keys(again.full_table) == open_question_keys(self.referee.full_table)
        self.referee = again
        self.count["resumed"] += 1

    def end(self) -> None:
        """The finished log, replayed at its end and at some prefixes, for all viewpoints."""
        log = self.referee.log
        assert len({entry.key for entry in log}) == len(log)
        for n in {len(log), *(self.rng.randrange(len(log)) for _ in range(2))}:
            self.replays(log[:n], check=n == len(log))
        merged = view(log, PUBLIC)
        for seat in self.game.seats:
            merged = [merge(x, y) for x, y in zip(merged, view(log, seat), strict=True)]
        assert merged == log, "every bracket has exactly one owner"
        self.count["entries"] += len(log)
        self.count += self.referee.count
        self.game.ruleset.result(self.referee.full_table.state)

    def replays(self, log: list[Entry], check: bool) -> None:
        """Law 1, and law 2 by true replays of masked logs."""
        full = Table(self.game, ALL, log)
        assert full.state == Table(self.game, ALL, log).state, "law 1"
        for viewpoint in (PUBLIC, *self.game.seats):
            table = Table(self.game, viewpoint, view(log, viewpoint), checks_entries=check)
            assert table.state == full.state.clone(viewpoint), f"law 2 for {viewpoint or 'public'}"
            assert open_question_keys(table) == open_question_keys(full)
            assert table.state.clone(viewpoint) == table.state
            self.count["replays"] += 1

    # ---------------------------------------------------------- law 3
    def question(self, key: str, decision: Decision, text: str) -> None:
        """One question on every table: same question, same options, same legality."""
        raw = None if decision.script else decision.option_list()
        for table in self.referee.tables.values():
            here = dict(table.pending)[key]
            assert (here.seat, here.kind, here.to) == (decision.seat, decision.kind, decision.to)
            self.accepts(table, here, decision.seat, raw or [text])
        if raw is not None:
            assert len(raw) <= 1500, (key, len(raw))
            for option in dict.fromkeys(raw):
                self.reads(option)
        own = self.referee.tables[decision.seat]
        for junk in self.junk(text):
            self.refuses(decision, dict(own.pending)[key], junk, raw)

    def accepts(self, table: Table[Any], here: Decision, seat: str, raw: list[str]) -> None:
        """The table lists or accepts every legal answer."""
        if table.viewpoint in (ALL, seat) and not here.script:
            assert sorted(here.option_list()) == sorted(raw), (table.viewpoint, here.kind)
            assert len(set(raw)) == len(raw), "equal cards give one option"
        for option in dict.fromkeys(raw):
            shown = option if table.viewpoint in (ALL, here.to) else mask(option)
            assert table.why_not(here, shown) is None, (table.viewpoint, option)

    def reads(self, option: str) -> None:
        """``say(parse(text)) == text``, by exactly one form."""
        forms = self.game.ruleset.forms
        assert len(forms.matching(option)) == 1, (option, forms.matching(option))
        name, fields = forms.parse(option)
        assert forms.say(name, **fields) == option
        self.count["round trips"] += 1

    def refuses(self, full: Decision, own: Decision, junk: str, raw: list[str] | None) -> None:
        """On the full table and on the owner's an answer is legal exactly if it is listed."""
        tables = self.referee.tables
        one = self.reason(self.referee.full_table, full, junk)
        two = self.reason(tables[own.seat], own, junk)
        assert (one is None) == (two is None), (junk, one, two)
        if raw is not None:
            assert (one is None) == (junk in raw), (junk, one)
        self.count["junk refused" if one else "junk legal"] += 1

    def reason(self, table: Table[Any], decision: Decision, text: str) -> str | None:
        try:
            for step in text.split("; "):
                self.game.ruleset.forms.parse(step)
        except Unreadable as unreadable:
            return str(unreadable)
        return table.why_not(decision, text)

    def junk(self, text: str) -> list[str]:
        """Sentences near a legal one: other cards and names, from another moment, unbracketed."""
        steps = text.split("; ")
        at = self.rng.randrange(len(steps))
        step, rng = steps[at], self.rng
        cards = sorted(self.game.ruleset.vocabulary)

        def other_name(found: re.Match[str]) -> str:
            return rng.choice("abcdef") + str(rng.randint(1, 6))

        near = [bare(step), mask(step), re.sub(r"\b[a-h]\d+", other_name, step)]
        near += [rng.choice(self.said), "pass", "done"]
        near += [re.sub(r"[a-z_/]+ -?\d+", lambda _: rng.choice(cards), step) for _ in range(3)]
        return ["; ".join([*steps[:at], new, *steps[at + 1 :]]) for new in near]

    def public_default(self, key: str) -> None:
        """A default needs no hand, in a game that is played by slots too."""
        if self.game.ruleset.turning is not None:
            table = self.referee.public_table
            decision = dict(table.pending)[key]
            assert decision.default, "law 3: a default on one table only"
            default = decision.default()
            reason = table.why_not(decision, default)
            assert reason is None, f"law 3: the public default {default}: {reason}"
            self.count["public defaults"] += 1

    # ---------------------------------------------------------- law 4
    def conserved(self, table: Table[Any]) -> None:
        """No card or token appears or vanishes; no card is known more often than printed."""
        state, decks = table.state, self.game.ruleset.decks
        printed = Counter(card for deck in decks.values() for card in deck)
        assert state.total() == printed.total()
        assert state.stray_tokens() == 0
        known = Counter(card for card in state.cards() if card != UNKNOWN)
        assert known <= printed, known - printed


def open_question_keys(table: Table[Any]) -> list[tuple[str, str, str]]:
    """The open questions, as far as they could be a tell."""
    return [(key, d.seat, d.kind) for key, d in table.pending]


def variants(ruleset: Ruleset[Any]) -> list[dict[str, str]]:
    """No option, then what new games by mail are played with, then each value of each option."""
    mail = {o.name: o.by_mail for o in ruleset.options if o.by_mail}
    single = [{o.name: value} for o in ruleset.options for value in o.values[1:]]
    return [{}, *([mail] if mail else []), *(one for one in single if one != mail)]


def play_lawful_games(ruleset: Ruleset[Any], players: int, seeds: range) -> Counter[str]:
    """Lawful games of that many players, all variants in turn; what was counted."""
    kinds, count = variants(ruleset), Counter[str]()
    for seed in seeds:
        game = ruleset.game("abcdefgh"[:players], kinds[seed % len(kinds)])
        count += LawfulGame(game, seed).run().count
    return count
