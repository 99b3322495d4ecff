"""Whole games from decks that two dealers mixed: each card is read from their shares alone.

The same bots then play once more with an ordinary dealer that has the decks in that order: no card
is there twice, none is lost, and the logs are equal.
"""

from random import Random
from typing import Any

import pytest

from engine import CHANCE, DECK, Decision
from engine.dealer import SeedDealer
from engine.make_and_ask_bots import make_bot
from engine.play_bot_game import play_out
from engine.sentences.cards_in_brackets import UNKNOWN
from games.registry import ruleset
from pbem.cards.card_points_and_pairs import Pair
from pbem.records.seeded_decks_and_dice import Position
from tests.cards.dealers import Dealers


class HiddenDealer(SeedDealer):
    """The main deck as pairs, of which it knows no card; dice and other decks from a seed."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.dealers = Dealers(seed)
        self.pile: list[tuple[Position, Pair]] = []
        self.cards: list[str] = []
        self.dealt: list[tuple[str, str, Pair]] = []
        self.orders: list[list[str]] = []
        self.next_k = 0
        self.buried_count = 0

    def read_card(self, position: Position, pair: Pair) -> str:
        """The card, from both dealers' shares, each checked."""
        return str(self.dealers.opened(position, pair, self.cards)["card"])

    def answer(self, key: str, decision: Decision) -> str:
        if decision.kind != "deal" or decision.deck != DECK:
            return super().answer(key, decision)
        (text,) = decision.option_list()
        for position, pair in self.pile[: text.count(UNKNOWN)]:
            text = text.replace(UNKNOWN, self.read_card(position, pair), 1)
        return text

    def learn(self, decision: Decision, text: str) -> None:
        if decision.deck != DECK or decision.kind not in ("deal", "shuffle", "under"):
            return super().learn(decision, text)
        if decision.kind == "shuffle":
            epoch = len(self.orders)
            self.cards = [*{*self.cards, *decision.cards}]
            _, pairs = self.dealers.mixes(DECK, epoch, decision.cards)
            entering = [(Position(DECK, epoch, k), pair) for k, pair in enumerate(pairs)]
            self.orders.append([self.read_card(*one) for one in entering])
            self.pile[:0], self.next_k = entering, len(entering)
        elif decision.kind == "deal":
            for _ in range(decision.option_list()[0].count(UNKNOWN)):
                position, pair = self.pile.pop(0)
                self.dealt.append((decision.to, self.read_card(position, pair), pair))
        else:
            depth = int(text.rsplit(" ", 1)[1])
            self.pile[depth:depth] = map(self.entering_again, decision.cards)
        return None

    def entering_again(self, card: str) -> tuple[Position, Pair]:
        """A dealt card at the next position, with the pair under which it was dealt."""
        index = next(i for i, (_, dealt_card, _) in enumerate(self.dealt) if dealt_card == card)
        _, _, pair = self.dealt.pop(index)
        self.next_k, self.buried_count = self.next_k + 1, self.buried_count + 1
        return Position(DECK, len(self.orders) - 1, self.next_k - 1), pair


class OrderedDealer(SeedDealer):
    """As in mode `referee`: a dealer that has the cards, here in the orders that come out."""

    def __init__(self, seed: bytes, orders: list[list[str]]) -> None:
        super().__init__(seed)
        self.orders = [*orders]

    def learn(self, decision: Decision, text: str) -> None:
        if decision.deck != DECK or decision.kind != "shuffle":
            return super().learn(decision, text)
        order = self.orders.pop(0)
        assert sorted(order) == sorted(decision.cards)
        self._decks.setdefault(DECK, [])[:0] = order
        return None


class Recorder:
    """Another dealer, with a log of what it answered and of what the seats said."""

    def __init__(self, dealer: SeedDealer, log: list[tuple[str, str]]) -> None:
        self.log, self.answer, self.dealer = log, dealer.answer, dealer

    def learn(self, decision: Decision, text: str) -> None:
        self.log.append((CHANCE, text))
        self.dealer.learn(decision, text)

    def watch(self, state: Any, seat: str, text: str) -> None:
        self.log.append((seat, text))


def play_twice(name: str, players: int, number: int, bots: str) -> HiddenDealer:
    """Play one game from hidden decks and once more from open ones; the logs must be equal."""
    rules, seed = ruleset(name), b"%s %d" % (name.encode(), number)
    seats = "abcdefgh"[:players]
    hidden = HiddenDealer(seed)
    logs = []
    for dealer in (hidden, None):
        log = list[tuple[str, str]]()
        made = {seat: make_bot(rules, bots, Random(f"{seed!r} {seat}")) for seat in seats}
        used = Recorder(dealer or OrderedDealer(seed, hidden.orders), log)
        played = play_out(rules.game(seats), made, used, used.watch)
        logs.append((log, rules.result(played.table.state)))
    assert logs[0] == logs[1]
    return hidden


GAMES = [
    (name, players, number, bots)
    for number in range(5)
    for name, players in (
        ("evolution", 4), ("digital", 3), ("climate", 3), ("origin", 4), ("classroom", 5),
    )
    for bots in ("random", "greedy" if name != "classroom" else "silly")
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "number", "bots"), GAMES)
def test_games_from_hidden_decks_have_the_same_log_as_from_open_ones(name, players, number, bots):
    hidden = play_twice(name, players, number, bots)
    assert len(hidden.dealt) >= 20


@pytest.mark.sample(0)
def test_a_small_game_from_a_hidden_deck_has_the_same_log_as_from_an_open_one():
    assert play_twice("classroom", 3, 1, "random").orders


@pytest.mark.long
def test_cards_put_under_a_hidden_deck_are_dealt_again():
    assert sum(play_twice("climate", 3, number, "random").buried_count for number in range(3))
