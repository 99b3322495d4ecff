"""One game twice, in lockstep: a referee who sees all cards, and one who knows only slots.

The second gets what he would get by mail: order lines with slots, and the name of a slot when it
must be opened. After each wave both logs must be the same, as everybody reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engine import CHANCE, PUBLIC, Decision, Entry, Ruleset, cards_in, mask, view
from engine.blind_referee import SlotReferee
from engine.dealer import SeedDealer
from engine.hidden_hands import SlotOrders
from engine.make_and_ask_bots import make_bot
from engine.own_cards_as_slots import OwnSlots
from engine.sentences.order_line_matching import OrderSet
from pbem.judge.order_line_checks import read_lines, write_line
from pbem.simulation.bot_games_with_round_orders import PlayWithOrders
from tests.properties.memory import CardSearch

RESUMED_SHARE, SEARCHED_SHARE = 0.15, 0.25
"""At how many of the pauses a new maker takes over, and at how many stops memory is searched."""


class Echo:
    """Deals what the other referee dealt, as everybody reads it."""

    def __init__(self) -> None:
        self.text_by_key: dict[str, str] = {}

    def answer(self, key: str, decision: Decision) -> str | None:
        """See the engine's Dealer."""
        return self.text_by_key.get(key)

    def learn(self, decision: Decision, text: str) -> None:
        """See the engine's Dealer."""


class Dealer(SeedDealer):
    """A dealer who remembers which cards seats have put under the deck."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.buried: list[tuple[str, tuple[str, ...]]] = []

    def learn(self, decision: Decision, text: str) -> None:
        if decision.kind == "under" and decision.to != PUBLIC:
            self.buried.append((decision.to, decision.cards))
        super().learn(decision, text)


class Maker:
    """Settles questions by lines with slots; everything that a maker of turns remembers."""

    def __init__(self, game: Any) -> None:
        self.dealer = Echo()
        self.referee: SlotReferee[Any] = SlotReferee(game, self.dealer)
        self.orders: dict[str, OrderSet] = {}
        self.answers: dict[str, str] = {}

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """See the engine's Settler."""
        orders = self.orders.get(decision.seat)
        text = orders.answer(key, decision, self.referee.table.state) if orders else None
        return (self.answers[key], "line [0]") if text is None and key in self.answers else text

    def entered(self, entry: Entry) -> None:
        """See the engine's Settler."""
        orders = self.orders.get(entry.seat)
        if orders and entry.by != "line [0]":
            orders.entered(entry, self.referee.table.state)


class Lockstep(PlayWithOrders):
    """A game of bots for a referee who sees all cards; `maker` follows without them."""

    def __init__(self, ruleset: Ruleset[Any], players: int, seed: str, way: str, bot: str,
                 options: Mapping[str, str]) -> None:  # fmt: skip
        seats = "abcdefgh"[:players]
        game = ruleset.game(seats, options)
        bots = {seat: make_bot(ruleset, bot, Random(f"{seed}.{seat}")) for seat in seats}
        self.dealer = Dealer(seed.encode())
        super().__init__(game, bots, dict.fromkeys(seats, way), self.dealer)
        self.maker = Maker(game)
        self.cards: dict[str, dict[int, str]] = {seat: {} for seat in seats}
        """The owners' knowledge: the card of each slot, by seat and number."""
        self.count: Counter[str] = Counter()
        self.search, self.luck = CardSearch(game), Random(seed)
        self.followed_length = 0
        """The number of the referee's entries that the maker has followed."""

    def play(self) -> None:
        while True:
            pending = self.referee.advance(self)
            self._follow(pending)
            if not pending:
                return
            self.waves[self.state.round] += 1
            self.answers.clear()
            self.maker.answers.clear()
            for seat in self.game.seats:
                self._ask(seat, {key: q for key, q in pending if q.seat == seat})
            for key, text in self.answers.items():
                seat = key.split(".")[3]
                self.maker.answers[key] = self._own(seat).write(text)

    def _own(self, seat: str) -> OwnSlots:
        return OwnSlots(self.maker.referee.hands, seat, self.cards[seat])

    def send(self, seat: str, texts: Sequence[str]) -> None:
        """Send the lines to both, without those that look at the hand."""
        read = self.game.ruleset.ready_lines.read
        lines = read_lines(texts)
        calls = [read(line.kind, line.text) for line in lines]
        lines = [
            line
            for line, call in zip(lines, calls, strict=True)
            if not call or not call.line.reads_hand
        ]
        lines = [line._replace(number=n) for n, line in enumerate(lines, 1)]
        super().send(seat, [write_line(line) for line in lines])
        state = self.maker.referee.table.state
        orders = self.game.ruleset.orders(
            seat, state.round, self._own(seat).write_lines(lines), state
        )
        self.maker.orders[seat] = SlotOrders(self.maker.referee.hands, orders)

    def _follow(self, pending: Any) -> None:
        """Let the maker go as far as the referee, and compare the logs."""
        new_entries = self.referee.log[self.followed_length :]
        self.followed_length = len(self.referee.log)
        for entry in new_entries:
            if entry.seat == CHANCE:
                self.maker.dealer.text_by_key[entry.key] = mask(entry.text)
                if entry.kind == "deal" and entry.to != PUBLIC:
                    first = len(self.cards[entry.to])
                    self.cards[entry.to] |= dict(enumerate(cards_in(entry.text), first))
        while True:
            questions = self.maker.referee.advance(self.maker)
            if not self.maker.referee.needed_slots:
                break
            self.count["legs"] += 1
            self._search_maker()
            for slot in list(self.maker.referee.needed_slots):
                self.count["opened"] += 1
                self.maker.referee.open(slot, self.cards[slot.seat][slot.number])
        log = [entry.masked_for(PUBLIC) for entry, _ in self.maker.referee.log]
        expected_log = view(self.referee.log, PUBLIC)
        for number, (entry, expected) in enumerate(zip(log, expected_log, strict=False)):
            assert entry == expected, (number, entry, expected)
        assert len(log) == len(expected_log), (
            log[-1:],
            expected_log[len(log) :][:1],
            questions[:1],
        )
        assert [key for key, _ in questions] == [key for key, _ in pending]
        self._search_maker()
        if not self.waves or self.luck.random() < RESUMED_SHARE:
            self._resume()
            self._search_referee(expected_log)

    def _search_maker(self) -> None:
        """The maker remembers no card that neither the log names nor anybody has opened."""
        if self.luck.random() < SEARCHED_SHARE or not self.count["searches"]:
            referee = self.maker.referee
            seen_cards = self.search.names([entry.text for entry, _ in referee.log])
            seen_cards |= set(referee.hands.names.values())
            maker_cards = self.search.names([self.maker])
            assert maker_cards <= seen_cards, f"the maker knows {maker_cards - seen_cards}"
            self.count["searches"] += 1

    def _search_referee(self, public_log: Sequence[Entry]) -> None:
        """The same search finds all hands in the memory of the referee who sees them."""
        hands = {card for hand in self.state.hands.values() for card in hand}
        assert hands <= self.search.names([self.referee])
        self.count["cards in hands that nobody has seen"] += len(
            hands - self.search.names(public_log)
        )

    def _resume(self) -> None:
        """A new maker with the same log knows the same: so nothing was opened too early."""
        referee, echo = self.maker.referee, self.maker.dealer
        again: SlotReferee[Any] = SlotReferee(self.game, echo, referee.log)
        assert again.table.state == referee.table.state
        assert again.hands.names == referee.hands.names
        assert again.hands.held == referee.hands.held
        assert again.hands.slot_at == referee.hands.slot_at
        buried = [
            (entry.to, tuple(self.cards[entry.to][number] for number in slots))
            for entry, slots in referee.log
            if entry.kind == "under" and entry.to != PUBLIC
        ]
        assert buried == self.dealer.buried
        self.count["buried"] += len(buried)
        for seat, cards in self.cards.items():
            held = [cards[number] for number in again.hands.held[seat]]
            assert sorted(held) == self.state.hands[seat]
        self.count["resumed"] += 1
