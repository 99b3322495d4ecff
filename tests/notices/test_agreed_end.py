"""The players agree to end the game: with the scores as they are, or as a draw."""

import pytest

from tests.calendar.test_commands import DAY, begin
from tests.cli.games import SEATS
from tests.cli.people import NOW, Round
from tests.notices.table import play_on, status_data, three


def vote(table: Round, seat: str, how: str = "") -> None:
    said = table.person(SEATS[seat]).pbem(f"notice end -C savannah {how}")
    assert said.exit == 0, said.text


@pytest.mark.sample(1)
@pytest.mark.parametrize("how", ["", "--draw"])
def test_when_all_agree_the_game_ends_and_is_proven(table: Round, how: str) -> None:
    rhea = three(table)
    play_on(table, "abc", turns=2)
    for seat in "abc":
        assert rhea.pbem("advance -C savannah").exit == 5
        vote(table, seat, how)
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 0, said.text
    assert status_data(rhea)["over"]
    told = table.person("ann").pbem("status -C savannah").out
    assert ("share the win" in told or "wins" in told) == (not how)
    what = "as a draw" if how else "with the scores as they are"
    assert f"the players agreed to end the game {what}" in told
    said = rhea.pbem("audit savannah")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text
    assert table.person("bo").pbem("notice end -C savannah").exit == 5


def test_all_must_want_the_same_end_and_a_vote_can_be_taken_back(table: Round) -> None:
    rhea = begin(table, "24h")
    vote(table, "a")
    vote(table, "b", "--draw")
    assert rhea.pbem("advance -C savannah").exit == 5
    vote(table, "a", "--no")
    vote(table, "b", "")
    assert rhea.pbem("advance -C savannah").exit == 5
    said = table.person("ann").pbem("notice end -C savannah --no")
    assert said.exit == 2
    assert "the seat has not voted, so there is no vote to take back" in said.err
    play_on(table, "ab", turns=1)
    assert not status_data(rhea)["over"]
    told = rhea.pbem("log -C savannah").out
    assert "Ann wants to play on, and takes back their vote to end the game" in told
    vote(table, "a")
    assert rhea.pbem("advance -C savannah").exit == 0
    assert status_data(rhea)["over"]


def test_nobody_who_is_idle_or_has_conceded_stops_an_agreement(table: Round) -> None:
    three(table, "--idle-after 1")
    assert table.person("cy").pbem("notice concede -C savannah --yes").exit == 0
    rhea, now = table.person("rhea"), NOW
    play_on(table, "a", turns=1, now=(now := now + DAY))
    vote(table, "a")
    said = rhea.pbem(f"advance -C savannah --now {now}")
    assert said.exit == 0, said.text
    data = status_data(rhea)
    assert data["over"]
    told = table.person("ann").pbem("status -C savannah").out
    assert "conceded" in told.split("c Cy:")[1].splitlines()[0]
