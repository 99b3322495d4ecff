"""What a machine signed, it remembers: a command that is killed and repeated does its act once,
with the same bytes, and says so."""

import json
from collections.abc import Callable
from itertools import count
from shutil import copytree, rmtree

import pytest

from pbem.records.read_and_sign_record import read
from tests.kit.crashes import KILLED, KILLS, Injector, in_a_copy
from tests.kit.named_games import session_of
from tests.kit.people import NOW, Person, Round, Said, whole_records
from tests.kit.selection import long
from tests.kit.timed_games import begin_three

Start = Callable[[str], Round]
LATER = str(NOW + 60)
"""The second run is a minute later: bytes that depend on the clock would be different ones."""
ACTS = {
    "a message to all": "tell hello there",
    "a message to one": "tell --to a hello",
    "an absence from now on": "notice away ..2023-12-24",
    "a delay": "notice delay 24h",
    "a new key": "notice key",
    "a concession": "notice concede --yes",
    "a vote": "notice end --draw",
    "a deadline": "notice deadline 48h",
    "a line for a lost key": "notice key --lost --as b",
}


def typed_later(person: Person, line: str, later: str = LATER) -> Said:
    return person.pbem(f"{line} -C savannah", SOURCE_DATE_EPOCH=later)


def written_records(table: Round) -> dict[str, bytes]:
    """The notices and messages in the folder."""
    here = whole_records(table.shared / "savannah")
    return {name: file for name, file in here.items() if name.startswith(("notices/", "press/"))}


class Kept:
    """A game that is put back to its start before each kill."""

    def __init__(self, table: Round) -> None:
        self.table, self.kept = table, table.root.with_name(f"{table.root.name}-kept")
        copytree(table.root, self.kept, symlinks=True)

    def fresh(self) -> None:
        for name in ("shared", "home"):
            rmtree(self.table.root / name)
            copytree(self.kept / name, self.table.root / name)


def killed(person: Person, line: str, at_call: int, how: str) -> int:
    """The exit code of a command that is killed at its n-th system call."""

    def act() -> int:
        Injector(at_call, how).arm()
        return person.pbem(f"{line} -C savannah").exit

    return in_a_copy(act)


def kill_everywhere(kept: Kept, line: str, how: str, each: int, new: int) -> int:
    """Kill the command at each call and repeat it: it writes so many records, never more.

    Returns how often the record was there already, or was kept in the home.
    """
    bo, again = kept.table.person("bo"), 0
    for number in count(1, each):
        kept.fresh()
        before = written_records(kept.table)
        code = killed(bo, line, number, how)
        half = written_records(kept.table)
        if code != KILLED:
            assert code == 0
            break
        said = typed_later(bo, line)
        assert said.exit == 0, (number, said.text)
        done = written_records(kept.table)
        assert half.items() <= done.items(), number
        assert len(done) - len(before) == new, (number, said.text)
        again += " already" in said.out or "nothing new" in said.out
    assert number > each  # it was killed at all
    return again


SHORT = ("a message to one", "a delay", "a new key", "an absence from now on")


@pytest.mark.long
@pytest.mark.parametrize("name", [*SHORT, *long([n for n in ACTS if n not in SHORT])])
@pytest.mark.parametrize("how", KILLS)
def test_an_act_that_was_killed_and_repeated_is_done_once(game: Start, name: str, how: str) -> None:
    new = 0 if "--lost" in ACTS[name] else 1
    again = kill_everywhere(Kept(game("timed")), ACTS[name], how, 1, new)
    assert again or not new, "it was always killed before it had signed anything"


@pytest.mark.long
@pytest.mark.parametrize("how", KILLS)
@pytest.mark.parametrize("line", ["tell --again hello", "notice delay 24h --again"])
def test_an_act_that_is_meant_twice_is_done_twice_even_if_killed(
    game: Start, line: str, how: str
) -> None:
    table = game("timed")
    assert typed_later(table.person("bo"), line.replace(" --again", "")).exit == 0
    # before each second call; the last only cleans up after an act that the home says is done
    kill_everywhere(Kept(table), line, how, 2, 1)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ACTS)
def test_the_same_act_repeated_later_writes_the_same_bytes(game: Start, name: str) -> None:
    table = game("timed")
    bo, line = table.person("bo"), ACTS[name]
    assert typed_later(bo, line, str(NOW)).exit == 0
    before = written_records(table)
    said = typed_later(bo, line)
    assert (said.exit, written_records(table)) == (0, before), said.text
    if "key" in line:
        assert "BACK UP" in said.out


@pytest.mark.sample(0)
def test_a_message_or_delay_is_signed_twice_only_with_the_option_again(game: Start) -> None:
    table = game("timed")
    bo = table.person("bo")
    for line, number in (("tell yes", 1), ("tell yes", 1), ("tell --again yes", 2)):
        assert typed_later(bo, line).exit == 0
        assert len(written_records(table)) == number
    for line in ("tell no", "tell yes", "tell --to a yes"):
        assert typed_later(bo, line).exit == 0
    assert len(written_records(table)) == 5
    said = typed_later(bo, "tell --to a yes")
    assert "to write the message again, add --again" in said.out
    for line in ("notice delay 24h", "notice delay 24h", "notice delay --again 24h"):
        said = typed_later(bo, line)
        assert said.exit == 0, said.text
    assert (len(written_records(table)), "off by 24 hours more" in said.out) == (7, True), said.text
    assert table.person("rhea").pbem("advance -C savannah").exit == 0
    told = bo.pbem("log -C savannah").out
    assert told.count("puts the deadline off by 24 hours") == 2


def test_a_statement_may_be_signed_again_after_another_one(game: Start) -> None:
    table = game("timed")
    bo = table.person("bo")
    for line in ("", "--no", ""):
        assert "nothing new" not in typed_later(bo, f"notice end {line}").out
    for line in ("tell --json a", "tell --json b", "tell --json a"):
        assert json.loads(typed_later(bo, line).out)["data"]["again"] is False
    assert json.loads(typed_later(bo, "tell --json a").out)["data"]["again"] is True
    assert json.loads(typed_later(bo, "notice end --json").out)["data"]["again"] is True


@pytest.mark.sample(0)
def test_after_the_next_turn_the_same_words_make_a_new_record(game: Start) -> None:
    table = game("timed")
    bo, rhea = table.person("bo"), table.person("rhea")
    for hours in (48, 24):
        for line in ("notice delay 24h", "tell hello"):
            said = typed_later(bo, line)
            assert (said.exit, "nothing new" in said.out) == (0, False), said.text
        assert rhea.pbem("advance -C savannah").exit == 0
        assert f"by up to {hours} more hours" in bo.pbem("status -C savannah").out
    assert len(written_records(table)) == 4


@pytest.mark.long
@pytest.mark.parametrize("name", ["a delay", "a concession", "a message to one", "a new key"])
def test_a_turn_made_between_kill_and_repetition_does_not_double_the_act(
    table: Round, name: str
) -> None:
    """The record arrived, the command did not say so, and the referee's machine was quicker."""
    begin_three(table, "--delays '3 days'")
    bo, kept = table.person("bo"), Kept(table)
    for number in count(1):
        kept.fresh()
        assert killed(bo, ACTS[name], number, "before") == KILLED
        if written_records(table):
            break
    assert table.person("ann").pbem("notice delay 5h -C savannah").exit == 0
    assert table.person("rhea").pbem("advance -C savannah").exit == 0
    before = written_records(table)
    said = typed_later(bo, ACTS[name])
    assert (said.exit, "nothing new" in said.out, written_records(table)) == (0, True, before), (
        said.text
    )


def test_repeating_a_notice_puts_back_its_deleted_or_spoilt_file(game: Start) -> None:
    """Somebody deletes Bo's notice, or puts junk there: the same command puts it back."""
    table = game("timed")
    bo = table.person("bo")
    assert typed_later(bo, "notice delay 24h").exit == 0
    (path,) = (table.shared / "savannah/notices").iterdir()
    file = path.read_bytes()
    for spoil in (path.unlink, lambda: path.write_bytes(b"junk")):
        spoil()
        assert typed_later(bo, "notice delay 24h").exit == 0
        assert path.read_bytes() == file


def test_without_the_homes_memory_the_folder_shows_what_was_signed(game: Start) -> None:
    """On another machine, or in a new home: nothing is signed twice either."""
    table = game("timed")
    bo = table.person("bo")
    for line in ("notice delay 24h", "tell --to a hello"):
        assert typed_later(bo, line).exit == 0
    rmtree(bo.home / "games")
    before = written_records(table)
    for line in ("notice delay 24h", "tell --to a hello"):
        assert typed_later(bo, line).exit == 0
    assert written_records(table) == before


def test_the_number_of_a_notice_or_message_is_never_used_twice(game: Start) -> None:
    """The command was killed before it wrote, and another act got the number meanwhile."""
    table = game("timed")
    bo = table.person("bo")
    for line in ("notice delay 24h", "tell hello"):
        assert typed_later(bo, line).exit == 0
    for path in written_records(table):
        (table.shared / "savannah" / path).unlink()
    for line in ("notice end", "tell other", "notice delay 24h", "tell hello"):
        assert typed_later(bo, line).exit == 0
    contents = [read(file).content for file in written_records(table).values()]
    numbers = sorted((one.kind, one.number) for one in contents)
    assert numbers == [("notice", 1), ("notice", 2), ("press", 1), ("press", 2)]


def test_a_damaged_memory_of_acts_stops_no_command_or_says_how_to_mend_it(game: Start) -> None:
    table = game("timed")
    bo = table.person("bo")
    assert typed_later(bo, "tell hello").exit == 0
    memory = session_of(bo).game_home.acts
    for spoilt in (b"reported\njunk", b"signed\n"):
        (memory.root / "message-b").write_bytes(spoilt)
        assert typed_later(bo, "tell hello").exit == 0
        assert len(written_records(table)) == 1
    (memory.root / "message-b").write_bytes(b"")
    said = typed_later(bo, "tell hello")
    assert (said.exit, "remove this file, and pbem will work without it" in said.err) == (7, True)


def test_a_repeated_invite_makes_no_second_door_key(game: Start) -> None:
    table = game("timed")
    rhea = table.person("rhea")
    for who, line in (("bo", "notice leave --yes"), ("ann", "notice delay 5h")):
        assert typed_later(table.person(who), line).exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    first = rhea.pbem("notice invite b -C savannah")
    before = written_records(table)
    assert (first.exit, rhea.pbem("notice invite b -C savannah")) == (0, first)
    assert written_records(table) == before
