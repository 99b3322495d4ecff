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

_SECRET_BYTES: Final = 10
_MAX_CODES: Final = 20
_CODE_PATTERN = re.compile(r"pbem-[0-9a-f]{6}-[a-p][1-9][0-9]{0,4}-[a-z2-7]{16}(?![a-z0-9])", re.I)


class MailCode(NamedTuple):
    """The token in a turn email. It proves that the writer of a reply has this email.

    Anybody can write any address into `From:`. The token follows from the referee's key, so only a
    person who was sent a turn email knows it. All emails about one turn have the same token,
    because people answer whichever they find first.
    """

    game_digits: str
    """The first six hex digits of the game's id."""
    seat: str
    turn: int
    secret: str

    def is_same_code(self, code: MailCode) -> bool:
        """Return whether both are the same; this takes the same time for all that differ."""
        return hmac.compare_digest(str(self).encode(), str(code).encode())

    def __str__(self) -> str:
        return f"pbem-{self.game_digits}-{self.seat}{self.turn}-{self.secret}"


def make_mail_code(key_seed: bytes, game: bytes, seat: str, turn: int, head: bytes) -> MailCode:
    """Make the token for the email about a turn.

    `seed` is the seed of the referee's key; `head` is the head after the turn.
    """
    derived = Secrets(key_seed).mail_token(game, seat, turn, head)[:_SECRET_BYTES]
    secret = base64.b32encode(derived).decode("ascii").lower()
    return MailCode(game.hex()[:6], seat, turn, secret)


def find_mail_codes(text: str) -> Iterator[MailCode]:
    """Find the tokens in a text, each once, in their order."""
    spellings = dict.fromkeys(match[0].lower() for match in _CODE_PATTERN.finditer(text))
    for _, game, seat_and_turn, secret in (
        spelling.split("-") for spelling in list(spellings)[:_MAX_CODES]
    ):
        yield MailCode(game, seat_and_turn[0], int(seat_and_turn[1:]), secret)


MAX_TEXT_CHARACTERS: Final = 1 << 16
"""The most characters of its text that are read; the quoted turn email has about 5,000."""
MAX_HTML_CHARACTERS: Final = 1 << 18
"""The most characters of its HTML that are read."""
MAX_PARTS: Final = 50


class Reply(Value):
    """An email that may answer a turn email. Only the right token in it is trusted."""

    source: str
    """The name of the file that the email was in, for people."""
    codes: tuple[MailCode, ...]
    text: str
    """The text, with quoted lines."""
    program_sign: str = ""
    """How the email says that a program wrote it; empty if a person wrote it."""
    fingerprint: str = ""
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
    parts = [part for part in islice(_parts(mail.root_part), MAX_PARTS) if not part.is_attached]
    texts = [_unflowed_text(part) for part in parts if part.kind == "text/plain"]
    text = "\n".join(text for text in texts if text.strip())
    for part in parts if not text else ():
        if part.kind in ("text/html", "application/xhtml+xml"):
            page = decode_text(part.decoded()[: 4 * MAX_HTML_CHARACTERS], part.charset)[
                :MAX_HTML_CHARACTERS
            ]
            text += f"{text_of_html(page)}\n"
    text, subject = text[:MAX_TEXT_CHARACTERS], mail.decoded("subject")
    raw_start = mail.data[: 2 * MAX_TEXT_CHARACTERS].lower()
    has_no_visible_text = not text.strip() or "begin pgp message" in text.lower()
    wrappers = [
        advice
        for fingerprint, advice in _WRAPPERS.items()
        if has_no_visible_text and fingerprint in raw_start
    ]
    identifying_headers = [subject, mail.decoded("in-reply-to"), mail.decoded("references")]
    codes = tuple(find_mail_codes("\n".join([*identifying_headers, text])))
    content = f"{mail.fields.get('message-id', '')}\n{mail.fields.get('date', '')}\n{text}"
    fingerprint = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:32]
    name = re.sub(r"[<\"].*", "", mail.decoded("from").replace('"', "")).strip()
    return Reply(
        source, codes, text, mail.program, fingerprint,
        wrapper="".join(wrappers[:1]), subject=subject, writers=(name, mail.sender),
    )  # fmt: skip


def find_automatic_prefix(subject: str, title: str) -> str:
    """Return the words before our subject, if they are longer than `Re:`, `Antwort:` or `回复:`,
    as those of automatic replies are in every language."""
    title_start = subject.find(title) if title else -1
    prefix = subject[:title_start] if title_start >= 0 else subject.rpartition(":")[0]
    for phrase in re.sub(r"\[[^\]]{0,60}\]|\(\d+\)", "", prefix).replace("：", ":").split(":"):
        letters = re.sub(r"[^\w\s]|\d", "", phrase).strip()
        if len(letters) > 9 or len(re.findall(r"[\u3040-\u9fff\uac00-\ud7af]", letters)) > 2:
            return f"Subject: {letters[:40]}"
    return ""


def _parts(part: Part) -> Iterator[Part]:
    """Yield a part, and the parts inside it if it is not attached."""
    yield part
    if part.kind.startswith("multipart/") and not part.is_attached:
        for inner in part.parts():
            yield from _parts(inner)


def _unflowed_text(part: Part) -> str:
    """Return a part's text without the soft line breaks that its type announces (RFC 3676)."""
    text = decode_text(part.decoded()[: 4 * MAX_TEXT_CHARACTERS], part.charset)[
        :MAX_TEXT_CHARACTERS
    ]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if part.parameters.get("format", "").lower() != "flowed":
        return text
    space = "" if part.parameters.get("delsp", "").lower() == "yes" else " "
    return re.sub(r"^(?!>|-- $)(.*) \n(?!>) ?", rf"\1{space}", text, flags=re.M)
