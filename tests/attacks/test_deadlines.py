"""Deadlines in a time zone: a referee with other data is no cheat, and a cheat is found."""

from dataclasses import replace

import pytest

from pbem.records import deadline_rules
from pbem.wording.audit_certificate import statement
from tests.attacks.forging import Forged, turn_path
from tests.kit.played_games import HOUR, Played

BERLIN = {"deadline": "every day 20:00 Europe/Berlin, at least 12h"}


class OtherData(Played):
    """A referee whose machine believes that clocks there were changed."""

    def change(self, turn):
        return replace(turn, deadline=turn.deadline + HOUR) if turn.deadline else turn


@pytest.mark.long
def test_a_referee_with_other_time_zone_data_is_accused_of_nothing(tmp_path):
    game = OtherData(tmp_path / "game", policies=BERLIN).play()
    report = Forged(game, tmp_path).audit()
    assert (report.proven, report.exit, report.findings) == (True, 0, [])
    assert report.other_zones == [*range(1, len(game.turns))]
    told = " ".join(statement(report))
    assert (
        "According to this computer's time zone data, 70 deadlines, the first in turn 1, would be"
        in told
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("hours", [-4, 4, 24, -24])
def test_a_deadline_that_no_time_zone_data_gives_is_refused(tmp_path, hours):
    game = Played(tmp_path / "game", policies=BERLIN).play(5)
    forged = Forged(game, tmp_path)
    right = forged.turns[3].content.deadline
    forged.resign(4, deadline=right + hours * HOUR)
    assert "deadline" in forged.all_see("rule", turn_path(4)).sentence


def test_in_utc_a_deadline_that_is_one_second_off_is_refused(tmp_path):
    game = Played(tmp_path / "game", policies={"deadline": "every day 20:00 UTC"}).play(5)
    forged = Forged(game, tmp_path)
    forged.resign(4, deadline=forged.turns[3].content.deadline + 1)
    assert "deadline" in forged.all_see("rule", turn_path(4)).sentence


@pytest.mark.long
def test_an_auditor_without_the_time_zone_accuses_nobody(tmp_path, monkeypatch):
    game = Played(tmp_path / "game", policies=BERLIN).play()
    monkeypatch.setattr(deadline_rules, "zone_of", lambda name: None)
    report = Forged(game, tmp_path).audit()
    assert (report.proven, report.exit) == (True, 0)
    assert len(report.other_zones) == len(game.turns) - 1
