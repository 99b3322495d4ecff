"""Find blocks in text that people pasted or mail programs rewrote (protocol §1, mail block).

`pbem.format.mail_block` undoes what can safely be undone in any text. This module tries repairs
that are right for some texts and wrong for others, one after the other. It uses the repair that
saves most blocks, because the checksums show which one was right.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import quopri
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from pbem.format.mail_block import MAX_MARKS, Block, Unpack, decode, unpacked
from pbem.mail.opening.html_text import html_text

_GAP: Final = r"[\s>|\u00a0\u200b]{0,40}"
_MARK = re.compile(rf"\b(BEGIN|END){_GAP}PBEM\b", re.IGNORECASE)
_CHECK = re.compile(rf"\bcheck{_GAP}:{_GAP}((?:[0-9a-f]{_GAP}){{16}})", re.IGNORECASE)
_INITIALS = re.compile(r"^[ >|]*[A-Za-z][A-Za-z0-9]{0,5}(?=>)", re.MULTILINE)
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]{64,}")
_CHARSET = re.compile(r"[A-Za-z0-9_.:-]{1,40}")
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_UTF_7: Final = "utf-7"
"""A charset whose text is read without decoding: decoded, the `+` of base64 would be lost."""
_NO_TEXT: Final = frozenset(
    ["mbcs", "oem", "punycode", "raw-unicode-escape", "unicode-escape", _UTF_7]
)


def text_of(data: bytes, charset: str = "utf-8") -> str:
    """Decode bytes; those that the charset cannot decode become a character not used in blocks."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            charset = name
    try:
        name = codecs.lookup(charset).name if _CHARSET.fullmatch(charset) else _UTF_7
        if name not in _NO_TEXT:
            return data.decode(name, "replace")
    except (LookupError, ValueError):  # an unknown charset, or one that is not for text
        pass
    return data.decode("latin-1")


def blocks_in(
    text: str, repair: Callable[[int], bool] = lambda size: True, unpack: Unpack = unpacked
) -> list[Block]:
    """Find all blocks in a text, in order, including damaged ones; the list may be empty.

    If some blocks are damaged, `repair` says whether a text of this length may also be read in
    other ways, each of which takes as long as the first. `unpack` unpacks a block's file.
    """
    best = decode(text, unpack)
    if best and all(block.data is not None for block in best):
        return best
    tried = {text}
    for reading in _readings(text) if repair(len(text)) else ():
        if reading in tried:
            continue
        tried.add(reading)
        found = [replace(block, repaired=True) for block in decode(reading, unpack)]
        best = max(best, found, key=_worth)
        if best and all(block.data is not None for block in best):
            break
    return best


def _readings(text: str) -> Iterator[str]:
    """Guess what the text was before a mail program changed it, the most likely guess first."""
    for plain in dict.fromkeys([text, _printable(text), _packed(text)]):
        yield _unwrapped(_unsigned(plain))
        yield _unwrapped(html_text(plain))


def _worth(blocks: list[Block]) -> tuple[int, int]:
    good = {block.data for block in blocks if block.data is not None}
    return len(good), -sum(block.data is None for block in blocks)


def _unwrapped(text: str) -> str:
    """Put marks and checksums on one line again, where a narrow column broke them."""
    if "pbem" not in text.lower():
        return text
    whole = _MARK.sub(lambda m: f"{m[1]} PBEM", text, MAX_MARKS)
    return _CHECK.sub(lambda m: f"check: {re.sub('[^0-9A-Fa-f]', '', m[1])}\n", whole, MAX_MARKS)


def _unsigned(text: str) -> str:
    """Remove quote marks that are made of initials, such as `AB> `."""
    return _INITIALS.sub("", text)


def _printable(text: str) -> str:
    """Decode the text as if it was the raw source of a quoted-printable email."""
    return quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")


def _packed(text: str) -> str:
    """Decode the text, if it is the raw source of a base64 email, where no block is visible."""
    for found in _BASE64.finditer(text):
        try:
            inner = base64.b64decode(found[0]).decode("utf-8", "replace")
        except (ValueError, binascii.Error):
            continue
        if "PBEM" in inner:
            return inner
    return text
