"""Two commands at once on one home: what each of them notes there is still there afterwards.

Each command runs in a process of its own: a copy of this one, which starts more quickly than a new
Python does, and so meets the other command more often.
"""

import multiprocessing
import os
import tomllib
from collections.abc import Callable
from multiprocessing.synchronize import Barrier

import pytest

from tests.kit.named_games import session_at
from tests.kit.people import Person, Round

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


def test_a_turn_that_another_command_has_read_since_the_folder_was_listed_is_read(
    game: Callable[[str], Round],
) -> None:
    """A page asks for news while another request of the same person reads a turn that has just
    come: nobody is told that turns are missing."""
    table = game("middle")
    bo, folder = table.person("bo"), table.shared / "savannah"
    last_turn = max((folder / "turns").iterdir())
    last_turn.rename(table.shared / "not yet here")
    session = session_at(folder, bo, "b")
    listed_turn = session.listing.reached
    (table.shared / "not yet here").rename(last_turn)
    bo.pbem("show -C savannah").checked(0)
    assert session.view().turn == listed_turn + 1
