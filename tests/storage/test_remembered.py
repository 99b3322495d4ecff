"""What a home remembers in small files: messages shown, last heads, fingerprints of folders."""

import os
import tomllib

import pytest

from pbem.files.disk import FileError, StorageError, fingerprint
from pbem.files.home import Heads, Notebook, Seen, ShownMessages

HEADS = [f"{n:064x}" for n in range(4)]


# ------------------------------------------------------------------ any notebook
def test_a_notebook_is_read_and_written_whole(tmp_path):
    book = Notebook(tmp_path / "deep" / "notes.toml")
    assert book.read() == book.notes() == {}
    assert not book.path.exists(), "reading writes nothing"
    book.write(
        {"last": 7, "lines": ["x", "y", "z"], "times": {"b": 1, "a": 2, "c": 3}}, max_entries=2
    )
    assert book.read() == {"last": 7, "lines": ["y", "z"], "times": {"a": 2, "c": 3}}
    book.write({"lines": ["x", "y", "z"]})
    assert book.notes() == {"lines": ["x", "y", "z"]}, "the old notes are gone"


@pytest.mark.parametrize("bad", [b"lines = [", b"\xff", b"[[" * 9999])
def test_a_damaged_notebook_is_said_or_empty(tmp_path, bad):
    book = Notebook(tmp_path / "notes.toml")
    book.path.write_bytes(bad)
    assert book.notes() == {}
    with pytest.raises(StorageError, match="is damaged"):
        book.read()


# ------------------------------------------------------------------ messages shown
def test_what_was_shown_is_remembered_by_whose_it_is(tmp_path):
    told = ShownMessages(tmp_path / "told.toml")
    assert told.paths_shown_to("a") == set()
    told.add("a", [])
    assert not told.path.exists(), "nothing new, nothing written"
    told.add("a", ["press/2", "press/1"])
    told.add("b", ["press/1"])
    told.add("a", ["press/3"])
    assert tomllib.loads(told.path.read_text()) == {
        "a": ["press/1", "press/2", "press/3"],
        "b": ["press/1"],
    }
    assert ShownMessages(told.path).paths_shown_to("a") == {"press/1", "press/2", "press/3"}
    assert told.paths_shown_to("c") == set()
    told.path.unlink()
    told.add("b", [])
    assert not told.path.exists()


def test_the_last_five_thousand_are_kept(tmp_path):
    told = ShownMessages(tmp_path / "told.toml")
    told.add("a", (f"press/{n:05}" for n in range(5_003)))
    assert (len(told.paths_shown_to("a")), min(told.paths_shown_to("a"))) == (5_000, "press/00003")


@pytest.mark.parametrize("text", ["", "x", "a = 3\n", "a = [1, 'x']\n", "\xff["])
def test_a_damaged_memory_is_an_empty_one(tmp_path, text):
    told = ShownMessages(tmp_path / "told.toml")
    told.path.write_text(text, "latin-1")
    assert told.paths_shown_to("a") == ({"x"} if "'x'" in text else set())
    told.add("a", ["y"])
    assert "y" in told.paths_shown_to("a")


# ------------------------------------------------------------------ last heads
def test_the_last_head_seen(tmp_path):
    heads = Heads(tmp_path / "heads.toml")
    assert heads.last_position() is None
    heads.check([])
    heads.remember(HEADS[:2])
    assert heads.last_position() == Seen(1, HEADS[1])
    before = heads.path.stat()
    heads.remember(HEADS[:2])
    assert heads.path.stat().st_ino == before.st_ino, "nothing new, nothing written"
    heads.remember(HEADS)
    assert Heads(heads.path).last_position() == Seen(3, HEADS[3])
    heads.check([*HEADS, "f" * 64])


BACK = "turn 2 (000000) was seen here before, and the folder now ends at"


def test_a_chain_that_goes_back_or_sideways_is_refused(tmp_path):
    heads = Heads(tmp_path / "heads.toml")
    heads.remember(HEADS[:3])
    for chain, told in (
        (
            HEADS[:2],
            f"{BACK} turn 1 (000000)",
        ),
        (
            [],
            f"{BACK} nothing; get the missing",
        ),
        (
            [*HEADS[:2], "ab" * 32],
            "turn 2 is not the one seen here before: its head was 000000 and",
        ),
        ([*HEADS[:2], "ab" * 32, HEADS[3]], "is now ababab; ask the referee which one counts"),
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
    ],
)  # fmt: skip
def test_a_damaged_memory_of_heads_is_said(tmp_path, text):
    heads = Heads(tmp_path / "heads.toml")
    heads.path.write_text(text)
    with pytest.raises(StorageError, match="is damaged; remove it, then compare the twelve words"):
        heads.last_position()


def test_before_turn_1_there_is_nothing_to_remember(tmp_path):
    heads = Heads(tmp_path / "heads.toml")
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
def test_whatever_changes_gives_another_fingerprint(folder_tree, change):
    before = fingerprint(folder_tree)
    assert fingerprint(folder_tree) == before
    change(folder_tree)
    assert fingerprint(folder_tree) != before


def test_the_same_bytes_in_a_new_file_are_a_change(folder_tree):
    before = fingerprint(folder_tree)
    keep = (folder_tree / "file").rename(folder_tree.parent / "kept")
    (folder_tree / "file").write_bytes(b"x")
    os.utime(folder_tree / "file", ns=(5, 5))
    assert keep.exists()
    assert fingerprint(folder_tree) != before


def test_what_is_left_out_of_a_fingerprint(folder_tree):
    before, without = fingerprint(folder_tree), fingerprint(folder_tree, ["two", "more"])
    assert before != without
    (folder_tree / "more").touch()
    (folder_tree / "one" / "two" / "new").touch()
    assert fingerprint(folder_tree, ["two", "more"]) == without
    (folder_tree / "more").unlink()
    (folder_tree / "one" / "two" / "new").unlink()
    os.utime(folder_tree / "one" / "two" / "three" / "file", ns=(5, 6))
    assert fingerprint(folder_tree) == before, "deeper than pbem's folders are"


def test_a_folder_that_is_not_there_and_links(folder_tree):
    gone = fingerprint(folder_tree / "none")
    assert gone == fingerprint(folder_tree / "nothing")
    assert gone not in (fingerprint(folder_tree), fingerprint(folder_tree / "file"))
    (folder_tree / "link").symlink_to(folder_tree / "one")
    before = fingerprint(folder_tree)
    (folder_tree / "one" / "file").unlink()
    (folder_tree / "one" / "file").write_bytes(b"longer")
    assert fingerprint(folder_tree) != before
    (folder_tree / "one").rename(folder_tree.parent / "one")
    broken = fingerprint(folder_tree)
    (folder_tree.parent / "one" / "file").unlink()
    assert fingerprint(folder_tree) == broken, "links are not followed"
