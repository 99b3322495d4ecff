"""What a person was sent, taken apart into files: record, text, mail, mbox, zip, one in another.

Nothing is believed or written here. No name that a sender chose decides anything.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import MIMEPart
from io import BytesIO
from typing import Final

from pbem.format.canonical import MAX_BYTES
from pbem.mail.pasted import blocks_in, text_of

MAX_POST: Final = 1 << 26
"""No file that was sent is longer, and no archive holds more."""
MAX_MEMBERS: Final = 20_000
"""Files in an archive: more than any game has."""
_DEEPEST: Final = 6
_BOM: Final = b"\xef\xbb\xbf"
_TRAILER: Final = b"\n# -----BEGIN SSH SIGNATURE-----\n"
_HEADER = re.compile(rb"(?:[!-9;-~]+:.*\n(?:[ \t].*\n)*)+")
_OF_MAIL = re.compile(
    rb"^(?:From|To|Subject|Date|MIME-Version|Content-Type|Received|Return-Path|Message-ID"
    rb"|Delivered-To):",
    re.IGNORECASE | re.MULTILINE,
)
_FROM = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n")
# what the parser of the standard library is known to raise for letters that are none
_MALFORMED: Final = (LookupError, ValueError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Finding:
    """One file that was found: its bytes, unchecked, or how it was damaged on the way."""

    source: str
    """Where it was found, for people."""
    data: bytes | None
    damage: str = ""
    repaired: bool = False
    """Mail had changed it in a way that could be undone."""


def open_post(data: bytes, source: str, depth: int = 0) -> list[Finding]:
    """Every file in what was sent: in order, each once as far as its source goes.

    Taken are a record file, text with blocks, a mail, an mbox, a zip archive, and each of them
    within another. An empty list: there is nothing of ours in it. Never raises.
    """
    if depth > _DEEPEST:
        return [Finding(source, None, "packed too often one in another; unpack it first")]
    if data.startswith(b"PK\x03\x04"):
        return list(_members(data, source, depth))
    if data.startswith(b"From ") and _HEADER.match(data, data.find(b"\n") + 1):
        return _mails(data, source, depth)
    if _is_mail(data):
        return _mail(data, source, depth)
    if (record := _record(data)) is not None:
        return [Finding(source, record, repaired=record != data)]
    return _blocks(text_of(data), source)


def _record(data: bytes) -> bytes | None:
    """A record file by its looks, without what moving it about does to a text."""
    plain = data.removeprefix(_BOM).replace(b"\r\n", b"\n").rstrip() + b"\n"
    return plain if _TRAILER in plain else None


def _blocks(text: str, source: str) -> list[Finding]:
    return [Finding(source, b.data, b.damage or "", b.repaired) for b in blocks_in(text)]


# ------------------------------------------------------------------ mails
def _is_mail(data: bytes) -> bool:
    found = _HEADER.match(data.removeprefix(_BOM)[:MAX_BYTES].lstrip(b"\r\n"))
    return bool(found and _OF_MAIL.search(found[0]))


def _mails(data: bytes, source: str, depth: int) -> list[Finding]:
    """An mbox; the standard library reads those that are files only."""
    found: list[Finding] = []
    for number, one in enumerate(_FROM.split(data)[1:], start=1):
        found += _mail(one, f"{source}, mail {number}", depth + 1)
    return found


def _mail(data: bytes, source: str, depth: int) -> list[Finding]:
    from email import message_from_bytes
    from email.policy import default

    try:
        message = message_from_bytes(data.removeprefix(_BOM).lstrip(b"\r\n"), policy=default)
        found = _part(message, source, depth)
    except _MALFORMED:
        found = []
    return found or _blocks(text_of(data), source)


def _part(part: MIMEPart, source: str, depth: int) -> list[Finding]:
    kind = part.get_content_type()
    if part.is_multipart():
        inner = [_part(one, source, depth) for one in part.iter_parts()]
        if kind == "multipart/alternative":  # the same twice: the less damaged one
            return max(inner, key=_worth, default=[])
        return [finding for found in inner for finding in found]
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes) or kind.startswith(("image/", "audio/", "video/")):
        return []
    if kind.startswith("text/") and _record(data) is None and not _is_mail(data):
        return _blocks(text_of(data, str(part.get_content_charset("utf-8"))), source)
    return open_post(data, f"{source}, attachment", depth + 1)


def _worth(found: list[Finding]) -> tuple[int, int]:
    good = {finding.data for finding in found if finding.data is not None}
    return len(good), -sum(finding.data is None for finding in found)


# ------------------------------------------------------------------ archives
def _members(data: bytes, source: str, depth: int) -> Iterator[Finding]:
    """The files in a zip; their names are shown, never used. A bomb ends at MAX_POST."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            left = MAX_POST
            for member in archive.infolist()[:MAX_MEMBERS]:
                with archive.open(member) as stream:
                    inner = stream.read(left + 1)
                left -= len(inner)
                if left < 0:
                    yield Finding(source, None, f"unpacks to more than {MAX_POST >> 20} MB")
                    return
                yield from open_post(inner, f"{source}, {member.filename[-80:]}", depth + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
        yield Finding(source, None, "a damaged archive: get it again")
    except (NotImplementedError, RuntimeError, ValueError):
        yield Finding(source, None, "an archive that cannot be opened here; unpack it first")
