"""What a red team found at the front door: false alarms, sentences that are untrue, words of the
referee's that reach further than he meant."""

import json
from collections.abc import Callable
from dataclasses import replace
from shutil import copytree, rmtree
from typing import Any

import pytest

from pbem.judge.make_signed_records import make_join
from pbem.records.game_id_and_chain_heads import next_head
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record, make
from tests.cli.game_folders import answer_middle, begin_with_bot, seal_first_choice, turn_file_path
from tests.kit.named_games import MIDDLE, advance, game_id, invite, made, play, session_of, sit
from tests.kit.people import NOW, Round, Said, key_of
from tests.kit.record_files import record_at, resigned

Start = Callable[[str], Round]
HOUR = 3600


def put_codeless_join(table: Round, who: str, seat: str, name: str = "") -> Record[Join]:
    """A join without the code of the seat's invite, put into the folder."""
    charter = session_of(table.person("rhea")).game_folder.charter
    record = make_join(charter, seat, name or who.capitalize(), key_of(who), b"?" * 16)
    seats = table.shared / "savannah/seats"
    seats.mkdir(exist_ok=True)
    (seats / f"{seat}-{record.id.hex()[:6]}.toml").write_bytes(record.file)
    return record


def test_whoever_joined_one_seat_twice_is_told_nothing_against_the_referee(table: Round) -> None:
    made(table)
    sit(table, "a")
    bo, line = table.person("bo"), invite(table, "b")
    typed = ["join", "-C", "savannah", "--invite", line, "--name"]
    assert bo.pbem([*typed, "Bo"]).exit == 0
    (first,) = (table.shared / "savannah/seats").glob("b-*")
    aside = first.rename(table.root / first.name)  # the other computer does not have it yet
    other = replace(bo, home=table.root / "home/other")
    other.import_key()
    assert other.pbem([*typed, "Bob"]).exit == 0
    aside.rename(first)
    table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR)).checked(0)
    audit = bo.pbem("audit savannah --as b")
    assert (audit.exit, "ask Rhea why" in audit.out) == (0, False), audit.out


def test_a_player_with_a_seat_is_told_that_their_second_join_was_not_taken(table: Round) -> None:
    made(table, "--players Ann,Bo,Cy --referee Rhea")
    sit(table, "a"), sit(table, "b")
    bo = table.person("bo")
    bo.import_key("eve", "second")
    line = invite(table, "c")
    words = ["join", "-C", "savannah", "--invite", line, "--profile", "second"]
    assert bo.pbem(words).exit == 0
    (path,) = (table.shared / "savannah/seats").glob("c-*")
    rhea = table.person("rhea")
    assert rhea.pbem(f"advance -C savannah --start --refuse {path.stem[2:]}").exit == 0
    said = bo.pbem("status -C savannah")
    assert f"your join for seat c ({path.stem[2:]}) was not accepted" in said.out, said.text


def test_a_seat_taken_by_word_and_by_invite_is_not_called_taken_with_two_invites(table):
    made(table)
    sit(table, "a")
    stranger = put_codeless_join(table, "eve", "b")
    sit(table, "b")
    said = table.person("rhea").pbem(f"advance -C savannah --accept {stranger.id.hex()[:6]}")
    assert said.exit == 5
    assert "Each was made with the invite of the seat, or accepted by your --accept" in said.err


def test_accepting_or_refusing_a_join_decides_about_that_join_alone(table: Round) -> None:
    """Six digits of an id are quickly made again: more of them are remembered."""
    made(table)
    sit(table, "a")
    stranger = put_codeless_join(table, "eve", "b")
    rhea = table.person("rhea")
    sit(table, "b")
    assert rhea.pbem(f"advance -C savannah --accept {stranger.id.hex()[:6]}").exit == 5
    (settings,) = rhea.home.glob(f"games/{game_id(table)}/settings.toml")
    assert f"+{stranger.id.hex()[:16]}" in settings.read_text("utf-8")
    said = rhea.pbem("advance -C savannah --refuse 000000")
    assert (said.exit, "no join in seats/ begins with 000000" in said.err) == (2, True), said.text
    assert rhea.pbem(f"advance -C savannah --refuse {stranger.id.hex()[:6]}").exit == 0
    assert table.person("bo").pbem("status -C savannah").exit == 0


def test_without_deadlines_an_old_date_of_a_turn_is_not_remarked_upon(table):
    made(table)
    sit(table, "a"), sit(table, "b")
    advance(table)
    bo = table.person("bo")
    (seen,) = bo.home.glob("games/*/sightings.toml")
    seen.write_text(f"looked = {NOW + 2 * HOUR}\nodd = []\nturn = 0\n", "ascii")
    said = bo.pbem("status -C savannah", SOURCE_DATE_EPOCH=str(NOW + 3 * HOUR))
    assert "dated" not in said.out
    audit = bo.pbem("audit savannah --as b")
    assert (audit.exit, "dated" in audit.out) == (0, False), audit.out


def test_a_clock_that_was_ahead_and_is_right_again_blames_nobody(table: Round) -> None:
    made(table, "--players Ann,Bo --referee Rhea --deadline 24h")
    sit(table, "a")
    bo, line = table.person("bo"), invite(table, "b")
    wrong = str(NOW + 9000 * HOUR)
    words = ["join", "-C", "savannah", "--invite", line]
    assert bo.pbem(words, SOURCE_DATE_EPOCH=wrong).exit == 0
    advance(table)
    said = bo.pbem("status -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert "dated" not in said.out, said.out


def test_damaged_notes_in_a_home_never_crash_a_command(table: Round) -> None:
    made(table, "--players Ann,Bo --referee Rhea --deadline 24h")
    sit(table, "a"), sit(table, "b")
    advance(table)
    bo = table.person("bo")
    (seen,) = bo.home.glob("games/*/sightings.toml")
    right = seen.read_bytes()
    for bad in ('turn = "x"', "odd = 5", 'odd = ["1,2"]', "odd = [3]", "looked = 1979-05-27"):
        seen.write_text(bad + "\n", "ascii")
        for line in ("status -C savannah", "audit savannah --as b"):
            assert bo.pbem(line).exit != 70, bad
        seen.write_bytes(right)
    (receipts,) = bo.home.glob("games/*/receipts.toml")
    receipts.write_text("sealed = 5\n", "ascii")
    assert bo.pbem("audit savannah --as b").exit == 7


def test_the_referee_is_told_of_a_turn_that_differs_from_the_one_made_here(game: Start) -> None:
    """Two machines of one referee, half synced: the first learns that there are two bodies."""
    table = game("middle")
    newest = max((table.shared / "savannah/turns").iterdir())
    record = record_at(newest)
    other = resigned(record, key_of("rhea"), time=record.content.time + 5)
    newest.write_bytes(other.file)
    said = table.person("rhea").pbem("advance -C savannah")
    ids = f"this computer signed {record.id.hex()[:6]}, but the file contains {other.id.hex()[:6]}"
    assert f"turns/{newest.name} is not the turn that this computer made: {ids}" in said.err


@pytest.mark.sample(0)
def test_orders_that_answer_a_later_turn_stop_a_machine_that_has_not_got_it(game: Start) -> None:
    """A second machine of the referee's made that turn, and the folder is half synced: to make
    another one in its place would convict the referee."""
    table = game("middle")
    rhea, homes = table.person("rhea"), table.root / "homes"
    copytree(rhea.home, homes)
    play(table, MIDDLE + 1)
    newest = answer_middle(table)
    right = newest.read_bytes()
    newest.unlink()
    rmtree(rhea.home), copytree(homes, rhea.home)
    said = rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    said.checked(3, err="If you made that turn on another computer")
    assert not newest.exists()
    newest.write_bytes(right)
    assert rhea.pbem("advance -C savannah").exit in (0, 5)


@pytest.mark.sample(0)
def test_no_turn_is_made_while_orders_that_the_last_turn_names_are_missing(table: Round) -> None:
    """Half synced, or somebody deletes a bot's orders and waits for the deadline: the next turn
    would have to take them, so one without them would be wrong for everybody, for ever."""
    begin_with_bot(table, "--deadline 24h")
    (own,) = (table.shared / "savannah/orders").glob("0001-c-*")
    right = own.read_bytes()
    own.unlink()
    rmtree(next(table.person("rhea").home.glob("games/*/held")))  # another machine sealed them
    rhea, later = table.person("rhea"), str(NOW + 25 * HOUR)
    rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=later).checked(5, err=own.stem[-6:])
    assert not turn_file_path(table, 2).exists()
    own.write_bytes(right)
    rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=later)
    assert table.person("eve").pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_a_playing_referees_orders_count_after_eighteen_later_revisions(table: Round) -> None:
    """Of a seat 16 sets are read, the newest first: those that a turn names are read besides."""
    first = begin_with_bot(table)
    folder = table.shared / "savannah/orders"
    (own,) = folder.glob("0001-a-*")
    record = record_at(own)
    rhea = session_of(table.person("rhea"), "a")
    for n in range(1, 19):
        ahead = replace(
            record.content, turn=2, prev=next_head(record.content.prev, first.id), revision=n
        )
        more = make(ahead, rhea.seat_key("a"))
        (folder / f"0002-a-{n}-{more.id.hex()[:6]}.toml").write_bytes(more.file)
    said = table.person("rhea").pbem("advance -C savannah")
    assert "waiting for: a Rhea (food)" not in said.err, said.text


@pytest.mark.sample(0)
def test_a_final_that_came_before_the_last_turn_is_no_alarm(game: Start) -> None:
    table = game("over")
    newest = max((table.shared / "savannah/turns").iterdir())
    newest.unlink()
    said = table.person("ann").pbem("status -C savannah")
    assert (
        f"final.toml is here, but turn {int(newest.stem)} is not; let the folder sync" in said.out
    )
    assert "phone" not in said.out
    said = table.person("rhea").pbem("advance -C savannah")
    assert (said.exit, f"turns/{newest.name}: is missing" in said.err) == (5, True), said.text


def json_data(said: Said) -> dict[str, Any]:
    return dict(json.loads(said.out)["data"])


def test_json_names_contested_seats_and_doubtful_joins(table: Round) -> None:
    made(table)
    sit(table, "a"), sit(table, "b")
    table.person("eve").pbem(["join", "-C", "savannah", "--invite", invite(table, "b")]).checked(0)
    stranger = put_codeless_join(table, "cy", "a")
    told = json_data(table.person("bo").pbem("status --json -C savannah"))
    joins = told["seats"]["b"]["joins"]
    assert [join["yours"] for join in joins].count(True) == 1
    assert len(joins) == 2
    told = json_data(table.person("rhea").pbem("advance --json -C savannah"))
    assert {join["id"] for join in told["contested"]["b"]} == {join["id"] for join in joins}
    assert [join["id"] for join in told["doubtful"]] == [stranger.id.hex()]
    assert "this join was made without the invite of seat a" in told["doubtful"][0]["why"]


@pytest.mark.sample(0)
def test_json_has_the_warnings_and_notes_that_people_read(game: Start) -> None:
    table = game("middle")
    turn_file_path(table, MIDDLE + 1).write_bytes(b"junk\n")
    ann = table.person("ann")
    (seen,) = ann.home.glob("games/*/sightings.toml")
    said, told = ann.pbem("status -C savannah"), json_data(ann.pbem("status --json -C savannah"))
    assert seen.exists()
    assert told["notes"] == [row for row in said.err.splitlines() if row.startswith("note")]
    assert f"turns/{MIDDLE + 1:04}.toml does not count" in told["notes"][0]
    eve = table.person("eve")
    (warning,) = json_data(eve.pbem("status --json -C savannah"))["warnings"]
    assert warning in eve.pbem("status -C savannah").out
    told = json_data(table.person("rhea").pbem("advance --json -C savannah"))
    assert "does not count" in told["notes"][0]


def test_before_turn_1_an_audit_takes_the_referees_own_orders_for_no_strangers(table):
    made(table, "--players Rhea,Bo --referee-plays")
    sit(table, "b")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    seal_first_choice(rhea)
    said = table.person("eve").pbem("audit savannah")
    assert (said.exit, "foreign" in said.out) == (0, False), said.out
    assert json_data(table.person("eve").pbem("audit savannah --json"))["waiting"] == 1
