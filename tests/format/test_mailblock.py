"""Mail blocks: what mail does to them is undone, or named."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.format.mail_block import Block, block_checksum, block_of, decode, encode
from tests.format.mangled_blocks import BLOCK, FILE, MANGLED
from tests.kit.selection import long


@given(st.lists(st.binary(max_size=200), max_size=4))
def test_files_packed_into_mail_blocks_are_unpacked_the_same(files: list[bytes]) -> None:
    text = encode(files)
    assert text.isascii()
    assert all(len(line) <= 64 for line in text.splitlines())
    assert decode(text) == [Block(f) for f in files]


@pytest.mark.parametrize("text", MANGLED.values(), ids=MANGLED.keys())
def test_what_mail_programs_do_to_a_block_is_undone(text: str) -> None:
    (block,) = decode(text)
    assert block.damage is None
    assert block.data in (FILE, FILE + b"x")


@pytest.mark.parametrize("name", ["quoted", "CRLF", "em dashes", "rewrapped"])
def test_a_repaired_block_is_called_repaired(name: str) -> None:
    assert decode(MANGLED[name])[0].repaired
    assert not decode(MANGLED["in a letter"])[0].repaired


rows = BLOCK.splitlines(keepends=True)
DAMAGED = {
    "a line lost": ("".join(rows[:2] + rows[3:]), "damaged on the way"),
    "two lines changed places": ("".join([rows[0], rows[2], rows[1], *rows[3:]]), "damaged"),
    "a letter changed": (BLOCK.replace("a", "b", 1), "damaged on the way"),
    "no checksum": ("".join(rows[:-2] + rows[-1:]), "the line with its checksum is missing"),
    "no end": ("".join(rows[:-1]), "cut off"),
    "no beginning": ("".join(rows[1:]), "the beginning of this block"),
}


@pytest.mark.parametrize(("text", "words"), DAMAGED.values(), ids=DAMAGED.keys())
def test_damage_to_a_block_is_described(text: str, words: str) -> None:
    (block,) = decode(text)
    assert block.data is None
    assert words in (block.damage or "")


def test_the_full_lines_of_a_block_have_64_characters() -> None:
    lines = BLOCK.splitlines()
    assert {len(line) for line in lines[1:-3]} == {64}
    assert len(lines[-3]) <= 64


def test_blocks_are_separated_by_an_empty_line() -> None:
    assert encode([b"a", b"b"]) == encode([b"a"]) + "\n" + encode([b"b"])
    assert encode([]) == ""


def test_an_end_mark_before_a_begin_mark_makes_two_halves_of_blocks() -> None:
    first, second = decode(rows[-1] + rows[0])
    assert "the beginning of this block" in (first.damage or "")
    assert "the end of this block was cut off" in (second.damage or "")


def test_a_second_begin_mark_means_that_the_first_block_was_cut_off() -> None:
    first, second = decode("".join(rows[:-1]) + BLOCK)
    assert "the end of this block was cut off" in (first.damage or "")
    assert second.data == FILE


def test_a_damaged_block_does_not_spoil_its_neighbour() -> None:
    blocks = decode("".join(rows[:4]) + BLOCK + "".join(rows[2:]) + BLOCK)
    assert [b.data for b in blocks] == [None, FILE, None, FILE]


@pytest.mark.sample(0)
@given(st.text(max_size=200), st.integers(0, len(BLOCK)))
def test_text_inserted_into_a_block_gives_the_right_file_or_damage(text: str, at: int) -> None:
    for block in decode(BLOCK[:at] + text + BLOCK[at:]):
        assert block.data in (None, FILE)


# ------------------------------------------------------------------ what is packed
PACKERS = {
    **{f"level {n}": zlib.compressobj(n) for n in range(10)},
    "a small window": zlib.compressobj(9, zlib.DEFLATED, 9, 1),
    "no matches": zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_HUFFMAN_ONLY),
    "fixed codes": zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_FIXED),
}


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS.keys())
def test_a_block_is_unpacked_whichever_program_packed_it(packer: "zlib._Compress") -> None:
    text = block_of(packer.compress(FILE) + packer.flush(), block_checksum(FILE))
    assert decode(text) == [Block(FILE)]
    assert decode(text.replace("\n", "\r\n")) == [Block(FILE, repaired=True)]


PACKED = zlib.compress(FILE)
DICTIONARY = zlib.compressobj(zdict=b"turn")
BROKEN = {
    "not packed": FILE,
    "nothing": b"",
    "the end cut off": PACKED[:-1],
    "half of it": PACKED[: len(PACKED) // 2],
    "the sum at the end changed": PACKED[:-1] + bytes([PACKED[-1] ^ 1]),
    "more after the end": PACKED + b"\0",
    "two of them": PACKED * 2,
    "gzip": zlib.compressobj(9, zlib.DEFLATED, 31).compress(FILE),
    "deflate alone": PACKED[2:-4],
    "a dictionary that nobody has": DICTIONARY.compress(FILE) + DICTIONARY.flush(),
}


@pytest.mark.parametrize(
    ("packed", "file"),
    [*((packed, FILE) for packed in BROKEN.values()), (PACKED, b"x")],
    ids=[*BROKEN, "another file's checksum"],
)
def test_a_block_that_is_not_packed_rightly_is_called_damaged(packed: bytes, file: bytes) -> None:
    (block,) = decode(block_of(packed, block_checksum(file)))
    assert block.data is None
    assert "damaged on the way" in (block.damage or "")


@pytest.mark.parametrize("more", [0, 1, 1 << 14, *long([200 << 20])])
def test_a_block_with_a_file_over_1_mib_is_refused(more: int) -> None:
    data = bytes((1 << 20) + more)
    (block,) = decode(encode([data]))
    assert block.data == (None if more else data)
    assert ("unpacks to more than 1 MB" in (block.damage or "")) == bool(more)


def test_blocks_are_shorter_than_their_files() -> None:
    hexes = "".join(block_checksum(b"%d" % n) for n in range(400)).encode()
    assert len(encode([hexes])) < 0.85 * len(hexes)
