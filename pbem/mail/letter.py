"""A letter: an email to one person, with a bundle or with a page and a picture, and its bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from functools import cached_property
from textwrap import fill
from typing import Final

from engine.value_classes import Value
from pbem.drawing.svg import png

WIDTH: Final = 72
LONGEST_SUBJECT: Final = 120
PICTURE: Final = 'src="cid:table"'
"""The source of the picture in a letter's page."""
_POLICY = SMTP.clone(cte_type="7bit")
_UNFOLDED = _POLICY.clone(max_line_length=300)
"""To write the header: a subject that begins on a second line is shown with a space before it."""


class Letter(Value):
    """An email to one person."""

    address: str
    subject: str
    """The subject as people read it in the log: without the code, which `full_subject` adds."""
    text: str
    bundle: str = ""
    bundle_name: str = ""
    identity: Sequence[str] = ()
    """The words that make two letters to a person the same, so that it is sent once: what kind of
    letter it is, and the marks of what is in it."""
    game: str = ""
    """The game's id in hex; empty if the letter is not about a game."""
    person: str = ""
    """The seat, or `referee`, that the letter is for."""
    records: Sequence[str] = ()
    """The ids, in hex, of the records in the bundle."""
    thread: str = ""
    """The name of a thread; mail programs show letters of the same thread together."""
    answers: str = ""
    """The Message-ID of the message that it answers."""
    code: str = ""
    """The code with which a player without `pbem` answers; empty in other letters."""
    page: str = ""
    """The same as the text, as HTML."""
    picture: str = ""
    """The picture of the table that the page shows, as SVG."""
    name: str = ""
    """The receiver's name, if the header shows it."""
    stop_link: str = ""
    """The address that ends such letters, with one click in a mail program (RFC 8058)."""
    stem: str = ""
    """The name, without an ending, of the file with the letter."""

    @property
    def full_subject(self) -> str:
        """The subject in the header: on one line, short enough for a list of messages."""
        words = "".join(c if c.isprintable() else " " for c in self.subject).split()
        subject = " ".join(words)[:LONGEST_SUBJECT]
        return f"{subject} [{self.code}]" if self.code else subject

    @cached_property
    def data(self) -> bytes:
        """The letter for the receiver's own mail program to send: without sender and date."""
        return letter_bytes(self)


def laid_out(paragraphs: Sequence[str]) -> str:
    """Return the text of a letter: paragraphs with empty lines between. Empty ones are left out;
    those with line ends, or that begin with a space, are not wrapped."""
    wrapped_paragraphs = [
        p if p.startswith(" ") or "\n" in p else fill(p, WIDTH) for p in paragraphs if p
    ]
    return "\n\n".join(wrapped_paragraphs) + "\n"


def letter_bytes(letter: Letter, sender: str = "", message_id: str = "", seconds: int = 0) -> bytes:
    """Return the bytes of a letter, ready for SMTP; `seconds` is its date, since 1970 UTC.

    The same arguments always give the same bytes. The letter says that a program wrote it (RFC
    3834), so that no program answers it.

    Without `sender`, mail programs open it as a draft, to be sent from there. Such a letter with a
    code has a Message-ID made from its content; the letter that pbem itself sends names that id in
    References, so that answers to either name it.
    """
    content = f"{letter.text}\0{letter.picture}\0{letter.full_subject}"
    mark = hashlib.sha256(content.encode()).hexdigest()[:24]
    own_id = f"<{letter.code}.{mark}@pbem.invalid>" if letter.code else ""
    plain_name = "".join(c for c in letter.name if c.isalnum() or c in " -").strip()
    is_named = bool(plain_name) and plain_name.isascii()
    thread = dict.fromkeys(x for x in (own_id, letter.thread, letter.answers) if x)
    header = {
        "From": sender,
        "To": f'"{plain_name}" <{letter.address}>' if is_named else letter.address,
        "Subject": letter.full_subject,
        "Date": formatdate(seconds) if sender else "",
        "Message-ID": message_id or own_id,
        "In-Reply-To": letter.answers,
        "References": " ".join(thread) if sender else "",
        "List-Unsubscribe": f"<{letter.stop_link}>" if letter.stop_link else "",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" if letter.stop_link else "",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Unsent": "" if sender else "1",
    }
    message = EmailMessage(policy=_POLICY)
    for name, value in header.items():
        if value:
            message[name] = value
    # every server accepts ASCII; some, even today, accept nothing else
    is_plain = letter.text.isascii() and not letter.page
    message.set_content(letter.text, cte="7bit" if is_plain else "quoted-printable")
    if letter.page:
        picture_id = f"table.{mark}@pbem.invalid"
        page = letter.page.replace(PICTURE, f'src="cid:{picture_id}"')
        message.add_alternative(page, subtype="html", cte="quoted-printable")
        if letter.picture:  # PNG, because Gmail, Outlook and others do not show SVG
            message.get_payload()[1].add_related(  # type: ignore[index,union-attr]
                png(letter.picture), "image", "png", cid=f"<{picture_id}>",
                filename="table.png", disposition="inline",
            )  # fmt: skip
    if letter.bundle:
        message.add_attachment(
            letter.bundle.encode(), "application", "octet-stream", filename=letter.bundle_name
        )
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_pbem_{mark}_{number}")
    return message.as_bytes(policy=_UNFOLDED)
