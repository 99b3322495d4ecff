"""The letters that a game needs now: what each person lacks, invitations, reminders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from pbem.acts.emails_to_seat_by_mail import MailSeat, mail_seats
from pbem.acts.write_bundles_and_emails import Bundle, BundleWriter
from pbem.errors import KEY, NOT_YET, CliError
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.make_signed_records import invite_to
from pbem.judge.turn_inputs_and_outcome import Outcome
from pbem.mail.letter import Letter, laid_out
from pbem.mail.paragraphs_for_newcomers import about_the_game, how_to_get_pbem
from pbem.mail.write_and_describe_bundle import ENDING, describe_records
from pbem.person.mail_notebooks import People
from pbem.person.session import Session
from pbem.person.situation import situation_after
from pbem.records.join import Join
from pbem.records.orders import Orders
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Content, Record
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import shell_quote
from pbem.text.clock import now
from pbem.wording.deadlines_and_absences import describe_time_left
from pbem.wording.game_letters import (
    DEAL_SUBJECT,
    GAME_OVER_SUBJECT,
    INVITATION_SUBJECT,
    PLAY_TURN,
    SEE_END,
    SEE_GAME,
    SEE_JOINS,
    SEE_TABLE,
    WAIT_FOR_ALL_SENTENCE,
    attached_paragraph,
    deal_paragraph,
    deal_subject,
    first_deal_paragraph,
    game_over_paragraph,
    invitation_paragraphs,
    invitation_to_host_paragraphs,
    letter_subject,
    link_paragraphs,
    no_file_needed_paragraph,
    note_paragraph,
    play_again_paragraphs,
    read_it_paragraph,
    reminder_paragraph,
    reminder_subject,
    turn_paragraph,
    turn_subject,
)
from pbem.wording.results import end_sentence


class GameLetters:
    """Writes the letters of one game, for the owner of this home."""

    def __init__(self, session: Session, people: People) -> None:
        self.session, self.people = session, people
        self.charter = session.charter
        self.writer = BundleWriter(session)

    def due_letters(self) -> Iterator[Letter]:
        """Yield a letter to each person with unsent records, whose address is known. The referee
        writes to all players and co-dealers, and they only to the referee."""
        referee = self.session.roles.referee
        excluded_seats = {*self.charter.plays} | self.session.roles.mail_seats
        players = self.writer.names.keys() - excluded_seats
        recipients = players | self.charter.co_dealer_names_by_id.keys() if referee else {REFEREE}
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
        elif person in self.charter.co_dealer_names_by_id:
            subject, paragraphs = self._to_co_dealer(person)
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
        subject = letter_subject(self.charter.title, subject)
        thread = f"<pbem-{game[:16]}-{person}@pbem.invalid>"
        return Letter(address, subject, text, game=game, person=person, thread=thread)

    def _to_co_dealer(self, co_dealer: str) -> tuple[str, list[str]]:
        """Return the subject and the paragraphs of a letter to a co-dealer."""
        chain, last_turn = self.writer.lacks.chain, self.writer.lacks.chain.last_turn
        number = [*self.charter.co_dealer_names_by_id].index(co_dealer)
        if last_turn is None:
            is_named = not self.session.find_awaited_dealers([number], 0, chain.head)
            if is_named:
                return DEAL_SUBJECT, [WAIT_FOR_ALL_SENTENCE]
            install_paragraphs = how_to_get_pbem(self.charter.referee)
            return DEAL_SUBJECT, [first_deal_paragraph(self.charter.referee), *install_paragraphs]
        if last_turn.over or number in last_turn.owed:
            return deal_subject(last_turn.turn), [deal_paragraph(last_turn.turn)]
        return turn_subject(last_turn.turn, ()), [turn_paragraph(last_turn.turn, ())]

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
                    mail_seat.addressed(mail_seat.write_turn_letter(stage)), identity=reminder_key
                )
            elif address and seat in silent_seats:
                paragraphs = [reminder_paragraph(turn.turn, kinds, stage, status)]
                paragraphs += link_paragraphs(PLAY_TURN, self._link)
                subject, text = reminder_subject(turn.turn), laid_out(paragraphs)
                letter = self._letter_to(seat, address, subject, text)
                yield replace(letter, identity=reminder_key)
