"""Read a reply by plain email: its codes, its text, who wrote it, and whether a program did."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from engine.values import Value
from pbem.format.keys import Secrets
from pbem.mail.message import Mail, Part
from pbem.mail.opening import decode_text
from pbem.plain_email.html_text import text_of_html

_BYTES: Final = 10
_MOST_TOKENS: Final = 20
_TOKEN = re.compile(r"pbem-[0-9a-f]{6}-[a-p][1-9][0-9]{0,4}-[a-z2-7]{16}(?![a-z0-9])", re.I)


class Token(NamedTuple):
    """The token in a turn email. It proves that the writer of a reply has this email.

    Anybody can write any address into `From:`. The token follows from the referee's key, so only a
    person who was sent a turn email knows it. All emails about one turn have the same token,
    because people answer whichever they find first.
    """

    game: str
    """The first six hex digits of the game's id."""
    seat: str
    turn: int
    secret: str

    def is_same(self, other: Token) -> bool:
        """Return whether both are the same; this takes the same time for all that differ."""
        return hmac.compare_digest(str(self).encode(), str(other).encode())

    def __str__(self) -> str:
        return f"pbem-{self.game}-{self.seat}{self.turn}-{self.secret}"


def make_token(seed: bytes, game: bytes, seat: str, turn: int, head: bytes) -> Token:
    """Make the token for the email about a turn.

    `seed` is the seed of the referee's key; `head` is the head after the turn.
    """
    derived = Secrets(seed).mail_token(game, seat, turn, head)[:_BYTES]
    secret = base64.b32encode(derived).decode("ascii").lower()
    return Token(game.hex()[:6], seat, turn, secret)


def tokens_in(text: str) -> Iterator[Token]:
    """Find the tokens in a text, each once, in their order."""
    found = dict.fromkeys(match[0].lower() for match in _TOKEN.finditer(text))
    for _, game, place, secret in (said.split("-") for said in list(found)[:_MOST_TOKENS]):
        yield Token(game, place[0], int(place[1:]), secret)


MAX_TEXT: Final = 1 << 16
"""The most characters of its text that are read; the quoted turn email has about 5,000."""
MAX_HTML: Final = 1 << 18
"""The most characters of its HTML that are read."""
MOST_PARTS: Final = 50


class Reply(Value):
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
    wrapper: str = ""
    """The wrapper of an email without visible text, with advice: `winmail.dat, …`."""
    subject: str = ""
    writers: tuple[str, ...] = ()
    """The name and the address of the sender, which prove nothing."""


_WRAPPERS: Final = {
    b"ms-tnef": "winmail.dat, which Outlook makes; set the format of your email to plain text",
    b"pkcs7-mime": "an encrypted or signed wrapper (S/MIME); switch that off for this email",
    b"begin pgp message": "an encrypted message (PGP); switch that off for this email",
}


def read_reply(mail: Mail, source: str) -> Reply:
    """Read the plain text of an email, or else the text of its HTML. Never raises."""
    parts = [part for part in islice(_parts(mail.root_part), MOST_PARTS) if not part.is_attached]
    texts = [_plain(part) for part in parts if part.kind == "text/plain"]
    text = "\n".join(text for text in texts if text.strip())
    for part in parts if not text else ():
        if part.kind in ("text/html", "application/xhtml+xml"):
            page = decode_text(part.decoded()[: 4 * MAX_HTML], part.charset)[:MAX_HTML]
            text += f"{text_of_html(page)}\n"
    text, subject = text[:MAX_TEXT], mail.decoded("subject")
    head = mail.data[: 2 * MAX_TEXT].lower()
    hidden = not text.strip() or "begin pgp message" in text.lower()
    wrappers = [told for mark, told in _WRAPPERS.items() if hidden and mark in head]
    about = [subject, mail.decoded("in-reply-to"), mail.decoded("references")]
    tokens = tuple(tokens_in("\n".join([*about, text])))
    whole = f"{mail.fields.get('message-id', '')}\n{mail.fields.get('date', '')}\n{text}"
    mark = hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:32]
    name = re.sub(r"[<\"].*", "", mail.decoded("from").replace('"', "")).strip()
    return Reply(
        source, tokens, text, mail.program, mark,
        wrapper="".join(wrappers[:1]), subject=subject, writers=(name, mail.sender),
    )  # fmt: skip


def looks_automatic(subject: str, title: str) -> str:
    """Return the words before our subject, if they are longer than `Re:`, `Antwort:` or `回复:`,
    as those of automatic replies are in every language."""
    ours = subject.find(title) if title else -1
    begins = subject[:ours] if ours >= 0 else subject.rpartition(":")[0]
    for said in re.sub(r"\[[^\]]{0,60}\]|\(\d+\)", "", begins).replace("：", ":").split(":"):
        letters = re.sub(r"[^\w\s]|\d", "", said).strip()
        if len(letters) > 9 or len(re.findall(r"[\u3040-\u9fff\uac00-\ud7af]", letters)) > 2:
            return f"Subject: {letters[:40]}"
    return ""


def _parts(part: Part) -> Iterator[Part]:
    """Yield a part, and the parts inside it if it is not attached."""
    yield part
    if part.kind.startswith("multipart/") and not part.is_attached:
        for inner in part.parts():
            yield from _parts(inner)


def _plain(part: Part) -> str:
    """Return a part's text without the soft line breaks that its type announces (RFC 3676)."""
    text = decode_text(part.decoded()[: 4 * MAX_TEXT], part.charset)[:MAX_TEXT]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if part.parameters.get("format", "").lower() != "flowed":
        return text
    space = "" if part.parameters.get("delsp", "").lower() == "yes" else " "
    return re.sub(r"^(?!>|-- $)(.*) \n(?!>) ?", rf"\1{space}", text, flags=re.M)
