"""Mode `dealers`: the referee plays a seat, and answers each turn before the others see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.turn_inputs_and_outcome import Outcome
from pbem.judge.turn_maker import Progress
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import MINUTE, Player, advance_in


@dataclass
class SteppedGame(DealersGame):
    """A game whose turns `advance` makes from the folder alone."""

    previewed: list[Turn] = field(default_factory=list)
    """The turns that seat a, which the referee plays, had to answer before they were written."""

    progress: Progress | None = None

    def step(self) -> Outcome:
        """Run `advance` once, and give what it waits for."""
        self.now += MINUTE
        advance = advance_in(self.root, self.now, progress=self.progress)
        outcome = advance.run()
        self.progress = advance.progress
        for name, record in outcome.new_records:
            self.put(name, record)
            self.turns.append(record)
        if outcome.new_records:
            return outcome
        if outcome.awaited_dealers:
            assert self.deal()
        elif outcome.preview:
            self.previewed.append(outcome.preview.content)
            self.order("a", preview=outcome.preview)
        else:
            self.order("b")
        return outcome

    def last_asked(self, seat: str) -> Sequence[str]:
        """The kinds that the last turn asks of the seat."""
        rows = self.turns[-1].content.awaited if self.turns else ()
        return next((row.kinds for row in rows if row.seat == seat), ())

    def order(
        self, seat: str, lines: Sequence[str] = (), revision: int = 1, **preview: Record[Turn]
    ) -> None:
        """The seat sends these orders, or those of its bot; each only once."""
        key = self.seats[seat].key
        player = Player(seat, key, self.read(SeatReader(self.charter, seat, key.seed)), "greedy")
        for record in preview.values():
            self.read_one(player.reader, record)
        orders = player.orders(lines or player.lines(), revision)
        assert orders.id not in self.orders, "advance does not see orders that are in the folder"
        self.send(orders)


@pytest.mark.sample(0)
def test_a_seat_that_the_referee_plays_answers_turns_that_ask_it(tmp_path: Path) -> None:
    """The last turn that it has answered then stops, because seat b changes its mind."""
    game = SteppedGame(tmp_path / "game", plays=("a",), table=bytes([3]) * 16)
    while "play" not in game.last_asked("b"):
        game.step()
    assert [len(record.content.own) for record in game.turns] == [0, 0, 1, 0]
    game.order("b", ["play: done"])
    while game.step().preview is None:
        pass
    game.order("b", revision=2)  # it plays a card that all see
    game.step()
    turn = game.turns[-1].content
    assert (turn.turn, turn.owed, turn.own) == (game.previewed[-1].turn, (0,), ())
    game.table_at()
