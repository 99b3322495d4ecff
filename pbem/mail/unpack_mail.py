"""Open what came by mail: find the blocks in emails, HTML, zip files and pasted text."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import quopri
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import Final

from engine.value_classes import Mutable, Value
from pbem.format.canonical_toml import MAX_BYTES
from pbem.format.mail_block import MAX_MARKS, Block, Unpack, Unpacked, decode, unpacked
from pbem.mail.incoming_email import MAX_HEADER, Mail, Part, part_at, without_mbox_line

# ---- Get the text of an HTML email, as far as blocks need it: its rows, without any formatting
#
# This module does not use the standard library's `html.parser`: a hundred kilobytes of open tags
# keep that parser busy for minutes, and anyone who writes to a player could send them.

_ROWS: Final = frozenset(
    ["blockquote", "br", "dd", "div", "dl", "dt", "hr", "li", "ol", "p", "pre", "table", "td", "tr"]
)
_TAG = re.compile(r"<[/!]?+([a-z0-9]*+)[^<>]*+>", re.IGNORECASE)
_SIGN = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
"""A character reference, by name or number. Python raises an error for longer numbers."""


def html_text(source: str) -> str:
    """Return the text that a reader of an HTML page sees, with a line for each row or paragraph.

    Never raises.
    """
    tagless_text = _TAG.sub(lambda m: "\n" if m[1].lower() in _ROWS else "", source)
    return unescaped(tagless_text)


_unescape = lru_cache(1024)(html.unescape)


def unescaped(text: str) -> str:
    """Return the text with its HTML character references decoded. Never raises."""
    return _SIGN.sub(lambda m: _unescape(m[0]), text)


# ---- Find blocks in text that people pasted or mail programs rewrote (protocol §2, *Mail block*)
#
# `pbem.format.mail_block` undoes what can safely be undone in any text. This module tries repairs
# that are right for some texts and wrong for others, one after the other. It uses the repair that
# saves most blocks, because the checksums show which one was right.

_GAP: Final = r"[\s>|\u00a0\u200b]{0,40}"
_MARK = re.compile(rf"\b(BEGIN|END){_GAP}PBEM\b", re.IGNORECASE)
_CHECK = re.compile(rf"\bcheck{_GAP}:{_GAP}((?:[0-9a-f]{_GAP}){{16}})", re.IGNORECASE)
_INITIALS = re.compile(r"^[ >|]*[A-Za-z][A-Za-z0-9]{0,5}(?=>)", re.MULTILINE)
"""Quote marks that are made of initials, such as `AB> `."""
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]{64,}")
_CHARSET = re.compile(r"[A-Za-z0-9_.:-]{1,40}")
_PASTED_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_UTF_7: Final = "utf-7"
"""A charset whose text is read without decoding: decoded, the `+` of base64 would be lost."""
_NO_TEXT: Final = frozenset(
    ["mbcs", "oem", "punycode", "raw-unicode-escape", "unicode-escape", _UTF_7]
)


def decode_text(data: bytes, charset: str = "utf-8") -> str:
    """Decode bytes; those that the charset cannot decode become a character not used in blocks."""
    for mark, name in _PASTED_MARKS:
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
    past_readings = {text}
    for reading in _readings(text) if repair(len(text)) else ():
        if reading in past_readings:
            continue
        past_readings.add(reading)
        repaired_blocks = [replace(block, repaired=True) for block in decode(reading, unpack)]
        best = max(best, repaired_blocks, key=_worth)
        if best and all(block.data is not None for block in best):
            break
    return best


def _readings(text: str) -> Iterator[str]:
    """Guess what the text was before a mail program changed it, the most likely guess first.

    The text itself, with quoted-printable undone, and with base64 undone; each without initials as
    quote marks, and as HTML.
    """
    printable = quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    for candidate in dict.fromkeys([text, printable, _packed(text)]):
        yield _unwrapped(_INITIALS.sub("", candidate))
        yield _unwrapped(html_text(candidate))


def _worth(findings: Sequence[Block | Finding]) -> tuple[int, int]:
    """Return a sort key: more different undamaged files first, then fewer damaged ones."""
    readable_files = {finding.data for finding in findings if finding.data is not None}
    return len(readable_files), -sum(finding.data is None for finding in findings)


def _unwrapped(text: str) -> str:
    """Return the text with the first and last lines of blocks, and their checksums, each on one
    line again: mail programs wrap them."""
    if "pbem" not in text.lower():
        return text
    rows = _MARK.sub(lambda m: f"{m[1]} PBEM", text, MAX_MARKS)
    return _CHECK.sub(lambda m: f"check: {re.sub('[^0-9A-Fa-f]', '', m[1])}\n", rows, MAX_MARKS)


def _packed(text: str) -> str:
    """Decode the text, if it is the raw source of a base64 email, where no block is visible."""
    for match in _BASE64.finditer(text):
        try:
            inner = base64.b64decode(match[0]).decode("utf-8", "replace")
        except (ValueError, binascii.Error):
            continue
        if "PBEM" in inner:
            return inner
    return text


# ---- Limit the work of opening one letter: bytes, pieces, depth
#
# Anything above the limits is an error.
#
# The limits apply to everything in a letter together (a zip in a zip in an email gets no new
# ones). They are far above what any game needs: a whole evening of six players is 1 MB in 200
# files.

MAX_POST: Final = 12 << 20
"""The most bytes of a file that was sent; unpacked and decoded, it may become twice as long."""
MAX_PIECES: Final = 2_000
"""The most messages, parts of messages, files in archives and blocks, all counted together."""
MAX_REPAIR: Final = 1 << 21
"""The most characters of text in which damage is undone.

In longer texts, only whole blocks are found.
"""
MAX_RATIO: Final = 100
"""The largest length of an unpacked file, as a multiple of the packed one's.

Files from pbem are at most twice as long.
"""
DEEPEST: Final = 6
"""The largest depth of files inside each other, such as a zip in an email in a zip."""
DEEPEST_PART: Final = 30
"""The largest depth of parts of an email inside each other."""


class TooMuch(Exception):
    """Raised if a letter takes more work than any letter from pbem would; the message names the
    limit."""


class Budget(Mutable):
    """The work that opening one letter may still take. Each method subtracts from it."""

    unpacked: int = 2 * MAX_POST
    pieces: int = MAX_PIECES
    repairs: int = MAX_REPAIR
    texts: int = MAX_POST
    files: int = 2 * MAX_POST
    blocks: dict[bytes, Unpacked | None] = field(default_factory=dict)
    """The blocks unpacked so far; a block that is read again is not counted again."""

    def piece(self) -> None:
        """Count one more piece. Raises TooMuch."""
        self.pieces -= 1
        if self.pieces < 0:
            raise TooMuch(f"has more than {MAX_PIECES} parts or files")

    def unpack(self, size: int) -> None:
        """Count this many bytes that are unpacked. Raises TooMuch."""
        self.unpacked -= size
        if self.unpacked < 0:
            raise TooMuch(f"unpacks to more than {2 * MAX_POST >> 20} MB")

    def file(self, size: int) -> None:
        """Count this many bytes of a file that was found in a block. Raises TooMuch."""
        self.files -= size
        if self.files < 0:
            raise TooMuch(f"has more than {2 * MAX_POST >> 20} MB of files")

    def block(self, packed: bytes) -> Unpacked | None:
        """Unpack a block as `unpacked` does, and count its length. Raises TooMuch."""
        if packed not in self.blocks:
            self.blocks[packed] = unpacked(packed, self.unpack)
        return self.blocks[packed]

    def text(self, size: int) -> None:
        """Count this many characters of text to search for blocks. Raises TooMuch."""
        self.texts -= size
        if self.texts < 0:
            raise TooMuch(f"has more than {MAX_POST >> 20} MB of text")

    def repair(self, size: int) -> bool:
        """Return whether a text this long may be searched for damage; if so, count its length."""
        if size > self.repairs:
            return False
        self.repairs -= size
        return True


# ---- Take apart what a person was sent: a record, text, email, mbox or zip, or one inside
# another
#
# Nothing is trusted here, and nothing is written. No name that a sender chose decides anything.

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
_LIST_ENTRY_MARK: Final = b"PK\x01\x02"
"""The bytes that begin each entry in an archive's list of files."""
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compression methods that are accepted: others are slow or use much memory."""


class Finding(Value):
    """One file that was found: its bytes, which are not checked yet, or how it was damaged."""

    source: str
    """The file, email or attachment in which the file was found, in words for people."""
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
            opening.findings.append(finding)
    except TooMuch as error:
        damage = f"{error}, which is more than a whole game has; send only the files of the game"
        opening.findings.append(Finding(source, None, damage))
    return opening.findings


def mails_in(data: bytes) -> list[Mail]:
    """Return the emails in these bytes: one, or those of an mbox; none if they are not mail.

    Pages that show the original of an email may begin with a line of spaces.
    """
    data = data[len(data) - len(data.lstrip()) :] if data[:1].isspace() else data
    if data.startswith(b"From ") and _HEADER.match(data, data.find(b"\n") + 1):
        return [Mail(data[start:end]) for start, end in islice(_in_mbox(data), MAX_PIECES)]
    return [Mail(data)] if _is_mail(data) else []


class _Opening:
    """Opens one letter; everything in the letter shares one budget.

    `source` says for people where something was found; `depth` counts the files around it,
    `part_depth` the parts of the same email.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.findings: list[Finding] = []

    def post(self, data: bytes, source: str, depth: int) -> Iterator[Finding]:
        """Find everything from pbem in these bytes, which may be of any kind. Raises TooMuch."""
        self.budget.piece()
        if depth > DEEPEST:
            yield Finding(source, None, "has too many archives inside each other; unpack it first")
        elif data.startswith(_ZIP):
            yield from self._archive(data, source, depth)
        elif data.startswith(b"From ") and _HEADER.match(data, data.find(b"\n") + 1):
            for number, (start, end) in enumerate(_in_mbox(data), start=1):
                self.budget.piece()
                yield from self._mail(data[start:end], f"{source}, message {number}", depth + 1)
        elif _is_mail(data):
            yield from self._mail(data, source, depth)
        elif (record := _record(data)) is not None:
            yield Finding(source, record, repaired=record != data)
        else:
            yield from self._blocks(decode_text(data), source)

    def _blocks(self, text: str, source: str) -> Iterator[Finding]:
        self.budget.text(len(text) if text.isascii() else 2 * len(text))
        for block in blocks_in(text, self.budget.repair, self.budget.block):
            self.budget.piece()
            self.budget.file(len(block.data or b""))
            yield Finding(source, block.data, block.damage or "", block.repaired)

    # -------------------------------------------------------------- mails
    def _mail(self, data: bytes, source: str, depth: int) -> Iterator[Finding]:
        findings = list(self._part(Mail(data).root_part, source, depth, 0))
        yield from findings or self._blocks(decode_text(data), source)

    def _part(self, part: Part, source: str, depth: int, part_depth: int) -> Iterator[Finding]:
        """Find everything in one part of an email. Of alternatives, only the least damaged one
        counts."""
        self.budget.piece()
        if part_depth > DEEPEST_PART:
            yield Finding(
                source, None, "has too many parts inside each other; send the file itself"
            )
        elif part.kind == "message/rfc822" and part.encoding in ("", "7bit", "8bit", "binary"):
            yield from self._part(
                part_at(part.data, part.start, part.end), source, depth, part_depth + 1
            )
        elif part.kind.startswith("multipart/"):
            inner = (
                list(self._part(inner_part, source, depth, part_depth + 1))
                for inner_part in part.parts()
            )
            if part.kind == "multipart/alternative":  # keep the less damaged one
                yield from max(inner, key=_worth, default=[])
            else:
                for findings in inner:
                    yield from findings
        elif not part.kind.startswith(("image/", "audio/", "video/")):
            yield from self._leaf(part, source, depth)

    def _leaf(self, part: Part, source: str, depth: int) -> Iterator[Finding]:
        """Find everything in a part without inner parts: text is searched for blocks; other files,
        and text that is itself a record or an email, are opened one depth further in."""
        self.budget.unpack(part.size)
        data = part.decoded()
        if part.kind.startswith("text/") and _record(data) is None and not _is_mail(data):
            yield from self._blocks(decode_text(data, part.charset), source)
        else:
            yield from self.post(data, f"{source}, attachment", depth + 1)

    # -------------------------------------------------------------- archives
    def _archive(self, data: bytes, source: str, depth: int) -> Iterator[Finding]:
        """Find the files in a zip archive; their names are shown, never used."""
        if data.count(_LIST_ENTRY_MARK) > MAX_PIECES:  # checked before the library lists them all
            raise TooMuch(f"has more than {MAX_PIECES} parts or files")
        try:
            with zipfile.ZipFile(BytesIO(data)) as archive:
                for member in archive.infolist():
                    member_source = f"{source}, {member.filename[-80:]}"
                    yield from self._member(archive, member, member_source, depth)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
            yield Finding(source, None, "is a damaged archive; get it again")
        except (NotImplementedError, RuntimeError, ValueError):
            yield Finding(source, None, "is an archive that pbem cannot open; unpack it first")

    def _member(
        self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, source: str, depth: int
    ) -> Iterator[Finding]:
        """Find everything in one file of an archive. Raises TooMuch, NotImplementedError for a
        method of compression that is not accepted, and what `zipfile` raises."""
        self.budget.piece()
        if member.compress_type not in _PACKED:
            raise NotImplementedError
        if member.file_size > max(MAX_BYTES // 16, MAX_RATIO * member.compress_size):
            raise TooMuch(
                f"contains a file that is packed to less than 1/{MAX_RATIO} of its size, so pbem "
                "does not unpack it"
            )
        self.budget.unpack(member.file_size)
        with archive.open(member) as stream:
            inner = stream.read(member.file_size)
        yield from self.post(inner, source, depth + 1)


def _record(data: bytes) -> bytes | None:
    """Return the record that the bytes are, with LF line ends; None if they are not one, because
    they are too long or have no signature."""
    if len(data) > 2 * MAX_BYTES:
        return None
    record_bytes = data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").rstrip() + b"\n"
    return record_bytes if _TRAILER in record_bytes else None


def _is_mail(data: bytes) -> bool:
    header = _HEADER.match(without_mbox_line(data[:MAX_HEADER]))
    return bool(header and _OF_MAIL.search(header[0]))


def _in_mbox(data: bytes) -> Iterator[tuple[int, int]]:
    """Return where each message of an mbox begins and ends. The standard library can find that only
    in a file."""
    begin = data.find(b"\n") + 1
    for between in _NEXT_MAIL.finditer(data):
        yield begin, between.start()
        begin = between.end()
    yield begin, len(data)
