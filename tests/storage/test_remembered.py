"""What a home remembers in small files: messages shown, last heads, fingerprints of folders."""

import multiprocessing
import os
import tomllib
from collections.abc import Mapping
from dataclasses import field, replace
from typing import NamedTuple

import pytest

from engine.value_classes import Value
from pbem.files import process_locks
from pbem.files.disk import folder_fingerprint
from pbem.files.file_errors import FileError, StorageError
from pbem.files.process_locks import lock
from pbem.files.signed_and_seen import Heads, Seen, ShownMessages
from pbem.files.toml_notes_in_home import Notebook, Notes
from tests.storage.permissions import closed_to_me

HEADS = [f"{n:064x}" for n in range(4)]
OTHER = "ab" * 32


# ------------------------------------------------------------------ any notebook
class Row(NamedTuple):
    name: str
    count: int


class Box(Value):
    size: int = 0
    words: tuple[str, ...] = ()


class Sample(Notes):
    file = "sample.toml"
    number: int = 0
    flag: bool = False
    text: str = ""
    words: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    boxes: tuple[Box, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Strict(Sample):
    damage = "is damaged; this is how to mend it"


FULL = Sample(
    -7, True, 'ä "\n', ("x", "y"), (Row("a", 1), Row("b", 2)), (Box(3, ("z",)), Box()),
    {"a": 1}, {"b": ("u", "v"), "c": ()},
)  # fmt: skip


def test_a_notebook_is_read_and_written_whole(tmp_path):
    book = Notebook(tmp_path / "deep", Sample)
    assert book.read() == Sample()
    assert book.change(lambda notes: notes) == Sample()
    assert not book.path.parent.exists(), "nothing new, nothing written"
    assert book.change(lambda _: FULL) == book.read() == FULL
    assert Notebook(tmp_path / "deep", Sample).read() == FULL
    before = book.path.stat()
    assert book.change(lambda notes: replace(notes, number=-7)) == FULL
    assert book.path.stat().st_ino == before.st_ino, "nothing new, nothing written"
    assert book.change(lambda notes: replace(notes, flag=False)) == replace(FULL, flag=False)
    assert Notebook(tmp_path / "deep", Sample).read() == replace(FULL, flag=False)
    assert [path.stat().st_mode & 0o077 for path in book.path.parent.iterdir()] == [0, 0]


def test_an_edit_that_fails_leaves_the_notebook_unchanged(tmp_path):
    book = Notebook(tmp_path, Sample)
    book.change(lambda _: FULL)
    with pytest.raises(KeyError):
        book.change(lambda notes: replace(notes, number=notes.counts["none"]))
    assert book.read() == FULL
    with lock(tmp_path / "notes.lock") as is_free:
        assert is_free, "the lock is free again"


@pytest.mark.parametrize(
    "text",
    [
        b"words = [", b"\xff", b"[[" * 9999, b"number = true", b"number = 1.0", b'number = "1"',
        b"flag = 1", b"words = 3", b"words = [3]", b"words = [['x']]", b"[text]", b"rows = ['a']",
        b"[[rows]]\nname = 'a'\n", b"[[rows]]\nname = 'a'\ncount = '1'\n", b"counts = ['a']",
        b"[[boxes]]\nweight = 1\n", b"counts.a = 'x'", b"counts.a.b = 1", b"lists.a = 'x'",
        b"unknown = 1",
    ],
)  # fmt: skip
def test_a_damaged_notebook_is_reported_or_read_as_empty_as_its_kind_says(tmp_path, text):
    book, strict = Notebook(tmp_path, Sample), Notebook(tmp_path, Strict)
    book.path.write_bytes(text)
    assert book.read() == Sample()
    for act in (strict.read, lambda: strict.change(lambda notes: replace(notes, number=1))):
        with pytest.raises(StorageError, match=r"sample\.toml: is damaged; this is how to mend it"):
            act()
    assert book.path.read_bytes() == text
    assert book.change(lambda notes: replace(notes, number=1)) == book.read() == Sample(1)


def test_a_notebook_that_cannot_be_read_now_is_not_overwritten(tmp_path):
    """It counts as empty, but what is in it is not lost."""
    book = Notebook(tmp_path, Sample)
    book.path.mkdir()
    with pytest.raises(StorageError, match="is a folder"):
        book.change(lambda notes: replace(notes, number=1))
    book.path.rmdir()
    with closed_to_me(0o777) as root:
        book = Notebook(root, Sample)
        book.change(lambda _: FULL)
        book.path.chmod(0)
        assert book.read() == Sample()
        with pytest.raises(StorageError, match="no permission"):
            book.change(lambda notes: replace(notes, number=1))
        book.path.chmod(0o600)
        assert book.read() == FULL


@pytest.mark.sample(0)
@pytest.mark.parametrize("races", [10, pytest.param(200, marks=pytest.mark.long)])
def test_processes_that_change_a_notebook_at_once_lose_nothing(tmp_path, races):
    def count_up(name):
        book = Notebook(tmp_path, Sample)
        for _ in range(races):
            book.change(lambda x: replace(x, counts={**x.counts, name: x.counts.get(name, 0) + 1}))
        return 0

    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=count_up, args=(name,)) for name in ("ann", "bo", "cy")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert Notebook(tmp_path, Sample).read().counts == {"ann": races, "bo": races, "cy": races}


def test_a_command_that_holds_the_lock_does_not_block_others_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(process_locks, "MAX_WAIT_SECONDS", 0.02)
    book = Notebook(tmp_path, Sample)
    with lock(tmp_path / "notes.lock"):
        assert book.read() == book.change(lambda notes: notes) == Sample()
        with pytest.raises(
            StorageError, match=r"notes\.lock: another pbem command is still changing"
        ):
            book.change(lambda notes: replace(notes, number=1))
    assert book.change(lambda notes: replace(notes, number=1)) == Sample(1)


# ------------------------------------------------------------------ messages shown
def test_shown_messages_are_remembered_for_each_reader_apart(tmp_path):
    told = ShownMessages(tmp_path)
    assert told.paths_shown_to("a") == set()
    told.add("a", [])
    assert not told.path.exists(), "nothing new, nothing written"
    told.add("a", ["press/2", "press/1"])
    told.add("b", ["press/1"])
    told.add("a", ["press/3"])
    assert tomllib.loads(told.path.read_text())["paths"] == {
        "a": ["press/1", "press/2", "press/3"],
        "b": ["press/1"],
    }
    assert ShownMessages(tmp_path).paths_shown_to("a") == {"press/1", "press/2", "press/3"}
    assert told.paths_shown_to("c") == set()
    told.path.unlink()
    told.add("b", [])
    assert not told.path.exists()


def test_only_the_last_five_thousand_shown_messages_are_remembered(tmp_path):
    told = ShownMessages(tmp_path)
    told.add("a", (f"press/{n:05}" for n in range(5_003)))
    assert (len(told.paths_shown_to("a")), min(told.paths_shown_to("a"))) == (5_000, "press/00003")
    told.add("a", ["press/00001", "press/00004"])
    paths = told.paths_shown_to("a")
    assert len(paths) == 5_000
    assert "press/00001" in paths
    assert sorted(paths)[1] == "press/00004"


def test_a_damaged_memory_of_shown_messages_counts_as_empty(tmp_path):
    told = ShownMessages(tmp_path)
    told.path.write_bytes(b"paths.a = [1, 'x']\n")
    assert told.paths_shown_to("a") == set()
    told.add("a", ["y"])
    assert told.paths_shown_to("a") == {"y"}


# ------------------------------------------------------------------ last heads
def test_the_last_head_seen_is_remembered(tmp_path):
    heads = Heads(tmp_path)
    assert heads.last_position() is None
    heads.check([])
    heads.remember(HEADS[:2])
    assert heads.last_position() == Seen(1, HEADS[1])
    before = heads.path.stat()
    heads.remember(HEADS[:2])
    assert heads.path.stat().st_ino == before.st_ino, "nothing new, nothing written"
    heads.remember(HEADS)
    assert Heads(tmp_path).last_position() == Seen(3, HEADS[3])
    heads.check([*HEADS, "f" * 64])


BACK = "this computer saw turn 2 (000000) before, but the folder now ends at"


def test_a_chain_that_goes_back_or_forks_from_the_last_head_is_refused(tmp_path):
    heads = Heads(tmp_path)
    heads.remember(HEADS[:3])
    for chain, told in (
        (HEADS[:2], f"{BACK} turn 1 (000000)"),
        ([], f"{BACK} nothing; let the folder sync"),
        ([*HEADS[:2], OTHER], "turn 2 has changed: this computer saw it with the head 000000, and"),
        (
            [*HEADS[:2], OTHER, HEADS[3]],
            "now its head is ababab; ask the referee which head is right",
        ),
    ):
        for work in (heads.check, heads.remember):
            with pytest.raises(FileError) as caught:
                work(chain)
            assert (caught.value.reason, told in caught.value.sentence) == ("fork", True)
    assert heads.last_position() == Seen(2, HEADS[2])


@pytest.mark.parametrize(
    "text",
    [
        "x", "", "turn = 1\n", f'head = "{HEADS[1]}"\n', f'turn = -1\nhead = "{HEADS[1]}"\n',
        f'turn = true\nhead = "{HEADS[1]}"\n', 'turn = 1\nhead = "ab"\n', "turn = 1\nhead = 3\n",
        f'turn = 1\nhead = "{"x" * 64}"\n', f'turn = 1.0\nhead = "{HEADS[1]}"\n',
        f'turn = 1\nhead = "{"0" * 62}"\n', f'turn = 1\nhead = "{"0" * 63}"\n', "\0", "[" * 9000,
        f'turn = "1"\nhead = "{HEADS[1]}"\n',
    ],
)  # fmt: skip
def test_a_damaged_memory_of_heads_is_reported(tmp_path, text):
    heads = Heads(tmp_path)
    heads.path.write_text(text)
    with pytest.raises(
        StorageError, match="is damaged; remove this file, then compare your twelve words"
    ):
        heads.last_position()
    assert heads.path.read_text() == text


def test_before_turn_1_no_head_is_remembered(tmp_path):
    heads = Heads(tmp_path)
    for before in ([], HEADS[:1]):
        heads.remember(before)
        assert heads.last_position() is None
    heads.remember(HEADS[:2])
    with pytest.raises(FileError):
        heads.remember(HEADS[:1])


# ------------------------------------------------------------------ fingerprints
@pytest.fixture
def folder_tree(tmp_path):
    root = tmp_path / "root"
    (root / "one" / "two" / "three").mkdir(parents=True)
    for place in (root, root / "one", root / "one" / "two", root / "one" / "two" / "three"):
        (place / "file").write_bytes(b"x")
        os.utime(place / "file", ns=(5, 5))
    return root


CHANGES = {
    "a longer file": lambda root: (root / "file").write_bytes(b"xy") and os.utime(
        root / "file", ns=(5, 5)
    ),
    "another time": lambda root: os.utime(root / "file", ns=(5, 6)),
    "another file": lambda root: (root / "file").rename(root / "other"),
    "another mode": lambda root: (root / "file").chmod(0o640),
    "a file more": lambda root: (root / "more").touch(),
    "a file less": lambda root: (root / "file").unlink(),
    "a folder more": lambda root: (root / "empty").mkdir(),
    "a file in a folder": lambda root: os.utime(root / "one" / "file", ns=(5, 6)),
    "a file two folders down": lambda root: os.utime(root / "one" / "two" / "file", ns=(5, 6)),
    "a folder for a file": lambda root: (root / "file").unlink() or (root / "file").mkdir(),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_any_change_in_a_folder_changes_its_fingerprint(folder_tree, change):
    before = folder_fingerprint(folder_tree)
    assert folder_fingerprint(folder_tree) == before
    change(folder_tree)
    assert folder_fingerprint(folder_tree) != before


def test_a_new_file_with_the_same_bytes_changes_the_fingerprint(folder_tree):
    before = folder_fingerprint(folder_tree)
    keep = (folder_tree / "file").rename(folder_tree.parent / "kept")
    (folder_tree / "file").write_bytes(b"x")
    os.utime(folder_tree / "file", ns=(5, 5))
    assert keep.exists()
    assert folder_fingerprint(folder_tree) != before


def test_left_out_names_and_deep_files_do_not_change_the_fingerprint(folder_tree):
    before = folder_fingerprint(folder_tree)
    without = folder_fingerprint(folder_tree, ["two", "more"])
    assert before != without
    (folder_tree / "more").touch()
    (folder_tree / "one" / "two" / "new").touch()
    assert folder_fingerprint(folder_tree, ["two", "more"]) == without
    (folder_tree / "more").unlink()
    (folder_tree / "one" / "two" / "new").unlink()
    os.utime(folder_tree / "one" / "two" / "three" / "file", ns=(5, 6))
    assert folder_fingerprint(folder_tree) == before, "deeper than pbem's folders are"


def test_a_missing_folder_has_a_fingerprint_and_links_are_not_followed(folder_tree):
    gone = folder_fingerprint(folder_tree / "none")
    assert gone == folder_fingerprint(folder_tree / "nothing")
    assert gone not in (folder_fingerprint(folder_tree), folder_fingerprint(folder_tree / "file"))
    (folder_tree / "link").symlink_to(folder_tree / "one")
    before = folder_fingerprint(folder_tree)
    (folder_tree / "one" / "file").unlink()
    (folder_tree / "one" / "file").write_bytes(b"longer")
    assert folder_fingerprint(folder_tree) != before
    (folder_tree / "one").rename(folder_tree.parent / "one")
    broken = folder_fingerprint(folder_tree)
    (folder_tree.parent / "one" / "file").unlink()
    assert folder_fingerprint(folder_tree) == broken, "links are not followed"
