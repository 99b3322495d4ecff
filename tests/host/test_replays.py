"""Records that were right elsewhere or before: a running host takes none of them now."""

import re
import shutil

import pytest

from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import Vote
from pbem.records.read_and_sign_record import read
from tests.host.origin_games import (
    PASS,
    begin_on_host,
    hosted_folder,
    play_turn,
    record_files,
    submit_pass,
)
from tests.host.web_client import POOL, PUT
from tests.kit.people import NOW, Person, Round, key_of, output_of
from tests.kit.running_host import RunningHost


def put_status(address: str, path: str, data: bytes) -> int:
    return POOL.request("PUT", f"{address}/{path}", body=data, headers=PUT).status


@pytest.mark.long
def test_records_of_another_game_of_the_same_people_are_refused(table: Round, host: RunningHost):
    one, other = begin_on_host(table, host), begin_on_host(table, host)
    play_turn(table, other)
    before = record_files(host, one)
    tried = record_files(host, other)
    assert {path.partition("/")[0] for path in tried} >= {
        "game.toml", "seats", "turns", "orders", "press", "notices",
    }  # fmt: skip
    for path, data in tried.items():
        assert put_status(one, path, data) in (403, 409, 412), path
    assert record_files(host, one) == before


@pytest.mark.long
def test_records_of_a_copy_that_went_on_otherwise_are_refused(table: Round, host: RunningHost):
    """The same game at another address, where the referee's other computer made another turn 2."""
    one, rhea = begin_on_host(table, host), table.person("rhea")
    other = one[:-32] + "c0ffee00" * 4
    shutil.copytree(hosted_folder(host, one), hosted_folder(host, other))
    shutil.copytree(rhea.home, table.root / "laptop")
    play_turn(table, one, SOURCE_DATE_EPOCH=str(NOW + 60))
    laptop = {"PBEM_HOME": str(table.root / "laptop"), "SOURCE_DATE_EPOCH": str(NOW + 120)}
    for name in ("ann", "bo", "cy"):
        shutil.copytree(table.person(name).home, table.root / f"new-{name}")
        second = {"PBEM_HOME": str(table.root / f"new-{name}")}
        shutil.rmtree(table.root / f"new-{name}" / "games")
        table.person(name).pbem(["submit", "-C", other, "-"], PASS, **second).checked(0)
    rhea.pbem(f"advance -C {other}", **laptop).checked(0)
    table.person("ann").pbem(f"tell -C {other} hello again", PBEM_HOME=second["PBEM_HOME"])
    before = record_files(host, one)
    later = {path: data for path, data in record_files(host, other).items() if path not in before}
    turn_2 = record_files(host, other)["turns/0002.toml"]
    assert turn_2 != before["turns/0002.toml"]
    assert put_status(one, "turns/0002.toml", turn_2) == 412
    for path, data in later.items():
        if read(data).content.turn >= 2:
            assert put_status(one, path, data) == 409, path
    assert record_files(host, one)["turns/0002.toml"] == before["turns/0002.toml"]


def signed_by(who: Person | str, address: str, host: RunningHost, seat: str) -> bytes:
    """A vote of a seat after the last turn, signed with a person's first key."""
    gate = host.games.game_at(address[-32:]).gate(host.games.game_at(address[-32:]).list_files(0))
    place = (gate.game_folder.game, gate.last_turn, gate.chain.heads[gate.last_turn])
    key = key_of(who if isinstance(who, str) else who.name)
    return make_notice(place, seat, 8, Vote("draw"), key).file


@pytest.mark.long
def test_a_key_that_was_replaced_can_write_nothing_more(table: Round, host: RunningHost):
    address = begin_on_host(table, host)
    name = "notices/0001-b-8-{}.toml"
    early = signed_by("bo", address, host, "b")
    output_of(table.person("bo"), f"notice key -C {address}")
    play_turn(table, address)
    late = signed_by("bo", address, host, "b")
    path = name.replace("0001", "0002").format(read(late).id.hex()[:6])
    assert put_status(address, path, late) == 403
    assert put_status(address, name.format(read(early).id.hex()[:6]), early) == 403
    thief = table.person("thief")
    thief.import_key("bo", "stolen")
    for line in (f"tell -C {address} hello", f"notice concede --yes -C {address}"):
        assert thief.pbem(line).exit != 0
    output_of(table.person("bo"), f"tell -C {address} hello")


@pytest.mark.long
def test_a_player_who_left_can_write_nothing_once_the_seat_is_retaken(table, host):
    address, rhea = begin_on_host(table, host), table.person("rhea")
    output_of(table.person("bo"), f"notice leave --yes -C {address}")
    for name in ("ann", "cy"):
        submit_pass(table.person(name), address)
    output_of(rhea, f"advance -C {address}")
    said = output_of(rhea, f"notice invite b -C {address}")
    line = re.search(r"pbem (join .*)", said)
    assert line, said
    output_of(table.person("dee"), line[1].replace("NAME", "Dee"))
    for _ in range(3):
        for name in ("ann", "cy", "dee"):
            table.person(name).pbem(["submit", "-C", address, "-"], PASS)
        rhea.pbem(f"advance -C {address}")
    last = (
        host.games.game_at(address[-32:])
        .gate(host.games.game_at(address[-32:]).list_files(0))
        .last_turn
    )
    for who, status in (("bo", 403), ("dee", 201)):
        vote = signed_by(who, address, host, "b")
        path = f"notices/{last:04}-b-8-{read(vote).id.hex()[:6]}.toml"
        assert put_status(address, path, vote) == status, who
