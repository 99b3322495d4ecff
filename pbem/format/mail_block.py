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

from engine.value_classes import Value
from pbem.format.canonical_toml import MAX_BYTES

BEGIN: Final = "-----BEGIN PBEM-----"
END: Final = "-----END PBEM-----"
_COLUMNS: Final = 64
_MAX_TEXT_CHARACTERS: Final = 1 << 25
"""The most characters of a text that `decode` reads."""
MAX_MARKS: Final = 1 << 13
"""The most marks that `decode` reads in one text: four times the blocks that any game makes."""
_STEP_BYTES: Final = 1 << 14
"""The number of bytes that `unpacked` unpacks before each call of `count`."""

_DASHES = "-\u00ad\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\r]")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]|&nbsp;")
_QUOTE = re.compile(r"^[ >|]*[>|] ?|^- (?=-)", re.MULTILINE)
"""The signs of a quote at the start of a line; OpenPGP programs write `- ` before a dash."""
# find the words first, then the dashes around them: otherwise a million dashes take hours
_WORDS = re.compile(r"(BEGIN|END) {1,9}PBEM", re.IGNORECASE)
_BEGIN_OR_END = re.compile(r"(BEGIN|END) {1,9}\Z", re.IGNORECASE)
_MAX_BEGIN_CHARACTERS: Final = len("BEGIN") + 9
_LEFT_DASHES = re.compile(rf"[{_DASHES}]+ {{0,9}}\Z")
_RIGHT_DASHES = re.compile(rf" {{0,9}}[{_DASHES}]{{1,40}}")
_MAX_DASHES: Final = 50
_CHECK = re.compile(r"\bcheck *: *([0-9a-f]{16})\b", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]*>|&(?:[a-z]+|#[0-9]+);", re.IGNORECASE)
_TOO_LONG: Final = (
    f"this block unpacks to more than {MAX_BYTES >> 20} MB, which is larger than any file of a game"
)
_DAMAGED: Final = "this block was damaged on the way: {clause}; ask for the email again"
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
    return "\n".join(block_of(zlib.compress(data, 9), block_checksum(data)) for data in files)


def block_of(packed: bytes, check: str) -> str:
    """Write the block of a file that is already packed, in zlib's format (RFC 1950)."""
    text = base64.b64encode(packed).decode()
    rows = [text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS)]
    return "\n".join([BEGIN, *rows, f"check: {check}", END, ""])


def block_checksum(data: bytes) -> str:
    """Return the checksum of a file, which shows whether its block was damaged."""
    return hashlib.sha256(data).hexdigest()[:16]


def unpacked(packed: bytes, count: Callable[[int], object] = lambda size: None) -> Unpacked | None:
    """Unpack these bytes, which are in zlib's format; None if they are incomplete or damaged, or if
    other bytes follow.

    Of a file longer than any record, only a little more than its first 1 MiB is returned. `count`
    is called with the number of bytes of each step; it may raise an error to stop.
    """
    stream, file = zlib.decompressobj(), bytearray()
    try:
        while not stream.eof and len(file) <= MAX_BYTES:
            piece = stream.decompress(packed, _STEP_BYTES)
            if not piece and not stream.eof:
                return None
            count(len(piece))
            file += piece
            packed = stream.unconsumed_tail
    except zlib.error:
        return None
    data = bytes(file)
    return None if stream.unused_data else Unpacked(data, block_checksum(data))


def decode(text: str, unpack: Unpack = unpacked) -> list[Block]:
    """Return all blocks in a text, in order. A text without any block is not an error.

    These changes by mail programs are undone: quotes with `>` or `|`, CR, BOM, hard and invisible
    characters, look-alike dashes, changed case of the marks, added spaces and line ends, HTML tags,
    quoted-printable's `=`. A block with `damage` was damaged on the way; signatures are not checked
    here.
    """
    clean = _clean_text(text[:_MAX_TEXT_CHARACTERS])
    marks = list[tuple[str, int, int]]()
    for word, begin, end in islice(_mark_words(clean), MAX_MARKS):
        window_start = max(0, begin - _MAX_DASHES)
        left_dashes = _LEFT_DASHES.search(clean[window_start:begin])
        right_dashes = _RIGHT_DASHES.match(clean, end)
        if left_dashes and right_dashes:
            marks.append((word, window_start + left_dashes.start(), right_dashes.end()))
    # the texts between marks that came through the mail unchanged
    sent_bodies = {part.partition(END)[0] for part in text.split(BEGIN)[1:]} if marks else set()
    blocks = []
    for i, (mark, _, start) in enumerate(marks):
        if mark == "END":
            if i == 0 or marks[i - 1][0] == "END":
                blocks.append(
                    Block(
                        None,
                        "the beginning of this block (-----BEGIN PBEM-----) is missing; copy the "
                        "whole block",
                    )
                )
        elif i + 1 < len(marks) and marks[i + 1][0] == "END":
            blocks.append(_decode_block(clean[start : marks[i + 1][1]], sent_bodies, unpack))
        else:
            blocks.append(Block(None, "the end of this block was cut off; ask for the email again"))
    return blocks


def _clean_text(text: str) -> str:
    """Return the text without quotes, CR, invisible characters and unusual spaces; empty if it can
    contain no block."""
    if text.isascii():
        cleaned = text.replace("\r", "").replace("\t", " ").replace("&nbsp;", " ")
        if "pbem" not in cleaned.lower():  # no block; the steps below are slow
            return ""
    elif "pbem" not in (text := _INVISIBLE.sub("", text)).lower():
        return ""
    else:
        cleaned = _SPACES.sub(" ", text)
    has_quotes = any(sign in cleaned for sign in (">", "|", "- -"))
    return _QUOTE.sub("", cleaned) if has_quotes else cleaned


def _mark_words(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield `BEGIN` or `END`, with the positions at which the words of the mark begin and end, for
    everything that may be a mark: its dashes are not looked at."""
    lower_text = text.lower()
    if "pbem" not in lower_text:  # ten times faster than the expression
        return
    if len(lower_text) != len(text):
        # a letter that becomes two in lower case would shift the positions
        yield from ((f[1].upper(), f.start(), f.end()) for f in _WORDS.finditer(text))
        return
    end = 0
    while (word_start := lower_text.find("pbem", end)) >= 0:
        end = word_start + len("pbem")
        window_start = max(0, word_start - _MAX_BEGIN_CHARACTERS)
        if match := _BEGIN_OR_END.search(text, window_start, word_start):
            yield match[1].upper(), match.start(), end


def _read_unchanged(inner: str, unpack: Unpack) -> bytes | None:
    """Return the file of an unchanged block, else None; five times as fast as `_decode_block`."""
    body, _, check_line = inner.rpartition("check: ")
    try:
        packed = base64.b64decode(body)
    except ValueError:
        return None
    file = unpack(packed)
    if file is None or len(file.data) > MAX_BYTES or check_line[:16] != file.check:
        return None
    return file.data if block_of(packed, file.check) == f"{BEGIN}{inner}{END}\n" else None


def _decode_block(inner: str, sent_bodies: set[str], unpack: Unpack) -> Block:
    """Decode one block, `inner` between its marks, which was cleaned of a mail program's changes.

    `sent_bodies` contains the texts between unchanged marks as they came: a block that is not among
    them was repaired.
    """
    if (data := _read_unchanged(inner, unpack)) is not None:
        return Block(data, repaired=inner not in sent_bodies)
    checks = list(_CHECK.finditer(inner))
    if not checks:
        return Block(None, _DAMAGED.format(clause="the line with its checksum is missing"))
    packed = b""
    body = _MARKUP.sub("", inner[: checks[-1].start()]).replace("=3D", "=").replace("=3d", "=")
    digits = _NOT_BASE64.sub("", body)
    with suppress(ValueError):
        packed = base64.b64decode(digits + "=" * (-len(digits) % 4))
    file = unpack(packed)
    if file is not None and len(file.data) > MAX_BYTES:
        return Block(None, _TOO_LONG)
    if file is None or file.check != checks[-1][1].lower():
        return Block(None, _DAMAGED.format(clause="its checksum does not match"))
    inner = block_of(packed, file.check)[len(BEGIN) :].partition(END)[0]
    return Block(file.data, repaired=inner not in sent_bodies)
