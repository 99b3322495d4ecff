"""Find the parts of an email, as far as pbem's files need them (RFC 2045, 2046, 2231).

This module does not use the standard library's `email`: with three hundred kilobytes of header that
library can use gigabytes, and anyone who writes to a player could send such an email. This module
reads two header fields, at most two thousand characters of each, and each byte of a body once for
each part that contains the byte.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final
from urllib.parse import unquote

from pbem.frozen import frozen

MAX_HEADER: Final = 1 << 18
"""The most bytes of a message's header that are read."""
_MAX_FIELD: Final = 2048
"""The most bytes of one header field that are read."""
_MOST_TOKENS: Final = 40
"""The most names, values and comments after a content type that are read."""
_FIELD = re.compile(
    rb"^(content-type|content-transfer-encoding):([^\n]*+(?:\n[ \t][^\n]*+)*+)",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(rb"\n\r?\n")
_KIND = re.compile(r"\s*([a-z0-9.+-]+/[a-z0-9.+-]+)")
# these patterns never backtrack, so the time that a field takes depends only on its length
_TOKEN = re.compile(
    r'"((?:[^"\\]|\\.)*+)"?|\([^()]*+\)?|;\s*+([a-z0-9*-]++)\s*+=|([^;\s"(]++)', re.IGNORECASE
)
_ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_OTHERS: Final = bytes(set(range(256)) - set(_ALPHABET))


@frozen
class Part:
    """A message or a part of one: the type that it claims, and where in `data` its body is."""

    data: bytes
    start: int
    end: int
    kind: str
    """The part's type in lower case; text/plain if it names none."""
    charset: str
    boundary: bytes
    """The line that separates the parts inside this one, if there are any."""
    encoding: str

    @property
    def size(self) -> int:
        """The length of the body in bytes, as it was sent."""
        return self.end - self.start

    def decoded(self) -> bytes:
        """Return the body without its transfer encoding. Never raises."""
        body = self.data[self.start : self.end]
        if self.encoding == "quoted-printable":
            return binascii.a2b_qp(body)
        if self.encoding != "base64":
            return body
        letters = body.partition(b"=")[0].translate(None, _OTHERS)
        letters = letters[: len(letters) - (len(letters) % 4 == 1)]
        return base64.b64decode(letters + b"=" * (-len(letters) % 4))

    def parts(self) -> Iterator[Part]:
        """Return the parts between the boundaries, in order.

        There are none if the message has no boundary.
        """
        mark = b"\n--" + self.boundary
        at, begin = -1, 0
        if self.boundary and self.data.startswith(mark[1:], self.start, self.end):
            at = self.start - 1
        elif self.boundary:
            at = self.data.find(mark, self.start, self.end)
        while at >= 0:
            after = at + len(mark)
            rest = self.data[after : min(after + 80, self.end)].split(b"\n")[0].strip()
            if rest in (b"", b"--"):
                if begin:
                    yield part_at(self.data, begin, at)
                if rest:
                    return
                begin = self.data.find(b"\n", after, self.end) + 1 or self.end
            at = self.data.find(mark, after, self.end)
        if begin:
            yield part_at(self.data, begin, self.end)


def part_at(data: bytes, start: int, end: int) -> Part:
    """Return the message, or the part of a message, whose header begins at `start`."""
    head, body = _split(data, start, end)
    fields: dict[str, str] = {}
    for found in _FIELD.finditer(head):
        value = " ".join(found[2][:_MAX_FIELD].decode("latin-1").split())
        fields.setdefault(found[1].decode("latin-1").lower(), value)
    told = fields.get("content-type", "")
    kind, parameters = _KIND.match(told.lower()), _parameters(told)
    return Part(
        data,
        body,
        end,
        kind[1] if kind else "text/plain",
        parameters.get("charset", "utf-8"),
        parameters.get("boundary", "").encode("latin-1"),  # as the header was decoded
        fields.get("content-transfer-encoding", "").split(" ")[0].lower(),
    )


def _split(data: bytes, start: int, end: int) -> tuple[bytes, int]:
    """Return the text of the header, and where the body begins."""
    if data.startswith((b"\n", b"\r\n"), start, end):
        return data[start:start], data.find(b"\n", start) + 1
    found = _END.search(data, start, min(end, start + MAX_HEADER))
    return (data[start : found.start() + 1], found.end()) if found else (data[start:start], end)


def _parameters(field: str) -> dict[str, str]:
    """Read the parameters after a type; parameters cut into numbered pieces are joined again."""
    found: dict[str, str] = {}
    name = ""
    for token in islice(_TOKEN.finditer(field), _MOST_TOKENS):
        quoted, named, plain = token.groups("")
        if quoted or plain:
            _note(found, name, re.sub(r"\\(.)", r"\1", quoted) or plain)
        name = named or ("" if quoted or plain else name)
    return found


def _note(found: dict[str, str], name: str, value: str) -> None:
    base, star, more = name.lower().partition("*")
    if star and (more == "" or more.endswith("*")):
        value = unquote(value.rpartition("'")[2], "latin-1")
    found[base] = found.get(base, "") + value if star else found.get(base, value)
