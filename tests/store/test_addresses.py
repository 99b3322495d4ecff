"""What people type as a place: paths, addresses of stores, and mistakes in them."""

import os
import subprocess
import sys
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import fsspec
import pytest

from pbem.files.file_errors import AwayError, StorageError
from pbem.files.fsspec_store import CLAIM
from pbem.files.game_folder_places import DiskPlace, place_of
from pbem.files.home import Home
from tests.kit.crashes import ROOT
from tests.kit.people import Round


@pytest.mark.parametrize(
    ("said", "text", "name"),
    [
        ("s3://club/savannah", "s3://club/savannah", "savannah"),
        ("s3://club/games/2026/savannah/", "s3://club/games/2026/savannah", "savannah"),
        ("sftp://ann@host:2222/srv/savannah", "sftp://ann@host:2222/srv/savannah", "savannah"),
        (f"https://club.example/g/{'5eed' * 8}", f"https://club.example/g/{'5eed' * 8}", ""),
    ],
)
def test_the_address_of_a_store_is_read_and_shown_again(said, text, name):
    place = place_of(said)
    assert place.is_remote
    assert (str(place), place.name, place_of(str(place))) == (text, name, place)


@pytest.mark.parametrize("said", ["savannah", ".", "/srv/savannah", "C:/games", "s3/x", "a:b"])
def test_text_that_is_no_address_is_a_path(said):
    assert place_of(said).path == Path(said).absolute()
    assert place_of(Path(said)).path == Path(said).absolute()


def test_a_file_address_is_a_path():
    assert place_of("file:///srv/savannah") == DiskPlace(Path("/srv/savannah"))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("s3://club", "names no folder in the store; add one, as in s3://club/savannah"),
        ("s3://", "names no folder in the store; add one, as in s3://bucket/savannah"),
        ("s3://club//savannah", "names no folder"),
        ("s3://club/../other", "names no folder"),
        ("s3://club/a b", "has the character ' ', which no game address may have"),
        ("s3://club/x?versionId=1", "has the character '?'"),
        ("s3://club/x#y", "has the character '#'"),
        ("s3://club/*", "has the character '*'"),
        ("s3://club/x::s3://y/z", "has the character '::'"),
        ("s3://club/x\ny", "may have"),
        ("s3:club/savannah", "is not an address; did you mean s3://club/savannah?"),
        ("sftp:/host/savannah", "is not an address; did you mean sftp://host/savannah?"),
        ("https://club.example/savannah", "is not the address of a game on a host"),
        ("https://club.example/g/5eed", "such an address is https://club.example/g/ with 32"),
        (f"http://club.example/g/{'5eed' * 8}", "does not encrypt, so others could read"),
        ("data://club/savannah", "is not a place that players can share"),
        ("simplecache::s3://club/x", ""),
    ],
)
def test_mistakes_in_store_addresses_are_named(said, told, tmp_path):
    if not told:
        assert place_of(said).path, "not an address at all"
        return
    with pytest.raises(StorageError) as refused:
        place_of(said)
    assert told in refused.value.sentence
    people = Round(tmp_path)
    answer = people.person("ann").pbem(["status", "-C", said])
    assert (answer.exit, answer.out, answer.err.count("\n")) == (7, "", 1)


@pytest.mark.parametrize("said", ["sftp://ann:hunter2@host/x", "s3://AKIA:hunter2@club/savannah"])
@pytest.mark.parametrize("line", ["status -C {}", "new {} --players Ann,Bo", "audit {}", "list"])
def test_a_password_in_an_address_is_refused_and_not_repeated(said, line, tmp_path):
    ann = Round(tmp_path).person("ann")
    answer = ann.pbem(line.format(said).split(), PBEM_FOLDER=said)
    assert "hunter2" not in answer.text
    if line != "list":
        answer.checked(7, err="contains a password, but an address must not")


def test_the_environment_can_name_the_game_folder(tmp_path):
    ann = Round(tmp_path).person("ann")
    (tmp_path / "empty").mkdir()
    told = ann.pbem("status", PBEM_FOLDER=str(tmp_path / "empty"))
    assert f"{tmp_path / 'empty'} is empty" in told.err
    assert "there is no folder" in ann.pbem("status -C nowhere", PBEM_FOLDER="x").err


def test_a_home_remembers_the_place_of_a_game(tmp_path):
    mine = Home(tmp_path / "home").game("0" * 64)
    for place in (place_of("s3://club/savannah"), DiskPlace(tmp_path)):
        mine.remember_place(place)
        assert mine.place == place
    (mine.root / "place.toml").write_text('folder = "s3://a:b@c/d"\n')
    assert mine.place is None


def test_a_home_keeps_the_copies_of_each_address_apart(tmp_path):
    home = Home(tmp_path)
    one, two = (home.folder(place_of(f"memory://{x}/g")) for x in "xy")
    one.create("turns/0001.toml", b"one")
    two.create("turns/0001.toml", b"two")
    for folder, data in ((one, b"one"), (two, b"two"), (one, b"one")):
        (found,) = folder.scan().turns
        assert folder.read(found) == data
    assert len(list((tmp_path / "stores").iterdir())) == 2


@pytest.mark.parametrize("damaged", [lambda x: x[:-2], lambda x: x[:-2] + b"LE", lambda x: b""])
def test_a_damaged_copy_in_the_home_is_fetched_again_from_the_store(tmp_path, damaged):
    folder = Home(tmp_path).folder(place_of("memory://cut/g"))
    folder.create("turns/0001.toml", b"whole")
    (found,) = folder.scan().turns
    assert folder.read(found) == b"whole"
    (copy,) = (tmp_path / "stores").glob("*/turns-*")
    kept = copy.read_bytes()
    copy.write_bytes(damaged(kept))
    assert folder.read(found) == b"whole"
    assert copy.read_bytes() == kept
    copy.write_bytes(sha256(b"WHOLE").digest() + b"WHOLE")
    assert folder.read(found) == b"WHOLE", "only the checks of records see it"
    folder.bypass_copies()
    assert folder.read(found) == b"whole", "an audit asks the store"


@pytest.mark.long
def test_a_claim_to_write_in_a_store_counts_for_an_hour(tmp_path):
    """A program that was stopped between its claim and its file keeps nobody out for ever."""
    folder = Home(tmp_path).folder(place_of("memory://claims/g"))
    folder.create("game.toml", b"charter")
    files = fsspec.filesystem("memory")
    claim = f"/claims/g/turns/{CLAIM}0001.toml-00"
    files.pipe_file(claim, b"")
    with pytest.raises(
        AwayError, match=r"another pbem process is writing.*begins with \.~pbem-claim-"
    ):
        folder.create("turns/0001.toml", b"x")
    assert [x.kind for x in folder.scan().strays] == ["temporary"], "its own claims are gone"
    files.store[claim].created -= timedelta(hours=1, seconds=5)
    folder.scan()
    assert folder.create("turns/0001.toml", b"x")
    assert folder.scan().strays == (), "and the old one is swept up"


def test_whoever_waited_in_vain_for_another_writer_has_written_nothing(tmp_path, monkeypatch):
    """The other referee's program puts the same turn just after the last try."""
    folder = Home(tmp_path).folder(place_of("memory://two/g"))
    folder.create("game.toml", b"charter")
    files, removed = fsspec.filesystem("memory"), list[str]()
    files.pipe_file(f"/two/g/turns/{CLAIM}0001.toml-00", b"")
    truly = type(files).rm_file

    def rm_file(self, path):
        truly(self, path)
        removed.append(path)
        if len(removed) == 4:
            files.pipe_file("/two/g/turns/0001.toml", b"x")

    monkeypatch.setattr(type(files), "rm_file", rm_file)
    assert folder.create("turns/0001.toml", b"x") is False
    assert len(removed) == 4


SHELF = """
from pathlib import Path
from pbem.files.store_interface import Entry, Store

class Shelf(Store):
    def __init__(self, root):
        self.root = root

    def list_entries(self, places):
        for folder in (self.root, *(self.root / place for place in places)):
            for path in folder.iterdir() if folder == self.root or folder.is_dir() else ():
                kind = "folder" if path.is_dir() else "file"
                size = path.stat().st_size
                yield str(path.relative_to(self.root)), Entry(path.name, kind, size, 0, "")

    def get(self, path, max_bytes):
        return (self.root / path).read_bytes()[:max_bytes]

    def write_new(self, path, data):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        with open(self.root / path, "xb") as file:
            file.write(data)

    def move(self, source, target):
        (self.root / source).rename(self.root / target)

    def remove(self, path):
        (self.root / path).unlink()

def open_store(address):
    return Shelf(Path(__file__).parent / address.partition("://")[2])
"""


@pytest.fixture
def ann_with_shelf(tmp_path):
    """Ann, who has installed somebody's package that opens `shelf://`, as pip leaves it."""
    installed = tmp_path / "site"
    info = installed / "shelf_for_pbem-1.dist-info"
    info.mkdir(parents=True)
    (installed / "shelf_for_pbem.py").write_text(SHELF)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shelf-for-pbem\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[pbem.stores]\nshelf = shelf_for_pbem:open_store\n")
    ann = Round(tmp_path).person("ann")
    ann.env["PYTHONPATH"] = os.pathsep.join([str(installed), str(ROOT)])
    return ann


@pytest.mark.sample(0)
def test_another_package_adds_a_kind_of_store(ann_with_shelf, tmp_path):
    new = ann_with_shelf.really("new shelf://club/savannah --players Ann,Bo")
    assert (new.exit, "give the players access to the store" in new.out) == (0, True), new
    assert (tmp_path / "site/club/savannah/game.toml").is_file()
    status = ann_with_shelf.really("status -C shelf://club/savannah")
    assert (status.exit, "pbem join -C shelf://club/savannah" in new.out) == (0, True), status


@pytest.mark.sample(0)
def test_a_store_package_whose_library_is_missing_names_the_library(ann_with_shelf, tmp_path):
    (tmp_path / "site/shelf_for_pbem.py").write_text("import shelflib\n")
    said = ann_with_shelf.really("status -C shelf://club/savannah")
    told = "shelf://club/savannah: shelf:// needs libraries that are not installed; install them: "
    assert (said.exit, told in said.err, said.err.rstrip().endswith("install shelflib")) == (
        7, True, True,
    )  # fmt: skip


@pytest.mark.sample(0)
def test_an_address_that_no_installed_package_opens_is_refused(tmp_path):
    code = """if True:
        import importlib.metadata, sys
        importlib.metadata.entry_points = lambda group: []
        from pbem.cli import run_command
        sys.exit(run_command(["status", "-C", "shelf://club/savannah"]))
    """
    env = {"PBEM_HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True
    )
    told = "shelf://: no installed package can open such an address"
    assert (done.returncode, told in done.stderr, done.stderr.count("\n")) == (7, True, 1)


def test_an_address_of_an_unknown_kind_of_store_is_refused(tmp_path):
    said = Round(tmp_path).person("ann").pbem("status -C nonsense://club/savannah")
    assert (said.exit, "no library for nonsense:// is installed" in said.err) == (7, True)


@pytest.mark.sample(0)
def test_without_the_libraries_of_stores_pbem_says_what_to_install(tmp_path):
    code = """if True:
        import sys
        sys.modules["fsspec"] = None
        from pbem.cli import run_command
        sys.exit(run_command(["status", "-C", "s3://club/savannah"]))
    """
    env = {"PBEM_HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True
    )
    told = "s3:// needs libraries that are not installed; install them: "
    told += f'"{sys.executable}" -m pip install'
    assert (done.returncode, told in done.stderr, done.stderr.count("\n")) == (7, True, 1)


@pytest.mark.sample(0)
def test_a_game_on_a_disk_loads_no_library_of_stores(tmp_path):
    code = """if True:
        import sys
        from pbem.cli import run_command
        run_command(["status", "-C", "nowhere"])
        print([m for m in ("fsspec", "s3fs", "paramiko", "concurrent") if m in sys.modules])
    """
    env = {"PBEM_HOME": str(tmp_path), "PATH": ""}
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]"), done.stdout
