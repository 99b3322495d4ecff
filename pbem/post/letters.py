"""Letters: read the header of one, write one, and the outbox in which each waits."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from engine.values import Value
from pbem.desk.base import print_data
from pbem.desk.send import MailSeat
from pbem.desk.session import Session
from pbem.errors import CliError
from pbem.files import syscalls
from pbem.files.disk import (
    StorageError,
    create,
    read_file,
    read_if_there,
    replace,
    storage_error,
    sweep,
)
from pbem.format.canonical import RecordError
from pbem.mail.opening import (
    MAX_HEADER,
    fields_in,
    header_of,
    is_bounce,
    sender_in,
    written_by_program,
)
from pbem.mail.sending import People, SentMail
from pbem.post.account import Account, PostBox, boxes, check_address
from pbem.records.press import REFEREE
from pbem.screen.terminal import clean

# ---- Write mail messages, called letters: their text, receiver and bytes

WIDTH: Final = 72
LONGEST_SUBJECT: Final = 120


class Letter(Value):
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


# ---- The outbox: every letter is written here before it is sent, and marked afterwards
#
#     outbox/KEY.letter   a letter to send: one line of JSON, then the bytes of the message
#     trying/KEY          it is being sent, or the run was killed, so it may have been sent
#     sent/ADDRESS-KEY    it was sent; the file's modification time says when
#     refused/KEY.letter  the server will never accept it
#
# KEY is a keyed hash of what the letter is about, so the same letter is never written twice, and
# nobody can guess the Message-ID of a letter before it is sent.

ENDING: Final = ".letter"
MAX_LETTER: Final = 1 << 25
KEPT: Final = 90 * 86400
"""By how many seconds a sent letter's mark must be older than the newest ones to be removed."""
NEWEST: Final = 1000
"""How many of the newest marks are never removed."""


class Queued(Value):
    """A letter in the outbox, with its key."""

    key: str
    to: str
    message_id: str
    subject: str
    game: str
    person: str
    records: tuple[str, ...]
    data: bytes = b""

    @property
    def head(self) -> bytes:
        """Return the data in the first line of the letter's file, as bytes."""
        names = ("key", "to", "message_id", "subject", "game", "person", "records")
        return json.dumps({name: getattr(self, name) for name in names}).encode() + b"\n"


class Outbox:
    """One mailbox's letters to be sent, and the marks of those that were sent."""

    def __init__(self, box: PostBox, account: Account) -> None:
        self.root, self.account = box.root, account
        self.damaged: set[Path] = set()
        """Files of letters that could not be read."""

    # -------------------------------------------------------------- writing
    def put(self, letter: Letter, now: int) -> Queued | None:
        """Write a letter into the outbox; return None if it is already here or was already sent.

        Raises StorageError.
        """
        key = self._key(letter)
        if self.was_sent(key, letter.to) or any(self._path(p, key).exists() for p in _PLACES):
            return None
        domain = self.account.address.rpartition("@")[2]
        ident = f"<pbem.{key}@{domain}>"
        data = written(letter, self.account.address, ident, now)
        queued = Queued(
            key, letter.to, ident, letter.subject, letter.game, letter.person,
            tuple(letter.records), data,
        )  # fmt: skip
        create(self._path("outbox", key), queued.head + data, private=True)
        return queued

    def _key(self, letter: Letter) -> str:
        about = json.dumps([letter.to, letter.game, letter.person, list(letter.about)])
        return hmac.new(self._secret, about.encode(), hashlib.sha256).hexdigest()[:32]

    @property
    def _secret(self) -> bytes:
        path = self.root / "secret"
        found = read_if_there(path)
        if found is None:
            found = os.urandom(32)
            create(path, found, private=True)
        return found

    def _path(self, place: str, key: str) -> Path:
        return self.root / place / f"{key}{ENDING}"

    # -------------------------------------------------------------- reading
    def waiting(self) -> Iterator[Queued]:
        """Return the letters to be sent, oldest first."""
        yield from self._in("outbox")

    def refused(self) -> list[Queued]:
        """Return the letters that the server will never accept."""
        return list(self._in("refused"))

    def _in(self, place: str) -> Iterator[Queued]:
        folder = self.root / place
        sweep(folder)
        files = [f for f in folder.iterdir() if f.suffix == ENDING] if folder.is_dir() else []
        for path in sorted(files, key=lambda f: (_date(f), f.name)):
            try:
                yield _read(path)
            except StorageError as error:
                if not error.missing:  # else another `pbem` removed it
                    raise
            except (RecordError, ValueError, KeyError, TypeError):
                self.damaged.add(path)

    def key_of(self, message_id: str) -> str:
        """Return the key of one of our letters, from its Message-ID; empty for any other id."""
        start, _, rest = message_id.strip("<>").partition("@")[0].partition(".")
        ours = start == "pbem" and len(rest) == 32 and all(c in "0123456789abcdef" for c in rest)
        return rest if ours else ""

    def is_ours(self, message_id: str) -> bool:
        """Return whether a letter with this Message-ID was written here."""
        key = self.key_of(message_id)
        if not key:
            return False
        if any(self._path(place, key).exists() for place in _PLACES):
            return True
        return any((self.root / "sent").glob(f"*-{key}"))

    # -------------------------------------------------------------- marks
    def try_now(self, key: str) -> None:
        """Note that a letter is about to be sent; until it is marked, nobody knows whether it was
        sent."""
        replace(self.root / "trying" / key, json.dumps([time.time(), time.monotonic()]).encode())

    def tried(self, key: str) -> float | None:
        """Return how many seconds ago pbem tried to send a letter; None if that is not in doubt.

        It is in doubt if a run was stopped while it sent the letter. The clock may have been set
        since then, and the monotonic clock starts anew with the computer, so the shorter of the two
        times is returned. Raises StorageError.
        """
        found = read_if_there(self.root / "trying" / key)
        if found is None:
            return None
        clock, monotonic = json.loads(found or b"[0, 0]")
        spans = [s for s in (time.time() - clock, time.monotonic() - monotonic) if s >= 0]
        if not spans:
            self.try_now(key)  # nobody knows how long ago that was: begin to wait now
        return min(spans, default=0.0)

    def not_sent(self, key: str) -> None:
        """Record that pbem tried to send a letter and that it was certainly not sent."""
        _remove(self.root / "trying" / key)

    def mark_sent(self, queued: Queued) -> None:
        """Record that a letter was sent, and take it out of the outbox. Raises StorageError."""
        create(self._mark(queued.key, queued.to), queued.head, private=True)
        _remove(self._path("outbox", queued.key))
        _remove(self.root / "trying" / queued.key)

    def mark_refused(self, queued: Queued) -> None:
        """Move a letter that the server will never accept out of the way. Raises StorageError."""
        create(self._path("refused", queued.key), queued.head + queued.data, private=True)
        _remove(self._path("outbox", queued.key))
        _remove(self.root / "trying" / queued.key)

    def forget_refused(self, to: str) -> None:
        """Remove the refused letters to an address, so that their contents are sent again."""
        for queued in self.refused():
            if queued.to == to:
                _remove(self._path("refused", queued.key))

    def was_sent(self, key: str, to: str) -> bool:
        """Return whether the letter with this key was sent to this address."""
        return self._mark(key, to).exists()

    def sent_letter(self, key: str) -> dict[str, Any]:
        """Return what is known about a sent letter; empty if it was not sent from here."""
        for path in (self.root / "sent").glob(f"*-{key}"):
            found: dict[str, Any] = json.loads(read_file(path))
            return found
        return {}

    def sent_since(self, to: str, seconds: float) -> int:
        """Count the letters that were sent to an address in the last `seconds` seconds.

        Dates more than `seconds` ahead do not count: the clock was wrong when they were noted.
        """
        folder, name = self.root / "sent", _short(to)
        if not folder.is_dir():
            return 0
        now = time.time()
        with os.scandir(folder) as entries:
            mine = (entry.stat().st_mtime for entry in entries if entry.name.startswith(name))
            return sum(abs(now - when) <= seconds for when in mine)

    def tidy(self) -> None:
        """Remove the marks of letters that were sent long before the newest ones.

        The present time is not used, because the clock may be wrong: a letter without its mark is
        sent again.
        """
        folder = self.root / "sent"
        paths = list(folder.iterdir()) if folder.is_dir() else []
        dates = sorted(((path.stat().st_mtime, path) for path in paths), reverse=True)
        for when, path in dates[NEWEST:]:
            if when < dates[NEWEST - 1][0] - KEPT:
                _remove(path)

    def _mark(self, key: str, to: str) -> Path:
        return self.root / "sent" / f"{_short(to)}-{key}"


_PLACES: Final = ("outbox", "refused")


def _short(address: str) -> str:
    return hashlib.sha256(address.lower().encode()).hexdigest()[:12]


def _read(path: Path) -> Queued:
    head, _, data = read_file(path, MAX_LETTER).partition(b"\n")
    told = json.loads(head)
    return Queued(**told | {"records": tuple(told["records"])}, data=data)


def _date(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0  # another `pbem` removed it


def _remove(path: Path) -> None:
    try:
        syscalls.unlink(path)
    except FileNotFoundError:
        pass  # an earlier run has removed it
    except OSError as error:
        raise storage_error(error, path) from error


# ---- Do the work of `pbem post address`: note who has which address in one game


def list_addresses(session: Session, as_json: bool) -> None:
    """Print the address of everybody in this game, as far as it is known."""
    found = People(session.mine).addresses | _by_email(session)
    if as_json:
        print_data("post address", found)
        return
    for who, name in _everybody(session).items():
        print(f"{who} {clean(name)}: {clean(found.get(who, '-'))}")


def set_address(session: Session, who: str, address: str) -> None:
    """Note an address, and send again what went to the old address. Raises CliError."""
    seat = _meant(session, who)
    if seat in session.roles.mail:
        _move(session, seat, address)
        return
    people = People(session.mine)
    if address == "-":
        people.set(seat, "")
        print(f"pbem has no email address for {seat} now")
        return
    new = check_address(address)
    if people.addresses.get(seat, new) != new:
        SentMail(session.mine).forget(seat)  # the old address may never have received it
    people.set(seat, new)
    _goes_to(session, seat, new)


def _move(session: Session, seat: str, address: str) -> None:
    """Note the new address of a player without `pbem`, and send the turn mail again."""
    mail_seat = MailSeat(session, seat)
    if address == "-":
        told = f"{clean(_everybody(session)[seat])} plays by email, so they need an address"
        raise CliError(told, f"pbem post address {seat} NAME@EXAMPLE.ORG")
    new = check_address(address)
    if _by_email(session).get(seat) != new:
        SentMail(session.mine).forget(seat)
    mail_seat.book.move(seat, new)
    _goes_to(session, seat, new)


def _goes_to(session: Session, seat: str, new: str) -> None:
    """Print where mail for a seat goes now, and forget what a server refused for that address."""
    for box in boxes(session.home):
        Outbox(box, box.read()).forget_refused(new)
    print(f"mail for {clean(_everybody(session)[seat])} goes to {new}")


def _by_email(session: Session) -> dict[str, str]:
    """Return the addresses of the players without `pbem`, as far as they are known."""
    found = {}
    for seat in sorted(session.roles.mail):
        with contextlib.suppress(CliError):
            found[seat] = MailSeat(session, seat).address
    return found


def _meant(session: Session, who: str) -> str:
    """Return the seat, or `referee`, that a letter or a name means. Raises CliError."""
    from difflib import get_close_matches

    names = _everybody(session)
    known = {name.casefold(): seat for seat, name in names.items()} | {seat: seat for seat in names}
    wanted = who.strip().casefold()
    if wanted in known:
        return known[wanted]
    close = get_close_matches(wanted, known, 1)
    told = ", ".join(f"{seat} ({clean(name)})" for seat, name in names.items())
    raise CliError(f"nobody here is called {who!r}", f"did you mean {close[0]}?" if close else told)


def _everybody(session: Session) -> dict[str, str]:
    charter = session.game_folder.charter.content
    names = {p.seat: session.name_of(p.seat) for p in charter.seats if not p.bot}
    return {REFEREE: session.game_folder.maker().name, **names}


# ---- Read the header of a message that arrived: who sent it, and whether a program did
#
# Only a few fields are read, and not too much of each, because anyone can send us mail (see
# `pbem.mail.opening`). Nothing in a header is proof; it only decides what we answer.

_MAX_BOUNCE: Final = 1 << 16
_END = re.compile(rb"\n\r?\n")
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
"""Printable ASCII: an answer repeats it in its header."""
_STATUS = re.compile(rb"^(?:Action|Status|Diagnostic-Code):[ \t]*([^\r\n]{1,200})", re.I | re.M)


class Incoming(Value):
    """A message that arrived: its bytes, and its number (UID) in the mailbox."""

    data: bytes
    uid: int = 0

    @cached_property
    def fields(self) -> dict[str, str]:
        """The header fields that matter, by their names in lower case.

        If a field occurs twice, only the first counts.
        """
        return fields_in(header_of(self.data))

    @property
    def sender(self) -> str:
        """The address in the field From, which proves nothing."""
        return sender_in(self.fields)

    @property
    def message_id(self) -> str:
        """The Message-ID, with its angle brackets; empty if there is none."""
        found = _ID.search(self.fields.get("message-id", ""))
        return found[0] if found else ""

    @property
    def answers(self) -> list[str]:
        """The ids of the messages that this one answers."""
        return _ID.findall(
            f"{self.fields.get('in-reply-to', '')} {self.fields.get('references', '')}"
        )

    @property
    def is_bounce(self) -> bool:
        """Whether a mail server reports that a message was not delivered (RFC 3464)."""
        return is_bounce(self.fields)

    @property
    def is_automatic(self) -> bool:
        """Whether a program or a mailing list sent it (RFC 3834), so that it gets no answer."""
        return bool(written_by_program(self.fields))

    @property
    def failure(self) -> str:
        """Return the reason that a bounce gives, on one line; empty if the bounce only reports a
        delay."""
        told = [m[1].decode("utf-8", "replace").strip() for m in _STATUS.finditer(self._body)]
        if told and told[0].lower() in ("delayed", "delivered", "relayed", "expanded"):
            return ""
        return "; ".join(dict.fromkeys(told[:3])) or "no reason is given"

    @property
    def bounced_ids(self) -> list[str]:
        """Return the ids that a bounce mentions.

        One of them is the id of the message that came back.
        """
        found = re.findall(rb"^Message-ID:[ \t\r\n]*(<[^<>\s]{1,250}>)", self._body, re.I | re.M)
        return [one.decode("ascii", "replace") for one in found] + self.answers

    @property
    def _body(self) -> bytes:
        end = _END.search(self.data, 0, MAX_HEADER)
        start = end.end() if end else 0
        return self.data[start : start + _MAX_BOUNCE]
