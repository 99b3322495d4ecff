"""Mode `dealers`: a referee who says answers that nobody gave gets no card opened for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.format.canonical_toml import RecordError
from pbem.records.co_dealer_record import NeededSlot
from pbem.records.turn import SaidAnswer, Turn
from tests.kit.dealers_games import DealersGame


class Inventing(DealersGame):
    """The referee changes what a seat says in the first turn with answers that wait for names."""

    answer_said: SaidAnswer
    slots: tuple[int, ...] = ()
    was_changed = False

    def change(self, turn: Turn) -> Turn:
        if self.was_changed or not any(x.key == self.answer_said.key for x in turn.said):
            return turn
        self.was_changed = True
        seat = self.answer_said.key.split(".")[3]
        said = tuple(self.answer_said if x.key == self.answer_said.key else x for x in turn.said)
        need = {row for row in turn.need if row.seat != seat}
        need |= {NeededSlot(seat, n) for n in self.slots}
        return replace(turn, said=said, need=tuple(sorted(need, key=lambda x: (x.seat, x.slot))))


def invented(root: Path, answer: SaidAnswer, slots: tuple[int, ...], **charter: Any) -> Inventing:
    game = Inventing(root, **charter)
    game.answer_said, game.slots = answer, slots
    return game


@pytest.mark.parametrize(
    ("text", "by", "slots"),
    [
        ("food #1; #0: a1 body; #3: a1 body; #2: a1 body; done", "line [?]", (0, 1, 2, 3)),
        ("food #1; done", "always [?]", (1,)),
        (
            "food #0; #1: new board; #2 on a2; #3: a2 population; done",
            "default",
            (0, 1, 2, 3),
        ),
    ],
)
def test_an_answer_that_a_seat_did_not_give_is_refused(
    tmp_path: Path, text: str, by: str, slots: tuple[int, ...]
) -> None:
    """The co-dealer refuses it too, and so opens none of its slots."""
    answer = SaidAnswer("1.choice.choice.a.0", text, by)
    game = invented(tmp_path / "game", answer, slots, ruleset="classroom", players=3)
    with pytest.raises(RecordError) as caught:
        game.play(6)
    assert game.was_changed
    assert caught.value.reason in ("opening", "rule")
    with pytest.raises(RecordError, match=str(caught.value)[:20]):
        game.deal()
    assert not any(row for deal in game.deals.values() for row in deal.content.opened)
