"""Read the new mail in a mailbox: file records, and answer each unreadable message only once."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbem.cli.clock import now
from pbem.cli.failure import CliError, bug_sentence, sentence_of
from pbem.mail.opening.size_limits import MAX_POST
from pbem.mail.people import People
from pbem.mail.receive import Receiving
from pbem.mail.sent_mail import REFEREE
from pbem.mailseats.mail_book import MailBook
from pbem.mailseats.read_reply import read_reply
from pbem.post.letters.incoming import Incoming
from pbem.post.letters.letter import Letter
from pbem.post.rounds.mailbox_state import MailboxState
from pbem.post.rounds.new_games import FewNewGames
from pbem.post.rounds.people import is_invited
from pbem.post.rounds.replies import PostedReplies

if TYPE_CHECKING:
    from pbem.cli.session.keyring import Keyring
    from pbem.cli.session.session import Session
    from pbem.mail.receive import Delivery
    from pbem.post.account.account import Account, PostBox
    from pbem.post.letters.outbox import Outbox
    from pbem.post.rounds.log import Log
    from pbem.post.servers.mailbox import Mailbox

NOBODY: Final = ("", "")
MOST_ANSWERS: Final = 2
"""The most answers to one address in a day, so that two programs soon stop answering each other."""
WHAT_TO_SEND: Final = (
    "Send what `pbem send` wrote: attach the file that ends in .pbem, unchanged. Or let "
    "`pbem run` send it. Nothing was lost: what you sent before still counts."
)
LATER: Final = "pbem will go on reading mail the next time it checks the mailbox"
AGAIN: Final = "pbem will try again each time it checks the mailbox"
LONGEST: Final = 600.0
"""Seconds after which reading mail goes on in the next pass."""
SAVED_EVERY: Final = 20
"""After how many messages the position in the mailbox is saved; a few may be read twice."""


class _FromTheMailbox(Receiving):
    """Receives mail as `pbem receive` does, but saves no refused file: such files are still in the
    mailbox, and anybody can send enough of them to fill a disk."""

    broken = False
    """Whether a file from pbem was refused."""

    def _keep(self, data: bytes, game: bytes) -> None:
        self.broken = True


class Collector:
    """Reads the mail of one account."""

    def __init__(
        self, box: PostBox, account: Account, outbox: Outbox, keyring: Keyring, log: Log
    ) -> None:
        self.account, self.outbox = account, outbox
        self.keyring, self.home, self.log = keyring, keyring.home, log
        self.state = MailboxState(box.root)
        self._known: set[str] | None = None
        self._waiting: set[tuple[str, str]] = set()
        """The games and seats whose messages are not taken in this pass, because an earlier one
        could not be. Only a right code says whose a message is: anybody can write any sender."""

    def collect(self, mailbox: Mailbox) -> int:
        """Read everything that is new; return how many messages were read. Raises Trouble.

        After ten minutes, the rest waits for the next pass: the games must not wait for mail.
        """
        self.state.begin(f"{self.account.imap} {self.account.folder}", mailbox.validity)
        copies: list[int] = []
        count, until = 0, time.monotonic() + LONGEST
        self._waiting.clear()
        try:
            for uid, size in self._to_read(mailbox):
                if time.monotonic() > until:
                    self.log.say("note", LATER)
                    break
                if self._read(mailbox, uid, size):
                    copies.append(uid)
                count += 1
                self.state.last = max(uid, self.state.last)
                if count % SAVED_EVERY == 0:
                    self.state.save()
        finally:
            self.state.save()  # if the connection broke, the next pass continues from here
        mailbox.file_copy(copies)
        return count

    def _to_read(self, mailbox: Mailbox) -> Iterator[tuple[int, int]]:
        """List the number and size of each message.

        Those that failed before and whose code proves who wrote them come first, because each
        seat's mail is taken in its order; those that anybody may have written come last, so that
        they keep no other mail waiting.
        """
        others = self.state.left(proven=False)
        yield from [(uid, 0) for uid in self.state.left(proven=True)]
        self.state.go_back()
        yield from mailbox.new_mails(self.state.last)
        yield from [(uid, 0) for uid in others]

    def _read(self, mailbox: Mailbox, uid: int, size: int) -> bool:
        """Read one message; return whether it is the copy of a message that we sent.

        Raises Trouble.
        """
        mail = Incoming(mailbox.fetch(uid) if size <= MAX_POST else b"", uid)
        if (size := max(size, len(mail.data))) > MAX_POST:
            told = f"pbem left a message of {size >> 20} MB in the mailbox, because it is too long"
            self.log.say("skipped", told, uid=uid)
            return False
        return self._safely(mail)

    def _safely(self, mail: Incoming) -> bool:
        """Handle one message; an error is printed, and does not stop the work on the others."""
        if self._waiting and self._writer(mail) in self._waiting:
            self.state.leave(mail.uid, time.time(), proven=True)  # each seat's mail in its order
            return False
        try:
            ours = self._take(mail)
        except Exception as error:  # noqa: BLE001 - anybody can send any message
            self._not_taken(mail, error)
            return False
        self.state.take(mail.uid)
        return ours

    def _not_taken(self, mail: Incoming, error: Exception) -> None:
        """Print why a message could not be processed; try it again if that may help."""
        told = f"{_source(mail)} could not be processed"
        if (why := sentence_of(error)) is None:
            self.state.take(mail.uid)
            self._trouble(mail, f"{told}: {bug_sentence(error)}")
        elif self._left(mail):
            self._trouble(mail, f"{told}: {why}; {AGAIN}")
        else:
            hint = "save it to a file, and type: pbem receive FILE"
            self._trouble(mail, f"{told} for a day: {why}", hint)

    def _left(self, mail: Incoming) -> bool:
        """Leave a message for the next pass; return whether it is tried again then."""
        writer = self._writer(mail)
        again = self.state.leave(mail.uid, time.time(), proven=writer != NOBODY)
        self._waiting |= {writer} - {NOBODY} if again else set()
        return again

    def _writer(self, mail: Incoming) -> tuple[str, str]:
        """Return the game and seat by mail whose player wrote a message, as its code proves.

        The code is compared with those in the emails that were sent, so that this also works while
        the game's folder cannot be read. `NOBODY` if no code is right.
        """
        for token in read_reply(mail.data, "").tokens:
            for ident in self.home.games():
                if not ident.startswith(token.game):
                    continue
                if str(token) in MailBook(self.home.game(ident)).sent(token.seat, token.turn):
                    return ident, token.seat
        return NOBODY

    def _trouble(self, mail: Incoming, told: str, hint: str = "") -> None:
        self.log.trouble(f"mail {mail.uid}", told, "a message could not be processed", hint)

    # -------------------------------------------------------------- one message
    def _take(self, mail: Incoming) -> bool:
        """Handle one message; return whether it is the copy of a message that we sent."""
        if mail.sender == self.account.address and self.outbox.is_ours(mail.message_id):
            return self._copy_came(mail)
        if mail.is_bounce:
            self._bounced(mail)
            return False
        if self._reply(mail):
            return False
        self._known = None
        intake = _FromTheMailbox(FewNewGames(self.home, self._new_games()))
        intake.open(mail.data, _source(mail))
        intake.deliver()
        for delivery in intake.deliveries:
            self._delivered(delivery, mail)
        for one in intake.refusals:
            if one.reason == "parent":
                self.log.note(one.sentence, f"{one.source}: {one.sentence}")
        self._answer(mail, intake)
        if intake.no_room:
            raise CliError("too many files are already waiting for other files")
        return False

    def _reply(self, mail: Incoming) -> bool:
        """Handle a reply of a player without `pbem`; return False if the message is not such a
        reply."""
        replies = PostedReplies(self.keyring, self.outbox, self.log)
        return replies.take(mail.data, _source(mail))

    def _copy_came(self, mail: Incoming) -> bool:
        """Mark a letter as sent if this message is the copy of it, in case that was in doubt.

        Returns False for the copy of a letter to our own address.
        """
        key = self.outbox.key_of(mail.message_id)
        for queued in self.outbox.waiting():
            if queued.key == key:
                self.outbox.mark_sent(queued)
                self.log.say("sent", f"sent to {queued.to}: {queued.subject}", to=queued.to)
        return self.outbox.sent_letter(key).get("to") != self.account.address

    def _bounced(self, mail: Incoming) -> None:
        for ident in mail.bounced_ids:
            letter = self.outbox.sent_letter(self.outbox.key_of(ident) or "-")
            if letter and mail.failure:
                told = f"mail to {letter['to']} came back ({letter['subject']}): {mail.failure}"
                self.log.say("bounced", told, to=letter["to"], message_id=ident)
                return

    def _new_games(self) -> Path:
        return Path(self.account.games) if self.account.games else Path.home()

    # -------------------------------------------------------------- records in a message
    def _delivered(self, delivery: Delivery, mail: Incoming) -> None:
        from pbem.cli.mail.take_mail import what_came
        from pbem.cli.session.session import Session

        session = Session(delivery.root, home=self.home, keyring=self.keyring)
        for line in what_came(session, delivery):
            if delivery.new or delivery.made:
                self.log.say("received", line, title=delivery.title, folder=str(delivery.root))
        if delivery.new:
            self._learn(session, delivery, mail)

    def _learn(self, session: Session, delivery: Delivery, mail: Incoming) -> None:
        """Note the sender's address when the first record arrives that only they could write."""
        from pbem.records.charter_join_orders import Charter, Join
        from pbem.records.turn import Turn

        people = People(self.home.game(delivery.game.hex()))
        for record in delivery.new:
            content = record.content
            who = ""
            if isinstance(content, Join) and session.roles.referee:
                who = content.seat if is_invited(session, content) else ""
            elif isinstance(content, Charter | Turn) and not session.roles.referee:
                who = REFEREE
            if who and mail.sender != self.account.address and people.learn(who, mail.sender):
                self.log.say("address", f"mail to {who} goes to {mail.sender}", delivery.title)

    # -------------------------------------------------------------- answers
    def _answer(self, mail: Incoming, intake: _FromTheMailbox) -> None:
        """Tell the sender what was wrong with a message, but only once and only if they play in a
        game of this home."""
        wrong = [one for one in intake.refusals if one.reason != "parent"]
        ours = any(self.outbox.is_ours(ident) for ident in mail.answers)
        if not wrong or not (ours or intake.deliveries or intake.broken or intake.kept):
            return  # the message is not for pbem
        told = "; ".join(dict.fromkeys(one.sentence for one in wrong))
        self.log.say("refused", f"the mail from {mail.sender}: {told}", sender=mail.sender)
        if mail.is_automatic or mail.sender.lower() not in self._addresses():
            return  # nobody would read an answer, or strangers could cause answers to anybody
        if self.state.answered(mail.sender, time.time(), MOST_ANSWERS):
            ident = mail.message_id or hashlib.sha256(mail.data).hexdigest()
            self.outbox.put(_answer_to(mail, told, ident), now())

    def _addresses(self) -> set[str]:
        """Return all addresses of people in the games of this home."""
        if self._known is None:
            games = (People(self.home.game(ident)) for ident in self.home.games())
            self._known = {a.lower() for people in games for a in people.addresses.values()}
        return self._known


def _answer_to(mail: Incoming, told: str, ident: str) -> Letter:
    return Letter(
        to=mail.sender,
        subject=f"Re: {mail.fields.get('subject', 'your message')}",
        paragraphs=[
            f"pbem could not use your message: {told}.",
            WHAT_TO_SEND,
        ],
        about=("answer", ident),
        answers=mail.message_id,
    )


def _source(mail: Incoming) -> str:
    """Say which message it is, by its sender."""
    return f"the mail from {mail.sender or 'an unknown sender'}"
