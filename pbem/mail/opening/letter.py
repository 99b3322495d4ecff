"""Take apart what a person was sent: a record, text, email, mbox or zip, or one inside another.

Nothing is trusted here, and nothing is written. No name that a sender chose decides anything.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Final

from pbem.format.record_size import MAX_BYTES
from pbem.frozen import frozen
from pbem.mail.opening.mime import MAX_HEADER, Part, part_at
from pbem.mail.opening.pasted_text import blocks_in, text_of
from pbem.mail.opening.size_limits import (
    DEEPEST,
    DEEPEST_PART,
    MAX_PIECES,
    MAX_RATIO,
    Budget,
    TooMuch,
)

_BOM: Final = b"\xef\xbb\xbf"
_TRAILER: Final = b"\n# -----BEGIN SSH SIGNATURE-----\n"
_HEADER = re.compile(rb"(?:[!-9;-~]++:.*+\n(?:[ \t].*+\n)*+)++")
_OF_MAIL = re.compile(
    rb"^(?:From|To|Subject|Date|MIME-Version|Content-Type|Received|Return-Path|Message-ID"
    rb"|Delivered-To):",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT_MAIL = re.compile(rb"(?<=\n)\r?\nFrom [^\n]*\n?")
"""An empty line and the line that begins the next message of an mbox file."""
_ZIP: Final = b"PK\x03\x04"
_LISTED: Final = b"PK\x01\x02"
"""The bytes that begin each entry in an archive's list of files."""
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compression methods that are accepted: others are slow or use much memory."""


@frozen
class Finding:
    """One file that was found: its bytes, which are not checked yet, or how it was damaged."""

    source: str
    """Where the file was found, for people."""
    data: bytes | None
    damage: str = ""
    repaired: bool = False
    """Whether a mail program had changed the file, and the change was undone."""


def open_post(data: bytes, source: str) -> list[Finding]:
    """Find every file in what was sent, in order; a file that occurs twice is returned twice.

    This reads a record file, text with blocks, an email, an mbox, a zip archive, and each of them
    inside another. The list is empty if nothing there is from pbem. Never raises: if a letter takes
    more work than any letter from pbem, it is read only as far as its budget allows, and the last
    finding says so.
    """
    opening = _Opening(Budget())
    try:
        for finding in opening.post(data, source, 0):
            opening.found.append(finding)
    except TooMuch as error:
        told = f"{error}, which is more than a whole game needs: send only the game's files"
        opening.found.append(Finding(source, None, told))
    return opening.found


def mails_in(data: bytes) -> list[bytes]:
    """Return the emails in these bytes: one, or those of an mbox; none if they are not mail."""
    if data.startswith(b"From ") and _HEADER.match(data, data.find(b"\n") + 1):
        return [data[start:end] for start, end in islice(_in_mbox(data), MAX_PIECES)]
    return [data] if _is_mail(data) else []


class _Opening:
    """Opens one letter; everything in the letter shares one budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.found: list[Finding] = []

    def post(self, data: bytes, source: str, depth: int) -> Iterator[Finding]:
        """Find everything from pbem in these bytes, which may be of any kind. Raises TooMuch."""
        self.budget.piece()
        if depth > DEEPEST:
            yield Finding(source, None, "has too many archives inside each other; unpack it first")
        elif data.startswith(_ZIP):
            yield from self._archive(data, source, depth)
        elif data.startswith(b"From ") and _HEADER.match(data, data.find(b"\n") + 1):
            yield from self._mails(data, source, depth)
        elif _is_mail(data):
            yield from self._mail(data, source, depth)
        elif (record := _record(data)) is not None:
            yield Finding(source, record, repaired=record != data)
        else:
            yield from self._blocks(text_of(data), source)

    def _blocks(self, text: str, source: str) -> Iterator[Finding]:
        self.budget.text(len(text) if text.isascii() else 2 * len(text))
        for block in blocks_in(text, self.budget.repair, self.budget.block):
            self.budget.piece()
            self.budget.file(len(block.data or b""))
            yield Finding(source, block.data, block.damage or "", block.repaired)

    # -------------------------------------------------------------- mails
    def _mails(self, data: bytes, source: str, depth: int) -> Iterator[Finding]:
        for number, (start, end) in enumerate(_in_mbox(data), start=1):
            self.budget.piece()
            yield from self._mail(data[start:end], f"{source}, message {number}", depth + 1)

    def _mail(self, data: bytes, source: str, depth: int) -> Iterator[Finding]:
        data = _begun(data)
        found = list(self._part(part_at(data, 0, len(data)), source, depth, 0))
        yield from found or self._blocks(text_of(data), source)

    def _part(self, part: Part, source: str, depth: int, inside: int) -> Iterator[Finding]:
        self.budget.piece()
        if inside > DEEPEST_PART:
            yield Finding(
                source, None, "has too many parts inside each other; send the file itself"
            )
        elif part.kind == "message/rfc822" and part.encoding in ("", "7bit", "8bit", "binary"):
            yield from self._part(
                part_at(part.data, part.start, part.end), source, depth, inside + 1
            )
        elif part.kind.startswith("multipart/"):
            inner = (list(self._part(one, source, depth, inside + 1)) for one in part.parts())
            if part.kind == "multipart/alternative":  # keep the less damaged one
                yield from max(inner, key=_worth, default=[])
            else:
                for found in inner:
                    yield from found
        elif not part.kind.startswith(("image/", "audio/", "video/")):
            yield from self._leaf(part, source, depth)

    def _leaf(self, part: Part, source: str, depth: int) -> Iterator[Finding]:
        self.budget.unpack(part.size)
        data = part.decoded()
        if part.kind.startswith("text/") and _record(data) is None and not _is_mail(data):
            yield from self._blocks(text_of(data, part.charset), source)
        else:
            yield from self.post(data, f"{source}, attachment", depth + 1)

    # -------------------------------------------------------------- archives
    def _archive(self, data: bytes, source: str, depth: int) -> Iterator[Finding]:
        """Find the files in a zip archive; their names are shown, never used."""
        if data.count(_LISTED) > MAX_PIECES:  # checked before the library lists them all
            raise TooMuch(f"has more than {MAX_PIECES} parts or files")
        try:
            with zipfile.ZipFile(BytesIO(data)) as archive:
                for member in archive.infolist():
                    where = f"{source}, {member.filename[-80:]}"
                    yield from self._member(archive, member, where, depth)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
            yield Finding(source, None, "is a damaged archive; get it again")
        except (NotImplementedError, RuntimeError, ValueError):
            yield Finding(source, None, "is an archive that pbem cannot open; unpack it first")

    def _member(
        self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, source: str, depth: int
    ) -> Iterator[Finding]:
        self.budget.piece()
        if member.compress_type not in _PACKED:
            raise NotImplementedError
        if member.file_size > max(MAX_BYTES // 16, MAX_RATIO * member.compress_size):
            raise TooMuch(f"has a file that is compressed to less than 1/{MAX_RATIO} of its length")
        self.budget.unpack(member.file_size)
        with archive.open(member) as stream:
            inner = stream.read(member.file_size)
        yield from self.post(inner, source, depth + 1)


def _record(data: bytes) -> bytes | None:
    """Return the data, with damage from copying undone, if it looks like a record file.

    Returns None if it does not.
    """
    if len(data) > 2 * MAX_BYTES:
        return None
    plain = data.removeprefix(_BOM).replace(b"\r\n", b"\n").rstrip() + b"\n"
    return plain if _TRAILER in plain else None


def _is_mail(data: bytes) -> bool:
    found = _HEADER.match(_begun(data[:MAX_HEADER]))
    return bool(found and _OF_MAIL.search(found[0]))


def _begun(data: bytes) -> bytes:
    """Return the bytes of a message, from its first header on."""
    return data.removeprefix(_BOM).lstrip(b"\r\n")


def _in_mbox(data: bytes) -> Iterator[tuple[int, int]]:
    """Find where each message of an mbox begins and ends.

    The standard library can do this only with a file.
    """
    begin = data.find(b"\n") + 1
    for between in _NEXT_MAIL.finditer(data):
        yield begin, between.start()
        begin = between.end()
    yield begin, len(data)


def _worth(found: list[Finding]) -> tuple[int, int]:
    good = {finding.data for finding in found if finding.data is not None}
    return len(good), -sum(finding.data is None for finding in found)
