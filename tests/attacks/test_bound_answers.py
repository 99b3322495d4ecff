"""Mode `dealers`: nobody takes an answer back once the names of its cards are known.

With a co-dealer's deal, the referee reads the cards that a wave shows before everybody else. A seat
that is its friend could then change its keys or leave, so that its orders lapse.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.judge.notice_kinds import Concede
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.seat_turn_reader import SeatReader
from pbem.records.turn import Turn
from tests.kit.dealers_games import DealersGame
from tests.kit.refusals import refused_for

Answers = list[tuple[str, str, str]]
"""Of some log entries: key, text and source."""


def wave_of(turn: Turn) -> Answers:
    """The answers of the first questions, which were asked at the same time."""
    return [(entry.key, entry.text, entry.by) for entry in turn.log if ".play.play." in entry.key]


def game_before_names(root: Path) -> DealersGame:
    """A game of three, played to names."""
    return play_to_names(DealersGame(root, options={"together": "yes"}, players=3))


def play_to_names(game: DealersGame) -> DealersGame:
    """The game, whose last turn says what each seat plays, by cards without names."""
    while not game.turns or not game.turns[-1].content.said:
        game.play(1)
    assert [answer.by for answer in game.turns[-1].content.said] == ["line [?]"] * 3
    return game


@pytest.fixture(scope="module")
def honest_answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What the log says of the wave if nobody interferes."""
    record = game_before_names(tmp_path_factory.mktemp("honest") / "game").turn()
    assert record is not None
    return wave_of(record.content)


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("leaves", "is_paused"), [(False, True), (True, False)], ids=["new-keys", "concedes"]
)
def test_an_announced_answer_stays_when_the_orders_behind_it_lapse(
    tmp_path: Path, honest_answers: Answers, is_paused: bool, leaves: bool
) -> None:
    game = game_before_names(tmp_path / "game")
    key = game.seats["b"].key
    if leaves:
        game.say("b", Concede())
    else:
        key = game.rekey("b", "Bo's new computer")
    first_turn = len(game.turns) + 1
    game.is_paused = is_paused
    record = game.turn()
    if is_paused:
        game.is_paused = False
        record = game.turn()
    assert record is not None
    assert wave_of(record.content) == honest_answers
    game.read(PublicReader(game.charter))
    game.read(SeatReader(game.charter, "b", key.seed, 1 if leaves else first_turn))
    game.read(game.reader_at("a", 0))
    for _ in range(2):  # and the seat's other lines settle nothing more
        record = game.turn()
        if record is None:
            break
        assert not any(
            x.key.split(".")[3] == "b" and x.by.startswith("line") for x in record.content.log
        )
    game.read(PublicReader(game.charter))


class Withdrawing(DealersGame):
    """The referee gives seat b its default, because its orders have lapsed."""

    def change(self, turn: Turn) -> Turn:
        if not turn.opened:
            return turn
        log = [
            replace(x, text="done", by="default", slots=()) if x.key == "1.play.play.b.0" else x
            for x in turn.log
        ]
        return replace(turn, log=tuple(log))


@pytest.mark.sample(0)
def test_a_turn_that_takes_an_announced_answer_back_is_refused(tmp_path: Path) -> None:
    game = play_to_names(Withdrawing(tmp_path / "game", options={"together": "yes"}, players=3))
    game.rekey("b", "Bo's new computer")
    game.turn()
    with refused_for("rule", "but no turn has said that seat b is away"):
        game.read(PublicReader(game.charter))
