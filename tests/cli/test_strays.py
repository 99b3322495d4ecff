"""Files in the place of the next turn that are no turn: the game goes on, and nothing is lost.

A part of a genuine turn is waited for: to sign another one in its place would convict the referee.
"""

from collections.abc import Callable
from dataclasses import replace
from shutil import copytree, rmtree

import pytest

from pbem.files.game_folder import Folder
from pbem.files.signed_and_seen import Signed, SignedMemory
from pbem.format.signed_file import sign
from pbem.judge.audit import audit
from pbem.judge.evidence_from_own_machine import Witness
from pbem.judge.make_signed_records import invite_to, make_join
from pbem.records.read_and_sign_record import make
from tests.cli.game_folders import HOUR, answer_middle, begin_with_bot, turn_file_path
from tests.kit.named_games import MIDDLE, advance, joined, made, play, session_of, sit
from tests.kit.people import NOW, Round, key_of
from tests.kit.record_files import record_at, resigned

Start = Callable[[str], Round]


def stray_bytes(kind: str, table: Round) -> bytes:
    last = record_at(turn_file_path(table, MIDDLE))
    forged = replace(last.content, turn=MIDDLE + 1)
    return {
        "text": lambda: b"junk\n",
        "of a stranger": lambda: make(forged, key_of("eve")).file,
        "an older turn": lambda: turn_file_path(table, 3).read_bytes(),
        "of another game": lambda: make(replace(forged, game=b"\x07" * 32), key_of("rhea")).file,
        "another kind": lambda: sign("orders", last.signed.body, key_of("eve")).file,
        "changed": lambda: (
            turn_file_path(table, MIDDLE).read_bytes().replace(b"deadline = 0", b"deadline = 1")
        ),
        "1 MB": lambda: b"x" * (1 << 21),
    }[kind]()


KINDS = ("text", "of a stranger", "an older turn", "of another game", "another kind", "changed",
         "1 MB")  # fmt: skip


@pytest.mark.sample(0)
@pytest.mark.parametrize("kind", KINDS)
def test_junk_in_the_place_of_the_next_turn_stops_nobody(game: Start, kind: str) -> None:
    table = game("middle")
    path, data = answer_middle(table), stray_bytes(kind, table)
    path.write_bytes(data)
    name = f"turns/{path.name}"
    for who, line in (("ann", "status"), ("ann", "show"), ("bo", "status"), ("rhea", "doctor")):
        said = table.person(who).pbem(f"{line} -C savannah")
        assert (said.exit == 0) == (line != "doctor"), said.text
        assert line == "show" or name in said.text, said.text
    table.person("eve").pbem("audit savannah").checked(0, out=f"foreign: {name}")
    said = table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert (said.exit, f"made {name}" in said.out) == (0, True), said.text
    assert f"it is now called {name}.aside-1, and its contents are unchanged" in said.err
    assert path.with_name(f"{path.name}.aside-1").read_bytes() == data
    play(table, MIDDLE + 2)
    assert table.person("eve").pbem("audit savannah").exit == 0
    assert (
        "pbem advance has set this file aside" in table.person("bo").pbem("doctor -C savannah").out
    )


@pytest.mark.long
def test_a_link_and_a_folder_in_the_place_of_the_next_turn_are_set_aside(game: Start) -> None:
    table = game("middle")
    path = answer_middle(table)
    path.symlink_to(turn_file_path(table, 3))
    turn_file_path(table, MIDDLE + 2).mkdir()
    assert table.person("ann").pbem("status -C savannah").exit == 0
    assert table.person("rhea").pbem("advance -C savannah").exit == 0
    play(table, MIDDLE + 2)
    assert path.with_name(f"{path.name}.aside-1").is_symlink()
    assert not path.is_symlink()


def test_junk_in_the_place_of_turn_1_does_not_stop_the_beginning(table: Round) -> None:
    joined(table)
    (table.shared / "savannah/turns").mkdir()
    turn_file_path(table, 1).write_bytes(b"junk\n")
    said = table.person("ann").pbem("status -C savannah")
    assert (said.exit, "not begun" in said.out, "turns/0001.toml" in said.err) == (0, 1, 1)
    advance(table)
    assert record_at(turn_file_path(table, 1)).signed.key == key_of("rhea").public


@pytest.mark.sample(0)
@pytest.mark.parametrize("cut", [0, 4, 90, 400, -200, -1, "zeros"])
def test_a_half_synced_turn_is_waited_for(game: Start, cut: int | str) -> None:
    table = game("middle")
    path = answer_middle(table)
    rhea, away = table.person("rhea"), table.root / "homes"
    copytree(rhea.home, away)
    play(table, MIDDLE + 1)
    right = path.read_bytes()
    rmtree(rhea.home), copytree(away, rhea.home)
    part = right[:500] + bytes(len(right) - 500) if cut == "zeros" else right[: int(cut)]
    path.write_bytes(part)
    said = rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert (said.exit, "Let the folder sync" in said.err) == (5, True), said.text
    assert path.read_bytes() == part
    path.write_bytes(right)
    assert rhea.pbem("advance -C savannah").exit in (0, 5)
    assert table.person("eve").pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_a_turn_that_stays_half_synced_is_set_aside_with_go_on(game: Start) -> None:
    table = game("middle")
    path = answer_middle(table)
    path.write_bytes(b"")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah").checked(5, err="pbem advance --go-on sets")
    assert table.person("ann").pbem("status -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah --go-on").exit == 0
    assert table.person("eve").pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_the_referees_machine_writes_its_turn_again_where_junk_took_its_place(game: Start) -> None:
    table = game("middle")
    path = turn_file_path(table, MIDDLE)
    right = path.read_bytes()
    said = ""
    for bad in (b"junk\n", right[:600], right.replace(b"deadline = 0", b"deadline = 1")):
        path.write_bytes(bad)
        said = (
            table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR)).err
        )
        assert path.read_bytes() == right, said
    assert f"turns/{path.name}.aside-3" in said


def test_a_player_who_saw_the_last_turn_is_told_that_it_is_damaged_now(game: Start) -> None:
    table = game("middle")
    assert table.person("ann").pbem("status -C savannah").exit == 0
    path = turn_file_path(table, MIDDLE)
    path.write_bytes(path.read_bytes().replace(b"deadline = 0", b"deadline = 1"))
    said = table.person("ann").pbem("status -C savannah")
    told = f"turns/{path.name}: somebody changed this turn, or Rhea did not sign it; ask another"
    assert (said.exit, told in said.err) == (4, True), said.text
    assert f"this computer saw the game up to turn {MIDDLE} before" in said.err


@pytest.mark.sample(0)
def test_a_referees_other_machine_signs_no_new_turn_in_place_of_a_changed_one(game: Start) -> None:
    """A machine that did not make the last turn cannot know that nobody made the next one."""
    table = game("middle")
    path = answer_middle(table)
    play(table, MIDDLE + 1)
    path.write_bytes(path.read_bytes().replace(b"deadline = 0", b"deadline = 1"))
    rhea = table.person("rhea")
    rmtree(rhea.home / "games")
    said = rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    sentence = "If you made the turn on another computer, copy the file from there"
    assert (said.exit, sentence in " ".join(said.err.split())) == (5, True), said.text


def test_a_second_version_of_a_turn_is_proof_even_under_a_later_turns_name(game: Start) -> None:
    """Signed by the referee for a place that is taken: the audit finds it wherever it lies, also
    where something else is broken."""
    table = game("middle")
    record = record_at(turn_file_path(table, 5))
    other = resigned(record, key_of("rhea"), time=record.content.time + 5)
    turn_file_path(table, 9000).write_bytes(other.file)
    seen = table.person("eve").pbem("audit savannah")
    told = "signed two different versions of turn 5"
    assert (seen.exit, told in seen.out) == (3, True), seen.out
    broken = turn_file_path(table, 7)
    broken.write_bytes(broken.read_bytes().replace(b"deadline = 0", b"deadline = 1"))
    assert told in table.person("eve").pbem("audit savannah").out


def test_hundreds_of_stray_turns_are_told_in_a_few_lines(game: Start) -> None:
    table = game("middle")
    for number in range(MIDDLE + 1, MIDDLE + 400):
        turn_file_path(table, number).write_bytes(b"junk\n")
    said = table.person("ann").pbem("status -C savannah")
    said.checked(0, err="more files have the name of a later turn")
    assert len(said.err.splitlines()) < 12


@pytest.mark.sample(0)
def test_lost_orders_and_joins_of_the_referees_own_seats_are_written_again(table: Round) -> None:
    """Somebody deletes them, or damages them: the joins follow from the key, the home has the
    orders."""
    begin_with_bot(table)
    folder, rhea = table.shared / "savannah", table.person("rhea")
    paths = [*folder.glob("seats/[ac]-*"), *folder.glob("orders/*-[ac]-*")]
    right = {path: path.read_bytes() for path in paths}
    assert len(right) == 4
    for damage in (None, b"junk\n"):
        for path in paths:
            path.unlink() if damage is None else path.write_bytes(damage)
        said = rhea.pbem("advance -C savannah")
        assert said.exit in (0, 5), said.text
        assert {path: path.read_bytes() for path in paths} == right
        assert said.err.count("which belongs to a seat that you play") == 4
    assert table.person("eve").pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_a_referees_new_machine_says_which_orders_it_cannot_make_again(table: Round) -> None:
    begin_with_bot(table)
    folder, rhea = table.shared / "savannah", table.person("rhea")
    (own,) = folder.glob("orders/0001-a-*")
    (join,) = folder.glob("seats/a-*")
    own.unlink(), join.unlink()
    rmtree(rhea.home / "games")
    said = rhea.pbem("advance -C savannah").checked(5)
    assert join.exists()
    told = "this file with your own orders for turn 1 is missing, and the next turn needs it"
    assert f"orders/0001-*-{own.stem[-6:]}.toml: {told}" in said.err
    assert "on the computer that made the file" in said.err


def test_a_damaged_join_of_the_referees_own_seat_does_not_stop_the_beginning(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee-plays")
    (join,) = (table.shared / "savannah/seats").iterdir()
    right = join.read_bytes()
    join.write_bytes(b"junk\n")
    sit(table, "b")
    table.person("rhea").pbem("advance -C savannah").checked(5, err="seal your own orders first")
    assert join.read_bytes() == right


@pytest.mark.sample(0)
def test_junk_that_comes_between_signing_and_writing_a_turn_loses_no_turn(game, monkeypatch):
    """The turn was noted as signed; the next run writes the same bytes."""
    table = game("middle")
    path, rhea, sign_it = answer_middle(table), table.person("rhea"), SignedMemory.sign

    def sign_late(memory: SignedMemory, new: Signed) -> None:
        sign_it(memory, new)
        path.write_bytes(b"late\n")

    monkeypatch.setattr(SignedMemory, "sign", sign_late)
    assert rhea.pbem("advance -C savannah").exit == 3
    monkeypatch.undo()
    rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    (signed,) = rhea.home.glob("games/*/signed")
    assert signed.read_bytes().endswith(path.read_bytes())
    assert path.read_bytes() != b"late\n"


@pytest.mark.sample(0)
def test_a_second_version_of_a_turn_is_proof_even_when_set_aside(game: Start) -> None:
    table = game("middle")
    record = record_at(turn_file_path(table, 5))
    other = resigned(record, key_of("rhea"), time=record.content.time + 5)
    path = answer_middle(table)
    path.write_bytes(other.file)
    said = table.person("rhea").pbem("advance -C savannah")
    said.checked(0, err="had the name of a turn of this game")
    table.person("eve").pbem("audit savannah").checked(3, out=f"turns/{path.name}.aside-1")


def test_who_joined_two_seats_with_one_key_is_told_nothing_against_the_referee(table):
    made(table, "--players Ann,Bo,Cy --referee Rhea")
    sit(table, "a"), sit(table, "b")
    rhea = session_of(table.person("rhea"))
    code = invite_to(rhea.game_folder.charter, rhea.refereeing.key(), "c").code
    join = make_join(rhea.game_folder.charter, "c", "Cy", key_of("bo"), code)
    digits = join.id.hex()[:6]
    (table.shared / f"savannah/seats/c-{digits}.toml").write_bytes(join.file)
    late = str(NOW + HOUR)
    table.person("rhea").pbem("advance -C savannah --start", SOURCE_DATE_EPOCH=late).checked(0)
    witness = Witness("c", key_of("bo").seed, {join.id.hex(): NOW}, sits=False)
    report = audit(Folder(table.shared / "savannah"), witness=witness)
    (finding,) = report.findings
    assert (report.exit, finding.grade, finding.culprit) == (0, "stray", "")
    assert "has a key of seat b, so it cannot count" in finding.sentence
    told = table.person("bo").pbem("status -C savannah").out
    assert "your key has seat b already, and a key can have only one seat" in told
