"""Games in which three people see only their emails."""

from pathlib import Path

import pytest

from tests.kit.mail_seats import links_in, successful, text_of
from tests.kit.people import Round
from tests.kit.selection import before_release
from tests.post.seats.by_mail_alone import RULESETS, Player, begin_by_mail, play_by_mail

SOME = 8
"""As many turns as a change must pass; `make test-long` plays whole games."""


@pytest.fixture
def mail_players(tmp_path: Path) -> dict[str, Player]:
    """The players of a game at turn 1, who have their first email."""
    table = Round(tmp_path)
    people = begin_by_mail(table, "evolution", "1")
    successful(table.person("rhea").pbem("advance -C savannah"))
    for seat in people:
        successful(table.person("rhea").pbem(f"send --to {seat} -C savannah"))
    return people


@pytest.mark.sample(0)
def test_the_person_played_here_takes_no_answer_to_another_for_their_own(mail_players):
    """Before, Bo took the last answer to anybody for his, and a misread was counted."""
    bo, di = mail_players["a"], mail_players["c"]
    for refused in ("1 or 2", "anything but 1", "2 or 3"):
        told = bo.writes(bo.turn_mail(), refused)
        assert told is not None
        assert "NOT COUNTED YET" in text_of(told)
    understood = di.taps(links_in(di.turn_mail())[0])
    assert understood is not None
    assert "UNDERSTOOD" in text_of(understood)
    assert bo.writes(bo.turn_mail(), "not sure, maybe 3") is None
    assert (bo.counts["no answer"], di.counts["no answer"]) == (1, 0)
    understood = bo.writes(bo.turn_mail(), "3")
    assert understood is not None
    assert "UNDERSTOOD" in text_of(understood)


@pytest.mark.sample(0)
def test_the_person_played_here_reads_an_answer_that_comes_again(mail_players: dict[str, Player]):
    """Its file is the earlier one; before, the player took the one in between for it."""
    bo = mail_players["a"]
    asked_back, status, again = (
        bo.writes(bo.turn_mail(), said) for said in ("1 or 2", "status", "1 or 2")
    )
    assert asked_back is not None
    assert status is not None
    assert "STATUS" in text_of(status)
    assert bytes(asked_back) == bytes(again or b"")


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("ruleset", "turns"),
    [("origin", SOME), ("climate", SOME), *before_release((one, 400) for one in RULESETS)],
)
def test_three_people_play_by_mail_alone(ruleset: str, turns: int, tmp_path: Path):
    counts, is_over = play_by_mail(Round(tmp_path), ruleset, turns, seed=ruleset)
    assert is_over == (turns == 400)
    assert counts["sealed"] >= 8
    assert counts["misread"] == 0
