"""A host that starts again knows what its games' turns say without reading all of them."""

import os
from pathlib import Path

import pytest

from pbem.files.game_folder import Folder, RecordFile
from pbem.files.home import Home
from pbem.files.record_file_names import Name
from pbem.host.kept_games import Games
from pbem.host.record_gate import Gate
from pbem.judge.chain_checkpoint import chain_to_data
from pbem.judge.tagged_json_data import PlainData
from tests.host.keeper import Keeper
from tests.host.written_records import DIGITS, VECTORS, in_time, path_of


class WatchedFolder(Folder):
    """Notes which turns are read."""

    def __init__(self, place: Path, turns_read: list[int]) -> None:
        super().__init__(place)
        self.turns_read = turns_read

    def read(self, named: RecordFile | Name) -> bytes:
        name = named.name if isinstance(named, RecordFile) else named
        if name.kind == "turn":
            self.turns_read.append(name.turn)
        return super().read(named)


class Restarted(Games):
    """The games of a host that has just started."""

    def __init__(self, root: Path, home: Home) -> None:
        super().__init__(root, home=home)
        self.turns_read: list[int] = []

    def folder(self, name: str) -> Folder:
        return WatchedFolder(self.place.path / name, self.turns_read)

    def chain(self) -> PlainData:
        """What the gate knows."""
        game = self.game_at(DIGITS)
        return chain_to_data(game.gate(game.list_files(0)).chain)


@pytest.fixture
def host_home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def chain_from_turns(keeper: Keeper) -> PlainData:
    """What all turns together say, without a cache."""
    folder = Folder(keeper.root / keeper.game.name)
    return chain_to_data(Gate(folder, folder.scan()).chain)


@pytest.mark.parametrize("game", ["sample", "calendar"])
def test_a_restarted_host_reads_only_the_last_turn_and_knows_the_same(
    record_keeper, host_home, game
):
    last_turn = 0
    for record in in_time(VECTORS / game):
        record_keeper.put(record.file, path_of(record))
        last_turn += record.content.kind == "turn"
        if last_turn:
            Restarted(record_keeper.root, host_home).chain()
            host = Restarted(record_keeper.root, host_home)
            assert host.chain() == chain_from_turns(record_keeper)
            assert set(host.turns_read) <= {last_turn}
    assert last_turn > 1


@pytest.mark.parametrize("damage", ["changed", "cut off"])
def test_a_restarted_host_reads_turns_and_caches_that_changed_again(
    record_keeper, host_home, damage
):
    list(record_keeper.play(in_time(VECTORS / "sample")))
    Restarted(record_keeper.root, host_home).chain()
    first = record_keeper.root / record_keeper.game.name / "turns/0001.toml"
    os.utime(first, (1, 1))
    host = Restarted(record_keeper.root, host_home)
    assert host.chain() == chain_from_turns(record_keeper)
    assert 1 in host.turns_read
    (cache,) = (host_home.root / "cache").iterdir()
    data = cache.read_bytes()
    cache.write_bytes(data.replace(b"heads", b"tails") if damage == "changed" else data[:-9])
    assert Restarted(record_keeper.root, host_home).chain() == chain_from_turns(record_keeper)


def test_a_host_keeps_no_cache_of_a_removed_game(record_keeper, host_home):
    list(record_keeper.play(in_time(VECTORS / "sample")))
    host = Restarted(record_keeper.root, host_home)
    host.chain()
    assert list((host_home.root / "cache").iterdir())
    assert host.remove(record_keeper.game.name)
    assert not list((host_home.root / "cache").iterdir())
