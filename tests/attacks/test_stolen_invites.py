"""A thief with a player's invite who takes the player's join away: the machines of the player and
of the referee remember it, and people who phone each other compare twelve words, not digits."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.judge.make_signed_records import make_join
from pbem.records.invite import parse_invite
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record
from pbem.records.twelve_words import words_of
from tests.kit.named_games import invite, made, session_of, sit
from tests.kit.people import Person, Round, key_of
from tests.kit.record_files import record_at, resigned

Start = Callable[[str], Round]
NAMES = "--players Ann,Bo --referee Rhea --deadline 24h"


def join_path(table: Round, seat: str) -> Path:
    (path,) = (table.shared / "savannah/seats").glob(f"{seat}-*.toml")
    return path


def join_record(path: Path) -> Record[Join]:
    return record_at(path)


@pytest.fixture
def half_joined_table(tmp_path: Path) -> Round:
    """Bo has joined, and Ann not yet."""
    table = Round(tmp_path)
    made(table, NAMES)
    sit(table, "b")
    return table


def steal(table: Round) -> Path:
    """Eve has Bo's invite: she deletes his join, and joins in his name."""
    join_path(table, "b").unlink()
    said = table.person("eve").pbem(["join", "-C", "savannah", "--invite", invite(table, "b")])
    assert said.exit == 0, said.text
    return join_path(table, "b")


def bo_says(table: Round, line: str) -> str:
    said = table.person("bo").pbem(f"{line} -C savannah")
    return said.text


def test_a_player_whose_join_was_stolen_is_told_who_joined_instead(
    half_joined_table: Round,
) -> None:
    mine = join_path(half_joined_table, "b")
    words = " ".join(words_of(join_record(mine).id))
    digits, theirs = mine.stem[2:], steal(half_joined_table).stem[2:]
    gone = f"your join for seat b ({digits}) is no longer in the folder. To put the join "
    gone += "back, type pbem join again, with the same invite. Somebody else has joined with your "
    gone += f"invite: Bo ({theirs}); phone Rhea before turn 1 is made"
    for line in ("status", "doctor"):
        assert gone in bo_says(half_joined_table, line), line
    assert words in bo_says(half_joined_table, "status")
    assert "next: pbem join --invite …, with the same invite" in bo_says(
        half_joined_table, "status"
    )
    assert half_joined_table.person("bo").pbem("doctor -C savannah").exit == 1
    file = mine.name
    said = half_joined_table.person("bo").pbem(
        ["join", "-C", "savannah", "--invite", invite(half_joined_table, "b")]
    )
    assert (said.exit, words in said.out) == (0, True), said.text
    assert f"somebody else joined seat b with your invite: Bo ({theirs})" in said.err
    assert (mine.parent / file).exists()
    sit(half_joined_table, "a")
    stopped = half_joined_table.person("rhea").pbem("advance -C savannah")
    assert (stopped.exit, "seat b (Bo) has 2 joins" in stopped.err) == (5, True), stopped
    assert words in stopped.err
    assert "the twelve words of the right join: their `pbem status` shows them" in stopped.err


def test_a_join_that_only_disappeared_is_put_back_with_the_same_bytes(
    half_joined_table: Round,
) -> None:
    """Also if it was signed under another name, and the name is not typed again."""
    ann = half_joined_table.person("ann")
    line = ["join", "-C", "savannah", "--invite", invite(half_joined_table, "a")]
    assert ann.pbem([*line, "--name", "Anna"]).exit == 0
    here = sorted((half_joined_table.shared / "savannah/seats").glob("a-*"))
    assert len(here) == 1
    files = {path: path.read_bytes() for path in here}
    for path in here:
        path.unlink()
    told = ann.pbem("status -C savannah").out
    assert "is no longer in the folder; to put the join back, type pbem join again" in told
    assert ann.pbem(line).exit == 0
    assert [files[path] == path.read_bytes() for path in here if path.exists()] == [True]


@pytest.mark.sample(1)
@pytest.mark.parametrize("line", ["status", "advance", "list"])
def test_the_referees_machine_puts_back_a_vanished_join_that_it_saw(
    half_joined_table: Round, line: str
) -> None:
    """So the thief is not seated: two joins with one invite stop the game until Rhea has asked."""
    mine, rhea = join_path(half_joined_table, "b"), half_joined_table.person("rhea")
    file = mine.read_bytes()
    assert rhea.pbem(line if line == "list" else f"{line} -C savannah").exit in (0, 5)
    theirs = steal(half_joined_table)
    sit(half_joined_table, "a")
    said = rhea.pbem("advance -C savannah")
    assert (said.exit, "seat b (Bo) has 2 joins" in said.err) == (5, True), said.text
    assert f"{mine.name}, the join of Bo, was missing" in said.err
    assert mine.read_bytes() == file
    digits = mine.stem[2:]
    said = rhea.pbem(f"advance -C savannah --accept {digits}")
    assert said.exit == 0, said.text
    assert "Bo (you)" in bo_says(half_joined_table, "status")
    told = half_joined_table.person("eve").pbem("status -C savannah").out
    assert f"your join for seat b ({theirs.stem[2:]}) was not accepted" in told


def test_a_join_that_the_referee_refused_is_not_put_back(half_joined_table: Round) -> None:
    theirs, rhea = steal(half_joined_table), half_joined_table.person("rhea")
    assert rhea.pbem(f"advance -C savannah --refuse {theirs.stem[2:]}").exit == 5
    theirs.unlink()
    sit(half_joined_table, "b")
    sit(half_joined_table, "a")
    assert rhea.pbem("advance -C savannah").exit == 0
    assert not theirs.exists()


def test_a_player_whose_seat_a_thief_got_is_told_so(half_joined_table: Round) -> None:
    """Nobody looked between the theft and turn 1: only Bo's own machine can know."""
    mine = join_path(half_joined_table, "b")
    words = " ".join(words_of(join_record(mine).id))
    steal(half_joined_table)
    sit(half_joined_table, "a")
    assert half_joined_table.person("rhea").pbem("advance -C savannah").exit == 0
    told = f"your join for seat b ({mine.stem[2:]}) was not accepted: a different join, "
    told += "by Bo, has the seat; somebody took the file of your join out of the folder; "
    told += "phone Rhea and ask why; the twelve words of your join are"
    assert f"{told}: {words}" in bo_says(half_joined_table, "status")
    assert told in bo_says(half_joined_table, "doctor")
    assert "import" not in bo_says(half_joined_table, "status")
    assert "nothing is wrong here" not in bo_says(half_joined_table, "doctor")


def test_a_join_forged_to_have_the_same_digits_shows_other_words(half_joined_table: Round) -> None:
    """Eve makes joins until one has the six digits of Bo's, and puts it in the place of his."""
    mine = join_path(half_joined_table, "b")
    bos, folder = join_record(mine), session_of(half_joined_table.person("rhea")).game_folder
    code = parse_invite(invite(half_joined_table, "b")).code
    eves = make_join(folder.charter, "b", "Bo", key_of("eve"), code)
    ground = with_digits(eves, bos.id.hex()[:2])  # two digits, to save the time; the rest is alike
    assert ground.id != bos.id
    assert words_of(ground.id) != words_of(bos.id)
    mine.unlink()
    mine.with_name(f"b-{ground.id.hex()[:6]}.toml").write_bytes(ground.file)
    referee, player = (
        half_joined_table.person(who).pbem("status -C savannah").out for who in ("rhea", "bo")
    )
    assert " ".join(words_of(ground.id)) in referee
    assert " ".join(words_of(bos.id)) in player
    assert " ".join(words_of(ground.id)) not in player


def test_a_file_with_the_name_of_a_join_is_not_taken_for_it(half_joined_table: Round) -> None:
    """The name has only six digits: his machine and the referee's compare the bytes."""
    mine, rhea = join_path(half_joined_table, "b"), half_joined_table.person("rhea")
    file = mine.read_bytes()
    assert rhea.pbem("status -C savannah").exit == 0
    mine.write_bytes(join_by_eve(half_joined_table).file)
    assert "is no longer in the folder" in bo_says(half_joined_table, "status")
    said = rhea.pbem("advance -C savannah")
    assert f"{mine.name}, the join of Bo, was damaged" in said.err
    assert mine.read_bytes() == file


def test_a_file_with_the_digits_of_a_join_makes_nobody_think_of_a_lost_key(
    half_joined_table: Round,
) -> None:
    """Bo's machine knows whole ids: a stranger's file with the digits of one of them is not his."""
    mine = join_path(half_joined_table, "b")
    mine.write_bytes(join_by_eve(half_joined_table).file)
    assert "missing: you played with it" not in bo_says(half_joined_table, "status")


def join_by_eve(table: Round) -> Record[Join]:
    folder = session_of(table.person("rhea")).game_folder
    code = parse_invite(invite(table, "b")).code
    return make_join(folder.charter, "b", "Bo", key_of("eve"), code)


def with_digits(record: Record[Join], digits: str) -> Record[Join]:
    """A join by the same key whose id begins with these digits."""
    for n in range(100_000):
        name = f"Bo{n}"
        tried = resigned(record, key_of("eve"), name=name)
        if tried.id.hex().startswith(digits):
            return tried
    raise AssertionError(digits)


def test_a_spectator_is_not_told_which_joins_vanished(half_joined_table: Round) -> None:
    """Nobody else learns which joins were taken away."""
    steal(half_joined_table)
    cy: Person = half_joined_table.person("cy")
    assert "no longer in the folder" not in cy.pbem("status -C savannah").text
