"""Read the new mail in a mailbox: file records, and answer each unreadable message only once."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from pbem.acts.players_email_replies import ReplyResult
from pbem.acts.receive_mail import Arrived, TakenMail, take_in
from pbem.acts.sign_notice import standing_soon
from pbem.errors import CliError
from pbem.mail.find_game_by_id import Places
from pbem.mail.incoming_email import Mail
from pbem.mail.letter import Letter, laid_out
from pbem.mail.record_filing import Create, RecordFiler, create_in_folder
from pbem.mail.take_records_from_mail import NO_ROOM_SENTENCE
from pbem.mail.unpack_mail import MAX_POST
from pbem.person.keyring import Keyring
from pbem.person.mail_notebooks import MailBook, People
from pbem.person.session import Session
from pbem.plain_email.reply_email import read_reply
from pbem.post.event_printer import Log
from pbem.post.imap_mailbox import Mailbox
from pbem.post.mail_account import Account, PostBox
from pbem.post.mailbox_progress_and_retries import MailboxState
from pbem.post.outbox import Outbox
from pbem.records.charter import Charter, co_dealer_id
from pbem.records.deal_record import Deal
from pbem.records.join import Join, is_let_in
from pbem.records.press_message import REFEREE
from pbem.records.turn import Turn
from pbem.terminal.command_failures import bug_sentence, sentence_of
from pbem.text.clock import now
from pbem.wording.game_letters import (
    answer_subject,
    not_used_paragraphs,
)
from pbem.wording.received_mail import delivery_lines
from pbem.wording.run_log import (
    READS_LATER_SENTENCE,
    SAVE_MESSAGE_HINT,
    UNPROCESSED_MESSAGE_SENTENCE,
    bounced_mail,
    learnt_address,
    mail_from,
    refused_mail,
    sent_mail,
    too_long_message,
    unprocessed_for_a_day,
    unprocessed_mail,
    waiting_mail,
)

MAX_NEW_GAMES: Final = 10
"""The greatest number of new games that are accepted in a day."""
MAX_ANSWERS_A_DAY: Final = 2
"""The greatest number of answers to one address in a day: so two programs soon stop answering each
other."""
MAX_READING_SECONDS: Final = 600.0
"""The time after which reading mail goes on in the next pass."""
MAILS_PER_SAVE: Final = 20
"""The number of messages after which the position in the mailbox is saved; a few may be read
twice."""


class MailRules(NamedTuple):
    """The permissions of mail in a home."""

    learns: bool = True
    """Whether the sender of a join gets mail from then on."""
    max_new_games: int = MAX_NEW_GAMES
    """The greatest number of new games that are accepted in a day; with 0, nothing is kept for
    games that are not here."""
    create: Create = create_in_folder
    """The function that puts a record into the folder of its game."""
    may_go_on: Callable[[], bool] = lambda: True
    """Whether one more letter may be read or sent now."""


class Collector:
    """Reads the mail of one account."""

    def __init__(
        self,
        box: PostBox,
        account: Account,
        outbox: Outbox,
        keyring: Keyring,
        log: Log,
        rules: MailRules | None = None,
    ) -> None:
        """`box` has the notes of this mailbox, `outbox` gets the answers, `rules` limit what mail
        may do."""
        self.account, self.outbox = account, outbox
        self._rules = rules or MailRules()
        self.keyring, self.home, self.log = keyring, keyring.home, log
        self.state = MailboxState(box.root)
        self._known_addresses: set[str] | None = None
        self._waiting_seats: set[tuple[str, str]] = set()
        """The games and seats whose messages are not taken in this pass, because an earlier one
        could not be. Only a right code says whose a message is: anybody can write any sender."""

    def collect(self, mailbox: Mailbox) -> int:
        """Read everything that is new; return how many messages were read. Raises Trouble.

        After ten minutes, the rest waits for the next pass: the games must not wait for mail.
        """
        self.state.begin(f"{self.account.imap} {self.account.folder}", mailbox.validity)
        copies: list[int] = []
        count, ends_at = 0, time.monotonic() + MAX_READING_SECONDS
        self._waiting_seats.clear()
        try:
            for uid, size in self._to_read(mailbox):
                if not self._rules.may_go_on():
                    break
                if time.monotonic() > ends_at:
                    self.log.say("note", READS_LATER_SENTENCE)
                    break
                if self._read(mailbox, uid, size):
                    copies.append(uid)
                count += 1
                self.state.last_uid = max(uid, self.state.last_uid)
                if count % MAILS_PER_SAVE == 0:
                    self.state.save()
        finally:
            self.state.save()  # if the connection broke, the next pass continues from here
        mailbox.file_copy(copies)
        return count

    def _to_read(self, mailbox: Mailbox) -> Iterator[tuple[int, int]]:
        """Yield the mails to read, each with its size, or 0 for one that is tried again.

        Those that failed before and whose code proves who wrote them come first, because each
        seat's mail is taken in its order. Those that anybody may have written come last, so that
        they keep no other mail waiting.
        """
        other_uids = self.state.retry_uids(is_proven=False)
        yield from [(uid, 0) for uid in self.state.retry_uids(is_proven=True)]
        self.state.go_back()
        yield from mailbox.new_mails(self.state.last_uid)
        yield from [(uid, 0) for uid in other_uids]

    def _read(self, mailbox: Mailbox, uid: int, size: int) -> bool:
        """Read one message; return whether the message is the copy of a letter of this mailbox,
        which the caller then moves away. Note a failed message for another try."""
        mail = Mail(mailbox.fetch(uid) if size <= MAX_POST else b"", uid)
        if (size := max(size, len(mail.data))) > MAX_POST:
            self.log.say("skipped", too_long_message(size), uid=uid)
            return False
        if self._waiting_seats and self._writer(mail) in self._waiting_seats:
            self.state.add_retry(uid, time.time(), is_proven=True)  # each seat's mail in its order
            return False
        try:
            is_copy = self._take(mail)
        except Exception as error:  # noqa: BLE001 - anybody can send any message
            self._note_failure(mail, error)
            return False
        self.state.remove_retry(uid)
        return is_copy

    def _note_failure(self, mail: Mail, error: Exception) -> None:
        """Note that a message could not be taken: try it again later, unless the error is a bug,
        which it would only meet again."""
        sender, hint = mail.sender, ""
        if (reason := sentence_of(error)) is None:
            self.state.remove_retry(mail.uid)
            sentence = unprocessed_mail(sender, bug_sentence(error))
        else:
            writer = self._writer(mail)
            if self.state.add_retry(mail.uid, time.time(), is_proven=writer is not None):
                self._waiting_seats |= {writer} if writer else set()
                sentence = waiting_mail(sender, reason)
            else:
                sentence, hint = unprocessed_for_a_day(sender, reason), SAVE_MESSAGE_HINT
        self.log.trouble(f"mail {mail.uid}", sentence, UNPROCESSED_MESSAGE_SENTENCE, hint)

    def _writer(self, mail: Mail) -> tuple[str, str] | None:
        """Return the game and seat of the player who wrote a reply; None if no code in it is right.

        The codes are compared with those in the emails that were sent, so that this also works
        while the game's folder cannot be read.
        """
        for token in read_reply(mail, "").codes:
            for ident in self.home.games():
                if not ident.startswith(token.game_digits):
                    continue
                book = MailBook(self.home.game(ident))
                if str(token) in book.sent_emails(token.seat, token.turn):
                    return ident, token.seat
        return None

    # -------------------------------------------------------------- one message
    def _take(self, mail: Mail) -> bool:
        """Take in a message: the copy of an own letter, the news that one bounced, or mail; return
        whether it is such a copy, to be moved away. Raises any error."""
        if mail.sender == self.account.address and self.outbox.is_own_letter(mail.message_id):
            return self._take_copy(mail)
        if mail.is_bounce:
            self._report_bounce(mail)
        else:
            self._file_and_answer(mail)
        return False

    def _report_bounce(self, mail: Mail) -> None:
        """Report which letter could not be delivered, if this message names one of ours."""
        for ident in mail.bounced_ids:
            letter = self.outbox.sent_letter(self.outbox.key_of(ident) or "-")
            if letter and mail.failure:
                line = bounced_mail(letter["to"], letter["subject"], mail.failure)
                self.log.say("bounced", line, to=letter["to"], message_id=ident)
                return

    def _file_and_answer(self, mail: Mail) -> None:
        """File the records in a message, and answer its orders and its faults. Raises CliError if
        there is no room for files that wait.

        Records that were filed well have no answer of their own: they change the fingerprint of the
        game's folder, so `MailPasses.look_after_games` makes the next turn and writes its letters.
        """
        self._known_addresses = None
        games = Path(self.account.games) if self.account.games else Path.home()
        result = take_in(
            [Arrived(mail.data, mail_from(mail.sender))],
            Places(self.home, games, max_new_games=self._rules.max_new_games),
            self.keyring,
            saves=False,
            create=self._rules.create,
            send_answer=self._send_answer,
            on_reply=self._say_reply,
        )
        for session, filer, late_sentences in result.deliveries:
            lines, folder = delivery_lines(filer, late_sentences), str(filer.root)
            for line in lines if filer.new_records or filer.is_new_folder else ():
                self.log.say("received", line, title=filer.title, folder=folder)
            self._learn(session, filer, mail)
        for refusal in result.refusals:
            if refusal.reason == "parent":
                self.log.note(refusal.sentence, f"{refusal.source}: {refusal.sentence}")
        self._answer(mail, result)
        if result.has_no_room:
            raise CliError(NO_ROOM_SENTENCE)

    def _take_copy(self, mail: Mail) -> bool:
        """Mark the letter of this copy as sent; return False for a letter to our own address, which
        is no copy but the letter itself."""
        key = self.outbox.key_of(mail.message_id)
        for queued in self.outbox.queued_letters():
            if queued.key == key:
                self.outbox.mark_sent(queued)
                self.log.say("sent", sent_mail(queued.to, queued.subject), to=queued.to)
        return self.outbox.sent_letter(key).get("to") != self.account.address

    # -------------------------------------------------------------- replies of players without pbem
    def _send_answer(self, result: ReplyResult) -> None:
        if result.letter:
            self.outbox.put(
                replace(result.letter, identity=("reply", result.reply.fingerprint)), now()
            )

    def _say_reply(self, result: ReplyResult) -> None:
        if result.seat is None:
            self.log.say("refused", f"{result.reply.source}: {result.sentence}")
        elif result.fate != "again":
            self.log.say("reply", result.sentence, result.seat.view.title, fate=result.fate)

    # -------------------------------------------------------------- records in a message
    def _learn(self, session: Session, filer: RecordFiler, mail: Mail) -> None:
        """Note the sender's address when the first record arrives that only they could write."""
        people, sender = People(session.game_home), mail.sender
        if not self._rules.learns:
            return
        for content in (record.content for record in filer.new_records):
            person = ""
            if isinstance(content, Join) and session.roles.referee:
                # anybody with the charter can write a join, and put any address into `From:`
                has_begun = session.listing.reached
                charter = session.charter
                doors = standing_soon(session).doors if has_begun else charter.doors
                person = content.seat if is_let_in(content, doors.get(content.seat, b"")) else ""
            elif isinstance(content, Deal) and session.roles.referee:
                person = co_dealer_id(content.dealer)
            elif isinstance(content, Charter | Turn) and not session.roles.referee:
                person = REFEREE
            if person and sender != self.account.address and people.learn(person, sender):
                self.log.say("address", learnt_address(person, sender), filer.title)

    # -------------------------------------------------------------- answers
    def _answer(self, mail: Mail, result: TakenMail) -> None:
        """Tell the sender what was wrong with a message, but only once and only if they play in a
        game of this home."""
        refusals = [refusal for refusal in result.refusals if refusal.reason != "parent"]
        is_answer = any(self.outbox.is_own_letter(ident) for ident in mail.answers)
        is_for_pbem = is_answer or result.deliveries or result.is_broken or result.kept_paths
        if not refusals or not is_for_pbem:
            return
        sentence = "; ".join(dict.fromkeys(refusal.sentence for refusal in refusals))
        self.log.say("refused", refused_mail(mail.sender, sentence), sender=mail.sender)
        sentences = [refusal.sentence for refusal in refusals if not refusal.is_local]
        sentence = "; ".join(dict.fromkeys(sentences))
        if not sentence:
            return  # the sender can do nothing about it
        if mail.automatic or mail.sender.lower() not in self._addresses():
            return  # nobody would read an answer, or strangers could cause answers to anybody
        if self.state.note_answer(mail.sender, time.time(), MAX_ANSWERS_A_DAY):
            ident = mail.message_id or hashlib.sha256(mail.data).hexdigest()
            answer = Letter(
                address=mail.sender,
                subject=answer_subject(mail.fields.get("subject", "")),
                text=laid_out(not_used_paragraphs(sentence)),
                identity=("answer", ident),
                answers=mail.message_id,
            )
            self.outbox.put(answer, now())

    def _addresses(self) -> set[str]:
        if self._known_addresses is None:
            games = (People(self.home.game(ident)) for ident in self.home.games())
            addresses = (address for people in games for address in people.addresses.values())
            self._known_addresses = {address.lower() for address in addresses}
        return self._known_addresses
