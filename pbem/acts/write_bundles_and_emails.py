"""Write mail to files: for each player a bundle of the records that they lack, or an email."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final

from engine.value_classes import Value
from pbem.acts.emails_to_seat_by_mail import MailSeat, mail_seats
from pbem.acts.send_message import person_called
from pbem.errors import NOT_YET, CliError
from pbem.files.disk import create
from pbem.files.file_errors import TakenError
from pbem.mail.letter import Letter
from pbem.mail.paragraphs_for_newcomers import how_to_get_pbem
from pbem.mail.unsent_records import UnsentRecords
from pbem.mail.write_and_describe_bundle import ENDING, format_bundle
from pbem.person.check_seen_and_made_turns import note_heads
from pbem.person.due_mail import seats_by_join_id
from pbem.person.mail_notebooks import MailBook, MailHistory
from pbem.person.missing_seats_and_keys import no_seat_error
from pbem.person.session import Session
from pbem.records.invite import slug
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Content, Record
from pbem.terminal.clean_text import clean
from pbem.text.dates import utc_date
from pbem.text.least_harmful_choice import CHOICE_AFTER_DEADLINE
from pbem.text.names_and_email_addresses import check_address
from pbem.text.terminal_and_page_wording import to_type
from pbem.wording.deadlines_and_absences import COME_BACK


def write_letter(session: Session, letter: Letter, output: Path | None = None) -> Path:
    """Write an email to a file that only you can read, because it shows a hand.

    Raises CliError if `output` exists with different contents; also StorageError.
    """
    path = session.game_home.root / "letters" / f"{letter.stem}.eml"
    return _write_file(path, letter.data, output, private=True)


def _write_file(path: Path, data: bytes, output: Path | None, *, private: bool = False) -> Path:
    """Write data to `output`, else to a new file at this path. A file with other contents stays,
    and the new file gets a number."""
    numbered_paths = (path.with_name(f"{path.stem}-v{n}{path.suffix}") for n in range(2, 1000))
    for candidate_path in [output.absolute()] if output else chain([path], numbered_paths):
        with suppress(TakenError):
            create(candidate_path, data, private=private)
            return candidate_path
    raise CliError(f"{output} exists already", "give the path of a different file with -o")


WRITE_AGAIN_COMMAND: Final = "pbem send --again"


class Bundle(Value):
    """One bundle to send."""

    recipient: str
    """The recipient of the bundle: a seat, `referee`, or a co-dealer such as `co-dealer-0`."""
    name: str
    stem: str
    records: list[Record[Content]]
    late_sentences: Sequence[str] = ()
    """Sentences on the recipient's orders that came too late."""
    question_sentence: str = ""
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
        notes = [f"Note: your {sentence}." for sentence in self.late_sentences]
        question_sentences = [self.question_sentence] if self.question_sentence else []
        return format_bundle(self.records, self.stem, [*question_sentences, *self.newcomer, *notes])


class WrittenBundle(Value):
    """A bundle, or an email, that was written to a file."""

    bundle: Bundle
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
        sends_all: bool = False,
        only_new: bool = False,
        writes_again: bool = False,
    ) -> None:
        """With `sends_all` or `writes_again`, players by email who have answered get an email
        too."""
        self.session, self.sends_all, self.only_new_records = session, sends_all, only_new
        self.writes_again = writes_again or sends_all
        self.answered_sentences: list[str] = []
        """Sentences on those who get no email again, because they have answered."""
        self.book = MailHistory(session.game_home)
        self.lacks = UnsentRecords(session.game_folder, self.book.was_sent)
        session.restore_last_orders(self.lacks.chain.open_questions)
        if session.order_notes:  # what was put back may have to be sent
            self.lacks = UnsentRecords(session.game_folder, self.book.was_sent)
        self.charter = session.charter
        self.names = {plan.seat: plan.name for plan in self.charter.seats}
        for seat, join in self.lacks.standing.roster.items():
            self.names[seat] = join.name
        self._no_bundle = {*self.charter.plays} | session.roles.mail_seats
        """The seats that need no bundle, because their orders are made or signed on this
        computer."""

    # -------------------------------------------------------------- who it is for
    def bundles(self, recipients: Sequence[str] = ()) -> list[Bundle]:
        """Return the bundles to send. Raises CliError if there is nobody to send to or nothing to
        send."""
        roles = self.session.roles
        if recipients:
            bundles = [
                self._bundle_for(seat) for seat in dict.fromkeys(map(self._addressee, recipients))
            ]
        elif roles.referee:
            by_mail = self.book.by_mail(seats_by_join_id(self.session.game_folder))
            recipients_with_pbem = self.names.keys() | self.charter.co_dealer_names_by_id
            seats = [s for s in by_mail if s in recipients_with_pbem - self._no_bundle]
            bundles = [self._bundle_for(seat) for seat in seats]
            bundles += [self._letter(candidate) for candidate in mail_seats(self.session)]
            if not bundles:
                options = [f"--to {s}" for s in self.names if s not in self._no_bundle]
                if not options or (roles.mail_seats and not self.session.listing.reached):
                    problem = "there is nothing to send before turn 1"
                    raise CliError(problem, to_type("pbem advance"), NOT_YET)
                problem = "pbem does not know of any player who plays by mail"
                raise CliError(problem, f"say who the bundles are for: {' '.join(options)}")
        else:
            bundles = [self._bundle_for(REFEREE)]
        self.session.game_home.remember_place(self.session.place)
        note_heads(self.session.game_home, self.lacks.chain.heads)
        unsent_bundles = [bundle for bundle in bundles if bundle.records]
        self.answered_sentences = [
            self._has_answered(candidate) for candidate in bundles if candidate.has_answered
        ]
        if not unsent_bundles:
            raise self._nothing_to_send(bundles)
        return unsent_bundles

    def _addressee(self, typed_recipient: str) -> str:
        seats = ", ".join(f"{seat} ({name})" for seat, name in sorted(self.names.items()))
        maker = self.session.game_folder.maker().name
        # who has a seat too gets everything as a player
        names = {**self.charter.co_dealer_names_by_id, REFEREE: maker, **self.names}
        seat = person_called(
            typed_recipient, names, to_type(f"--to takes one of: {seats}, referee")
        )
        if seat in self.charter.plays:
            raise CliError(f"the referee plays seat {seat} and already has everything")
        return seat

    def move(self, recipients: Sequence[str], address: str) -> None:
        """Remember a player's new address for plain email. Raises CliError, StorageError."""
        seat = self._addressee(recipients[0]) if len(recipients) == 1 else ""
        if seat not in self.session.roles.mail_seats:
            problem = "--address is for a player who answers by plain email"
            options = [f"--to {s}" for s in sorted(self.session.roles.mail_seats)]
            raise CliError(problem, f"name the player: {' or '.join(options)}" if options else "")
        check_address(address)
        MailBook(self.session.game_home).move(seat, address)

    def _nothing_to_send(self, bundles: list[Bundle]) -> CliError:
        """Return the error that says why there is nothing to send to the recipients of these empty
        bundles."""
        names = " and ".join(clean(bundle.name) for bundle in bundles)
        if self.answered_sentences:
            return CliError("; ".join(self.answered_sentences), WRITE_AGAIN_COMMAND, NOT_YET)
        if self.only_new_records:
            return CliError(f"you have already sent everything to {names}", "", NOT_YET)
        if [bundle.recipient for bundle in bundles] == [REFEREE]:
            hint = to_type("pbem status says when it is your move")
            return CliError("you have nothing to send now", hint, NOT_YET)
        hint = to_type("--all sends everything again")
        have = "has" if len(bundles) == 1 else "have"
        return CliError(f"{names} {have} everything, as far as pbem knows", hint, NOT_YET)

    def _has_answered(self, bundle: Bundle) -> str:
        turn, name = self.lacks.chain.turn, clean(bundle.name)
        return f"{name} has already answered turn {turn}, so pbem writes no new email to {name}"

    # -------------------------------------------------------------- what is in it
    def _bundle_for(self, recipient: str) -> Bundle:
        """Return the bundle for a recipient: the records that they lack, or everything if the
        writer sends all; for a player by plain email, the email. Raises CliError if that email
        cannot be written yet."""
        last_turn = self.lacks.chain.turn
        if recipient in self.session.roles.mail_seats and not self.sends_all:
            if not last_turn:
                name = self.names[recipient]
                problem = f"pbem can write the first email to {name} only after turn 1 is made"
                raise CliError(problem, to_type("pbem advance"), NOT_YET)
            return self._letter(MailSeat(self.session, recipient), is_named=True)
        if recipient == REFEREE:
            seats = self._sending_seats()
            is_dealer = bool(self.session.roles.co_dealer)
            own_keys = self.session.keyring.publics.values() if is_dealer else ()
            records = self.lacks.of_referee(seats, own_keys)
            if self.sends_all:
                all_records = [*self.lacks.of_seat("", includes_all=True), *records]
                records = list({record.id: record for record in all_records}.values())
            else:
                records = self._late_joins() or records
            name, parts = self.session.game_folder.maker().name, ["orders" if last_turn else "join"]
            parts = parts if seats else ["cards"]
        elif recipient in self.charter.co_dealer_names_by_id:
            seats, parts = [], ["cards"]
            records = self.lacks.of_co_dealer(recipient, self.sends_all)
            name = self.charter.co_dealer_names_by_id[recipient]
        else:
            seats, records = (
                [recipient] if last_turn else [],
                self.lacks.of_seat(recipient, self.sends_all),
            )
            name, parts = self.names[recipient], []
        if self.only_new_records:
            records = [record for record in records if not self.book.was_sent(recipient, record.id)]
        parts = [
            slug(self.charter.title),
            *parts,
            f"{last_turn:04}" if last_turn else "",
            "".join(seats),
        ]
        bundle = Bundle(recipient, name, "-".join(part for part in parts if part), records)
        if recipient == REFEREE or recipient in self.charter.co_dealer_names_by_id:
            return bundle
        return replace(
            bundle,
            late_sentences=self.lacks.late_order_sentences(
                recipient, self.lacks.confirmed(recipient)
            ),
            question_sentence=self._question_sentence(recipient),
            newcomer=()
            if last_turn or self.lacks.has_joined(recipient)
            else how_to_get_pbem("the referee"),
        )

    def _letter(self, seat: MailSeat, is_named: bool = False) -> Bundle:
        """Return the email to a player who answers by plain email; empty if none is due. With
        `is_named`, the referee named this player: the email is due even if the last turn does not
        ask them."""
        last_turn: Record[Content] = self.lacks.turns[-1]
        empty_bundle = Bundle(seat.seat, seat.view.names[seat.seat], "", [])
        if not (is_named or self.sends_all or seat.is_due):
            return empty_bundle
        if self.book.was_sent(seat.seat, last_turn.id):
            if not self.writes_again and seat.has_answered:
                return replace(empty_bundle, has_answered=True)
            if self.only_new_records:
                return empty_bundle
        letter = seat.addressed(seat.write_turn_letter())
        return replace(empty_bundle, stem=letter.stem, records=[last_turn], letter=letter)

    def _question_sentence(self, seat: str) -> str:
        """Return a sentence for a player on what the last turn asks and until when, or on their
        absence; empty if there is nothing to say."""
        last_turn = self.lacks.chain.last_turn
        kinds = (
            [asked_seat.kinds for asked_seat in last_turn.awaited if asked_seat.seat == seat]
            if last_turn
            else []
        )
        absence_reason = self._absence_reason(seat) if last_turn and not last_turn.over else ""
        if absence_reason in ("conceded", "removed"):
            return ""
        if absence_reason in ("idle", "open") or (absence_reason == "absent" and not kinds):
            return (
                f"Note: {COME_BACK}. Until then, pbem makes your choices without waiting for you."
            )
        if not last_turn or not kinds or not last_turn.deadline:
            return ""
        deadline = utc_date(last_turn.deadline)
        sentence = (
            f"Turn {last_turn.turn} asks you for {', '.join(kinds[0])}. Send your orders before"
        )
        return f"{sentence} {deadline}; {CHOICE_AFTER_DEADLINE} for you."

    def _absence_reason(self, seat: str) -> str:
        chain, standing = self.lacks.chain, self.lacks.standing
        if standing.departures.get(seat) == "open":
            return ""
        absence_reason = chain.absence.absence_reason(seat, chain.round)
        return "removed" if absence_reason == "open" and standing.removes else absence_reason

    def _sending_seats(self) -> list[str]:
        """Return the seats whose orders go to the referee: the requested one, else all that the
        user plays, else those of joins without a seat yet; none for a co-dealer who has no seat.
        Raises CliError if anybody else has none."""
        roles = self.session.roles
        if self.session.requested_seat:
            return [self.session.need_seat()]
        seats = sorted(roles.seats.keys() - roles.referee_seats)
        seats = seats or sorted({record.content.seat for record in self._late_joins()})
        if not seats and not roles.co_dealer:
            raise no_seat_error()
        return seats

    def _late_joins(self) -> list[Record[Content]]:
        if not self.lacks.turns or self.session.roles.seats:
            return []
        own_keys = set(self.session.keyring.publics.values())
        joins = self.session.game_folder.joins().values()
        return [record for record in joins if record.content.key in own_keys]

    # -------------------------------------------------------------- where it goes
    def write_files(
        self, bundles: Sequence[Bundle], output: Path | None = None
    ) -> Iterator[WrittenBundle]:
        """Write each bundle to its file, or to `output`, and yield the written bundle; only then
        note its records as sent, so that every noted bundle was reported even if the caller is
        killed. Raises CliError, StorageError."""
        has_reply_address = bool(MailBook(self.session.game_home).reply_to)
        for bundle in bundles:
            if bundle.letter:
                path = write_letter(self.session, bundle.letter, output)
            else:
                path = self.session.folder.folder_beside / f"{bundle.stem}{ENDING}"
                path = _write_file(path, bundle.text.encode(), output)
            yield WrittenBundle(
                bundle,
                path,
                was_sent=all(
                    self.book.was_sent(bundle.recipient, record.id) for record in bundle.records
                ),
                is_before_turn_1=not self.lacks.chain.turn,
                has_reply_address=has_reply_address,
            )
            self.note_sent(bundle)

    def note_sent(self, bundle: Bundle) -> None:
        """Remember that the records in a bundle were sent to its recipient. Raises StorageError."""
        self.book.note_sent(bundle.recipient, [record.id for record in bundle.records])
