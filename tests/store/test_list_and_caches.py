"""`list` asks several stores together; `doctor --drop-caches` keeps what no store has any more."""

import threading
from pathlib import Path

import fsspec
import pytest

from tests.kit.people import Person, Round
from tests.kit.processes import PATIENCE
from tests.store.games_in_stores import advance_in_store, join_in_store
from tests.store.places import InMemory


@pytest.fixture
def rhea_with_list(tmp_path: Path) -> Person:
    return Round(tmp_path).person("rhea")


def games(rhea: Person, names: str) -> None:
    for name in names.split():
        rhea.pbem(f"new memory://list-{rhea.home.name}/{name} --players Ann,Bo").checked(0)


@pytest.mark.store
def test_games_in_buckets_are_listed_in_their_order(rhea_with_list, bucket, s3):
    for title in ("pond", "alps", "savannah"):
        said = rhea_with_list.pbem(
            f"new {bucket.address.removesuffix('savannah')}{title} --players Ann,Bo"
        )
        assert said.exit == 0, said.text
    first, again = rhea_with_list.pbem("list"), rhea_with_list.pbem("list")
    assert first.out == again.out
    assert [line.split()[1] for line in first.out.splitlines()[::2]] == [
        "alps:",
        "pond:",
        "savannah:",
    ]
    together, calls = threading.Barrier(3), iter(range(3))

    def wait_for_the_others(method: str, path: str) -> str:
        if next(calls, None) is not None:
            together.wait(PATIENCE)  # raises if no others come
        return ""

    s3.fault = wait_for_the_others
    assert rhea_with_list.pbem("list").out == first.out
    assert not together.broken
    s3.fault = lambda method, path: "AccessDenied"
    refused = rhea_with_list.pbem("list").checked(0)
    assert refused.out.count("cannot be read: ") == 3


def test_dropping_caches_keeps_copies_that_the_store_has_lost(rhea_with_list: Person) -> None:
    games(rhea_with_list, "lost")
    address = f"memory://list-{rhea_with_list.home.name}/lost"
    assert rhea_with_list.pbem(f"status -C {address}").exit == 0
    copies = list(rhea_with_list.home.glob("stores/*/game.toml-*"))
    assert len(copies) == 1
    files = fsspec.filesystem("memory")
    path = address.removeprefix("memory:/") + "/game.toml"
    charter = files.cat_file(path)
    files.mv(path, f"{path}.elsewhere")
    said = rhea_with_list.pbem("doctor --drop-caches")
    assert (said.exit, copies[0].exists()) == (0, True), said.text
    files.pipe_file(path, charter)
    rhea_with_list.pbem(f"status -C {address}")
    assert rhea_with_list.pbem("doctor --drop-caches").out.startswith(
        "deleted the caches of 1 game;"
    )
    assert [x.name for x in rhea_with_list.home.glob("stores/*/game.toml-*")] == [copies[0].name]
    assert rhea_with_list.pbem(f"status -C {address}").exit == 0


def test_a_damaged_copy_in_the_home_is_not_taken_for_a_forged_game(tmp_path: Path) -> None:
    """The disk of this computer changes a byte of each copy; the size stays the same."""
    table = Round(tmp_path)
    place = InMemory(f"damaged-{tmp_path.name}", tmp_path)
    join_in_store(table, place)
    assert advance_in_store(table.person("rhea"), place).exit == 0
    for name in ("ann", "eve"):
        who = table.person(name)
        before = who.pbem(f"show -C {place.address}").checked(0)
        copies = {copy: copy.read_bytes() for copy in who.home.glob("stores/*/*.toml-*")}
        assert len(copies) == 4
        for copy, data in copies.items():
            copy.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
        for line in ("status -C", "show -C", "log -C", "audit"):
            said = who.pbem(f"{line} {place.address}").checked(0)
            assert "changed" not in said.text
        assert who.pbem(f"show -C {place.address}").out == before.out
        (charter,) = (copy for copy in copies if copy.name.startswith("game.toml"))
        assert charter.read_bytes() == copies[charter], "it was fetched again"


def test_caches_of_a_store_that_cannot_be_reached_are_kept(rhea_with_list, monkeypatch):
    games(rhea_with_list, "away")
    rhea_with_list.pbem(f"status -C memory://list-{rhea_with_list.home.name}/away")
    copies = list(rhea_with_list.home.glob("stores/*/game.toml-*"))

    def away(*_: object, **__: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(type(fsspec.filesystem("memory")), "ls", away)
    said = rhea_with_list.pbem("doctor --drop-caches").checked(0)
    assert "could not delete the cached copies of memory://" in said.out
    assert "cannot be reached now" in said.out
    assert all(copy.exists() for copy in copies)
