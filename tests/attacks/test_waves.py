"""Questions that are asked at the same time: nobody may see another's answer before their own."""

from dataclasses import replace

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.turn_end_checks import turn_table_lines
from pbem.records.turn import Awaited, sort_sets
from tests.kit.played_games import Played
from tests.kit.refusals import refused_for


class SplitWave(Played):
    """A referee who writes the answer of seat a, and asks seat b again, who then knows it."""

    split_turn = 0

    def change(self, turn):
        if self.split_turn or turn.turn < 2:
            return turn
        table = self.table_at().public
        kinds = {decision.seat: decision.kind for _, decision in table.pending[1:]}
        assert (turn.log[0].key, [*kinds]) == (table.pending[0][0], ["b"]), "both are asked at once"
        self.split_turn = turn.turn
        orders = {row.id for row in turn.orders if row.seat == "a"}
        part = replace(
            turn,
            log=turn.log[:1],
            lines=tuple(line for line in turn.lines if line.order in orders),
            table=turn_table_lines(table.game.ruleset.scene(table.state)),
            awaited=tuple(Awaited(seat, (kind,)) for seat, kind in kinds.items()),
        )
        return sort_sets(part)


def test_a_turn_that_shows_one_answer_of_questions_asked_at_once_is_refused(tmp_path):
    game = SplitWave(tmp_path, ruleset="evolution", options={"together": "yes"}, players=2)
    with pytest.raises(RecordError):  # also a player who reads along
        game.play(2)
    assert game.split_turn == 2
    with refused_for("rule", "asked at the same time"):
        game.read(PublicReader(game.charter))
