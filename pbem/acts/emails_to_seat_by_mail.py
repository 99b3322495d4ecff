"""A seat whose player answers by plain email: the emails that its player gets."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from pbem.errors import CliError
from pbem.format.encrypted_box import box_key
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.game_view import View, answers_everything
from pbem.judge.order_line_checks import LineChecker, read_lines
from pbem.mail.letter import Letter
from pbem.person.announced_acts_against_user import announced_losses
from pbem.person.mail_notebooks import MailBook
from pbem.person.questions_left_open_by_orders import find_latest_orders
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.plain_email.html_reply_text import text_of_html
from pbem.plain_email.letter_as_text_and_html import ReplyAddress, Section, Tap
from pbem.plain_email.mail_code import MailCode, make_mail_code
from pbem.plain_email.turn_letters import turn_letter, turn_title
from pbem.records.join import open_contact
from pbem.terminal.clean_text import clean
from pbem.terminal.message_prose import message_lines
from pbem.text.names_and_email_addresses import is_address
from pbem.text.terminal_and_page_wording import to_type
from pbem.wording.announced_acts import lines_on_losses
from pbem.wording.deadlines_and_absences import describe_deadline_in_utc
from pbem.wording.votes_and_vouching import votes_of_others

MESSAGE_WIDTH = 60
"""Columns of a message of another player in an email."""


class MailSeat:
    """One seat whose player answers by plain email, with all that the referee needs to serve it."""

    def __init__(self, session: Session, seat: str) -> None:
        self.referee, self.seat = session, seat
        self.book = MailBook(session.game_home)
        self.session = Session(session.place, seat, home=session.home, keyring=session.keyring)

    @cached_property
    def view(self) -> View:
        """The knowledge of the seat; its emails contain nothing else. Raises CliError before turn
        1."""
        return self.session.view()

    @property
    def name_and_seat(self) -> str:
        """The player's name and seat, as messages say it: `Bo (seat b)`."""
        return f"{clean(self.view.names[self.seat])} (seat {self.seat})"

    @cached_property
    def address(self) -> str:
        """The player's address: the one noted in the home, else the one in the seat's join, which
        only the referee can open. Raises CliError if the game has no address of the player."""
        address = self.book.address(self.seat)
        game_folder = self.referee.game_folder
        joins = () if address else game_folder.joins().values()
        for record in (join for join in joins if join.content.seat == self.seat):
            secrets = Secrets(self.referee.refereeing.key().seed)
            secret = secrets.desk(game_folder.charter.content.table)
            with suppress(RecordError):
                key = box_key(secret, record.content.x25519, game_folder.game)
                address = open_contact(key, record.content)
                break
        if is_address(address):
            return address
        problem = f"pbem does not know the email address of {self.name_and_seat}"
        raise CliError(problem, to_type(f"pbem send --to {self.seat} --address NAME@EXAMPLE.ORG"))

    # -------------------------------------------------------------- the code of a mail
    def code_of_turn(self, turn: int) -> MailCode:
        """Return the code in the email about a turn."""
        game, head = bytes.fromhex(self.view.game), bytes.fromhex(self.view.heads[turn])
        return make_mail_code(self.referee.refereeing.key().seed, game, self.seat, turn, head)

    def turn_of(self, codes: tuple[MailCode, ...]) -> int:
        """Return the latest turn whose code is among these; 0 if no code is right."""
        turns = (t.turn for t in codes if t.seat == self.seat and t.turn <= self.view.turn)
        known_turns = [
            n for n in set(turns) if any(t.is_same_code(self.code_of_turn(n)) for t in codes)
        ]
        return max(known_turns, default=0)

    # -------------------------------------------------------------- the mail about a turn
    @property
    def is_due(self) -> bool:
        """Whether the player must get an email about the last turn: it asks them, the game is over,
        or something is announced that takes their seat or game from them."""
        view = self.view
        is_asked = self.seat in view.awaited and self.seat not in view.conceded
        return view.is_over or is_asked or bool(announced_losses(self.session, view))

    @property
    def has_answered(self) -> bool:
        """Whether orders of this seat that are here answer everything that the last turn asks."""
        view = self.view
        if self.seat not in view.awaited:
            return False
        if (record := find_latest_orders(self.session, view)) is None:
            return answers_everything(view)
        texts = self.session.readers.seat_now(self.seat).own_texts(record.content)
        return not LineChecker(view.table, self.seat, read_lines(texts)).unanswered()

    @property
    def deadline_text(self) -> str:
        """The last moment, in UTC, at which an answer still counts; empty if there is no
        deadline."""
        status = deadline_status_of(self.view)
        has_deadline = status and self.seat in self.view.awaited
        return describe_deadline_in_utc(status) if has_deadline else ""

    def write_turn_letter(self, reminder: str = "") -> Letter:
        """Return the email about the last turn, without an address yet.

        Besides what the turn asks, it has the player's refused lines, the votes of others, the
        messages of others that this player may read, and announced losses. `reminder` is a clause
        on the little time that is left: with it, the email also repeats what an unclear reply may
        have meant. A reply to a reminder counts as a reply to the first email. Raises CliError
        before turn 1, FileError or StorageError if the folder or the home cannot be read.
        """
        view = self.view
        since_turn = view.accepted.get(self.seat, 1)
        messages_here = MessagesHere(self.session, view, roles=[self.seat])
        # what was written before the turn that used the player's answer came after the last email
        older = {f.path for f in self.session.listing.press if f.name.turn < since_turn - 1}
        # short rows: no mail program breaks them, and what it breaks off could look like an answer
        other_messages = [
            message
            for message in messages_here.read(except_paths=older)
            if message.writer != self.seat
        ]
        messages = message_lines(other_messages, [self.seat], MESSAGE_WIDTH)
        notes = [
            f"Your line “{line}” was refused: {reason}" for _, line, reason in view.rule_refusals
        ]
        notes += [*votes_of_others(self.session, view), *(line.strip() for line in messages)]
        book_key = f"{self.seat}{view.asking_turn}"
        return turn_letter(
            view,
            self.reply_address,
            self.deadline_text,
            since_turn,
            requested_lists=self.book.shown_lists(book_key),
            notes=notes,
            reminder=reminder,
            game_link=self.session.folder.link("game"),
            guess_sections=self._unclear_reply_sections(book_key) if reminder else (),
            losses=lines_on_losses(self.session, view),
        )

    @property
    def reply_address(self) -> ReplyAddress:
        """The address and the code of the answers about the last turn."""
        return ReplyAddress(
            self.book.reply_to, str(self.code_of_turn(self.view.asking_turn)), turn_title(self.view)
        )

    def _unclear_reply_sections(self, book_key: str) -> list[Section]:
        """Repeat what the player's last reply may have meant, if nothing in it counts yet."""
        moment, *rows = self.book.unclear_reply(book_key)
        if not moment:
            return []
        sentence = (
            "Your last reply was not clear to pbem. Tap what you meant, or answer again below:"
        )
        pairs = [row.split("\t") for row in rows]
        taps = [Tap(label, body) for body, label in pairs]
        return [Section("Not counted yet: your answer", [sentence], taps=taps, look="buttons")]

    def addressed(self, letter: Letter) -> Letter:
        """Return an email to the player with its address, and note its text for the replies.

        Raises CliError without an address, StorageError.
        """
        addressed = replace(letter, address=self.address)
        self.book.note_sent(self.seat, self.view.asking_turn, self.noted_text(letter))
        return addressed

    @staticmethod
    def noted_text(letter: Letter) -> str:
        """Return all rows of an email: those of its text, and those of its page."""
        return f"{letter.text}\n{text_of_html(letter.page)}"


def mail_seats(session: Session) -> list[MailSeat]:
    """Return the seats whose players answer by plain email, if you are the referee and the game has
    begun."""
    if not session.listing.reached:
        return []
    return [MailSeat(session, seat) for seat in sorted(session.roles.mail_seats)]
