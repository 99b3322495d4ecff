"""Read an email that answers a turn email: its codes, its text, its sender, and whether a program
wrote it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.value_classes import Value
from pbem.mail.incoming_email import Mail, Part
from pbem.mail.unpack_mail import decode_text
from pbem.plain_email.html_reply_text import text_of_html
from pbem.plain_email.mail_code import MailCode, find_mail_codes

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
    """The header or the mark by which the email says that a program wrote it; empty for people."""
    fingerprint: str = ""
    """A fingerprint; two copies of the same reply have the same one."""
    has_records: bool = False
    """Whether records of pbem came with it; they may also be in what it quotes."""
    unreadable_sentence: str = ""
    """The reason why pbem cannot read the text of the email, with advice; empty if it can."""
    subject: str = ""
    writers: tuple[str, ...] = ()
    """The name and the address of the sender, which prove nothing."""


_UNREADABLE_SENTENCES: Final = {
    b"ms-tnef": "pbem cannot read your email, because its text is in winmail.dat, which Outlook "
    "makes. Set the format of your email to plain text",
    b"pkcs7-mime": "pbem cannot read your email, because it is encrypted or signed (S/MIME). "
    "Switch S/MIME off for this email",
    b"begin pgp message": "pbem cannot read your email, because it is encrypted (PGP). Switch "
    "encryption off for this email",
}
"""Sentences for the sender of an email without readable text, by a sign in the email."""


def read_reply(mail: Mail, source: str) -> Reply:
    """Read the plain text of an email, or else the text of its HTML. Never raises.

    `source` names the file with the email, for sentences to people.
    """
    parts = islice(_shown_parts(mail.root_part), MAX_PARTS)
    shown_parts = [part for part in parts if not part.is_attached]
    texts = [_unflowed_text(part) for part in shown_parts if part.kind == "text/plain"]
    text = "\n".join(text for text in texts if text.strip())
    if not text:
        html_kinds = ("text/html", "application/xhtml+xml")
        pages = [part for part in shown_parts if part.kind in html_kinds]
        text = "".join(f"{_html_text(part)}\n" for part in pages)
    text, subject = text[:MAX_TEXT_CHARACTERS], mail.decoded("subject")
    raw_start = mail.data[: 2 * MAX_TEXT_CHARACTERS].lower()
    is_unreadable = not text.strip() or "begin pgp message" in text.lower()
    unreadable_sentence = ""
    if is_unreadable:
        sentences = (
            sentence for sign, sentence in _UNREADABLE_SENTENCES.items() if sign in raw_start
        )
        unreadable_sentence = next(sentences, "")
    headers = [subject, mail.decoded("in-reply-to"), mail.decoded("references")]
    codes = tuple(find_mail_codes("\n".join([*headers, text])))
    identity = f"{mail.fields.get('message-id', '')}\n{mail.fields.get('date', '')}\n{text}"
    fingerprint = hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:32]
    sender_name = re.sub(r"[<\"].*", "", mail.decoded("from").replace('"', "")).strip()
    return Reply(
        source, codes, text, mail.program, fingerprint,
        unreadable_sentence=unreadable_sentence, subject=subject,
        writers=(sender_name, mail.sender),
    )  # fmt: skip


def find_automatic_prefix(subject: str, title: str) -> str:
    """Return the prefix of an automatic reply's subject, as `Subject: Out of office`; else empty.

    In every language, such a prefix is longer than the `Re:`, `Antwort:` or `回复:` of a person's
    reply. `title` is the game's title, with which the subjects of our emails begin.
    """
    title_start = subject.find(title) if title else -1
    prefix = subject[:title_start] if title_start >= 0 else subject.rpartition(":")[0]
    without_tags = re.sub(r"\[[^\]]{0,60}\]|\(\d+\)", "", prefix)
    for phrase in without_tags.replace("：", ":").split(":"):
        letters = re.sub(r"[^\w\s]|\d", "", phrase).strip()
        east_asian_letters = re.findall(r"[\u3040-\u9fff\uac00-\ud7af]", letters)
        if len(letters) > 9 or len(east_asian_letters) > 2:
            return f"Subject: {letters[:40]}"
    return ""


def _shown_parts(part: Part) -> Iterator[Part]:
    """Yield a part of an email and, unless it is an attachment, the parts inside."""
    yield part
    if part.kind.startswith("multipart/") and not part.is_attached:
        for inner in part.parts():
            yield from _shown_parts(inner)


def _html_text(part: Part) -> str:
    """Return the text of a part in HTML, of which at most `MAX_HTML_CHARACTERS` are read."""
    page = decode_text(part.decoded()[: 4 * MAX_HTML_CHARACTERS], part.charset)
    return text_of_html(page[:MAX_HTML_CHARACTERS])


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
