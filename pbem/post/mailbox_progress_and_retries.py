"""The state of a mailbox: how far it has been read, what to try again, and recent answers."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.text.dates import DAY

MAX_RETRIES: Final = 1000
"""The greatest number of messages that are tried again each time: so many with a code that proves
who wrote them, and so many others. The rest is read again when there is room."""


class RetriedMail(NamedTuple):
    """A message that could not be taken: its number (UID), and the time of the first try."""

    uid: int
    tried_at: int
    is_proven: bool
    """Whether the message has a code that proves who wrote it."""


class Answer(NamedTuple):
    """An answer that was sent to an address, and when."""

    address: str
    sent_at: int


class MailboxNotes(Notes):
    """The state of a mailbox: which folder on which server, and how far it has been read."""

    file = "state.toml"
    place: str = ""
    """The server and the folder."""
    validity: int = 0
    """The folder's UIDVALIDITY, which changes if the server numbers its messages anew."""
    last: int = 0
    """The number (UID) of the last message that was read."""
    left: tuple[RetriedMail, ...] = ()
    """The messages to try again."""
    missed: int = 0
    """The first message for which there was no room in `left`; 0 = none."""
    missed_proven: int = 0
    """The same, of the messages with a code that proves who wrote them."""
    answers: tuple[Answer, ...] = ()
    """The answers of the last day."""


class MailboxState:
    """The number of the last message that was read, and recent answers.

    If this is lost, messages are read again; nothing else happens.
    """

    def __init__(self, root: Path) -> None:
        """Read the notes in the folder `root` of this mailbox."""
        self._book = Notebook(root, MailboxNotes)
        notes = self._book.read()
        self._place, self._validity = notes.place, notes.validity
        self.last_uid = notes.last
        """The number (UID) of the last message that was read."""
        self._retried_mails = {mail.uid: mail for mail in notes.left}
        """The messages that could not be taken, by number."""
        missed_uids = {False: notes.missed, True: notes.missed_proven}
        self._missed_uids = {is_proven: uid for is_proven, uid in missed_uids.items() if uid}
        """The first message for which there was no room in `_retried_mails`: of those with a code
        that proves who wrote them (True), and of the others (False)."""
        self._answers = list(notes.answers)

    def begin(self, place: str, validity: int) -> None:
        """Start again if this is a different folder, or if the server renumbered its messages."""
        if (self._place, self._validity) != (place, validity):
            self._place, self._validity, self.last_uid = place, validity, 0
            self._retried_mails.clear()
            self._missed_uids.clear()

    # -------------------------------------------------------------- messages to try again
    def retry_uids(self, *, is_proven: bool) -> list[int]:
        """Return the numbers of the messages to try again, in their order: with `is_proven`, those
        with a code that proves who wrote them, else the others."""
        return sorted(
            uid for uid, mail in self._retried_mails.items() if mail.is_proven == is_proven
        )

    def add_retry(self, uid: int, time: float, *, is_proven: bool) -> bool:
        """Note that a message could not be taken at this time; return whether to try it again.

        After a day it is given up. If there are too many already, the newest is not noted, but
        `go_back` returns to it: so nobody can push out a message with a thousand others.
        """
        mail = RetriedMail(uid, int(time), is_proven)
        first_try_at = self._retried_mails.setdefault(uid, mail).tried_at
        if time - first_try_at >= DAY:
            self.remove_retry(uid)
            return False
        if first_try_at > time:
            self._retried_mails[uid] = mail  # the clock was set back
        for other_uid in self.retry_uids(is_proven=is_proven)[MAX_RETRIES:]:
            self.remove_retry(other_uid)
            self._missed_uids[is_proven] = min(
                other_uid, self._missed_uids.get(is_proven, other_uid)
            )
        return True

    def go_back(self) -> None:
        """Return to the first message for which there was no room, if there is room now.

        The messages after it are then read again, which changes nothing.
        """
        for is_proven, first_uid in list(self._missed_uids.items()):
            if 2 * len(self.retry_uids(is_proven=is_proven)) <= MAX_RETRIES:
                self.last_uid = min(self.last_uid, first_uid - 1)
                del self._missed_uids[is_proven]

    def remove_retry(self, uid: int) -> None:
        """Note that a message need not be tried again."""
        self._retried_mails.pop(uid, None)

    def note_answer(self, address: str, time: float, max_answers: int) -> bool:
        """Note an answer to an address, and return True, unless it had `max_answers` in a day.

        Answers with a date more than a day ahead do not count: the clock was wrong.
        """
        recent = [answer for answer in self._answers if abs(answer.sent_at - time) < DAY]
        if sum(answer.address == address.lower() for answer in recent) >= max_answers:
            return False
        self._answers = [*recent, Answer(address.lower(), int(time))]
        self.save()
        return True

    def save(self) -> None:
        """Write the state into the home. Raises StorageError."""
        notes = MailboxNotes(
            self._place,
            self._validity,
            self.last_uid,
            tuple(self._retried_mails[uid] for uid in sorted(self._retried_mails)),
            self._missed_uids.get(False, 0),
            self._missed_uids.get(True, 0),
            tuple(self._answers),
        )
        self._book.change(lambda _: notes)
