"""A seat gets a new player: those who play on by mail get the new player's join too."""

import shutil

import pytest

from tests.kit.people import NOW, Person, Round, stdout_of
from tests.kit.timed_games import begin_three, play_on, status_data, take_over


@pytest.mark.sample(0)
def test_who_plays_by_mail_gets_the_join_of_a_new_player(table: Round) -> None:
    """Bo was away while Cy left, Flo took over and played on: one mail tells all of it."""
    rhea, bo = begin_three(table), table.person("bo")
    play_on(table, "abc", turns=2)
    far = bo.home.parent / "far"
    shutil.copytree(table.shared / "savannah", far / "savannah")
    assert table.person("cy").pbem("notice leave -C savannah --yes").exit == 0
    hours = 3600
    play_on(table, "a", turns=1, now=NOW + 30 * hours)
    take_over(table, "flo", "c")
    play_on(table, "a", turns=1, now=NOW + 60 * hours)
    play_on(table, "a", turns=2, now=NOW + 90 * hours, others={"c": "flo"})
    text = rhea.pbem("send -C savannah --to b --paste").out
    away = Person("bo", bo.home, far, far)
    (far / "mail.pbem").write_text(text)
    got = stdout_of(away, "receive mail.pbem -C savannah")
    assert "1 join" in got
    assert status_data(away)["seats"]["c"]["name"] == "Flo"
    assert away.pbem("audit savannah").exit == 0


def test_a_join_of_a_new_player_that_is_not_here_is_said(table: Round) -> None:
    """It may still be on its way through the synced folder: that is nobody's fault."""
    rhea = begin_three(table)
    assert table.person("cy").pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ab", turns=1)
    before = set((table.shared / "savannah" / "seats").iterdir())
    take_over(table, "flo", "c")
    play_on(table, "ab", turns=1)
    (join,) = set((table.shared / "savannah" / "seats").iterdir()) - before
    join.unlink()
    told = f"the join {join.stem[-6:]} of seat c is missing from this folder: let the folder sync"
    ann = table.person("ann")
    lines = ["status -C savannah", "audit savannah", "send -C savannah --to b --paste"]
    for said in [*(ann.pbem(line) for line in lines), rhea.pbem("advance -C savannah")]:
        assert said.exit == 5, said.text
        assert told in said.text
        assert "by referee" not in said.text
