"""Two commands at once on one home: what each of them notes there is still there afterwards.

Each command runs in a process of its own: a copy of this one, which starts more quickly than a new
Python does, and so meets the other command more often.
"""

import multiprocessing
import os
import shutil
import tomllib
from collections.abc import Callable
from multiprocessing.synchronize import Barrier, Event
from unittest.mock import patch

import pytest

from pbem.acts.seal_orders import seal_draft
from pbem.drafts.read_order_file import read_draft
from pbem.errors import CliError
from pbem.files.file_errors import FileError
from pbem.files.game_folder import Folder
from pbem.files.record_file_names import Name
from pbem.person.session import Session
from pbem.person.situation import situation_in_view, situation_of
from tests.kit.bot_orders import hand_in
from tests.kit.named_games import advance, answer_as_bot, made, session_of
from tests.kit.people import Person, Round
from tests.kit.processes import PATIENCE

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
FORK = multiprocessing.get_context("fork") if hasattr(os, "fork") else multiprocessing
RACES = [pytest.param(8, id="8 races"), pytest.param(50, id="50 races", marks=pytest.mark.long)]


def at_once(person: Person, *lines: str) -> None:
    """Type these lines at the same moment, each in a process of its own."""
    barrier = FORK.Barrier(len(lines))
    workers = [FORK.Process(target=typed, args=(person, line, barrier)) for line in lines]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * len(lines), lines


def typed(person: Person, line: str, barrier: Barrier) -> None:
    barrier.wait()
    said = person.pbem(line)
    if said.exit:
        print(said)
    raise SystemExit(said.exit)


@pytest.fixture
def rhea(game: Callable[[str], Round]) -> Person:
    """The referee of a game that is going on, where its folder is."""
    rhea = game("middle").person("rhea")
    rhea.place = rhea.shared / "savannah"
    return rhea


def book(person: Person, name: str) -> dict[str, object]:
    (path,) = person.home.glob(f"games/*/{name}")
    return tomllib.loads(path.read_text())


@pytest.mark.sample(0)
@pytest.mark.parametrize("races", RACES)
def test_two_mail_addresses_typed_at_once_are_both_kept(rhea: Person, races: int) -> None:
    for race in range(races):
        addresses = {seat: f"{seat}{race}@example.org" for seat in "ab"}
        at_once(rhea, *(f"post address {seat} {to}" for seat, to in addresses.items()))
        assert book(rhea, "people.toml")["addresses"] == addresses, f"race {race}"
    listed = rhea.pbem("post address").out
    assert all(address in listed for address in addresses.values())


@pytest.mark.sample(0)
@pytest.mark.parametrize("races", RACES)
def test_two_bundles_written_at_once_are_both_remembered(rhea: Person, races: int) -> None:
    for race in range(races):
        for path in rhea.home.glob("games/*/mail.toml"):
            path.unlink()
        at_once(rhea, *(f"send --to {seat} -o ../for-{seat}-{race}.pbem" for seat in "ab"))
        assert book(rhea, "mail.toml")["sent"].keys() == {"a", "b"}, f"race {race}"
    for seat in "ab":
        said = rhea.pbem(f"send --to {seat} --new")
        assert "everything" in said.err, said


# ---------------------------------------------------------------- listed before a turn came
def session_before_last_turn(table: Round, name: str, seat: str = "") -> Session:
    """A person's session that listed the folder just before the last turn came."""
    last_turn = max((table.shared / "savannah/turns").iterdir())
    last_turn.rename(table.shared / "not yet here")
    session = session_of(table.person(name), seat)
    session.game_folder.stray_files  # noqa: B018
    (table.shared / "not yet here").rename(last_turn)
    return session


def test_a_turn_that_another_command_has_read_since_the_folder_was_listed_is_read(
    game: Callable[[str], Round],
) -> None:
    """A page asks for news while another request of the same person reads a turn that has just
    come: nobody is told that turns are missing."""
    table = game("middle")
    session = session_before_last_turn(table, "bo", "b")
    listed_turn = session.listing.reached
    table.person("bo").pbem("show -C savannah").checked(0)
    assert session.view().turn == listed_turn + 1


def test_turn_1_that_another_command_has_read_since_the_folder_was_listed_is_read(
    game: Callable[[str], Round],
) -> None:
    table = game("begun")
    sessions = [session_before_last_turn(table, "bo", "b") for _ in range(2)]
    table.person("bo").pbem("show -C savannah").checked(0)
    assert sessions[0].view().turn == 1
    assert situation_of(sessions[1]).stage == "playing"


def test_a_turn_whose_file_has_become_whole_since_the_folder_was_listed_is_read(
    game: Callable[[str], Round],
) -> None:
    table = game("middle")
    table.person("bo").pbem("show -C savannah").checked(0)
    last_turn = max((table.shared / "savannah/turns").iterdir())
    whole_file = last_turn.read_bytes()
    last_turn.write_bytes(whole_file[:100])
    session = session_of(table.person("bo"), "b")
    assert len(session.game_folder.stray_files) == 1
    last_turn.write_bytes(whole_file)
    assert session.view().turn == int(last_turn.stem)


@pytest.mark.parametrize("missing_turns", [1, 2])
def test_the_referees_page_knows_a_turn_that_was_made_since_it_listed_the_folder(
    game: Callable[[str], Round], missing_turns: int
) -> None:
    """A page lists the folder; then another command of the referee makes turns. The page says what
    `advance` would do after them, and not that a turn of this computer is missing."""
    table = game("middle")
    turns = sorted((table.shared / "savannah/turns").iterdir())[-missing_turns:]
    for turn in turns:
        turn.rename(table.shared / turn.name)
    sessions = [session_of(table.person("rhea")) for _ in range(2)]
    listed_turns = {session.listing.reached for session in sessions}
    for turn in turns:
        (table.shared / turn.name).rename(turn)
    last_turn = int(turns[-1].stem)
    assert listed_turns == {last_turn - missing_turns}
    outcome = sessions[0].refereeing.outlook
    assert outcome.turn
    assert outcome.turn.turn == last_turn
    assert sessions[1].view().turn == last_turn


def test_a_turn_of_the_referees_other_computer_that_came_since_the_folder_was_listed_counts(
    game: Callable[[str], Round],
) -> None:
    """One command of the referee has listed the folder, another reads a turn that has just come:
    the first is not told that turns are missing."""
    table = game("middle")
    rhea = table.person("rhea")
    other_home = shutil.copytree(rhea.home, table.root / "home/other")
    answer_as_bots(table)
    advance(table)
    rhea.home = other_home
    session = session_before_last_turn(table, "rhea")
    listed_turn = session.listing.reached
    rhea.pbem("show -C savannah").checked(0)
    outcome = session.refereeing.outlook
    assert outcome.turn
    assert outcome.turn.turn == listed_turn + 1


def test_a_referee_who_plays_sees_a_turn_that_was_made_since_the_folder_was_listed(
    game: Callable[[str], Round],
) -> None:
    table = game("plays")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah").checked(5)
    hand_in(rhea)
    rhea.pbem("advance -C savannah").checked(0)
    sessions = [session_before_last_turn(table, "rhea", "a") for _ in range(3)]
    assert sessions[0].view().turn == 1
    assert situation_of(sessions[1]).stage == "playing"
    assert sessions[2].readers.seat_now("a").chain.turn == 1


def test_a_waiting_turn_follows_a_turn_that_was_made_since_the_folder_was_listed(
    table: Round,
) -> None:
    """The command that made the turn has not noted yet that it saw the turn."""
    made(table, "--players Rhea --referee-plays --bots greedy:1")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah").checked(5)
    hand_in(rhea)
    rhea.pbem("advance -C savannah").checked(0)
    session = session_before_last_turn(table, "rhea", "a")
    (noted_heads,) = rhea.home.glob("games/*/heads.toml")
    noted_heads.unlink()
    assert session.readers.seat_now("a").chain.turn == 2


def test_a_waiting_turn_of_an_older_outlook_is_made_anew(table: Round) -> None:
    """A referee who plays looks at the game; then another command makes turns, and a third one has
    read them before the first goes on."""
    made(table, "--players Rhea --referee-plays --bots greedy:1")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah").checked(5)
    session = session_of(rhea, "a")
    old_turn = session.view().turn
    hand_in(rhea)
    rhea.pbem("advance -C savannah").checked(0)
    assert session.refereeing.outlook.preview
    assert session.readers.seat_now("a").chain.turn > old_turn


def test_orders_are_not_sealed_for_a_turn_that_came_after_they_were_checked(
    game: Callable[[str], Round],
) -> None:
    """A question about the end of a list stands between the check and the seal."""
    table = game("middle")
    session = session_of(table.person("bo"), "b")
    view = session.view()
    answer_as_bots(table)
    advance(table)
    table.person("bo").pbem("show -C savannah").checked(0)
    files = {*(table.shared / "savannah/orders").iterdir()}
    with pytest.raises(CliError, match="turn 15 has just arrived, so nothing was sealed"):
        seal_draft(session, view, read_draft("", view))
    assert {*(table.shared / "savannah/orders").iterdir()} == files


def test_a_missing_turn_is_reported_although_the_home_can_have_no_lock(
    game: Callable[[str], Round],
) -> None:
    table = game("middle")
    answer_as_bots(table)
    advance(table)
    (lock_file,) = table.person("rhea").home.glob("games/*/publish.lock")
    lock_file.unlink()
    lock_file.mkdir()
    max((table.shared / "savannah/turns").iterdir()).unlink()
    with pytest.raises(FileError, match="is missing here, and this computer made it"):
        session_of(table.person("rhea")).view()


def test_a_situation_is_about_the_turn_of_its_view_although_another_turn_has_been_made(
    game: Callable[[str], Round],
) -> None:
    table = game("middle")
    seats = answer_as_bots(table)
    session = session_of(table.person("rhea"))
    view = session.view()
    advance(table)
    situation = situation_in_view(session, view)
    assert (situation.sealed_seats, situation.next_turn) == (seats, "possible")


def test_a_turn_that_a_command_is_just_writing_is_not_missing(game: Callable[[str], Round]) -> None:
    """The home notes the turn first. A page that looks before the file is there shows the turn
    before."""
    table = game("middle")
    answer_as_bots(table)
    has_noted, may_write = FORK.Event(), FORK.Event()
    worker = FORK.Process(target=advance_slowly, args=(table, has_noted, may_write))
    worker.start()
    assert has_noted.wait(PATIENCE)
    session = session_of(table.person("rhea"))
    listed_turn = session.listing.reached
    assert session.view().turn == listed_turn
    assert session.refereeing.outlook.new_records
    may_write.set()
    worker.join()
    assert worker.exitcode == 0
    session.refresh()
    assert session.view().turn == listed_turn + 1


def answer_as_bots(table: Round) -> set[str]:
    """Everybody who is asked answers; their seats."""
    names = {"a": "ann", "b": "bo"}
    return {x for x, name in names.items() if answer_as_bot(session_of(table.person(name), x), x)}


def advance_slowly(table: Round, has_noted: Event, may_write: Event) -> None:
    """Make the next turn, and wait before its file is written."""
    create = Folder.create

    def create_late(folder: Folder, record: Name | str, data: bytes) -> bool:
        has_noted.set()
        assert may_write.wait(PATIENCE)
        return create(folder, record, data)

    with patch.object(Folder, "create", create_late):
        advance(table)
