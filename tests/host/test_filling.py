"""Somebody fills a host, or a part of a game on it, to keep others out."""

from itertools import count

import pytest
import urllib3

from pbem.desk.session import Session
from pbem.files.home import Home
from pbem.format.encrypted_box import TAG
from pbem.format.keys import SigningKey
from pbem.game.archive import file_name, make_notice
from pbem.game.notice_kinds import NewKey, Vote
from pbem.host import gate
from pbem.records.charter import Orders
from pbem.records.press import Press
from pbem.records.read_record import Content, Record, make
from tests.cli.people import Person, Round, key_of
from tests.host.running import RunningHost
from tests.host.test_game import answer, made, ok

pytestmark = pytest.mark.host
POOL = urllib3.PoolManager(retries=False)
LARGE, SMALL = 8, 1
"""The sheets of the largest set of orders, about 58 kB, and of the smallest, 7 kB."""


class Writer:
    """Whoever has a key and writes to the game at an address with it, as fast as they can."""

    def __init__(self, witness: Person, address: str, seat: str, key: SigningKey) -> None:
        self.address, self.seat, self.key = address, seat, key
        game_folder = Session(address, home=Home(witness.home)).game_folder
        chain = game_folder.chain_of(game_folder.turns())
        self.place = chain.game, chain.turn, chain.head
        self._bodies = count()

    def put(self, record: Record[Content]) -> tuple[int, str]:
        """The status and the sentence with which the host answers."""
        url = f"{self.address}/{file_name(record).path}"
        headers = {"If-None-Match": "*"}
        said = POOL.request("PUT", url, body=record.file, headers=headers)
        return said.status, said.data.decode()

    def orders(self, revision: int, sheets: int) -> tuple[int, str]:
        """Put orders that nobody can open, which a host does not know."""
        game, turn, head = self.place
        body = next(self._bodies)
        lines = tuple(bytes([i % 256, i // 256, body]).ljust(32) for i in range(64 * sheets))
        box = bytes([body]) * (2048 * sheets + TAG)
        header = {"game": game, "turn": turn, "prev": head, "seat": self.seat}
        return self.put(make(Orders(**header, revision=revision, lines=lines, box=box), self.key))

    def fill(self) -> None:
        """Put all that the host takes: large sets, small ones, messages and notices."""
        game, turn, head = self.place
        header = {"game": game, "turn": turn, "prev": head, "seat": self.seat}
        for sheets in (LARGE, SMALL):
            for revision in range(1, 41):
                self.orders(revision, sheets)
        for number in range(1, 65):
            self.put(make(Press(**header, number=number, time=0, text=("x" * 1000,)), self.key))
        for number in range(2, 8):
            for result in ("draw", "score"):
                vote = Vote(result)
                self.put(make_notice(self.place, self.seat, number, vote, self.key))


def begun(table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Person]:
    """Ann and Bo play a game on a host, with little room; Bo has a recovery key."""
    host.host.counts.asked.most = host.host.counts.refused.most = 1_000_000
    monkeypatch.setattr(gate, "GAME_ROOM", 4 << 20)
    monkeypatch.setattr(gate, "GAME_FILES", 1_000)
    address, lines = made(table, host, "--players Ann,Bo")
    bo = table.person("bo")
    ok(table.person("ann"), lines["Ann"])
    ok(bo, "keys new --profile recovery")
    ok(bo, f"{lines['Bo']} --recovery recovery")
    ok(table.person("rhea"), f"advance -C {address}")
    return address, bo


@pytest.mark.parametrize("changes_the_key", [False, True])
@pytest.mark.long
def test_a_thief_of_a_key_leaves_room_for_the_recovery_key_and_the_next_one(
    table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch, changes_the_key: bool
):
    address, bo = begun(table, host, monkeypatch)
    rhea = table.person("rhea")
    thief = Writer(rhea, address, "b", key_of("bo"))
    if changes_the_key:
        new = NewKey(key_of("loot").public, bytes([9]) * 32)
        assert thief.put(make_notice(thief.place, "b", 8, new, key_of("bo")))[0] == 201
    thief.fill()
    if changes_the_key:
        ok(rhea, f"advance -C {address}")
        Writer(rhea, address, "b", key_of("loot")).fill()
    ok(bo, f"notice key -C {address} --recovery recovery --profile third")
    ok(rhea, f"advance -C {address}")
    third = Session(address, home=Home(bo.home)).keyring.publics["third"]
    roster = Session(address, home=Home(rhea.home)).game_folder.standing.roster
    assert roster["b"].key == third
    assert answer(bo, address, "b")
    ok(bo, ["tell", "-C", address, "It is me again."])


@pytest.mark.long
def test_a_player_who_leaves_fills_nothing_that_the_next_one_needs(
    table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch
):
    address, bo = begun(table, host, monkeypatch)
    rhea, cy = table.person("rhea"), table.person("cy")
    ok(bo, f"notice leave -C {address} --yes")
    Writer(rhea, address, "b", key_of("bo")).fill()
    assert answer(table.person("ann"), address, "a")
    ok(rhea, f"advance -C {address}")
    Writer(rhea, address, "b", key_of("bo")).fill()
    said = ok(rhea, f"notice invite b -C {address}")
    line = next(word for word in said.split() if word.startswith("savannah:b:"))
    ok(cy, ["join", "-C", address, "--name", "Cy", "--invite", line])
    ok(rhea, f"advance -C {address}")
    assert answer(cy, address, "b")


def test_a_key_has_four_large_sets_a_turn(
    table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch
):
    address, bo = begun(table, host, monkeypatch)
    writer = Writer(bo, address, "b", key_of("bo"))
    for revision in range(1, 5):
        assert writer.orders(revision, LARGE)[0] == 201
    told = "seat b has 4 sets of orders with more than 16 KiB for turn 1 already; a set with fewer "
    assert writer.orders(5, LARGE) == (507, f"{told}or shorter lines is still taken\n")
    assert writer.orders(6, SMALL)[0] == 201


def test_many_small_files_of_one_key_leave_room_too(
    table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch
):
    address, bo = begun(table, host, monkeypatch)
    rhea = table.person("rhea")
    monkeypatch.setattr(gate, "GAME_FILES", 200)
    thief = Writer(rhea, address, "b", key_of("bo"))
    thief.fill()
    ok(bo, f"notice key -C {address} --recovery recovery --profile third")


def test_a_full_account_says_what_is_full(
    table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch
):
    address, bo = begun(table, host, monkeypatch)
    monkeypatch.setattr(gate, "RESERVED_BYTES", 20_000)
    monkeypatch.setattr(gate, "GAME_ROOM", 80_000)
    writer = Writer(bo, address, "b", key_of("bo"))
    assert writer.orders(1, SMALL)[0] == 201
    status, told = writer.orders(2, LARGE)
    assert status == 507
    assert told.startswith("what this key of seat b has signed fills its part of this game's room;")
