"""A host that cannot be reached: what can be done then, what waits, and when it is sent."""

from pathlib import Path

import pytest

from pbem.files.host_store import HostStore
from pbem.host.storage_capacity import Limits
from tests.host.origin_games import begin_on_host, submit_pass
from tests.kit.people import Person, Round, output_of
from tests.kit.running_host import RunningHost, StartHost


@pytest.fixture
def seen_game(table: Round, start_host: StartHost) -> tuple[RunningHost, str]:
    """Ann and Bo play, and turn 1 is made; everybody has looked at it."""
    host = start_host()
    address = begin_on_host(table, host, "Ann,Bo")
    for name in ("rhea", "ann", "bo"):
        output_of(table.person(name), f"status -C {address}")
    return host, address


def outbox_names(person: Person) -> list[str]:
    return sorted(x.name for x in person.home.glob("stores/*/outbox/*"))


@pytest.mark.long
def test_orders_and_messages_written_offline_are_sent_by_the_next_command(
    seen_game: tuple[RunningHost, str],
    table: Round,
    start_host: StartHost,
    caplog: pytest.LogCaptureFixture,
):
    host, address = seen_game
    ann = table.person("ann")
    host.stop()
    assert "origin" in output_of(ann, f"status -C {address}")
    assert "You see the game as it was when pbem last reached the host" in caplog.text
    caplog.clear()
    output_of(ann, f"tell -C {address} hello")
    submit_pass(ann, address)
    assert len(outbox_names(ann)) == 2
    assert "is not sent yet; it is kept on this computer, and your next pbem command" in caplog.text
    assert "next: wait for Bo" in output_of(ann, f"status -C {address}"), (
        "her machine knows her orders"
    )
    again = start_host(host.games.place, port=host.port)
    caplog.clear()
    output_of(ann, f"status -C {address}")
    assert outbox_names(ann) == []
    assert "is sent now" in caplog.text
    assert "orders/0001-a-1-" in again.games.game_at(address[-32:]).tagged_list()[1].decode()


def test_a_turn_is_not_made_while_the_host_is_away(seen_game, table, start_host):
    host, address = seen_game
    for name in ("ann", "bo"):
        submit_pass(table.person(name), address)
    rhea = table.person("rhea")
    output_of(rhea, f"status -C {address}")
    host.stop()
    rhea.pbem(f"advance -C {address}").checked(5, text="cannot be reached now")
    assert outbox_names(rhea) == []
    start_host(host.games.place, port=host.port)
    output_of(rhea, f"advance -C {address}")
    assert "turn 2" in output_of(table.person("bo"), f"show -C {address}")


@pytest.mark.long
def test_a_newcomer_is_told_that_the_host_cannot_be_reached(seen_game, table):
    host, address = seen_game
    host.stop()
    said = table.person("eve").pbem(f"status -C {address}")
    assert (said.exit, said.out) == (5, "")
    assert "cannot be reached now; check your network, and try again" in said.err


@pytest.mark.long
def test_a_file_written_offline_that_the_host_refuses_is_kept_and_named(
    seen_game: tuple[RunningHost, str],
    table: Round,
    start_host: StartHost,
    caplog: pytest.LogCaptureFixture,
):
    host, address = seen_game
    ann = table.person("ann")
    host.stop()
    submit_pass(ann, address)
    [name] = outbox_names(ann)
    file = next(ann.home.glob(f"stores/*/outbox/{name}"))
    file.write_bytes(file.read_bytes().replace(b"box", b"b0x"))
    start_host(host.games.place, port=host.port)
    output_of(ann, f"status -C {address}")
    assert "was not sent" in caplog.text
    assert outbox_names(ann) == [str(Path(name).with_suffix(".refused"))]
    said = [one.getMessage() for one in caplog.records if one.name.startswith("pbem")]
    assert not any(address[-32:] in one for one in said), "people show messages to others"


@pytest.mark.long
def test_a_file_written_offline_waits_while_the_host_is_full(seen_game, table, start_host, caplog):
    """And what it cannot take because the game is not there now."""
    host, address = seen_game
    ann = table.person("ann")
    host.stop()
    submit_pass(ann, address)
    again = start_host(host.games.place, port=host.port)
    limits = again.games.capacity.limits
    again.games.capacity.limits = Limits(max_bytes=1)
    output_of(ann, f"status -C {address}")
    assert "is still not sent: " in caplog.text
    assert "has no room for more files" in caplog.text
    folder = again.games.game_at(address[-32:]).folder.place.path
    folder.rename(folder.with_name("away"))
    again.games._games_in_memory.clear()
    assert ann.pbem(f"status -C {address}").exit != 0
    folder.with_name("away").rename(folder)
    again.games._games_in_memory.clear()
    [name] = outbox_names(ann)
    assert name.endswith(".toml")
    again.games.capacity.limits = limits
    output_of(ann, f"status -C {address}")
    assert outbox_names(ann) == []
    assert b"orders/0001-a-1-" in again.games.game_at(address[-32:]).tagged_list()[1]


@pytest.mark.long
def test_two_commands_at_once_send_a_waiting_file_once(seen_game, table, start_host, monkeypatch):
    host, address = seen_game
    ann = table.person("ann")
    host.stop()
    submit_pass(ann, address)
    again = start_host(host.games.place, port=host.port)
    put = HostStore.write_new

    def meanwhile(self: HostStore, path: str, data: bytes) -> None:
        put(self, path, data)
        for file in ann.home.glob("stores/*/outbox/*"):
            file.unlink()

    monkeypatch.setattr(HostStore, "write_new", meanwhile)
    assert "next: wait for Bo" in output_of(ann, f"status -C {address}")
    assert b"orders/0001-a-1-" in again.games.game_at(address[-32:]).tagged_list()[1]


@pytest.mark.long
def test_a_damaged_list_of_files_in_the_home_crashes_no_command(seen_game, table):
    host, address = seen_game
    ann = table.person("ann")
    host.stop()
    [kept] = ann.home.glob("stores/*/list")
    for junk in (b"\xff\xfe\x00", b"turns/0001.toml 99999999\n../x 1\n", b"game.toml 1\n" * 9):
        kept.write_bytes(junk)
        said = ann.pbem(f"status -C {address}")
        assert said.exit in (0, 2, 3, 4, 5, 7), said.text
        assert "Traceback" not in said.text
        assert "bug" not in said.err
