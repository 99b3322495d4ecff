"""Decide which letters a game needs now: what each person lacks, invitations, reminders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pbem.cli.failure import CliError
from pbem.cli.mail.mail_seats import MailSeat, mail_seats
from pbem.cli.mail.write_bundle import BundleWriter, Parcel
from pbem.frozen import frozen
from pbem.mail.bundle import ENDING
from pbem.mail.sent_mail import REFEREE
from pbem.post.letters.letter import Letter
from pbem.records.charter_join_orders import Join, Orders
from pbem.screen.scores import end_sentence
from pbem.screen.terminal import clean, typed

if TYPE_CHECKING:
    from pbem.cli.mail.mail_seats import Letter as SeatLetter
    from pbem.cli.session.session import Session
    from pbem.mail.people import People
    from pbem.play.making.outcome import Outcome
    from pbem.records.read_record import Content, Record

READ_IT: Final = (
    "If `pbem run` reads your mailbox, it has already read this message: pbem status says what "
    "to do. If not, save the attached file, and type: pbem receive"
)
KEEP_IT: Final = (
    "Then type this line, which takes your seat. Whoever has the line can take the seat, so show "
    "it to nobody:"
)
WAIT_FOR_ALL: Final = "The game begins when all have joined."
WITH_A_MOUSE: Final = (
    "Or type only: pbem table. Then drop this email onto the page that opens, and paste the line "
    "where it says Join a game."
)


@frozen
class Mailing:
    """A letter, and the bundle that is attached to it."""

    letter: Letter
    parcel: Parcel


class GameLetters:
    """Writes the letters of one game, for the owner of this home."""

    def __init__(self, session: Session, people: People) -> None:
        self.session, self.people = session, people
        self.charter = session.game_folder.charter.content
        self.game = session.game_folder.game.hex()
        self.writer = BundleWriter(session)

    def due(self) -> Iterator[Mailing]:
        """Write a letter to each person who lacks something that they were not sent before."""
        for who, address in self.people.addresses.items():
            if self._is_mine_to_send(who) and (parcel := self._parcel(who)):
                new = [r for r in parcel.records if not self.writer.book.was_sent(who, r.id)]
                if any(self._starts_a_letter(who, record) for record in new):
                    yield Mailing(self._letter(who, address, parcel, new), parcel)

    def _is_mine_to_send(self, who: str) -> bool:
        if self.session.roles.referee:
            nobody = {*self.charter.plays} | self.session.roles.mail
            return who in self.writer.names and who not in nobody
        return who == REFEREE

    def turn_mails(self) -> Iterator[Mailing]:
        """Write the turn email to each player without `pbem` who has not received it yet."""
        for seat in mail_seats(self.session):
            last: Record[Content] = self.writer.lacks.game.turns[-1]
            if seat.is_due and not self.writer.book.was_sent(seat.seat, last.id):
                parcel = self.writer.parcels([seat.seat])[0]
                if parcel.letter:
                    records = [record.id.hex() for record in parcel.records]
                    about = ("turn mail", *records)
                    letter = whole_letter(parcel.letter, self.game, about, records)
                    yield Mailing(letter, parcel)

    def _parcel(self, who: str) -> Parcel | None:
        from pbem.cli.failure import KEY, NOT_YET

        try:
            return self.writer.parcels([who])[0]
        except CliError as error:
            if error.exit not in (NOT_YET, KEY):
                raise
            return None  # nothing to send, or no seat yet

    def _starts_a_letter(self, who: str, record: Record[Content]) -> bool:
        """Return whether this record is a reason to write to a player.

        Joins and orders of others are not: they are sent with the turn that lists them.
        """
        return who == REFEREE or not isinstance(record.content, Join | Orders)

    # -------------------------------------------------------------- what a letter says
    def _letter(self, who: str, address: str, parcel: Parcel, new: list[Record[Content]]) -> Letter:
        subject, paragraphs = self._to_referee(parcel) if who == REFEREE else self._to_seat(parcel)
        join = [] if who == REFEREE else self._how_to_join(who)
        return Letter(
            to=address,
            subject=f"{self.charter.title}: {subject}",
            paragraphs=[*paragraphs, f"{READ_IT} {parcel.stem}{ENDING}", *join],
            bundle=parcel.text,
            bundle_name=f"{parcel.stem}{ENDING}",
            about=("bundle", *sorted(record.id.hex() for record in new)),
            game=self.game,
            person=who,
            records=[record.id.hex() for record in parcel.records],
            thread=self._thread(who),
        )

    def _thread(self, who: str) -> str:
        return f"<pbem-{self.game[:16]}-{who}@pbem.invalid>"

    def _to_referee(self, parcel: Parcel) -> tuple[str, list[str]]:
        from pbem.mail.bundle import what_is_in

        what = what_is_in(parcel.records)
        return what, [f"Attached: {what}."]

    def _to_seat(self, parcel: Parcel) -> tuple[str, list[str]]:
        last = self.writer.lacks.game.last
        late = [f"Note: your {told}." for told in parcel.late]
        if not last:
            invited = self._how_to_join(parcel.to)
            told = self._invitation(parcel.to) if invited else [WAIT_FOR_ALL]
            return "your invitation", [*told, *late]
        turn = self.writer.lacks.game.turns[-1].content
        if turn.over:
            view = self.session.reading.fresh_view("")
            end = f"The game is over: {end_sentence(view)}. Anybody can check it: pbem audit"
            name = typed(clean(view.title))
            again = f"To play again with the same people: pbem new NAME --like {name}"
            return "the game is over", [end, again, *late]
        kinds = next((one.kinds for one in turn.awaited if one.seat == parcel.to), ())
        if not kinds:
            return f"turn {last}", [f"Here is turn {last}. You do not need to answer.", *late]
        asked = parcel.asked or f"Turn {last} asks you for {', '.join(kinds)}."
        return f"turn {last} asks you for {', '.join(kinds)}", [asked, *late]

    def _invitation(self, seat: str) -> list[str]:
        from pbem.mail.invitation import about_the_game, how_to_get_pbem

        return [about_the_game(self.charter, seat), *how_to_get_pbem(self.charter.referee)]

    def _how_to_join(self, seat: str) -> list[str]:
        """Return the paragraphs with the invite of a seat; none if the player has joined, or if the
        game has begun."""
        joined = {record.content.seat for record in self.session.game_folder.joins().values()}
        if seat in joined or self.writer.lacks.game.last:
            return []
        from pbem.play.making.sign import invite_to

        charter = self.session.game_folder.charter
        line = invite_to(charter, self.session.referee_key(), seat).line()
        return [KEEP_IT, f"    pbem join --invite {line}", WITH_A_MOUSE]

    # -------------------------------------------------------------- reminders
    def reminders(self, outcome: Outcome) -> Iterator[Letter]:
        """Write to those for whom the game waits, once half of their time has passed."""
        from pbem.cli.deadlines.due import due
        from pbem.cli.deadlines.reminders import stage_of

        turn = outcome.turn
        if turn is None or not turn.deadline or outcome.held_until or outcome.over:
            return
        when = due(outcome.policies, outcome.phase, turn.time, turn.deadline)
        stage = stage_of(when)
        if not stage or when.left <= 0:
            return
        here = {*outcome.answered, *outcome.left_open, *self.charter.plays}
        about = ("reminder", str(turn.turn), stage)
        for seat, kinds in sorted(outcome.waiting.items()):
            address = self.people.addresses.get(seat)
            if seat in self.session.roles.mail and seat not in outcome.answered:
                mail = MailSeat(self.session, seat).reminder(stage)
                yield whole_letter(mail, self.game, about)
            elif address and seat not in here:
                text = (
                    f"Turn {turn.turn} is waiting for you ({', '.join(kinds)}): {stage}. Deadline: "
                )
                text += f"{when.for_others}; after that, the least harmful choice is made."
                yield Letter(
                    to=address,
                    subject=f"{self.charter.title}: turn {turn.turn} is waiting for you",
                    paragraphs=[text],
                    about=about,
                    game=self.game,
                    person=seat,
                    thread=self._thread(seat),
                )


def whole_letter(
    letter: SeatLetter, game: str, about: Sequence[str], records: Sequence[str] = ()
) -> Letter:
    """Make a letter from an email to a player without `pbem` that is already written.

    `subject` is what the log shows; the player gets the one in the email, with the code.
    """
    from pbem.mailseats.token import without_tokens

    return Letter(
        to=letter.address,
        subject=without_tokens(letter.subject),
        paragraphs=(),
        about=about,
        game=game,
        person=letter.seat,
        records=records,
        whole=letter.data,
    )
