"""Read a reply to a turn email: its tokens, its text, and whether a program wrote it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from pbem.frozen import frozen
from pbem.mail.opening.header import decoded, fields_in, written_by_program
from pbem.mail.opening.mime import MAX_HEADER, Part, part_at
from pbem.mail.opening.pasted_text import text_of
from pbem.mail.opening.size_limits import MAX_POST
from pbem.mailseats.html_lines import html_lines
from pbem.mailseats.token import Token, tokens_in

MAX_REPLY: Final = MAX_POST
"""The most bytes of an email that may be a reply; a photo of the table may be attached to it."""
MAX_TEXT: Final = 1 << 16
"""The most characters of its text that are read; the quoted turn email has about 5,000."""
MAX_HTML: Final = 1 << 18
"""The most characters of its HTML that are read."""
MOST_PARTS: Final = 50
_FIELD = re.compile(rb"^([A-Za-z][A-Za-z0-9-]{0,60}):([^\n]*+(?:\n[ \t][^\n]*+){0,40})", re.M)
_FLOWED = re.compile(rb"format\s*=\s*\"?flowed", re.I)
_DELSP = re.compile(rb"delsp\s*=\s*\"?yes", re.I)
_ATTACHED = re.compile(rb"^content-disposition:\s*attachment", re.I | re.M)


@frozen
class Reply:
    """An email that may answer a turn email. Only the right token in it is trusted."""

    source: str
    """The name of the file that the email was in, for people."""
    tokens: tuple[Token, ...]
    text: str
    """The text, with quoted lines."""
    automatic: str = ""
    """How the email says that a program wrote it; empty if a person wrote it."""
    mark: str = ""
    """A fingerprint; two copies of the same reply have the same one."""
    has_records: bool = False
    """Whether records of pbem came with it; they may also be in what it quotes."""


def is_reply(data: bytes) -> bool:
    """Return whether these bytes may be one email with a token; this quick look opens nothing."""
    return len(data) <= MAX_REPLY and bool(_FIELD.match(_begun(data[:400])))


def read_reply(data: bytes, source: str) -> Reply:
    """Read one email. Never raises."""
    data = _begun(data)
    whole = part_at(data, 0, len(data))
    fields = fields_in(data[: min(whole.start, MAX_HEADER)])
    text = _text(whole)[:MAX_TEXT]
    about = [decoded(fields.get(name, "")) for name in ("subject", "in-reply-to", "references")]
    tokens = tuple(tokens_in("\n".join([*about, text])))
    return Reply(source, tokens, text, written_by_program(fields), _mark(fields, text))


def _begun(data: bytes) -> bytes:
    """Return the bytes from the first header on, without the `From ` line of an mbox file."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    return data.partition(b"\n")[2] if data.startswith(b"From ") else data


def _mark(fields: dict[str, str], text: str) -> str:
    said = f"{fields.get('message-id', '')}\n{fields.get('date', '')}\n{text}"
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:32]


# ------------------------------------------------------------------ the text
def _text(whole: Part) -> str:
    """Return the text that its writer sees: the plain text, or else the text of the HTML."""
    texts, pages = list[str](), list[str]()
    for part in _leaves(whole, [MOST_PARTS]):
        if part.kind == "text/plain":
            texts.append(_plain(part))
        elif part.kind in ("text/html", "application/xhtml+xml"):
            page = text_of(part.decoded()[: 4 * MAX_HTML], part.charset)[:MAX_HTML]
            pages.append(html_lines(page))
    said = "\n".join(text for text in texts if text.strip())
    return said or "\n".join(pages)


def _leaves(part: Part, left: list[int]) -> Iterator[Part]:
    """Yield the parts with text, without attached files and forwarded emails."""
    left[0] -= 1
    if left[0] < 0 or _ATTACHED.search(_head(part)):
        return
    if part.kind.startswith("multipart/"):
        for one in part.parts():
            if left[0] <= 0:
                return  # even to look for more parts takes long, if there are a million
            yield from _leaves(one, left)
    else:
        yield part


def _head(part: Part) -> bytes:
    """Return the last bytes of a part's header."""
    before = part.data[max(0, part.start - 2000) : part.start]
    return before[before.rfind(b"\n--") + 1 :]


def _plain(part: Part) -> str:
    text = text_of(part.decoded()[: 4 * MAX_TEXT], part.charset)[:MAX_TEXT]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    head = _head(part)
    return _flowed(text, bool(_DELSP.search(head))) if _FLOWED.search(head) else text


def _flowed(text: str, delsp: bool) -> str:
    """Undo the soft line breaks in a text (RFC 3676)."""
    found: list[str] = []
    before, goes_on = "", False
    for line in text.split("\n"):
        body = line.lstrip(">")
        quote = line[: len(line) - len(body)]
        body = body.removeprefix(" ")
        flows = body.endswith(" ") and body != "-- "
        shown = body[:-1] if flows and delsp else body
        if goes_on and before == quote:
            found[-1] += shown
        else:
            found.append(f"{quote} {shown}" if quote else shown)
        before, goes_on = quote, flows
    return "\n".join(found)
