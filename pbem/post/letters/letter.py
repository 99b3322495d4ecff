"""Write mail messages, called letters: their text, receiver and bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from textwrap import fill
from typing import Final

from pbem.frozen import frozen

WIDTH: Final = 72
LONGEST_SUBJECT: Final = 120


@frozen
class Letter:
    """A message to one person; its Message-ID follows from its contents."""

    to: str
    """The receiver's address."""
    subject: str
    paragraphs: Sequence[str]
    """The paragraphs of the text, which are wrapped unless they begin with a space."""
    bundle: str = ""
    """The text of the attached bundle, if there is one."""
    bundle_name: str = ""
    about: Sequence[str] = ()
    """What makes two letters the same: kind, game, person, records."""
    game: str = ""
    """The game's id in hex; empty if the letter is not about a game."""
    person: str = ""
    """The seat, or `referee`, that the letter is for."""
    records: Sequence[str] = field(default=())
    """The ids, in hex, of the records in the bundle."""
    thread: str = ""
    """The name of a thread; mail programs show letters of the same thread together."""
    answers: str = ""
    """The Message-ID of the message that it answers."""
    whole: bytes = b""
    """The whole message without `From` and `Date`, if it is already written."""


def written(letter: Letter, sender: str, message_id: str, seconds: int) -> bytes:
    """Return the bytes of a letter, ready for SMTP; `seconds` is its date, since 1970 UTC.

    The letter says that a program wrote it (RFC 3834), so that no program answers it.
    """
    from email.message import EmailMessage
    from email.policy import SMTP
    from email.utils import formatdate

    if letter.whole:
        return _readdressed(letter, sender, message_id, formatdate(seconds))
    mail = EmailMessage(SMTP)
    mail["From"], mail["To"] = sender, letter.to
    mail["Subject"] = _plain(letter.subject)
    mail["Date"] = formatdate(seconds)
    mail["Message-ID"] = message_id
    if letter.answers:
        mail["In-Reply-To"] = letter.answers
    if threads := " ".join(dict.fromkeys(x for x in (letter.thread, letter.answers) if x)):
        mail["References"] = threads
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    text = _text(letter.paragraphs)
    # every server accepts ASCII; some, even today, accept nothing else
    mail.set_content(text, cte="7bit" if text.isascii() else "quoted-printable")
    if letter.bundle:
        mail.add_attachment(
            letter.bundle.encode(), "application", "octet-stream", filename=letter.bundle_name
        )
    return mail.as_bytes()


def _readdressed(letter: Letter, sender: str, message_id: str, date: str) -> bytes:
    """Return a message that is already written, with our Message-ID.

    Its former Message-ID becomes a reference, so that answers name both ids.
    """
    head, _, body = letter.whole.partition(b"\r\n\r\n")
    lines = [f"From: {sender}", f"Date: {date}", f"Message-ID: {message_id}"]
    for line in head.decode("ascii").split("\r\n"):
        name, _, value = line.partition(":")
        if name.lower() == "message-id":
            lines.append(f"References:{value}")
        elif name.lower() != "x-unsent":
            lines.append(line)
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _plain(subject: str) -> str:
    """Return a subject on one line, short enough for a list of messages."""
    words = "".join(c if c.isprintable() else " " for c in subject).split()
    return " ".join(words)[:LONGEST_SUBJECT]


def _text(paragraphs: Sequence[str]) -> str:
    kept = [p if p.startswith(" ") or "\n" in p else fill(p, WIDTH) for p in paragraphs if p]
    return "\n\n".join(kept) + "\n"
