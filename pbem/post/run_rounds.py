"""One round of `pbem run`: read new mail, look after each game, send mail."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from pbem.acts.advance import MAX_TURNS, make_next_turn
from pbem.acts.email_replies import ReplyResult
from pbem.acts.notices import standing_soon
from pbem.acts.outgoing_mail import Bundle, BundleWriter, MailSeat, mail_seats
from pbem.acts.receive_mail import Arrived, TakenMail, take_in
from pbem.errors import KEY, NOT_YET, CliError, PbemError
from pbem.files.folder_addresses import Place
from pbem.files.open_game_folder import open_place
from pbem.files.toml_notebook import Notebook, Notes
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.signing import invite_to
from pbem.judge.turn_inputs import AdvanceOptions, Outcome
from pbem.mail.bundles import ENDING, about_the_game, describe_records, how_to_get_pbem
from pbem.mail.email_message import Mail
from pbem.mail.filing import Create, Places, RecordFiler, create_in_folder
from pbem.mail.letter import Letter, laid_out
from pbem.mail.unpack import MAX_POST
from pbem.person.cache_freshness import Freshness, Stamp, stamp_of_game, stamp_of_keys
from pbem.person.keyring import Keyring
from pbem.person.mail_notebooks import MailBook, People, SentMail
from pbem.person.session import Session
from pbem.person.situation import situation_after
from pbem.plain_email.reply_email import read_reply
from pbem.post.connection import Trouble
from pbem.post.mail_account import Account, PostBox, boxes, password_of
from pbem.post.mailbox import Mailbox
from pbem.post.notifications import Log, Notifier, news_of
from pbem.post.outbox import Outbox, Queued
from pbem.post.smtp_sender import Refused, Sender
from pbem.records.charter import Charter, Join, Orders, is_let_in
from pbem.records.policies import DAY, HOUR
from pbem.records.press_message import REFEREE
from pbem.records.read_record import Content, Record
from pbem.records.turn import Turn
from pbem.terminal.command_failures import bug_sentence, sentence_of
from pbem.terminal.terminal import clean, shell_quote
from pbem.text.clock import now
from pbem.wording.advance import made_lines, referee_notes
from pbem.wording.deadlines import describe_time_left
from pbem.wording.game_letters import (
    GAME_OVER_SUBJECT,
    INVITATION_SUBJECT,
    PLAY_TURN,
    SEE_END,
    SEE_GAME,
    SEE_JOINS,
    SEE_TABLE,
    WAIT_FOR_ALL_SENTENCE,
    answer_subject,
    attached_paragraph,
    game_over_paragraph,
    invitation_paragraphs,
    invitation_to_host_paragraphs,
    link_paragraphs,
    no_file_needed_paragraph,
    not_used_paragraphs,
    note_paragraph,
    play_again_paragraphs,
    read_it_paragraph,
    reminder_paragraph,
    reminder_subject,
    subject_of,
    turn_paragraph,
    turn_subject,
)
from pbem.wording.received_mail import delivery_lines
from pbem.wording.run_log import (
    DAMAGED_MESSAGE_HINT,
    DAMAGED_MESSAGE_SENTENCE,
    NO_NOTIFICATIONS_SENTENCE,
    NO_READING_SENTENCE,
    NO_SENDING_SENTENCE,
    READING_WORKS_SENTENCE,
    READS_LATER_SENTENCE,
    SAVE_MESSAGE_HINT,
    SENDING_WORKS_SENTENCE,
    SERVER_REFUSES_SENTENCE,
    UNPROCESSED_MESSAGE_SENTENCE,
    bounced_mail,
    broken_game,
    damaged_file,
    future_turn,
    hourly_limit,
    learnt_address,
    mail_from,
    perhaps_sent_mail,
    readable_game,
    refused_mail,
    sent_mail,
    too_long_message,
    unprocessed_for_a_day,
    unprocessed_mail,
    waiting_mail,
)
from pbem.wording.scores import end_sentence

# ---- Remember in the home how far a mailbox has been read, and who was answered lately

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


# ---- Decide which letters a game needs now: what each person lacks, invitations, reminders


class GameLetters:
    """Writes the letters of one game, for the owner of this home."""

    def __init__(self, session: Session, people: People) -> None:
        self.session, self.people = session, people
        self.charter = session.charter
        self.writer = BundleWriter(session)

    def due_letters(self) -> Iterator[Letter]:
        """Yield a letter to each person with unsent records, whose address is known. The referee
        writes to all players, and a player only to the referee."""
        referee = self.session.roles.referee
        excluded_seats = {*self.charter.plays} | self.session.roles.mail_seats
        recipients = self.writer.names.keys() - excluded_seats if referee else {REFEREE}
        for person, address in self.people.addresses.items():
            if person not in recipients:
                continue
            try:
                bundle = self.writer.bundles([person])[0]
            except CliError as error:
                if error.exit not in (NOT_YET, KEY):
                    raise
                continue  # nothing to send, or no seat yet
            was_sent = self.writer.book.was_sent
            unsent_records = [r for r in bundle.records if not was_sent(person, r.id)]
            # the joins and orders of others come with the turn that lists them
            is_news = any(not isinstance(r.content, Join | Orders) for r in unsent_records)
            if is_news or (person == REFEREE and unsent_records):
                yield self._letter(person, address, bundle, unsent_records)

    def turn_mails(self) -> Iterator[Letter]:
        """Yield the turn email to each player without `pbem` who has not received it yet."""
        for seat in mail_seats(self.session):
            last_turn: Record[Content] = self.writer.lacks.turns[-1]
            if seat.is_due and not self.writer.book.was_sent(seat.seat, last_turn.id):
                letter, record = self.writer.bundles([seat.seat])[0].letter, last_turn.id.hex()
                if letter:
                    yield replace(letter, identity=("turn mail", record), records=[record])

    # -------------------------------------------------------------- what a letter says
    def _letter(
        self, person: str, address: str, bundle: Bundle, unsent_records: list[Record[Content]]
    ) -> Letter:
        """Return the letter with a bundle to a person: a seat or `referee`. The identity of the
        letter is that of its unsent records, so that the same records are not written twice."""
        file = f"{bundle.stem}{ENDING}"
        if person == REFEREE:
            subject = describe_records(bundle.records)
            paragraphs = [attached_paragraph(subject), *link_paragraphs(SEE_GAME, self._link)]
            paragraphs.append(read_it_paragraph(file))
        elif invite := self._invite(person):
            subject, paragraphs = INVITATION_SUBJECT, self._invitation(person, invite, file)
        else:
            subject, paragraphs = self._to_seat(bundle)
            paragraphs += map(note_paragraph, bundle.late_sentences)
            say_file = no_file_needed_paragraph if self._link else read_it_paragraph
            paragraphs.append(say_file(file))
        return replace(
            self._letter_to(person, address, subject),
            text=laid_out(paragraphs),
            bundle=bundle.text,
            bundle_name=file,
            identity=("bundle", *sorted(record.id.hex() for record in unsent_records)),
            records=[record.id.hex() for record in bundle.records],
        )

    @cached_property
    def _link(self) -> str:
        """The link that opens the game in a browser; empty if there is none. It has the address of
        the game, and no key."""
        return self.session.folder.link("game")

    def _letter_to(self, person: str, address: str, subject: str, text: str = "") -> Letter:
        game = self.session.game_folder.game.hex()
        subject = subject_of(self.charter.title, subject)
        thread = f"<pbem-{game[:16]}-{person}@pbem.invalid>"
        return Letter(address, subject, text, game=game, person=person, thread=thread)

    def _to_seat(self, bundle: Bundle) -> tuple[str, list[str]]:
        """Return the subject and the paragraphs of a letter to somebody who has a seat."""
        last_turn = self.writer.lacks.chain.turn
        if not last_turn:
            paragraphs = [WAIT_FOR_ALL_SENTENCE, *link_paragraphs(SEE_JOINS, self._link)]
            return INVITATION_SUBJECT, paragraphs
        turn = self.writer.lacks.turns[-1].content
        if turn.over:
            view = self.session.fresh_view("")
            page, digits = self.session.folder.page()
            return GAME_OVER_SUBJECT, [
                game_over_paragraph(end_sentence(view)),
                *link_paragraphs(SEE_END, self._link),
                *play_again_paragraphs(page, digits, shell_quote(clean(view.title))),
            ]
        kinds = next((row.kinds for row in turn.awaited if row.seat == bundle.recipient), ())
        question = kinds and bundle.question_sentence
        paragraphs = [question or turn_paragraph(last_turn, kinds)]
        paragraphs += link_paragraphs(PLAY_TURN if kinds else SEE_TABLE, self._link)
        return turn_subject(last_turn, kinds), paragraphs

    def _invite(self, seat: str) -> str:
        """Return the invite of a seat, as its line; empty if the player has joined, or if the game
        has begun."""
        if self.writer.lacks.chain.turn or self.writer.lacks.has_joined(seat):
            return ""
        charter = self.session.game_folder.charter
        return invite_to(charter, self.session.refereeing.key(), seat).line()

    def _invitation(self, seat: str, invite: str, file: str) -> list[str]:
        """Return the paragraphs of an invitation to a seat. In a game on a host they have the link
        with which the player joins in a browser."""
        description, place = about_the_game(self.charter, seat), self.session.place
        install_paragraphs = how_to_get_pbem(self.charter.referee)
        if not place.has_secret_address:
            return invitation_paragraphs(description, install_paragraphs, invite, file)
        return invitation_to_host_paragraphs(
            description, install_paragraphs, invite, file,
            address=place, link=self.session.folder.link("join", invite),
        )  # fmt: skip

    # -------------------------------------------------------------- reminders
    def reminders(self, outcome: Outcome) -> Iterator[Letter]:
        """Yield a reminder to each person for whom the game waits: at half and at a quarter of the
        time that they have. The outbox takes each only once."""
        turn, status = outcome.turn, deadline_status_of(outcome)
        stage = describe_time_left(status)
        if turn is None or not stage or outcome.revisable_until or outcome.is_over:
            return
        if status.share_left(now()) <= 0:
            return
        silent_seats = situation_after(self.session, outcome).silent_seats
        reminder_key = ("reminder", str(turn.turn), stage)
        for seat, kinds in sorted(outcome.awaited_kinds.items()):
            address = self.people.addresses.get(seat)
            if seat in self.session.roles.mail_seats and seat not in outcome.answered_seats:
                mail_seat = MailSeat(self.session, seat)
                yield replace(
                    mail_seat.addressed(mail_seat.turn_letter(stage)), identity=reminder_key
                )
            elif address and seat in silent_seats:
                paragraphs = [reminder_paragraph(turn.turn, kinds, stage, status)]
                paragraphs += link_paragraphs(PLAY_TURN, self._link)
                subject, text = reminder_subject(turn.turn), laid_out(paragraphs)
                letter = self._letter_to(seat, address, subject, text)
                yield replace(letter, identity=reminder_key)


# ---- Read the new mail in a mailbox: file records, and answer each unreadable message only once

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
        """Read one message; return whether it is the copy of a letter of this mailbox, to be moved
        away. A message that cannot be taken is noted for another try."""
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
            return self._copy_came(mail)
        if mail.is_bounce:
            self._bounced(mail)
        else:
            self._file_and_answer(mail)
        return False

    def _bounced(self, mail: Mail) -> None:
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
        game's folder, so `PostRound.look_after_games` makes the next turn and writes its letters.
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
            raise CliError("pbem has no room for more files that need other files first")

    def _copy_came(self, mail: Mail) -> bool:
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


# ---- One pass over all mailboxes and games; it can be killed at any moment

POST_PURPOSE: Final = "post-2"


class Post:
    """One mailbox during a run: its connection, and the reading and sending of its mail."""

    def __init__(
        self, box: PostBox, account: Account, keyring: Keyring, log: Log, rules: MailRules
    ) -> None:
        """Open the outbox and the notes of a mailbox; the servers are asked when something is read
        or sent."""
        self.account, self.log, self._rules = account, log, rules
        self.outbox = Outbox(box, account)
        self.collector = Collector(box, account, self.outbox, keyring, log, rules)
        self._password = ""
        self._mailbox: Mailbox | None = None
        self._sender: Sender | None = None

    def collect(self) -> int:
        """Read new mail; return how many messages there were. A problem is printed only once."""
        try:
            count = self.collector.collect(self.mailbox())
        except Exception as error:  # noqa: BLE001 - one mailbox must not stop the others
            self._in_trouble("imap", error)
            return 0
        self.log.fine(f"imap {self.account.address}", READING_WORKS_SENTENCE)
        return count

    def send_letters(self) -> int:
        """Send the letters in the outbox, each only once; return how many were sent."""
        try:
            is_empty = next(self.outbox.queued_letters(), None) is None
            for path in sorted(self.outbox.damaged):
                self.log.trouble(
                    f"outbox {path}",
                    damaged_file(path),
                    DAMAGED_MESSAGE_SENTENCE,
                    DAMAGED_MESSAGE_HINT,
                )
            if is_empty:
                return 0
            # if the connection breaks during a message, the others wait for the next pass: a
            # silent server uses up the whole time limit for each
            with contextlib.ExitStack() as connection:
                letters = self.outbox.queued_letters()
                count = sum(self._send_letter(queued, connection) for queued in letters)
        except Exception as error:  # noqa: BLE001 - as above
            self._in_trouble("smtp", error)
            return 0
        self.log.fine(f"smtp {self.account.address}", SENDING_WORKS_SENTENCE)
        return count

    def _send_letter(self, queued: Queued, connection: contextlib.ExitStack) -> bool:
        """Send one letter if it may go now; return whether it was sent. The connection is opened
        for the first letter, and `connection` closes it. Raises Trouble."""
        if self.outbox.was_sent(queued.key, queued.to):
            self.outbox.mark_sent(queued)
            return False
        if not self._may_go(queued):
            return False
        if self._sender is None:
            self._sender = Sender(self.account, self.password)
            connection.callback(self._hang_up)
        try:
            self._sender.send(queued.to, queued.data, lambda: self.outbox.try_now(queued.key))
        except Refused as error:
            self.log.trouble(f"smtp {queued.to}", str(error), SERVER_REFUSES_SENTENCE)
            forget = self.outbox.mark_refused if error.lasting else self.outbox.note_unsent
            forget(queued)
            return False
        self.outbox.mark_sent(queued)
        sentence = sent_mail(queued.to, queued.subject)
        self.log.say("sent", sentence, to=queued.to, message_id=queued.message_id)
        return True

    def _hang_up(self) -> None:
        if self._sender:
            self._sender.close()
            self._sender = None

    def _may_go(self, queued: Queued) -> bool:
        """Return whether to send this letter now. If it may have been sent already, it waits until
        its copy would be in the mailbox, and is marked as sent if the copy is there. Nobody gets
        more than `per_hour` in an hour."""
        if not self._rules.may_go_on():
            return False
        if self.outbox.sent_count(queued.to, HOUR) >= self.account.per_hour:
            self.log.note(f"limit {queued.to}", hourly_limit(queued.to, self.account.per_hour))
            return False
        seconds_since_try = self.outbox.seconds_since_try(queued.key)
        if seconds_since_try is None:
            return True
        if self._mailbox is None:
            return False
        if self._mailbox.has(queued.message_id):
            self.outbox.mark_sent(queued)
            self.log.say("sent", sent_mail(queued.to, queued.subject), to=queued.to)
            return False
        if seconds_since_try < self.account.wait_for_copy:
            self.log.note(f"unsure {queued.key}", perhaps_sent_mail(queued.to, queued.subject))
            return False
        return True

    @property
    def password(self) -> str:
        """The password, which is asked for only once in a run, or a new access token."""
        if self.account.by_token:  # a token is valid for about an hour
            return password_of(self.account)
        self._password = self._password or password_of(self.account)
        return self._password

    def mailbox(self) -> Mailbox:
        """Return the open mailbox. Raises Trouble, CliError."""
        if self._mailbox is None:
            self._mailbox = Mailbox(self.account, self.password)
        return self._mailbox

    def wait(self, seconds: float) -> bool:
        """Wait for new mail for this long; return whether there is any. Raises Trouble."""
        return self.mailbox().wait(seconds)

    def close(self) -> None:
        """Close the connection."""
        if self._mailbox:
            self._mailbox.close()
            self._mailbox = None

    def _in_trouble(self, protocol: str, error: Exception) -> None:
        """Log that a server cannot be used, and forget password and connection; `protocol` is
        `imap` or `smtp`."""
        key = f"{protocol} {self.account.address}"
        sentence = self.log.why(key, error)
        short_sentence = NO_READING_SENTENCE if protocol == "imap" else NO_SENDING_SENTENCE
        self.log.trouble(
            key, sentence, short_sentence, getattr(error, "hint", ""), is_server_trouble=True
        )
        self._password = ""  # perhaps somebody corrects it
        if isinstance(error, Trouble) or not isinstance(error, CliError):
            self.close()


class PostRound:
    """Passes over all mailboxes and games of one home."""

    def __init__(self, keyring: Keyring, log: Log, rules: MailRules | None = None) -> None:
        """Open all mailboxes of the home, and note what a killed run has left in their outboxes."""
        self.keyring, self.home, self.log = keyring, keyring.home, log
        accounts = [(box, box.read()) for box in boxes(self.home)]
        self.posts = {
            box.profile: Post(box, account, keyring, log, rules or MailRules())
            for box, account in accounts
        }
        self.notifier = Notifier(self.home, log)
        self._keys = ""
        self._settle()

    def close(self) -> None:
        """Close all connections."""
        for post in self.posts.values():
            post.close()

    def run_pass(self) -> int:
        """Read mail, look after all games, send mail; return how many things happened."""
        return self.collect() + self.look_after_games()

    def collect(self) -> int:
        """Read new mail; return how many messages were read."""
        return sum(post.collect() for post in self.posts.values())

    def look_after_games(self, *, stores: bool = True) -> int:
        """Look after all games, and send mail; return how many things happened.

        `stores` says whether to look at stores on the network too; each look costs a request.
        """
        self._keys = stamp_of_keys(self.home)
        changed = sum(self.look_after_game(ident, stores=stores) for ident in self.home.games())
        return changed + self.send_letters()

    def send_letters(self) -> int:
        """Send what waits to be sent, and notifications; return how many letters were sent."""
        sent_count = sum(post.send_letters() for post in self.posts.values())
        try:
            self.notifier.send()
        except Exception as error:  # noqa: BLE001 - games and mail do not need notifications
            sentence = f"notifications: {self.log.why('notify', error)}"
            self.log.trouble("notify", sentence, NO_NOTIFICATIONS_SENTENCE)
        return sent_count

    def next_moment(self, ident: str) -> int | None:
        """Return when the clock alone changes something in a game, as far as the last look could
        tell: a reminder or a deadline, the end of a waiting time, or an absence that begins or
        ends."""
        moments = self._last_look(ident).moments
        return min((moment for moment in moments if moment > now()), default=None)

    def _last_look(self, ident: str) -> Freshness:
        cache_entry = self.home.game(ident).cache(POST_PURPOSE).load()
        return Freshness(*cache_entry) if cache_entry else Freshness([], 0, [])

    def places(self) -> list[Place | None]:
        """Return where the games are."""
        return [self.home.game(ident).place for ident in self.home.games()]

    def look_after_game(self, ident: str, *, stores: bool = True) -> bool:
        """Look after one game, if anything in it has changed or is due; return whether it was."""
        try:
            changed = self._look_after_changed(ident, stores)
        except Exception as error:  # noqa: BLE001 - one broken game must not stop the others
            sentence, short_sentence = self.log.why(ident, error), broken_game(ident)
            hint = getattr(error, "hint", "")
            self.log.trouble(ident, f"game {ident[:6]}: {sentence}", short_sentence, hint)
            return False
        if changed:
            self.log.fine(ident, readable_game(ident))
        return changed

    def _look_after_changed(self, ident: str, stores: bool) -> bool:
        """Look after one game, unless nothing has changed since the last look and no moment has
        come; return whether it was done. Raises what commands raise: then the next pass looks at
        the game again."""
        game_home = self.home.game(ident)
        place = game_home.place
        if place is None or place.is_gone() or (place.is_remote and not stores):
            return False
        stamp = self._stamp(ident, place)
        if self._last_look(ident).is_valid(stamp):
            return False
        looked_at = now()
        moments = self._work(ident, place)
        # what came while this worked may not have been read, so the next pass looks once more; it
        # does so too if the work has written something itself
        valid_stamp = stamp if self._stamp(ident, place) == stamp else []
        game_home.cache(POST_PURPOSE).save(Freshness(valid_stamp, looked_at, moments))
        return True

    def _stamp(self, ident: str, place: Place) -> Stamp:
        settings = ",".join(self.posts), str(self.notifier.is_wanted)
        return [self._keys, *stamp_of_game(self.home, ident, place), *settings]

    def _settle(self) -> None:
        """Note which records the letters in the outbox contain; a killed run may not have noted
        this."""
        for post in self.posts.values():
            post.outbox.tidy()
            for queued in post.outbox.queued_letters():
                records = [bytes.fromhex(record) for record in queued.records]
                if queued.game and records:
                    book = SentMail(self.home.game(queued.game))
                    if not all(book.was_sent(queued.person, record_id) for record_id in records):
                        book.note_sent(queued.person, records)

    # -------------------------------------------------------------- the work
    def _work(self, ident: str, place: Place) -> list[int]:
        """Make turns, write letters and find news; return the moments, in seconds since 1970 UTC,
        at which the clock alone changes something (0 means nothing)."""
        session = Session(place, home=self.home, keyring=self.keyring)
        if session.game_folder.game.hex() != ident:
            return []
        outcome = self.advance(session) if session.roles.referee else None
        self._write_letters(session, outcome)
        moments = _moments(outcome)
        if outcome and not outcome.is_over and session.listing.notices:
            moments += session.readers.table().chain.standing.wake_times
        if self.notifier.is_wanted:
            news, near_at = news_of(session)
            self.notifier.add(news)
            moments.append(near_at)
        return moments

    def check_may_write(self) -> None:
        """Raise PbemError if a new turn must not be written now."""

    def advance(self, session: Session, options: AdvanceOptions | None = None) -> Outcome:
        """Make the turns of a game that can be made now; return the outcome of the last step."""
        title = session.charter.title
        for _ in range(MAX_TURNS):
            outcome, notes = make_next_turn(session, options, before_writing=self.check_may_write)
            for note in notes:
                self.log.note(f"{session.place} {note}", note, title)
            for line in made_lines(outcome):
                self.log.say("turn", line, title)
            if not outcome.new_records:
                break
        for note in referee_notes(session, outcome):
            self.log.note(f"{session.place} {note}", note, title)
        turn = outcome.turn
        if turn and turn.time > now() + HOUR:
            self.log.note(f"clock {session.place}", future_turn(turn.turn, turn.time), title)
        return outcome

    def _write_letters(self, session: Session, outcome: Outcome | None) -> None:
        """Put the letters that the game needs into the outbox; reminders only with the outcome of
        `advance`, which only the referee has."""
        outbox, roles = self._outbox(session), session.roles
        people = People(session.game_home)
        by_mail = set(session.charter.by_mail) if roles.referee else set()
        for seat in sorted(by_mail - roles.mail_seats - people.addresses.keys()):
            # a player who took over with `pbem` gets turns where the turn emails went
            with contextlib.suppress(CliError):  # the address is not known here
                people.learn(seat, MailSeat(session, seat).address)
        if outbox is None or not (people.addresses or roles.mail_seats):
            return
        letters, address = GameLetters(session, people), outbox.account.address
        if roles.referee and roles.mail_seats and MailBook(session.game_home).reply_to != address:
            MailBook(session.game_home).note_reply_to(address)
        for letter in (*letters.due_letters(), *letters.turn_mails()):
            outbox.put(letter, now())
            letters.writer.book.note_sent(letter.person, map(bytes.fromhex, letter.records))
        for letter in letters.reminders(outcome) if outcome else ():
            outbox.put(letter, now())

    def _outbox(self, session: Session) -> Outbox | None:
        roles = session.roles
        profiles = [roles.referee, *(roles.seats[seat] for seat in sorted(roles.seats)), "default"]
        own_posts = [self.posts[name] for name in profiles if name in self.posts]
        posts = own_posts or [*self.posts.values()]
        return posts[0].outbox if posts else None


def _moments(outcome: Outcome | None) -> list[int]:
    """Return the moments at which the clock alone changes something for the referee: the end of the
    revision window, half and three quarters of the time, and the deadline with its grace."""
    if outcome is None or outcome.is_over:
        return []
    moments = [outcome.revisable_until] if outcome.revisable_until else []
    if status := deadline_status_of(outcome):
        deadline, seconds = status.deadline, status.deadline - status.asked_at
        moments += [status.absent_at, deadline - seconds // 2, deadline - seconds // 4]
    return moments


# ---- One round after another, until Ctrl-C

MIN_LOOK_SECONDS: Final = 2.0
"""The time between two looks at the folders, if looking takes no time."""
LOOKING_DIVISOR: Final = 20
"""The divisor of the time: looking at folders may take at most this part of it."""
MAX_BACKOFF_SECONDS: Final = 900.0
MAX_WATCHED_GAMES: Final = 32
"""The number of games that are waited for at a time; others are looked at in each whole pass."""


class HostNews:
    """Asks the hosts of games for news, each in a thread of its own that ends with the process."""

    def __init__(self) -> None:
        self._has_come = threading.Event()
        self._watched: set[Place] = set()

    def watch(self, places: Iterable[Place | None]) -> None:
        """Wait for news of these games too, if their places can tell."""
        for place in places:
            if place is None or not place.has_news:
                continue
            if place not in self._watched and len(self._watched) < MAX_WATCHED_GAMES:
                self._watched.add(place)
                threading.Thread(target=self._watch_place, args=(place,), daemon=True).start()

    def take_news(self) -> bool:
        """Return whether there was news since the last call, and forget it."""
        has_come = self._has_come.is_set()
        self._has_come.clear()
        return has_come

    def _watch_place(self, place: Place) -> None:
        folder = open_place(place)
        try:
            while True:
                if folder.wait_for_news(folder.pause):
                    self._has_come.set()
        except PbemError:  # the next whole pass gets the same error and reports it
            self._watched.discard(place)


class Runner:
    """Repeats passes over all games until Ctrl-C."""

    def __init__(self, post_round: PostRound, log: Log, pass_seconds: float) -> None:
        self.round, self.log, self.pass_seconds = post_round, log, pass_seconds
        self._backoff = 0.0
        self._news = HostNews()
        self._deaf = False
        """Whether waiting for new mail failed since the last whole pass."""

    def run(self) -> None:
        """Run passes for ever; Ctrl-C raises KeyboardInterrupt."""
        while True:
            started_at = time.monotonic()
            self._deaf = False
            self.round.run_pass()
            self._news.watch(self.round.places())
            # wait longer after each problem with a server, but continue to look at the folders
            longer = min(max(self.pass_seconds, 2 * self._backoff), MAX_BACKOFF_SECONDS)
            self._backoff = longer if self.log.no_server else 0.0
            ends_at = started_at + max(self.pass_seconds, self._backoff)
            self._look_after_games_until_mail(ends_at, started_at + MIN_LOOK_SECONDS)

    def _look_after_games_until_mail(self, ends_at: float, earliest: float) -> None:
        """Look after the games again and again, until this time or until mail comes, but at least
        until `earliest`, because a server may announce new mail all the time."""
        pause = MIN_LOOK_SECONDS
        while (seconds_left := ends_at - time.monotonic()) > 0:
            if self._mail_came(min(pause, seconds_left)):
                time.sleep(max(0.0, earliest - time.monotonic()))
                return
            started_at = time.monotonic()
            self.round.look_after_games(stores=self._news.take_news())
            pause = max(MIN_LOOK_SECONDS, LOOKING_DIVISOR * (time.monotonic() - started_at))

    def _mail_came(self, seconds: float) -> bool:
        """Wait; return whether there is new mail. Only the first mailbox is watched."""
        post = next(iter(self.round.posts.values()), None)
        if post is None or self._backoff or self._deaf:
            time.sleep(seconds)
            return False
        try:
            return post.wait(seconds)
        except Exception:  # noqa: BLE001 - the next pass gets the same error and reports it
            post.close()
            self._deaf = True  # else a server that hangs up here would be asked all the time
            return False
