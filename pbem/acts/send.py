"""Mail to send: bundles, and emails to players without pbem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Final

from engine.values import Value
from pbem.acts.notices import lines_on_losses, votes_of_others
from pbem.acts.press import MessagesHere, person_called
from pbem.errors import NOT_YET, CliError
from pbem.files.disk import TakenError, create
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import box_key
from pbem.format.keys import Secrets
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.lines import LineChecker, read_lines
from pbem.judge.view import View, answers_everything
from pbem.mail.letter import Letter
from pbem.mail.sending import ENDING, MissingFiles, bundle, how_to_get_pbem
from pbem.person.books import MailBook, SentMail
from pbem.person.by_mail import seats_by_join_id
from pbem.person.losses import announced_losses
from pbem.person.lost_keys import no_seat_error
from pbem.person.own_orders import find_latest_orders
from pbem.person.seen import note_heads
from pbem.person.session import Session
from pbem.plain_email.html_text import text_of_html
from pbem.plain_email.letters import Desk, Section, Tap, turn_letter, where
from pbem.plain_email.read import Token, make_token
from pbem.records.charter import open_contact, slug
from pbem.records.press import REFEREE
from pbem.records.read_record import Content, Record
from pbem.records.sealed_orders import unseal_orders
from pbem.terminal.tell import message_lines
from pbem.terminal.terminal import clean
from pbem.text.dates import utc_date
from pbem.text.names import check_address, is_address
from pbem.text.phrases import CHOICE_AFTER_DEADLINE
from pbem.wording.deadlines import COME_BACK, describe_deadline_in_utc

# ---- Emails to players without `pbem`, and who gets one now

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
        """What the seat may know; its emails contain nothing else. Raises CliError before turn
        1."""
        return self.session.view()

    @property
    def called(self) -> str:
        """The player's name and seat, as messages say it: `Bo (seat b)`."""
        return f"{clean(self.view.names[self.seat])} (seat {self.seat})"

    @cached_property
    def address(self) -> str:
        """The player's address: the one noted here, else the one in the seat's join, which only
        the referee can open. Raises CliError if there is none."""
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
        told = f"the address of the player in seat {self.seat} is not known here"
        raise CliError(told, f"pbem send --to {self.seat} --address NAME@EXAMPLE.ORG")

    # -------------------------------------------------------------- the code of a mail
    def token(self, turn: int) -> Token:
        """Return the code in the email about a turn."""
        game, head = bytes.fromhex(self.view.game), bytes.fromhex(self.view.heads[turn])
        return make_token(self.referee.refereeing.key().seed, game, self.seat, turn, head)

    def turn_of(self, tokens: tuple[Token, ...]) -> int:
        """Return the latest turn whose code is among these; 0 if no code is right."""
        turns = (t.turn for t in tokens if t.seat == self.seat and t.turn <= self.view.turn)
        right = [n for n in set(turns) if any(t.is_same(self.token(n)) for t in tokens)]
        return max(right, default=0)

    # -------------------------------------------------------------- the mail about a turn
    @property
    def is_due(self) -> bool:
        """Whether the player must get an email about the last turn: it asks them, the game is over,
        or something is announced that takes their seat or game from them."""
        view = self.view
        asked = self.seat in view.awaited and self.seat not in view.conceded
        return view.is_over or asked or bool(announced_losses(self.session, view))

    @property
    def has_answered(self) -> bool:
        """Whether orders of this seat that are here answer everything that the last turn asks."""
        view = self.view
        if self.seat not in view.awaited:
            return False
        if (record := find_latest_orders(self.session, view)) is None:
            return answers_everything(view)
        texts = unseal_orders(record.content, self.session.readers.seat_now(self.seat).key).texts
        return not LineChecker(view.table, self.seat, read_lines(texts)).unanswered()

    @property
    def due(self) -> str:
        """The last moment, in UTC, at which an answer still counts; empty if there is no
        deadline."""
        status = deadline_status_of(self.view)
        has_deadline = status and self.seat in self.view.awaited
        return describe_deadline_in_utc(status) if has_deadline else ""

    def turn_letter(self, reminder: str = "") -> Letter:
        """Write the email about the last turn, without an address yet.

        With `reminder`, write it again because little time is left; a reply to it counts as a reply
        to the first. It tells of the player's refused lines, the votes of others, and the messages
        of others that this player may read.
        """
        view = self.view
        since = view.accepted.get(self.seat, 1)
        here = MessagesHere(self.session, view, mine=[self.seat])
        # what was written before the turn that used the player's answer came after the last email
        older = {f.path for f in self.session.listing.press if f.name.turn < since - 1}
        # short rows: no mail program breaks them, and what it breaks off could look like an answer
        theirs = [one for one in here.read(besides=older) if one.writer != self.seat]
        messages = message_lines(theirs, [self.seat], MESSAGE_WIDTH)
        notes = [f"Your line “{line}” was refused: {why}" for _, line, why in view.rule_refusals]
        notes += [*votes_of_others(self.session, view), *(line.strip() for line in messages)]
        turn, link = f"{self.seat}{view.asking_turn}", self.session.folder.link("game")
        return turn_letter(
            view, self.desk, self.due, since, self.book.shown_lists(turn), notes, reminder, link,
            self._asked_again(turn) if reminder else (), lines_on_losses(self.session, view),
        )  # fmt: skip

    @property
    def desk(self) -> Desk:
        """Where the player's answers about the last turn go."""
        return Desk(self.book.reply_to, str(self.token(self.view.asking_turn)), where(self.view))

    def _asked_again(self, turn: str) -> list[Section]:
        """Repeat what the player's last reply may have meant, if nothing in it counts yet."""
        moment, *rows = self.book.unclear_reply(turn)
        if not moment:
            return []
        told = "Nothing in your last reply counts yet. Tap what you meant, or answer again below:"
        pairs = [row.split("\t") for row in rows]
        taps = [Tap(says, body) for body, says in pairs]
        return [Section("Not counted yet: your answer", [told], taps=taps, look="buttons")]

    def addressed(self, letter: Letter) -> Letter:
        """Return an email to the player with its address, and note its text for the replies to it.

        Raises CliError without an address, StorageError.
        """
        addressed = replace(letter, to=self.address)
        self.book.note_sent(self.seat, self.view.asking_turn, self.noted(letter))
        return addressed

    @staticmethod
    def noted(letter: Letter) -> str:
        """Return all rows of an email: those of its text, and those of its page."""
        return f"{letter.text}\n{text_of_html(letter.page)}"


def mail_seats(session: Session) -> list[MailSeat]:
    """Return the seats whose players answer by plain email, if you are the referee and the game has
    begun."""
    if not session.listing.reached:
        return []
    return [MailSeat(session, seat) for seat in sorted(session.roles.mail_seats)]


def write_letter(session: Session, letter: Letter, output: Path | None = None) -> Path:
    """Write an email to a file that only you can read, because it shows a hand.

    Raises CliError if `output` exists with different contents; also StorageError.
    """
    path = session.game_home.root / "letters" / f"{letter.stem}.eml"
    return _write(path, letter.data, output, private=True)


def _write(path: Path, data: bytes, output: Path | None, *, private: bool = False) -> Path:
    """Write to `output`, else to this path. What was written before keeps its file; something
    different gets a new number."""
    again = (path.with_name(f"{path.stem}-v{n}{path.suffix}") for n in range(2, 1000))
    for one in [output.absolute()] if output else chain([path], again):
        with suppress(TakenError):
            create(one, data, private=private)
            return one
    raise CliError(f"{output} exists already", "give the path of a different file with -o")


# ---- Write bundles for `send`: choose the records for each player


WRITE_AGAIN_COMMAND: Final = "pbem send --again"


class Parcel(Value):
    """One bundle to send."""

    to: str
    """The recipient of the bundle: a seat, or `referee`."""
    name: str
    stem: str
    records: list[Record[Content]]
    late: Sequence[str] = ()
    """Sentences on the recipient's orders that came too late."""
    asked: str = ""
    """The questions that the recipient must answer, and the deadline."""
    newcomer: Sequence[str] = ()
    """Paragraphs for a recipient who may not have `pbem` yet."""
    has_answered: bool = False
    """Whether there is no email again because the recipient has answered the last one."""
    letter: Letter | None = None
    """The email, if the recipient has no `pbem`; `records` then has only what the email is
    about."""

    @property
    def text(self) -> str:
        """The text of the bundle or of the email."""
        if self.letter:
            return self.letter.text
        notes = [f"Note: your {told}." for told in self.late]
        asked = [self.asked] if self.asked else []
        return bundle(self.records, self.stem, [*asked, *self.newcomer, *notes])


class WrittenParcel(Value):
    """A bundle, or an email, that was written to a file."""

    parcel: Parcel
    path: Path
    was_sent: bool
    """Whether all of it had been sent before."""
    is_before_turn_1: bool
    has_reply_address: bool
    """Whether it is known where the answers to emails go."""


class BundleWriter:
    """Writes bundles for one run of `send`."""

    def __init__(
        self,
        session: Session,
        everything: bool = False,
        only_new: bool = False,
        again: bool = False,
    ) -> None:
        """With `again` or `everything`, players by email who have answered get an email too."""
        self.session, self.everything, self.only_new = session, everything, only_new
        self.again = again or everything
        self.not_again: list[str] = []
        """Sentences on those who get no email again, because they have answered."""
        self.book = SentMail(session.game_home)
        self.lacks = MissingFiles(session.game_folder, self.book.was_sent)
        session.look_after_orders(self.lacks.chain.open_questions)
        if session.order_notes:  # what was put back may have to be sent
            self.lacks = MissingFiles(session.game_folder, self.book.was_sent)
        self.charter = session.charter
        self.names = {plan.seat: plan.name for plan in self.charter.seats}
        for seat, join in self.lacks.standing.roster.items():
            self.names[seat] = join.name
        self._no_bundle = {*self.charter.plays} | session.roles.mail_seats
        """The seats that need no bundle, because their orders are made or signed on this
        computer."""

    # -------------------------------------------------------------- who it is for
    def parcels(self, to: Sequence[str] = ()) -> list[Parcel]:
        """Return the bundles to send. Raises CliError if there is nobody to send to or nothing to
        send."""
        roles = self.session.roles
        if to:
            found = [self._parcel(seat) for seat in dict.fromkeys(map(self._addressee, to))]
        elif roles.referee:
            by_mail = self.book.by_mail(seats_by_join_id(self.session.game_folder))
            seats = [s for s in by_mail if s in self.names and s not in self._no_bundle]
            found = [self._parcel(seat) for seat in seats]
            found += [self._letter(one) for one in mail_seats(self.session)]
            if not found:
                others = [f"--to {s}" for s in self.names if s not in self._no_bundle]
                if not others or (roles.mail_seats and not self.session.listing.reached):
                    told = "there is nothing to send before turn 1"
                    raise CliError(told, "pbem advance", NOT_YET)
                told = "pbem does not know of any player who plays by mail"
                raise CliError(told, f"say who the bundles are for: {' '.join(others)}")
        else:
            found = [self._parcel(REFEREE)]
        self.session.game_home.remember_place(self.session.place)
        note_heads(self.session.game_home, self.lacks.chain.heads)
        due = [parcel for parcel in found if parcel.records]
        self.not_again = [self._has_answered(one) for one in found if one.has_answered]
        if not due:
            raise self._nothing(found)
        return due

    def _addressee(self, to: str) -> str:
        seats = ", ".join(f"{seat} ({name})" for seat, name in sorted(self.names.items()))
        names = {REFEREE: self.session.game_folder.maker().name, **self.names}
        seat = person_called(to, names, f"--to takes {seats} or referee")
        if seat in self.charter.plays:
            raise CliError(f"the referee plays seat {seat} and already has everything")
        return seat

    def move(self, to: Sequence[str], address: str) -> None:
        """Remember a player's new address for plain email. Raises CliError, StorageError."""
        seat = self._addressee(to[0]) if len(to) == 1 else ""
        if seat not in self.session.roles.mail_seats:
            told = "--address is for a player who answers by plain email"
            names = [f"--to {s}" for s in sorted(self.session.roles.mail_seats)]
            raise CliError(told, f"name the player: {', '.join(names)}" if names else "")
        check_address(address)
        MailBook(self.session.game_home).move(seat, address)

    def _nothing(self, found: list[Parcel]) -> CliError:
        names = " and ".join(clean(parcel.name) for parcel in found)
        if self.not_again:
            return CliError("; ".join(self.not_again), WRITE_AGAIN_COMMAND, NOT_YET)
        if self.only_new:
            return CliError(f"you have already sent everything to {names}", "", NOT_YET)
        if [parcel.to for parcel in found] == [REFEREE]:
            hint = "pbem status says when it is your move"
            return CliError("you have nothing to send now", hint, NOT_YET)
        hint = "--all sends everything again"
        have = "has" if len(found) == 1 else "have"
        return CliError(f"{names} {have} everything, as far as pbem knows", hint, NOT_YET)

    def _has_answered(self, parcel: Parcel) -> str:
        turn, name = self.lacks.chain.turn, clean(parcel.name)
        return f"{name} has already answered turn {turn}, so no email to {name} is written again"

    # -------------------------------------------------------------- what is in it
    def _parcel(self, to: str) -> Parcel:
        last = self.lacks.chain.turn
        if to in self.session.roles.mail_seats and not self.everything:
            if not last:
                told = f"pbem can write the first email to {self.names[to]} after turn 1 is made"
                raise CliError(told, "pbem advance", NOT_YET)
            return self._letter(MailSeat(self.session, to), wanted=True)
        if to == REFEREE:
            seats = self._my_seats()
            records = self.lacks.of_referee(seats)
            if self.everything:
                everything = [*self.lacks.of_seat("", everything=True), *records]
                records = list({record.id: record for record in everything}.values())
            else:
                records = self._late_joins() or records
            name, parts = self.session.game_folder.maker().name, ["orders" if last else "join"]
        else:
            seats, records = [to] if last else [], self.lacks.of_seat(to, self.everything)
            name, parts = self.names[to], []
        if self.only_new:
            records = [record for record in records if not self.book.was_sent(to, record.id)]
        parts = [slug(self.charter.title), *parts, f"{last:04}" if last else "", "".join(seats)]
        parcel = Parcel(to, name, "-".join(part for part in parts if part), records)
        if to == REFEREE:
            return parcel
        return replace(
            parcel,
            late=self.lacks.late(to, self.lacks.confirmed(to)),
            asked=self._asked(to),
            newcomer=() if last or self.lacks.has_joined(to) else how_to_get_pbem("the referee"),
        )

    def _letter(self, seat: MailSeat, wanted: bool = False) -> Parcel:
        """With `wanted`, the referee named this player: write the email even if the last turn does
        not ask them."""
        last: Record[Content] = self.lacks.turns[-1]
        nothing = Parcel(seat.seat, seat.view.names[seat.seat], "", [])
        if not (wanted or self.everything or seat.is_due):
            return nothing
        if self.book.was_sent(seat.seat, last.id):
            if not self.again and seat.has_answered:
                return replace(nothing, has_answered=True)
            if self.only_new:
                return nothing
        letter = seat.addressed(seat.turn_letter())
        return replace(nothing, stem=letter.stem, records=[last], letter=letter)

    def _asked(self, seat: str) -> str:
        last = self.lacks.chain.last_turn
        kinds = [one.kinds for one in last.awaited if one.seat == seat] if last else []
        away = self._away(seat) if last and not last.over else ""
        if away in ("conceded", "removed"):
            return ""
        if away in ("idle", "open") or (away == "absent" and not kinds):
            return f"Note: {COME_BACK}. Until then, choices are made immediately without you."
        if not last or not kinds or not last.deadline:
            return ""
        deadline = utc_date(last.deadline)
        told = f"Turn {last.turn} asks you for {', '.join(kinds[0])}. Your orders count until"
        return f"{told} {deadline}; {CHOICE_AFTER_DEADLINE} for you."

    def _away(self, seat: str) -> str:
        chain, standing = self.lacks.chain, self.lacks.standing
        if standing.departures.get(seat) == "open":
            return ""
        away = chain.absence.absence_reason(seat, chain.round)
        return "removed" if away == "open" and standing.removes else away

    def _my_seats(self) -> list[str]:
        roles = self.session.roles
        if self.session.requested_seat:
            return [self.session.need_seat()]
        seats = sorted(roles.seats.keys() - roles.held_seats)
        seats = seats or sorted({record.content.seat for record in self._late_joins()})
        if not seats:
            raise no_seat_error()
        return seats

    def _late_joins(self) -> list[Record[Content]]:
        if not self.lacks.turns or self.session.roles.seats:
            return []
        mine = set(self.session.keyring.publics.values())
        joins = self.session.game_folder.joins().values()
        return [record for record in joins if record.content.key in mine]

    # -------------------------------------------------------------- where it goes
    def write_all(
        self, parcels: Sequence[Parcel], output: Path | None = None
    ) -> Iterator[WrittenParcel]:
        """Write each bundle to its file, or to `output`; yield it before its records are noted as
        sent, so that a caller who was killed had reported it. Raises CliError, StorageError."""
        has_reply_address = bool(MailBook(self.session.game_home).reply_to)
        for parcel in parcels:
            if parcel.letter:
                path = write_letter(self.session, parcel.letter, output)
            else:
                path = self.session.folder.folder_beside / f"{parcel.stem}{ENDING}"
                path = _write(path, parcel.text.encode(), output)
            yield WrittenParcel(
                parcel,
                path,
                was_sent=all(self.book.was_sent(parcel.to, record.id) for record in parcel.records),
                is_before_turn_1=not self.lacks.chain.turn,
                has_reply_address=has_reply_address,
            )
            self.note_sent(parcel)

    def note_sent(self, parcel: Parcel) -> None:
        """Remember that the records in a bundle were sent to its recipient. Raises StorageError."""
        self.book.note_sent(parcel.to, [record.id for record in parcel.records])
