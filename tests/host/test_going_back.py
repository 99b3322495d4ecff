"""A host that goes back to an older copy of its games: what players have comes back, and a second
turn for one place is told."""

import shutil

import pytest

from tests.host.origin_games import (
    begin_on_host,
    hosted_folder,
    play_turn,
    record_files,
    submit_pass,
)
from tests.kit.people import NOW, Round, output_of
from tests.kit.running_host import RunningHost, StartHost


def gone_back(host: RunningHost, start: StartHost, older: str) -> RunningHost:
    """The host after its owner has put an older copy in the place of the games."""
    place = host.games.place.path
    host.stop()
    shutil.rmtree(place)
    shutil.copytree(older, place)
    return start(place, port=host.port)


@pytest.mark.sample(0)
def test_files_that_a_restored_host_lacks_are_sent_again_by_the_next_command(
    table: Round, start_host: StartHost, caplog: pytest.LogCaptureFixture
):
    host, older = start_host(), str(table.root / "older")
    address = begin_on_host(table, host, "Ann,Bo")
    shutil.copytree(host.games.place.path, older)
    play_turn(table, address, "ann bo")
    ann, bo = table.person("ann"), table.person("bo")
    for person in (ann, bo):
        submit_pass(person, address)
        output_of(person, f"status -C {address}")
    before = record_files(host, address)
    host = gone_back(host, start_host, older)
    assert len(record_files(host, address)) < len(before)
    caplog.clear()
    status = output_of(ann, f"status -C {address}")
    assert "turn 2" in status, status
    assert caplog.text.count("the host has lost ") == 1
    assert "is sent now" not in caplog.text
    output_of(bo, f"status -C {address}")
    assert record_files(host, address) == before, "also what no turn lists yet"
    assert "turns/0003.toml" in output_of(table.person("rhea"), f"advance -C {address}")
    caplog.clear()
    assert "turn 3" in output_of(ann, f"status -C {address}")
    assert "no longer has" not in caplog.text
    [last] = ann.home.rglob("list")
    written = last.stat().st_ino, last.stat().st_mtime_ns
    output_of(ann, f"status -C {address}")
    again = last.stat().st_ino, last.stat().st_mtime_ns
    assert again == written, "nothing is written when nothing has changed"
    assert table.person("eve").pbem(f"audit {address}").exit == 0


def test_the_referee_sends_a_restored_host_its_last_turn_before_making_another(table, start_host):
    host, older = start_host(), str(table.root / "older")
    address = begin_on_host(table, host, "Ann,Bo")
    for name in ("ann", "bo"):
        submit_pass(table.person(name), address)
    shutil.copytree(host.games.place.path, older)
    rhea = table.person("rhea")
    output_of(rhea, f"advance -C {address}")
    before = record_files(host, address)
    host = gone_back(host, start_host, older)
    rhea.pbem(f"advance -C {address}", SOURCE_DATE_EPOCH=str(NOW + 60))
    assert record_files(host, address) == before


@pytest.mark.sample(0)
def test_a_player_is_told_of_another_turn_in_the_place_of_one_that_they_saw(table, start_host):
    """The owner also put back the home of the machine that makes turns: it makes another turn 2 of
    the same size, before anybody looks."""
    host, older = start_host(), str(table.root / "older")
    address, rhea = begin_on_host(table, host, "Ann,Bo"), table.person("rhea")
    ann, bo = table.person("ann"), table.person("bo")
    for person in (ann, bo):
        submit_pass(person, address)
    shutil.copytree(host.games.place.path, older)
    shutil.copytree(rhea.home, table.root / "old home")
    output_of(rhea, f"advance -C {address}")
    output_of(ann, f"status -C {address}")
    first = (hosted_folder(host, address) / "turns/0002.toml").stat().st_size
    host = gone_back(host, start_host, older)
    shutil.rmtree(rhea.home)
    shutil.copytree(table.root / "old home", rhea.home)
    output_of(rhea, f"advance -C {address} --now {NOW + 60}")
    assert (hosted_folder(host, address) / "turns/0002.toml").stat().st_size == first
    output_of(bo, f"status -C {address}")
    ann.pbem(f"status -C {address}").checked(3, err="turn 2 has changed: this computer saw it with")
