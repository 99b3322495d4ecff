"""Whole rounds said at once, in words: everybody can check what the words chose."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.bots import make_bot
from games.registry import OURS, ruleset
from pbem.format.errors import RecordError
from pbem.play.auditing.audit import audit
from pbem.play.making.bot_orders import whole_round
from pbem.records.turn import LogEntry, Turn
from tests.attacks.played import Played, Player


def whole(player: Player) -> list[str]:
    luck = random.Random(f"{player.seat} {player.reader.turn}")
    return whole_round(player.reader, make_bot(player.reader.public.game.ruleset, "greedy", luck))


@pytest.mark.parametrize("name", OURS)
def test_a_game_of_whole_rounds_is_right_for_every_reader_and_the_audit(name, tmp_path):
    players = ruleset(name).players[0]
    game = Played(tmp_path, players=players, ruleset=name, answer=whole).play()
    report = audit(game.folder)
    assert (report.exit, report.findings, report.proven) == (0, [], True)
