"""Mode `dealers`: a referee who says answers that nobody gave gets no card opened for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from engine.sentences.slots_in_sentences import hidden_slots, open_slots
from pbem.format.record_error import RecordError
from pbem.judge.public_turn_reader import PublicReader
from pbem.records.deal_record import NeededSlot
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


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("text", "by", "slots"),
    [
        ("food #1; #0: a1 body; #3: a1 body; #2: a1 body; done", "line [?]", (0, 1, 2, 3)),
        ("food #1; done", "always [?]", (1,)),
        ("food #0; #1: new board; #2 on a2; #3: a2 population; done", "default", (0, 1, 2, 3)),
    ],
)
def test_an_announced_answer_that_the_seat_did_not_give_gets_no_card_opened(
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


SaidChange = Callable[[str, str, DealersGame], str]
"""Returns what a referee says in place of an answer of a seat."""


def other_slot(text: str, seat: str, game: DealersGame) -> str:
    """Another card of the hand goes into the first bracket."""
    hidden, spare = hidden_slots(text), [*game.made.table.hands.held[seat]]  # type: ignore[attr-defined]
    number = next((n for n in spare if f"#{n}" not in text), None)
    return text if number is None or not hidden else text.replace(f"[#{hidden[0]}]", f"[#{number}]")


def steps_turned_round(text: str, *_: object) -> str:
    *steps, last_step = text.split("; ")
    return "; ".join([*steps[::-1], last_step])


def without_a_step(text: str, *_: object) -> str:
    *steps, last_step = text.split("; ")
    return "; ".join([*steps[:1], last_step])


@dataclass
class Rewriting(DealersGame):
    """The referee changes what one seat says, as soon as it can."""

    rewrite: SaidChange = other_slot
    rewritten_turn: int = 0

    def change(self, turn: Turn) -> Turn:
        for answer in turn.said if not self.rewritten_turn else ():
            seat = answer.key.split(".")[3]
            text = self.rewrite(answer.text, seat, self)
            numbers = {*open_slots(text)}
            need = tuple(row for row in turn.need if row.seat != seat or row.slot in numbers)
            if text != answer.text and numbers <= {*open_slots(answer.text)} and need:
                self.rewritten_turn = turn.turn
                said = [replace(x, text=text) if x is answer else x for x in turn.said]
                dropped = {*answer.text.split("; ")} - {*text.split("; ")}
                is_drop = len(text) < len(answer.text)  # then its line stays closed
                lines = [x for x in turn.lines if not is_drop or x.text[6:] not in dropped]
                return replace(turn, said=tuple(said), need=need, lines=tuple(lines))
        return turn


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("rewrite", "reason", "words"),
    [
        (other_slot, "opening", "the turn shows no order of this player that says"),
        (steps_turned_round, "rule", "you ordered"),
        (without_a_step, "rule", "you ordered"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_announced_answer_that_changes_what_the_lines_say_is_refused(
    tmp_path: Path, rewrite: SaidChange, reason: str, words: str
) -> None:
    game = Rewriting(
        tmp_path / "game", options={"together": "yes"}, players=3, bot="random", rewrite=rewrite
    )
    with pytest.raises(RecordError, match=words) as caught:
        game.play(8)
    assert (game.rewritten_turn, reason) == (len(game.turns), caught.value.reason)
    if reason == "opening":  # and without the key of the seat
        with pytest.raises(RecordError, match=words):
            game.read(PublicReader(game.charter))
