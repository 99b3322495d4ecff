"""A seat gets a new key: from the old one, from the recovery key, or from everybody's word."""

import json
from dataclasses import replace

import pytest

from pbem.judge.notice_kinds import parse_key_line
from tests.kit.named_games import SEATS, invite, made, session_of
from tests.kit.people import NOW, Round, output_of, stdout_of
from tests.kit.timed_games import begin_three, play_on, status_data


@pytest.mark.long
def test_the_old_key_signs_the_new_one_and_counts_no_more(table: Round) -> None:
    rhea, bo = begin_three(table), table.person("bo")
    play_on(table, "abc", turns=3)
    said = bo.pbem("notice key -C savannah")
    assert said.exit == 0, said.text
    assert "BACK UP" in said.out
    thief = table.person("thief")
    thief.import_key("bo", "stolen")
    assert rhea.pbem("advance -C savannah").exit == 0
    assert "Bo has a new key" in rhea.pbem("log -C savannah").out
    assert status_data(bo)["seat"] == "b"
    assert status_data(thief)["seat"] == ""
    for command in ("orders", "submit -", "notice leave --yes"):
        said = thief.pbem(f"{command} -C savannah")
        assert said.exit == 4, said.text
    again = thief.pbem("notice key -C savannah --profile other")
    assert again.exit == 4
    play_on(table, "abc", turns=12)
    with_new_key = (table.shared / "savannah/orders").glob("00[01][04-9]-b-*")
    assert list(with_new_key)
    assert "does not count" not in rhea.pbem("doctor -C savannah").out
    said = stdout_of(rhea, "audit savannah --json")
    assert json.loads(said)["data"]["findings"] == [], "orders with the old key are in order"
    output_of(bo, "audit savannah --as b")


@pytest.mark.sample(0)
def test_a_recovery_key_takes_the_seat_back_from_a_thief(table: Round) -> None:
    made(table, "--players Ann,Bo --referee Rhea --deadline 24h")
    ann, bo, rhea = table.person("ann"), table.person("bo"), table.person("rhea")
    assert ann.pbem(["join", "-C", "savannah", "--invite", invite(table, "a")]).exit == 0
    assert bo.pbem("keys new --profile recovery").exit == 0
    line = ["join", "-C", "savannah", "--recovery", "recovery", "--invite", invite(table, "b")]
    assert bo.pbem(line).exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    thief = table.person("thief")
    thief.import_key("bo", "stolen")
    assert thief.pbem("notice key -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    assert status_data(bo)["seat"] == ""
    output_of(bo, "notice key -C savannah --recovery recovery --profile third")
    assert rhea.pbem("advance -C savannah").exit == 0
    assert (status_data(bo)["seat"], status_data(thief)["seat"]) == ("b", "")
    play_on(table, "ab", turns=2)
    assert rhea.pbem("audit savannah").exit == 0


@pytest.mark.long
def test_everybody_else_vouches_for_a_player_who_lost_the_key(table: Round) -> None:
    rhea = begin_three(table)
    play_on(table, "abc", turns=3)
    lost = table.person("lost")
    said = lost.pbem("notice key -C savannah --lost --as b --json")
    assert said.exit == 0, said.text
    line = json.loads(said.out)["data"]["line"]
    other = line[:-1] + ("Q" if line.endswith("A") else "A")
    wrong = rhea.pbem(["notice", "vouch", "--yes", "-C", "savannah", other])
    assert wrong.exit == 4
    early = rhea.pbem(["notice", "vouch", "--yes", "-C", "savannah", line])
    assert early.exit == 2
    assert "have not confirmed the keys yet: Ann, Cy" in early.err
    for seat in "ac":
        person = table.person(SEATS[seat])
        twice = [
            person.pbem(["notice", "vouch", "--yes", "-C", "savannah", line]) for _ in range(2)
        ]
        assert [said.exit for said in twice] == [0, 0]
        assert "SIGNED here as" in twice[0].out
        assert "SIGNED here already, as" in twice[1].out
        assert "nothing new was signed" in twice[1].out
    assert len(list((table.shared / "savannah/notices").iterdir())) == 2
    output_of(rhea, ["notice", "vouch", "--yes", "-C", "savannah", line])
    assert rhea.pbem("advance -C savannah").exit == 0
    assert status_data(lost)["seat"] == "", "whoever has the old key can still cancel"
    play_on(table, "ac", turns=1, now=NOW + 3 * 86400)
    assert status_data(lost)["seat"] == "b"
    play_on(table, "ac", turns=1, now=NOW + 3 * 86400, others={"b": "lost"})
    assert rhea.pbem("audit savannah").exit == 0


def test_nobody_vouches_before_the_words_of_a_line_were_compared(table: Round) -> None:
    """Whoever carries the line swaps the box key in it, and works out another check."""
    begin_three(table)
    lost, ann = table.person("lost"), table.person("ann")
    made = json.loads(lost.pbem("notice key -C savannah --lost --as b --json").out)["data"]
    shown = lost.pbem("notice key -C savannah --lost --as b").out
    assert (
        f"for the twelve words of the line. Read these words to them:\n  {made['words']}\n" in shown
    )
    ident = session_of(ann).game_folder.game
    swapped = replace(parse_key_line(made["line"], ident), x25519=b"\x50" * 32).line(ident)
    for line in (made["line"], swapped):
        said = ann.pbem(["notice", "vouch", "-C", "savannah", line])
        assert (said.exit, "add --yes if you are sure" in said.err) == (2, True)
        assert "ask Bo, by phone or in person, whether Bo has these words: " in said.err
        assert (made["words"] in said.err) is (line != swapped)
    assert not (table.shared / "savannah/notices").exists()


@pytest.mark.parametrize("missing", ["c", ""])
def test_a_referee_cannot_give_a_seat_away_alone(table: Round, missing: str) -> None:
    rhea = begin_three(table)
    lost = table.person("lost")
    said = lost.pbem("notice key -C savannah --lost --as b --json")
    line = json.loads(said.out)["data"]["line"]
    for seat in "ac":
        if seat != missing:
            person = table.person(SEATS[seat])
            assert person.pbem(["notice", "vouch", "--yes", "-C", "savannah", line]).exit == 0
    said = rhea.pbem(["notice", "vouch", "--yes", "-C", "savannah", line])
    assert said.exit == (2 if missing else 0)
