"""Record files as text that survives mail: `-----BEGIN PBEM-----` blocks (protocol §1)."""

import base64
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

BEGIN: Final = "-----BEGIN PBEM-----"
END: Final = "-----END PBEM-----"
_COLUMNS: Final = 64
_MAX_TEXT: Final = 1 << 25

_DASHES = "-\u00ad\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\r]")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]|&nbsp;")
_QUOTE = re.compile(r"^(?: *[>|])+ ?|^- (?=-)", re.MULTILINE)
# bounded: a line of a million dashes would take hours
_DASH = f"[{_DASHES}]{{1,40}}"
_MARK = re.compile(rf"{_DASH} {{0,9}}(BEGIN|END) {{1,9}}PBEM {{0,9}}{_DASH}", re.IGNORECASE)
_CHECK = re.compile(r"\bcheck *: *([0-9a-f]{16})\b", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]*>|&(?:[a-z]+|#[0-9]+);", re.IGNORECASE)
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]")


@dataclass(frozen=True)
class Block:
    """What one block holds: the file's bytes if its checksum fits, else why it does not.

    `repaired` says that the mail had changed the text in a way that could be undone.
    """

    data: bytes | None
    damage: str | None = None
    repaired: bool = False


def encode(files: Iterable[bytes]) -> str:
    """One block for each file, an empty line between them. ASCII, LF."""
    return "\n".join(map(_encode, files))


def _encode(data: bytes) -> str:
    text = base64.b64encode(data).decode()
    rows = [text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS)]
    return "\n".join([BEGIN, *rows, f"check: {_checksum(data)}", END, ""])


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def decode(text: str) -> list[Block]:
    """All blocks in a text, in order; none is no error.

    Undone: quoting with `>` or `|`, CR, BOM, no-break and invisible characters, look-alike dashes,
    changed case of the marks, added spaces and line ends, HTML tags, quoted-printable's `=`.
    A block with `damage` was damaged on the way: that says nothing about signatures.
    """
    clean = _QUOTE.sub("", _SPACES.sub(" ", _INVISIBLE.sub("", text[:_MAX_TEXT])))
    marks = [(m[1].upper(), m.start(), m.end()) for m in _MARK.finditer(clean)]
    blocks = []
    for i, (mark, _, start) in enumerate(marks):
        if mark == "END":
            if i == 0 or marks[i - 1][0] == "END":
                blocks.append(Block(None, "a block without its beginning: copy the whole of it"))
        elif i + 1 < len(marks) and marks[i + 1][0] == "END":
            blocks.append(_decode(clean[start : marks[i + 1][1]], text))
        else:
            blocks.append(Block(None, "a block without its end: it was cut off; ask for it again"))
    return blocks


def _decode(inner: str, original: str) -> Block:
    checks = list(_CHECK.finditer(inner))
    if not checks:
        return Block(None, "damaged on the way: the checksum line is missing")
    encoded = _MARKUP.sub("", inner[: checks[-1].start()])
    letters = _NOT_BASE64.sub("", encoded.replace("=3D", "=").replace("=3d", "="))
    try:
        data = base64.b64decode(letters + "=" * (-len(letters) % 4))
    except ValueError:
        data = b""
    if _checksum(data) != checks[-1][1].lower():
        return Block(None, "damaged on the way: the checksum does not fit; ask for it again")
    return Block(data, repaired=_encode(data) not in original)
