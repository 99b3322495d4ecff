"""A host that keeps one file back, or shows two games, while people join, read and make turns."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pbem.host import kept_games
from tests.host.host_games import make_on_host
from tests.host.origin_games import (
    PASS,
    begin_on_host,
    hosted_folder,
    play_turn,
    record_files,
    submit_pass,
)
from tests.kit.people import NOW, Person, Round, output_of
from tests.kit.running_host import RunningHost

ENDS = (0, 2, 3, 4, 5, 7)


@pytest.fixture(autouse=True)
def _owner_tampers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_games.Game, "fresh_seconds", 0.0)


@contextmanager
def withheld(host: RunningHost, address: str, path: str) -> Iterator[None]:
    """The file is neither listed nor given out meanwhile; what is written in its place stays."""
    file, kept = hosted_folder(host, address) / path, hosted_folder(host, address).parent / "kept"
    file.rename(kept)
    host.games._games_in_memory.clear()
    try:
        yield
    finally:
        if not file.exists():
            kept.rename(file)
        host.games._games_in_memory.clear()


def commands(table: Round, address: str) -> str:
    """What people read from the commands that read a game; each ends with a sentence."""
    bundle, told = table.root / "bundle.txt", ""
    bundle.unlink(missing_ok=True)
    for name, line in (
        ("ann", f"status -C {address}"),
        ("ann", f"show -C {address}"),
        ("ann", f"send -C {address} --to referee -o {bundle}"),
        ("rhea", f"receive -C {address} {bundle}"),
        ("rhea", f"status -C {address}"),
        ("eve", f"audit {address}"),
    ):
        said = table.person(name).pbem(line)
        assert said.exit in (*ENDS, 1), (line, said.text)
        assert "Traceback" not in said.text
        assert "bug" not in said.err
        told += said.text
    return told


@pytest.mark.long
def test_a_host_that_withholds_any_one_file_cannot_fork_the_game(table: Round, host: RunningHost):
    address = begin_on_host(table, host, "Ann,Bo")
    play_turn(table, address, "ann bo")
    before = record_files(host, address)
    for path in sorted(before):
        with withheld(host, address, path):
            commands(table, address)
            said = table.person("rhea").pbem(f"advance -C {address}")
            assert said.exit in ENDS, (path, said.text)
            assert "Traceback" not in said.text
        assert record_files(host, address) == before, path
    for name in ("ann", "bo"):
        table.person(name).pbem(["submit", "-C", address, "-"], PASS)
    assert "turns/0003.toml" in output_of(table.person("rhea"), f"advance -C {address}")


@pytest.mark.long
@pytest.mark.parametrize("path", ["game.toml", "seats/a-"])
def test_whoever_joins_while_a_host_withholds_a_file_joins_once(table, host, path):
    address, lines = make_on_host(table, host, "--players Ann,Bo --game origin")
    output_of(table.person("ann"), lines["Ann"])
    [whole] = [one for one in record_files(host, address) if one.startswith(path)]
    with withheld(host, address, whole):
        said = table.person("bo").pbem(lines["Bo"])
        assert said.exit in ENDS, said.text
    output_of(table.person("bo"), lines["Bo"])
    assert len([one for one in record_files(host, address) if one.startswith("seats/b-")]) == 1
    assert "made turns/0001.toml" in output_of(table.person("rhea"), f"advance -C {address}")


@pytest.mark.long
def test_a_player_notices_that_the_host_withholds_their_orders(table, host, caplog):
    address = begin_on_host(table, host, "Ann,Bo")
    submit_pass(table.person("ann"), address)
    [path] = [one for one in record_files(host, address) if one.startswith("orders/")]
    with withheld(host, address, path):
        caplog.clear()
        output_of(table.person("ann"), f"status -C {address}")
        assert "the host has lost 1 file of this game" in caplog.text
        assert "This computer still has what the host lost, so pbem sends it again" in caplog.text
        assert "made turns" not in table.person("rhea").pbem(f"advance -C {address}").text
        submit_pass(table.person("ann"), address)
    assert len([one for one in record_files(host, address) if one.startswith("orders/")]) == 1


@pytest.mark.long
def test_players_to_whom_a_host_shows_two_different_turns_notice_it(table, host):
    """The referee's two computers made two turns, and the host shows Ann one and Bo the other.

    Ann is told, her words differ from Bo's, and nothing of her game goes on in the other one."""
    address, rhea = begin_on_host(table, host, "Ann,Bo"), table.person("rhea")
    ann, bo = table.person("ann"), table.person("bo")
    for person in (ann, bo):
        person.pbem(["submit", "-C", address, "-"], PASS)
    one, other = hosted_folder(host, address), table.root / "other"
    shutil.copytree(one, other)
    shutil.copytree(rhea.home, table.root / "laptop")
    output_of(rhea, f"advance -C {address}")
    first = words(ann, address)
    one.rename(table.root / "first")
    other.rename(one)
    host.games._games_in_memory.clear()
    laptop = {"PBEM_HOME": str(table.root / "laptop"), "SOURCE_DATE_EPOCH": str(NOW + 60)}
    rhea.pbem(f"advance -C {address}", **laptop).checked(0)
    before = record_files(host, address)
    second = words(bo, address)
    assert second != first
    told = bo.pbem(["audit", address, "--head", first])
    told.checked(3, out="no turn in this folder has the words that you gave")
    ann.pbem(f"status -C {address} --json").checked(3, err="turns/0002.toml")
    for person, line in ((ann, "tell hello"), (ann, "submit -"), (rhea, "advance")):
        said = person.pbem([*line.split(), "-C", address], PASS)
        assert said.exit in (2, 3, 5, 7), said
    assert record_files(host, address) == before, (
        "nothing of the first game is taken into the second"
    )


def words(person: Person, address: str) -> str:
    """The twelve words that somebody reads out."""
    return " ".join(json.loads(output_of(person, f"status -C {address} --json"))["data"]["words"])
