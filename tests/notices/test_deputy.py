"""The referee's deputy takes over: handed the game, or after a long silence."""

import shutil

import pytest

from tests.kit.people import NOW, Round, key_of, output_of, stdout_of
from tests.kit.record_files import record_at, resigned
from tests.kit.timed_games import (
    DAY,
    answer_all,
    answer_with_card,
    begin_with_deputy,
    play_on,
    status_data,
)


@pytest.mark.sample(0)
def test_the_deputy_takes_over_after_a_silence(table: Round) -> None:
    flo, rhea = begin_with_deputy(table, "--deputy-after 3d"), table.person("rhea")
    play_on(table, "ab", turns=2)
    said = flo.pbem(f"advance -C savannah --now {NOW + DAY}")
    assert said.exit == 3, said.text
    assert "you are the deputy" in said.err
    told = flo.pbem("status -C savannah").out
    assert "you are the deputy of Rhea; if no turn comes, you can take over after" in told
    early = flo.pbem(f"advance -C savannah --take-over --now {NOW + DAY}")
    assert early.exit == 3
    assert "only if nobody has made a turn by" in early.err
    late = NOW + 5 * DAY
    said = flo.pbem(f"advance -C savannah --take-over --now {late}")
    assert said.exit == 0, said.text
    told = table.person("ann").pbem("log -C savannah").out
    assert "the deputy takes over, because no turn has been made for a long time" in told
    for _ in range(3):
        answer_all(table, "ab")
        said = flo.pbem(f"advance -C savannah --now {late}")
        assert said.exit == 0, said.text
    said = rhea.pbem(f"advance -C savannah --now {late}")
    assert said.exit == 4, said.text
    assert status_data(table.person("ann"))["turn"] == 7
    output_of(rhea, "audit savannah")


@pytest.mark.sample(0)
def test_the_referee_hands_over_and_the_deputy_ends_the_game(table: Round) -> None:
    flo, rhea = begin_with_deputy(table), table.person("rhea")
    assert rhea.pbem("notice hand-over -C savannah --yes").exit == 0
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 3, said.text
    assert "Flo has taken over" in said.err
    answer_with_card(table, "a")
    output_of(flo, "advance -C savannah")
    for name in ("ann", "bo"):
        assert table.person(name).pbem("notice end -C savannah").exit == 0
    output_of(flo, "advance -C savannah")
    said = rhea.pbem("audit savannah")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text
    assert "Nobody can check whether Rhea or Flo, the deputy, told" in said.out
    assert "the referee hands the game over to the deputy" in said.out


def test_a_deputy_who_signs_too_early_stops_nobody(table: Round) -> None:
    flo, rhea = begin_with_deputy(table), table.person("rhea")
    answer_with_card(table, "a")
    answer_with_card(table, "b")
    kept = table.shared / "savannah"
    copy = table.shared / "copy"
    shutil.copytree(kept, copy)
    output_of(flo, f"advance -C copy --take-over --now {NOW + 99 * DAY}")
    turn = record_at(copy / "turns" / "0002.toml")
    early = resigned(turn, key_of("flo"), time=NOW + DAY)
    (kept / "turns" / "0002.toml").write_bytes(early.file)
    shutil.copytree(copy / "notices", kept / "notices")
    assert status_data(table.person("ann"))["turn"] == 1
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 0, said.text
    assert "had the name of a turn of this game, but was not that turn" in said.err
    data = status_data(table.person("ann"))
    assert data["turn"] == 2
    said = stdout_of(rhea, "audit savannah")
    assert "stray: turns/0002.toml.aside-1: the deputy signed this turn 2 (" in said


def test_whoever_is_not_the_deputy_cannot_take_over(table: Round) -> None:
    begin_with_deputy(table)
    for name in ("ann", "eve"):
        said = table.person(name).pbem(f"advance -C savannah --take-over --now {NOW + 99 * DAY}")
        assert said.exit == 4, said.text


def test_a_deputy_is_named_by_a_whole_line(table: Round) -> None:
    rhea = table.person("rhea")
    line = table.person("flo").pbem("keys deputy").out.strip()
    for wrong in (line, "Flo=", f"Flo={line[:-1]}", f"Flo={line[:-1]}A", f"={line}"):
        said = rhea.pbem(["new", "other", "--players", "Ann,Bo", "--deputy", wrong])
        assert said.exit == 2, said.text
        assert "--deputy" in said.err
    typed = ["new", "o", "--players", "Ann,Bo", "--referee-plays", "--deputy", f"Flo={line}"]
    said = rhea.pbem(typed)
    assert said.exit == 2
    assert "this game has a deputy, so the referee cannot have a seat" in said.err
