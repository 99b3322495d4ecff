"""The outbox of letters: every letter is written here before it is sent, and marked afterwards.

    outbox/KEY.letter   a letter to send: one line of JSON, then the bytes of the message
    trying/KEY          it is being sent, or the run was killed, so it may have been sent
    sent/ADDRESS-KEY    it was sent; the file's modification time says when
    refused/KEY.letter  the server will never accept it

KEY is a keyed hash of what the letter is about, so the same letter is never written twice, and
nobody can guess the Message-ID of a letter before it is sent.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from engine.value_classes import Value
from pbem.files import syscalls
from pbem.files.disk import create, read_file, read_if_there, remove_old_temporary_files, replace
from pbem.files.file_errors import StorageError, storage_errors
from pbem.format.record_error import RecordError
from pbem.mail.letter import Letter, letter_bytes
from pbem.post.mail_account import Account, PostBox

ENDING: Final = ".letter"
MAX_LETTER_BYTES: Final = 1 << 25
KEPT_SECONDS: Final = 90 * 86400
"""The age of a sent letter's mark, against the newest marks, from which it may be removed."""
MAX_KEPT_MARKS: Final = 1000
"""The number of the newest marks, which are never removed."""


class Queued(Value):
    """A letter in the outbox, with its key."""

    key: str
    to: str
    """The address to which it is sent."""
    message_id: str
    subject: str
    game: str
    """The id of the game in hex; empty for a letter about no game."""
    person: str
    """The recipient's seat, or `referee`."""
    records: tuple[str, ...]
    """The ids of the records in it, in hex."""
    data: bytes = b""
    """The bytes of the message."""

    @property
    def head(self) -> bytes:
        """The first line of the letter's file: all but the message, as JSON."""
        names = ("key", "to", "message_id", "subject", "game", "person", "records")
        return json.dumps({name: getattr(self, name) for name in names}).encode() + b"\n"


class Outbox:
    """One mailbox's letters to be sent, and the marks of those that were sent."""

    def __init__(self, box: PostBox, account: Account) -> None:
        self.root, self.account = box.root, account
        self.damaged: set[Path] = set()
        """Files of letters that could not be read."""

    def put(self, letter: Letter, now: int) -> Queued | None:
        """Write a letter into the outbox, dated `now`, and return the letter.

        Return None if a letter to the same person with the same `letter.identity` waits here, was
        sent, or was refused for ever (see `forget_refused`). Raises StorageError.
        """
        key = self._key_for(letter)
        if self.was_sent(key, letter.address) or self._has_file(key):
            return None
        domain = self.account.address.rpartition("@")[2]
        ident = f"<pbem.{key}@{domain}>"
        data = letter_bytes(letter, self.account.address, ident, now)
        queued = Queued(
            key, letter.address, ident, letter.subject, letter.game, letter.person,
            tuple(letter.records), data,
        )  # fmt: skip
        create(self._path("outbox", key), queued.head + data, private=True)
        return queued

    def _key_for(self, letter: Letter) -> str:
        """Return the key of what a letter is about, 32 hex digits. Raises StorageError."""
        subject = json.dumps([letter.address, letter.game, letter.person, list(letter.identity)])
        return hmac.new(self._secret(), subject.encode(), hashlib.sha256).hexdigest()[:32]

    def _secret(self) -> bytes:
        """Return the secret of this outbox; make it the first time. Raises StorageError."""
        path = self.root / "secret"
        if (secret := read_if_there(path)) is None:
            create(path, secret := os.urandom(32), private=True)
        return secret

    def _path(self, place: str, key: str) -> Path:
        return self.root / place / f"{key}{ENDING}"

    def _has_file(self, key: str) -> bool:
        return any(self._path(place, key).exists() for place in ("outbox", "refused"))

    def queued_letters(self) -> Iterator[Queued]:
        """Return the letters to be sent, oldest first."""
        yield from self._letters_in("outbox")

    def refused_letters(self) -> list[Queued]:
        """Return the letters that the server will never accept."""
        return list(self._letters_in("refused"))

    def _letters_in(self, place: str) -> Iterator[Queued]:
        """Yield the letters in the folder `outbox` or `refused`, oldest first; note files that
        cannot be read in `damaged`. Raises StorageError."""
        folder = self.root / place
        remove_old_temporary_files(folder)
        files = [f for f in folder.iterdir() if f.suffix == ENDING] if folder.is_dir() else []
        for path in sorted(files, key=lambda f: (_date(f), f.name)):
            try:
                head, _, data = read_file(path, MAX_LETTER_BYTES).partition(b"\n")
                fields = json.loads(head)
                yield Queued(**fields | {"records": tuple(fields["records"])}, data=data)
            except StorageError as error:
                if not error.is_missing:  # else another `pbem` removed it
                    raise
            except (RecordError, ValueError, KeyError, TypeError):
                self.damaged.add(path)

    def key_of(self, message_id: str) -> str:
        """Return the key of one of our letters, from its Message-ID; empty for any other id."""
        start, _, digits = message_id.strip("<>").partition("@")[0].partition(".")
        is_own_key = (
            start == "pbem" and len(digits) == 32 and all(c in "0123456789abcdef" for c in digits)
        )
        return digits if is_own_key else ""

    def is_own_letter(self, message_id: str) -> bool:
        """Return whether a letter with this Message-ID was written here."""
        key = self.key_of(message_id)
        return bool(key) and (self._has_file(key) or any((self.root / "sent").glob(f"*-{key}")))

    def try_now(self, key: str) -> None:
        """Note that a letter is about to be sent; until it is marked, nobody knows whether it was
        sent."""
        replace(self.root / "trying" / key, json.dumps([time.time(), time.monotonic()]).encode())

    def seconds_since_try(self, key: str) -> float | None:
        """Return how many seconds ago pbem tried to send a letter; None if that is not in doubt.

        It is in doubt if a run was stopped while it sent the letter. The clock may have been set
        since then, and the monotonic clock starts anew with the computer, so the shorter of the two
        times is returned. Raises StorageError.
        """
        data = read_if_there(self.root / "trying" / key)
        if data is None:
            return None
        clock, monotonic = json.loads(data or b"[0, 0]")
        elapsed_spans = [s for s in (time.time() - clock, time.monotonic() - monotonic) if s >= 0]
        if not elapsed_spans:
            self.try_now(key)  # nobody knows how long ago that was: begin to wait now
        return min(elapsed_spans, default=0.0)

    def note_unsent(self, queued: Queued) -> None:
        """Record that pbem tried to send a letter and that it was certainly not sent."""
        _remove(self.root / "trying" / queued.key)

    def mark_sent(self, queued: Queued) -> None:
        """Record that a letter was sent, and take it out of the outbox. Raises StorageError."""
        create(self._mark(queued.key, queued.to), queued.head, private=True)
        self._remove_letter(queued)

    def mark_refused(self, queued: Queued) -> None:
        """Move a letter that the server will never accept out of the way. Raises StorageError."""
        create(self._path("refused", queued.key), queued.head + queued.data, private=True)
        self._remove_letter(queued)

    def _remove_letter(self, queued: Queued) -> None:
        _remove(self._path("outbox", queued.key))
        _remove(self.root / "trying" / queued.key)

    def forget_refused(self, address: str) -> None:
        """Remove the refused letters to an address, so that their contents are sent again."""
        for queued in self.refused_letters():
            if queued.to == address:
                _remove(self._path("refused", queued.key))

    def was_sent(self, key: str, address: str) -> bool:
        """Return whether the letter with this key was sent to this address."""
        return self._mark(key, address).exists()

    def sent_letter(self, key: str) -> dict[str, Any]:
        """Return what is known about a sent letter; empty if it was not sent from here."""
        for path in (self.root / "sent").glob(f"*-{key}"):
            fields: dict[str, Any] = json.loads(read_file(path))
            return fields
        return {}

    def sent_count(self, address: str, seconds: float) -> int:
        """Count the letters that were sent to an address in the last `seconds` seconds.

        Dates more than `seconds` ahead do not count: the clock was wrong when they were noted.
        """
        folder, name = self.root / "sent", _address_digits(address)
        if not folder.is_dir():
            return 0
        now = time.time()
        with os.scandir(folder) as entries:
            dates = (entry.stat().st_mtime for entry in entries if entry.name.startswith(name))
            return sum(abs(now - date) <= seconds for date in dates)

    def tidy(self) -> None:
        """Remove the marks of letters that were sent long before the newest ones.

        The present time is not used, because the clock may be wrong: a letter without its mark is
        sent again.
        """
        folder = self.root / "sent"
        paths = list(folder.iterdir()) if folder.is_dir() else []
        dates = sorted(((path.stat().st_mtime, path) for path in paths), reverse=True)
        for date, path in dates[MAX_KEPT_MARKS:]:
            if date < dates[MAX_KEPT_MARKS - 1][0] - KEPT_SECONDS:
                _remove(path)

    def _mark(self, key: str, address: str) -> Path:
        return self.root / "sent" / f"{_address_digits(address)}-{key}"


def _address_digits(address: str) -> str:
    return hashlib.sha256(address.lower().encode()).hexdigest()[:12]


def _date(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0  # another `pbem` removed it


def _remove(path: Path) -> None:
    with storage_errors(path), suppress(FileNotFoundError):  # an earlier run has removed it
        syscalls.unlink(path)
