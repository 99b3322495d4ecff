"""Whole rounds said at once, in words: everybody can check what the words chose."""

from __future__ import annotations

import random

import pytest

from engine import Decision, Entry, OrderSet
from engine.make_and_ask_bots import make_bot
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.format.record_error import RecordError
from pbem.judge.audit import audit
from pbem.judge.bot_order_lines import bot_round_lines, standing_lines
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.reader_and_maker_checkpoints import (
    checkpoint_of,
    checkpoint_of_maker,
    resume_maker,
    resume_reader,
)
from pbem.judge.turn_maker import TurnMaker
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record
from tests.kit.played_games import Played, Player
from tests.kit.selection import long

FEW = ["classroom"]
EACH = [*FEW, *long(name for name in BUILT_IN_GAMES if name not in FEW)]


def whole_round_lines(player: Player) -> list[str]:
    luck = random.Random(f"{player.seat} {player.reader.chain.turn}")
    ruleset = player.reader.public.game.ruleset
    return bot_round_lines(player.reader, make_bot(ruleset, "greedy", luck))


def sparing(player: Player) -> list[str]:
    """A whole round with a line that holds back, and standing orders for feeding."""
    other = "b" if player.seat == "a" else "a"
    lines = [f"feed: never attack {other}", *whole_round_lines(player)]
    return [*lines, "always feed: carnivores first, then the hungriest"]


def lines_with_standing_feeding(player: Player) -> list[str]:
    """As `whole_round_lines`, but feeding is left to a standing order."""
    lines = [line for line in whole_round_lines(player) if not line.startswith("feed")]
    return [*lines, *standing_lines(player.reader.public.game.ruleset)]


class Wrong(OrderSet):
    """Feeds something else than the line says."""

    def answer(self, key: str, decision: Decision, state: object = None) -> tuple[str, str] | None:
        found = super().answer(key, decision, state)
        if found is None or decision.kind != "feed":
            return found
        others = [option for option in decision.option_list() if option != found[0]]
        return (others[-1], found[1]) if others else found


def made_into(kind: type[OrderSet], orders: OrderSet, **changes: object) -> OrderSet:
    """The same orders, which a different class uses."""
    made = kind.__new__(kind)
    vars(made).update(vars(orders), **changes)
    return made


class Unheld(OrderSet):
    """Does not know of lines that hold back, and does not open them."""

    def _seen(self) -> OrderSet:
        lines = [line for line in self.lines if not line.text.startswith("never")]
        return made_into(OrderSet, self, lines=lines)

    def answer(self, key: str, decision: Decision, state: object = None) -> tuple[str, str] | None:
        return self._seen().answer(key, decision, state)

    def ranks(self, entry: Entry, script: bool) -> list[int]:
        if script or not entry.by.startswith("line"):
            return super().ranks(entry, script)
        return super().ranks(entry, script)[:1]


def unfaithful(to: type[OrderSet]) -> type[TurnMaker]:
    class Maker(TurnMaker):
        def _accept(self, record: Record[Orders]) -> None:
            super()._accept(record)
            held = self.in_force[record.content.seat].lines
            self.in_force[record.content.seat].lines = made_into(to, held)

    return Maker


def found_out(game: Played) -> str:
    """What a player says of a cheating referee."""
    with pytest.raises(RecordError) as caught:
        game.play()
    return str(caught.value)


def stranger(game: Played) -> PublicReader:
    return game.table_at()


def test_everybody_finds_that_a_ready_line_was_not_followed(tmp_path):
    game = Played(tmp_path, players=3, answer=whole_round_lines, maker=unfaithful(Wrong))
    assert "the turn shows no order of this player that says" in found_out(game)
    with pytest.raises(RecordError, match="the turn shows no order of this player that says"):
        stranger(game)


def test_only_the_owner_finds_that_a_standing_line_was_not_followed(tmp_path):
    game = Played(tmp_path, players=3, answer=lines_with_standing_feeding, maker=unfaithful(Wrong))
    assert "you ordered" in found_out(game)
    stranger(game)  # has nothing to say before `final`


def test_only_the_owner_finds_that_a_line_that_holds_back_was_left_out(tmp_path):
    game = Played(tmp_path, players=2, bot="greedy", answer=hunting, maker=unfaithful(Unheld))
    assert "you ordered" in found_out(game)
    stranger(game)


def hunting(player: Player) -> list[str]:
    """Lines that would hunt, and one that holds them back."""
    other = "b" if player.seat == "a" else "a"
    mine = [line for line in whole_round_lines(player) if not line.startswith("feed")]
    hunt = ["hunt whatever is allowed, the largest first", "plants first, then prey"]
    return [*mine, f"feed: never attack {other}", *(f"feed: {line}" for line in hunt)]


@pytest.mark.long
@pytest.mark.parametrize("answer", [lines_with_standing_feeding, *long([sparing, hunting])])
def test_a_game_with_standing_lines_and_lines_that_hold_back_is_proven(answer, tmp_path):
    game = Played(tmp_path, players=3, answer=answer).play()
    report = audit(game.folder)
    assert (report.exit, report.findings, report.proven) == (0, [], True)


STOPS = ("attacked", "food at or below 2", "a neighbour lost a species",
         "somebody played more than 2 cards")  # fmt: skip


def stopping_lines(player: Player) -> list[str]:
    """Standing orders for feeding that stop; whatever is asked then is answered alone."""
    asked = {d.kind for _, d in player.reader.own_table.pending if d.seat == player.seat}
    held = player.reader.orders
    if held is not None and held.stopped and "feed" in asked:
        return [*player.lines(), *held_lines(player)]
    return [*lines_with_standing_feeding(player), *(f"always stop: {stop}" for stop in STOPS)]


def held_lines(player: Player) -> list[str]:
    sealed = player.reader.unsealed
    return [text for text in sealed.texts if text.startswith("always")] if sealed else []


class Unstopped(OrderSet):
    """Goes on with standing orders that have stopped."""

    @property
    def stopped(self) -> list[str]:
        return []


@pytest.mark.long
@pytest.mark.parametrize("name", EACH)
def test_standing_orders_stop_at_the_same_moment_for_every_reader(name, tmp_path):
    players = max(3, ruleset(name).players[0])
    game = Played(tmp_path, players=players, ruleset=name, answer=stopping_lines)
    stopped, resumed = set(), 0
    while not game.over:
        record = game.turn()
        assert record is not None
        game.see(record)
        for seat, held in game.made.in_force.items():
            reader = game.seats[seat].reader
            assert reader.orders is not None
            assert reader.orders.stopped == held.lines.stopped
            stopped |= set(held.lines.stopped)
        if game.made.chain.turn % 5 == 3:
            resumed += check_resumed_readers(game)
        if not game.over:
            game.ask()
    game.finish()
    assert len(stopped) >= 2, stopped
    assert resumed
    report = audit(game.folder)
    assert (report.exit, report.findings, report.proven) == (0, [], True)


def check_resumed_readers(game: Played) -> int:
    """The referee and the readers from checkpoints know as much; returns how many had stopped."""
    maker = game.turn_maker()
    last = game.turns[-1].content
    resume_maker(maker, checkpoint_of_maker(game.made), last, game.finder)
    for seat, held in maker.in_force.items():
        assert held.lines.stopped == game.made.in_force[seat].lines.stopped
        assert held.lines.last_line_numbers == game.made.in_force[seat].lines.last_line_numbers
        kept = game.reader_at(seat, 0)
        state = checkpoint_of(game.seats[seat].reader)
        resume_reader(kept, state, last, game.finder)
        assert kept.orders is not None
        assert kept.orders.stopped == held.lines.stopped
    return sum(bool(held.lines.stopped) for held in maker.in_force.values())


def test_only_the_owner_finds_that_standing_orders_did_not_stop(tmp_path):
    game = Played(tmp_path, players=3, answer=stopping_lines, maker=unfaithful(Unstopped))
    assert "none of your orders fits" in found_out(game)
    stranger(game)


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", EACH)
def test_a_game_of_whole_rounds_is_right_for_every_reader_and_proven(name, tmp_path):
    players = ruleset(name).players[0]
    game = Played(tmp_path, players=players, ruleset=name, answer=whole_round_lines).play()
    report = audit(game.folder)
    assert (report.exit, report.findings, report.proven) == (0, [], True)
