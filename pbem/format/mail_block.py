"""Write and read record files as text blocks that survive mail (protocol §2, *Mail block*)."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from engine.values import Value
from pbem.format.canonical import MAX_BYTES

BEGIN: Final = "-----BEGIN PBEM-----"
END: Final = "-----END PBEM-----"
_COLUMNS: Final = 64
_MAX_TEXT: Final = 1 << 25
"""How many characters of a text `decode` reads."""
MAX_MARKS: Final = 1 << 13
"""How many marks in one text `decode` reads: four times the blocks that any game makes."""
_STEP: Final = 1 << 14
"""How many bytes `unpacked` unpacks at a time, before it counts them."""

_DASHES = "-\u00ad\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\r]")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]|&nbsp;")
_QUOTE = re.compile(r"^[ >|]*[>|] ?|^- (?=-)", re.MULTILINE)
# find the words first, then the dashes around them: otherwise a million dashes take hours
_WORDS = re.compile(r"(BEGIN|END) {1,9}PBEM", re.IGNORECASE)
_BEFORE = re.compile(r"(BEGIN|END) {1,9}\Z", re.IGNORECASE)
_LONGEST: Final = len("BEGIN") + 9
_LEFT = re.compile(rf"[{_DASHES}]+ {{0,9}}\Z")
_RIGHT = re.compile(rf" {{0,9}}[{_DASHES}]{{1,40}}")
_AROUND: Final = 50
_CHECK = re.compile(r"\bcheck *: *([0-9a-f]{16})\b", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]*>|&(?:[a-z]+|#[0-9]+);", re.IGNORECASE)
_TOO_LONG: Final = (
    f"unpacks to more than {MAX_BYTES >> 20} MB, which is larger than any file of a game"
)
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]")


class Block(Value):
    """One block: the file's bytes if the checksum matches, else what is damaged. `repaired`: a mail
    program's changes to the text were undone."""

    data: bytes | None
    damage: str | None = None
    repaired: bool = False


class Unpacked(NamedTuple):
    """The contents of a block: the file, and the checksum of an undamaged block with it."""

    data: bytes
    check: str


Unpack = Callable[[bytes], Unpacked | None]
"""The type of `unpacked`; emails need such a function that also limits the work."""


def encode(files: Iterable[bytes]) -> str:
    """Write one block for each file, with an empty line between them. ASCII, LF."""
    return "\n".join(block_of(zlib.compress(data, 9), check_of(data)) for data in files)


def block_of(packed: bytes, check: str) -> str:
    """Write the block of a file that is already packed, in zlib's format (RFC 1950)."""
    text = base64.b64encode(packed).decode()
    rows = [text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS)]
    return "\n".join([BEGIN, *rows, f"check: {check}", END, ""])


def check_of(data: bytes) -> str:
    """Return the checksum of a file, which shows whether its block was damaged."""
    return hashlib.sha256(data).hexdigest()[:16]


def unpacked(packed: bytes, count: Callable[[int], object] = lambda size: None) -> Unpacked | None:
    """Unpack these bytes, which are in zlib's format; None if they are incomplete.

    Of a file longer than any record, only a little more than its first 1 MiB is returned. `count`
    is called with the number of bytes of each step.
    """
    stream, file = zlib.decompressobj(), bytearray()
    try:
        while not stream.eof and len(file) <= MAX_BYTES:
            piece = stream.decompress(packed, _STEP)
            if not piece and not stream.eof:
                return None
            count(len(piece))
            file += piece
            packed = stream.unconsumed_tail
    except zlib.error:
        return None
    data = bytes(file)
    return None if stream.unused_data else Unpacked(data, check_of(data))


def decode(text: str, unpack: Unpack = unpacked) -> list[Block]:
    """Return all blocks in a text, in order. A text without any block is not an error.

    These changes by mail programs are undone: quotes with `>` or `|`, CR, BOM, hard and invisible
    characters, look-alike dashes, changed case of the marks, added spaces and line ends, HTML tags,
    quoted-printable's `=`. A block with `damage` was damaged on the way; signatures are not checked
    here.
    """
    clean = _cleaned(text[:_MAX_TEXT])
    marks = list[tuple[str, int, int]]()
    for word, begin, end in islice(_words(clean), MAX_MARKS):
        near = max(0, begin - _AROUND)
        left, right = _LEFT.search(clean[near:begin]), _RIGHT.match(clean, end)
        if left and right:
            marks.append((word, near + left.start(), right.end()))
    whole = {piece.partition(END)[0] for piece in text.split(BEGIN)[1:]} if marks else set()
    blocks = []
    for i, (mark, _, start) in enumerate(marks):
        if mark == "END":
            if i == 0 or marks[i - 1][0] == "END":
                blocks.append(Block(None, "the block has no beginning; copy the whole block"))
        elif i + 1 < len(marks) and marks[i + 1][0] == "END":
            blocks.append(_decode(clean[start : marks[i + 1][1]], whole, unpack))
        else:
            blocks.append(Block(None, "the end of the block was cut off; ask for the email again"))
    return blocks


def _cleaned(text: str) -> str:
    if text.isascii():
        plain = text.replace("\r", "").replace("\t", " ").replace("&nbsp;", " ")
        if "pbem" not in plain.lower():  # no block; the steps below are slow
            return ""
    elif "pbem" not in (text := _INVISIBLE.sub("", text)).lower():
        return ""
    else:
        plain = _SPACES.sub(" ", text)
    return _QUOTE.sub("", plain) if any(sign in plain for sign in (">", "|", "- -")) else plain


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    low = text.lower()
    if "pbem" not in low:  # ten times faster than the expression
        return
    if len(low) != len(text):  # a letter that becomes two in lower case would shift the places
        yield from ((f[1].upper(), f.start(), f.end()) for f in _WORDS.finditer(text))
        return
    end = 0
    while (at := low.find("pbem", end)) >= 0:
        end = at + len("pbem")
        if found := _BEFORE.search(text, max(0, at - _LONGEST), at):
            yield found[1].upper(), found.start(), end


def _unchanged(inner: str, unpack: Unpack) -> bytes | None:
    """Return the file of an unchanged block, else None. This is five times as fast as `_decode`."""
    body, _, rest = inner.rpartition("check: ")
    try:
        packed = base64.b64decode(body)
    except ValueError:
        return None
    file = unpack(packed)
    if file is None or len(file.data) > MAX_BYTES or rest[:16] != file.check:
        return None
    return file.data if block_of(packed, file.check) == f"{BEGIN}{inner}{END}\n" else None


def _decode(inner: str, whole: set[str], unpack: Unpack) -> Block:
    """Decode one block; `whole` contains the texts between marks that were not changed."""
    if (data := _unchanged(inner, unpack)) is not None:
        return Block(data, repaired=inner not in whole)
    checks = list(_CHECK.finditer(inner))
    if not checks:
        return Block(None, "damaged on the way: the checksum line is missing")
    packed = b""
    letters = _MARKUP.sub("", inner[: checks[-1].start()]).replace("=3D", "=").replace("=3d", "=")
    letters = _NOT_BASE64.sub("", letters)
    with suppress(ValueError):
        packed = base64.b64decode(letters + "=" * (-len(letters) % 4))
    file = unpack(packed)
    if file is not None and len(file.data) > MAX_BYTES:
        return Block(None, _TOO_LONG)
    if file is None or file.check != checks[-1][1].lower():
        told = "the checksum does not match; ask for the email again"
        return Block(None, f"damaged on the way: {told}")
    inner = block_of(packed, file.check)[len(BEGIN) :].partition(END)[0]
    return Block(file.data, repaired=inner not in whole)
