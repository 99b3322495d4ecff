"""Somebody fills a host, or a part of a game on it, to keep others out."""

import errno
import time
from pathlib import Path

import pytest

from pbem.files import syscalls
from pbem.host import record_gate, request_limits, storage_capacity
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import NewKey
from tests.host.dealing import FORM, POOL, count_turns, game_from_form, owners_page, wait_for_turn
from tests.host.host_games import bot_answers, make_on_host
from tests.host.web_client import PUT, Client
from tests.host.writer import LARGE, SMALL, Writer
from tests.host.written_records import DIGITS, path_of
from tests.kit.named_games import session_at
from tests.kit.people import NOW, Person, Round, key_of, output_of
from tests.kit.processes import until
from tests.kit.running_host import HostProcess, RunningHost, StartHost

pytestmark = pytest.mark.host


def begin_with_little_room(
    table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, Person]:
    """Ann and Bo play a game on a host, with little room; Bo has a recovery key."""
    host.host.counts.requests.limit = 1_000_000
    monkeypatch.setattr(record_gate, "MAX_GAME_BYTES", 4 << 20)
    monkeypatch.setattr(record_gate, "MAX_GAME_FILES", 1_000)
    address, lines = make_on_host(table, host, "--players Ann,Bo")
    bo = table.person("bo")
    output_of(table.person("ann"), lines["Ann"])
    output_of(bo, "keys new --profile recovery")
    output_of(bo, f"{lines['Bo']} --recovery recovery")
    output_of(table.person("rhea"), f"advance -C {address}")
    return address, bo


@pytest.mark.parametrize("changes_the_key", [False, True])
@pytest.mark.long
def test_a_thief_of_a_key_cannot_fill_the_room_of_the_recovery_key(
    table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch, changes_the_key: bool
):
    address, bo = begin_with_little_room(table, host, monkeypatch)
    rhea = table.person("rhea")
    thief = Writer(rhea, address, "b", key_of("bo"))
    if changes_the_key:
        new = NewKey.make(key_of("loot"), bytes([9]) * 32, thief.place[0], "b")
        assert thief.put(make_notice(thief.place, "b", 8, new, key_of("bo")))[0] == 201
    thief.fill()
    if changes_the_key:
        output_of(rhea, f"advance -C {address}")
        Writer(rhea, address, "b", key_of("loot")).fill()
    output_of(bo, f"notice key -C {address} --recovery recovery --profile third")
    output_of(rhea, f"advance -C {address}")
    third = session_at(address, bo).keyring.publics["third"]
    roster = session_at(address, rhea).game_folder.standing.roster
    assert roster["b"].key == third
    assert bot_answers(bo, address, "b")
    output_of(bo, ["tell", "-C", address, "It is me again."])


@pytest.mark.long
def test_a_player_who_leaves_cannot_fill_the_room_of_the_next_player(table, host, monkeypatch):
    address, bo = begin_with_little_room(table, host, monkeypatch)
    rhea, cy = table.person("rhea"), table.person("cy")
    output_of(bo, f"notice leave -C {address} --yes")
    Writer(rhea, address, "b", key_of("bo")).fill()
    assert bot_answers(table.person("ann"), address, "a")
    output_of(rhea, f"advance -C {address}")
    Writer(rhea, address, "b", key_of("bo")).fill()
    said = output_of(rhea, f"notice invite b -C {address}")
    line = next(word for word in said.split() if word.startswith("savannah:b:"))
    output_of(cy, ["join", "-C", address, "--name", "Cy", "--invite", line])
    output_of(rhea, f"advance -C {address}")
    assert bot_answers(cy, address, "b")


def test_a_key_may_send_four_large_sets_of_orders_a_turn(table, host, monkeypatch):
    address, bo = begin_with_little_room(table, host, monkeypatch)
    writer = Writer(bo, address, "b", key_of("bo"))
    for revision in range(1, 5):
        assert writer.orders(revision, LARGE)[0] == 201
    refusal = "seat b already has 4 sets of orders for turn 1 that are larger than 16 KiB; send "
    assert writer.orders(5, LARGE) == (507, f"{refusal}fewer or shorter order lines\n")
    assert writer.orders(6, SMALL)[0] == 201


def test_many_small_files_of_one_key_leave_room_for_the_recovery_key(table, host, monkeypatch):
    address, bo = begin_with_little_room(table, host, monkeypatch)
    rhea = table.person("rhea")
    monkeypatch.setattr(record_gate, "MAX_GAME_FILES", 200)
    thief = Writer(rhea, address, "b", key_of("bo"))
    thief.fill()
    output_of(bo, f"notice key -C {address} --recovery recovery --profile third")


def test_a_key_whose_share_is_used_up_is_told_so(table, host, monkeypatch):
    address, bo = begin_with_little_room(table, host, monkeypatch)
    monkeypatch.setattr(record_gate, "RESERVED_BYTES", 20_000)
    monkeypatch.setattr(record_gate, "MAX_GAME_BYTES", 80_000)
    writer = Writer(bo, address, "b", key_of("bo"))
    assert writer.orders(1, SMALL)[0] == 201
    status, told = writer.orders(2, LARGE)
    assert status == 507
    assert told.startswith("the files signed with this key of seat b have used up their share of")


DAY = 86_400


@pytest.fixture
def small_host(start_process) -> HostProcess:
    """A host that deals, with room for 8 MiB."""
    return start_process("--deal", "--room", "8", SOURCE_DATE_EPOCH=str(NOW))


def ballast(host: HostProcess, size: int) -> Path:
    """Another game, of so many bytes, that the owner keeps on the host."""
    folder = Path(host.data) / ("ba" * 16)
    (folder / "turns").mkdir(parents=True)
    vectors = Path(__file__).parent.parent / "vectors" / "sample"
    (folder / "game.toml").write_bytes((vectors / "game.toml").read_bytes())
    for number in range(1, size // 1_000_000 + 2):
        (folder / "turns" / f"{number:04}.toml").write_bytes(b"x" * min(size, 1_000_000))
    return folder


def restart_with_room(
    host: HostProcess, later: int, room: int = 8, *, was_full: bool = False
) -> None:
    """The host goes on, so many seconds later, with this room; it was full until then, or not."""
    host.options = ("--deal", "--room", str(room))
    host.restart_at(NOW + later, was_up=not was_full)


def test_a_full_host_names_nobody_silent(small_host: HostProcess, table: Round, tmp_path: Path):
    game = game_from_form(small_host, FORM | {"players": "Ann,Bo"})
    people = []
    for seat in game["seats"]:
        people.append(table.person(seat["name"].lower()))
        output_of(people[-1], seat["command"].removeprefix("pbem "))
    address = game["address"]
    wait_for_turn(address, 1)
    folder = ballast(small_host, 7_500_000)
    restart_with_room(small_host, DAY - 60)
    said = people[0].pbem(["tell", "-C", address, "Is anybody there?"])
    assert "this host has no room for more files (its games are safe): its games fill " in said.text
    assert "of 8 MiB" in said.text
    restart_with_room(small_host, DAY + 60, was_full=True)
    full = "makes no turns: its games fill 7 of 8 MiB; remove games (pbem host remove)"
    until(lambda: full in small_host.log.read_text(), why=small_host.log.read_text)
    time.sleep(3)
    assert count_turns(address) == 1, "the deadline has passed, but nobody could answer"
    page = POOL.request("GET", f"{small_host.url}{game['page']}").data.decode()
    assert "until its owner has made room, and until then nobody counts as silent" in page
    shown = owners_page(small_host)
    assert (
        "This host takes no files at all: its games fill 7 of 8 MiB. To make room, remove" in shown
    )
    assert "babababa" in shown.partition("The largest games are")[2][:80]

    restart_with_room(small_host, 2 * DAY, room=20, was_full=True)
    told = b"took no files for a while, so nobody counts as silent before"
    until(lambda: told in POOL.request("GET", f"{small_host.url}{game['page']}").data, every=0.5)
    assert count_turns(address) == 1, "everybody has another day"
    assert bot_answers(people[0], address, "a")
    restart_with_room(small_host, 3 * DAY - 60, room=20)
    time.sleep(3)
    assert count_turns(address) == 1
    restart_with_room(small_host, 3 * DAY + 60, room=20)
    wait_for_turn(address, 2)
    assert folder.exists()
    turn = POOL.request("GET", f"{address}/turns/0002.toml").data.decode()
    assert 'silent = ["b"]' in turn.replace("\n  ", "").replace(",\n", "")
    output_of(people[0], f"audit {address}")


@pytest.mark.parametrize(("tokens", "megabytes"), [([], 6.6), (["open sesame"], 7.4)])
def test_a_nearly_full_host_refuses_new_games_and_goes_on_with_the_others(
    start_host: StartHost, tmp_path: Path, tokens: list[str], megabytes: float
):
    """Those of people without a token stop first."""
    host = start_host(tokens=tokens)
    client = Client(host)
    host.games.capacity.limits = storage_capacity.Limits(max_bytes=9 << 20)
    token = {"Authorization": "Bearer open sesame"} if tokens else {}
    charter = client.records[0].file
    assert client.put("game.toml", charter, {**PUT, **token}).status == 201
    place = host.games.game_at("ab" * 16).folder.place.path
    (place / "turns").mkdir(parents=True)
    (place / "game.toml").write_bytes(charter)
    for number in range(1, 9):
        size = int(megabytes * (1 << 20) / 8)
        (place / "turns" / f"{number:04}.toml").write_bytes(b"x" * size)
    host.games._counted_at = 0.0
    other = client.base.replace(DIGITS, "cd" * 16) + "game.toml"
    said = POOL.request("PUT", other, body=charter, headers={**PUT, **token})
    told = b"this host is nearly full, so it takes no new games: "
    assert (said.status, said.data.startswith(told)) == (507, True), said.data
    for record in client.records[1:]:
        assert client.put(path_of(record), record.file).status == 201


@pytest.mark.parametrize(
    ("free", "status"), [(1_100 << 20, 201), (1_000 << 20, 507), (100 << 20, 507)]
)
def test_a_nearly_full_disk_refuses_new_games_and_goes_on_with_the_others(
    start_host: StartHost, monkeypatch: pytest.MonkeyPatch, free: int, status: int
):
    host = start_host()
    client = Client(host)
    monkeypatch.setattr(storage_capacity, "free_bytes", lambda _place: 2 << 30)
    client.put_all("turns/0002.toml")
    monkeypatch.setattr(storage_capacity, "free_bytes", lambda _place: free)
    other = client.base.replace(DIGITS, "cd" * 16) + "game.toml"
    said = POOL.request("PUT", other, body=client.records[0].file, headers=PUT)
    assert said.status == status, said.data
    assert client.put_turn_2().status == 201
    monkeypatch.setattr(storage_capacity, "free_bytes", lambda _place: 10 << 20)
    other = next(one for one in client.records if path_of(one).startswith("press/0002"))
    said = client.put(path_of(other), other.file)
    assert said.status == 507
    assert b"its disk has 10 MiB left; its owner must make room" in said.data
    assert client.put_turn_2().status == 200, "what it has, it confirms"


def test_a_disk_that_refuses_a_file_counts_as_full(start_host, monkeypatch):
    """As by a quota, of which the free bytes of the disk say nothing."""
    host = start_host()
    client = Client(host)
    client.put_all("turns/0002.toml")

    def refuse(*_: object) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    monkeypatch.setattr(syscalls, "fsync", refuse)
    monkeypatch.setattr(syscalls, "link", refuse)
    said = client.put_turn_2()
    assert said.status == 507
    assert b"its disk takes no more files" in said.data
    assert host.games.full_clause()


def test_a_network_may_add_only_so_many_bytes_a_day(table, host, monkeypatch):
    """With what is left for small files, somebody behind the same address still sends orders."""
    address, bo = begin_with_little_room(table, host, monkeypatch)
    monkeypatch.setattr(request_limits, "MAX_DAILY_BYTES", 300_000)
    monkeypatch.setattr(request_limits, "MAX_DAILY_LARGE_BYTES", 100_000)
    writer = Writer(bo, address, "b", key_of("bo"))
    statuses = [writer.orders(revision, LARGE)[0] for revision in (1, 2, 3, 4)]
    assert statuses[0] == 201
    assert statuses[-1] == 429
    assert writer.orders(5, SMALL)[0] == 201
    assert bot_answers(table.person("ann"), address, "a")


def test_a_neighbour_who_uses_up_a_networks_day_stops_no_game(table, host, monkeypatch):
    address, bo = begin_with_little_room(table, host, monkeypatch)
    monkeypatch.setattr(request_limits, "MAX_DAILY_BYTES", 100_000)
    monkeypatch.setattr(request_limits, "MAX_DAILY_LARGE_BYTES", 100_000)
    writer = Writer(bo, address, "b", key_of("bo"))
    for revision in range(1, 40):
        status, told = writer.orders(revision, LARGE if revision < 5 else SMALL)
    limit = "your network has sent 0 MiB today, which is the limit; try again tomorrow"
    assert (status, told) == (429, f"{limit}\n")
    ann = table.person("ann")
    assert bot_answers(ann, address, "a")
    output_of(ann, ["tell", "-C", address, "I am still here."])
    listed = POOL.request("GET", f"{address}/").data
    assert b"orders/0001-a" in listed
    assert b"press/0001-a" in listed
    said = bo.pbem(f"new pond --players Ann,Bo --at {host.url}").text
    assert f"the host takes nothing more for now ({limit})" in said
    assert "in a moment" not in said
