"""Write the emails that a referee sends to players without `pbem`, and decide who gets one now."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.frozen import frozen

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.cli.session.session import Session
    from pbem.mailseats.letter_text import LetterText
    from pbem.mailseats.mail_book import MailBook
    from pbem.mailseats.token import Token
    from pbem.play.view import View

MESSAGE_WIDTH = 60
"""Columns of a message of another player in an email."""


@frozen
class Letter:
    """An email to one player, ready to send."""

    seat: str
    name: str
    stem: str
    """The file's name without its ending."""
    address: str
    subject: str
    data: bytes
    """The whole email except `From` and `Date`."""
    text: str
    """The email's plain text."""


class MailSeat:
    """One seat whose player answers by plain email, with all that the referee needs to serve it."""

    def __init__(self, session: Session, seat: str) -> None:
        from pbem.cli.session.session import Session as AnySession
        from pbem.mailseats.mail_book import MailBook

        self.referee, self.seat = session, seat
        self.book: MailBook = MailBook(session.mine)
        self.session = AnySession(session.place, seat, home=session.home, keyring=session.keyring)

    @cached_property
    def view(self) -> View:
        """What the seat may know; its emails contain nothing else. Raises CliError before turn
        1."""
        return self.session.view()

    @property
    def name(self) -> str:
        """The player's name."""
        return self.view.names[self.seat]

    @cached_property
    def address(self) -> str:
        """The player's address: the one noted here, else the one in the seat's join. Raises
        CliError if there is none."""
        found = self.book.address(self.seat) or self._contact()
        if not found:
            told = f"the address of the player in seat {self.seat} is not known here"
            hint = f"pbem send --to {self.seat} --address NAME@EXAMPLE.ORG"
            raise CliError(told, hint)
        return found

    def _contact(self) -> str:
        """Return the address in the join, which only the referee can open; empty if there is
        none."""
        from pbem.format.encrypted_box import box_key
        from pbem.format.errors import RecordError
        from pbem.format.keys import Secrets
        from pbem.records.joining import open_contact
        from pbem.text.mail_address import is_address

        game_folder = self.referee.game_folder
        secret = Secrets(self.referee.referee_key().seed).desk(game_folder.charter.content.table)
        for record in game_folder.joins().values():
            if record.content.seat == self.seat:
                try:
                    key = box_key(secret, record.content.x25519, game_folder.game)
                    found = open_contact(key, record.content)
                except RecordError:
                    continue
                return found if is_address(found) else ""
        return ""

    # -------------------------------------------------------------- the code of a mail
    @property
    def asked_by(self) -> int:
        """The number of the turn whose email a reply may answer now."""
        return self.view.asked_by

    def token(self, turn: int) -> Token:
        """Return the code in the email about a turn."""
        from pbem.mailseats.token import make_token

        game, head = bytes.fromhex(self.view.game), bytes.fromhex(self.view.heads[turn])
        return make_token(self.referee.referee_key().seed, game, self.seat, turn, head)

    def turn_of(self, tokens: tuple[Token, ...]) -> int:
        """Return the latest turn whose code is among these; 0 if no code is right."""
        from pbem.mailseats.token import is_right

        turns = (t.turn for t in tokens if t.seat == self.seat and t.turn <= self.view.turn)
        right = [n for n in set(turns) if any(is_right(t, self.token(n)) for t in tokens)]
        return max(right, default=0)

    # -------------------------------------------------------------- the mail about a turn
    @property
    def is_due(self) -> bool:
        """Whether the player must get an email about the last turn: it asks them, or the game is
        over."""
        view = self.view
        return view.over or (self.seat in view.awaited and self.seat not in view.conceded)

    def turn_text(self, reminder: str = "") -> LetterText:
        """Return the text of the email about the last turn, or of a reminder of it."""
        from pbem.mailseats.letter_text import turn_letter

        taken = self.view.accepted.get(self.seat, 1)
        token = str(self.token(self.asked_by))
        return turn_letter(self.view, token, self.due, taken, self._messages(taken), reminder)

    @property
    def due(self) -> str:
        """The last moment, in UTC, at which an answer still counts; empty if there is no
        deadline."""
        from pbem.cli.deadlines.due import due_of

        due = due_of(self.view)
        return due.for_others if due and self.seat in self.view.awaited else ""

    def _messages(self, since: int) -> list[str]:
        """Return lines on the player's refused lines, the votes of others, and the messages that
        this player may read."""
        from pbem.cli.notices.open_votes import votes_of_others
        from pbem.cli.press.messages_here import MessagesHere
        from pbem.screen.tell_messages import message_lines

        view = self.view
        here = MessagesHere(self.session, view, mine=[self.seat])
        older = {f.path for f in self.session.listing.press if f.name.turn < since}
        found = here.read(besides=older)
        # short rows: no mail program breaks them, and what it breaks off could look like an answer
        lines = message_lines(found, [self.seat], MESSAGE_WIDTH)
        votes = votes_of_others(self.session, self.view)
        refused = [f"Your line “{line}” was refused: {why}" for _, line, why in view.refused]
        return [*refused, *votes, *(line.strip() for line in lines)]

    def turn_mail(self) -> Letter:
        """Return the email about the last turn, as bytes. Raises CliError without an address."""
        return self.letter(self.turn_text(), self._stem(""))

    def reminder(self, stage: str) -> Letter:
        """Write the email about the last turn again, because little time is left.

        A reply to it counts as a reply to the first. Raises CliError without an address.
        """
        return self.letter(self.turn_text(stage), self._stem("reminder"))

    def letter(self, text: LetterText, stem: str) -> Letter:
        """Return an email to the player, and note its text for the replies to it.

        Raises CliError without an address, StorageError.
        """
        from pbem.mailseats.write_letter import mime

        data = mime(text, self.address, self.name, self.view)
        self.book.note_sent(self.seat, self.asked_by, text.text)
        return Letter(
            self.seat, self.name, stem, self.address, text.subject, data, text.text
        )  # fmt: skip

    def answer_stem(self) -> str:
        """Return the name, without an ending, of the file with an answer to a reply."""
        return self._stem("answer")

    def _stem(self, what: str) -> str:
        from pbem.records.joining import slug

        parts = [slug(self.view.title), f"{self.view.turn:04}", self.seat, what]
        return "-".join(part for part in parts if part)


def mail_seats(session: Session) -> list[MailSeat]:
    """Return the seats whose players answer by plain email, if you are the referee and the game has
    begun."""
    if not session.listing.reached:
        return []
    return [MailSeat(session, seat) for seat in sorted(session.roles.mail)]


def write_letter(session: Session, letter: Letter, output: Path | None = None) -> Path:
    """Write an email to a file that only you can read, because it shows a hand.

    An email that was written before keeps its file; a different one gets a new number. Raises
    CliError if `output` exists with different contents; also StorageError.
    """
    from pbem.storage.atomic_write import create
    from pbem.storage.errors import TakenError

    folder = session.mine.root / "letters"
    names = [letter.stem, *(f"{letter.stem}-v{number}" for number in range(2, 1000))]
    for path in [output.absolute()] if output else [folder / f"{name}.eml" for name in names]:
        try:
            create(path, letter.data, private=True)
        except TakenError:
            continue
        return path
    raise CliError(f"{output} exists already", "give the path of a different file with -o")
