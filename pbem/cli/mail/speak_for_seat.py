"""Sign the messages, votes, absences and concessions of a player without `pbem`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.cli.notices.open_votes import vote_words
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.mail.mail_seats import MailSeat
    from pbem.cli.notices.typed_notices import Typed
    from pbem.mailseats.understand import Understood
    from pbem.records.notices.sayings import Vote
    from pbem.text.read_absence import Absence

MOST_TOLD = 10
"""The most messages to other players in one reply."""
AGREED = (
    "The game ends when all other players who are there have voted to end it in the same way, and "
    "when those who are silent have had time to answer. Until then you can write: vote no"
)
SAME = "This changes nothing: you have already voted that way, or you had no vote to take back."
AWAY = (
    "The game does not wait for you then; your orders and standing orders still count. If you "
    "return earlier, write: back"
)
CONCEDED = (
    "You have given up the game, and you cannot take that back. You get no more questions: the "
    "least harmful choices are made for you. All other players are ranked above you. You get an "
    "email when the game is over."
)
SOON = "This counts from the next turn on."
ALONE = (
    "you cannot take this back, so a reply that concedes must not contain orders, a vote or an "
    "absence: if you want to concede, write the line again without them"
)
TOO_LATE = "you have conceded, so you can only send messages and ask questions"
STILL_AWAY = "You have already announced this absence."


class Speaker:
    """Signs messages, votes, absences and concessions with the key of one seat.

    The referee has this key.

    What is already here is not signed again, because a reply may be taken twice: `pbem` may be
    killed before it notes the reply.
    """

    def __init__(self, seat: MailSeat) -> None:
        self.seat, self.session = seat, seat.session

    def agreed(self, found: Understood) -> None:
        """Treat `agree` as small talk if no other player has voted, and `back` if the player was
        not away."""
        from pbem.cli.notices.notice_here import votes_here

        if found.vote == "agree":
            voted = not self.seat.view.over and votes_here(self.session).keys() - {self.seat.seat}
            if not voted:
                found.vote = ""
                found.rest.append("agree")
        if found.absence and not found.absence.last and not self._announced():
            found.absence = None
            found.rest.append("back")

    def wrong(self, found: Understood) -> list[tuple[str, str]]:
        """Return what cannot be sent or announced, with the reasons. Sign nothing."""
        wrong = self._concession(found)
        for to, text in found.told:
            try:
                self._checked(to, text)
            except CliError as error:
                hint = error.hint if error.hint.startswith("did you mean") else ""
                told = f"“tell {to}:”" if to else "“tell:”"
                wrong.append((told, f"{error}; {hint}" if hint else str(error)))
        wrong += [("“tell:”", told) for told in [self._too_many(len(found.told))] if told]
        try:
            self._vote(found.vote)
        except CliError as error:
            wrong.append((f"“vote {found.vote}”", str(error)))
        try:
            self._absence(found.absence)
        except CliError as error:
            wrong.append(("the absence", str(error).removeprefix("this notice would not count: ")))
        return wrong

    def _too_many(self, count: int) -> str:
        """Say why a reply cannot send so many messages; empty if it can."""
        from pbem.cli.press.messages_here import MessagesHere
        from pbem.records.press.message_record import MOST_MESSAGES

        if count > MOST_TOLD:
            return f"your email has {count} messages to players; it may have at most {MOST_TOLD}"
        view, me = self.seat.view, self.seat.seat
        here = MessagesHere(self.session, view, mine=[me]) if count else None
        written = here.read({view.published}) if here else []
        if sum(one.writer == me for one in written) + count <= MOST_MESSAGES:
            return ""
        told = f"since turn {view.published} you may write {MOST_MESSAGES} messages, and this would"
        return f"{told} be more: write again after the next turn"

    def speak(self, found: Understood) -> list[str]:
        """Sign all of it; return what was done. Raises CliError, StorageError."""
        done = [self._tell(to, text) for to, text in found.told]
        if found.vote:
            vote = self._vote(found.vote)
            done += self._declare(vote) if vote else [SAME]
        if found.absence:
            self.session.refresh()
            done += self._announce(found.absence)
        if found.concedes and not self.has_conceded:
            self._concede()
        if done or found.concedes:
            self.session.refresh()
        return done

    # -------------------------------------------------------------- conceding
    @property
    def has_conceded(self) -> bool:
        """Whether the player has conceded, even if no turn lists that yet."""
        from pbem.cli.notices.notice_here import conceded_here

        view, me = self.seat.view, self.seat.seat
        return me in view.conceded or (not view.over and me in conceded_here(self.session))

    @property
    def conceded(self) -> str:
        """A sentence for a player who has conceded; empty for others, and when the game is over."""
        view = self.seat.view
        if view.over or not self.has_conceded:
            return ""
        return CONCEDED if self.seat.seat in view.conceded else f"{CONCEDED} {SOON}"

    def _concession(self, found: Understood) -> list[tuple[str, str]]:
        """Return why the player cannot concede now, or what they can no longer do if they have."""
        from pbem.cli.notices.notice_here import signed_notice
        from pbem.cli.notices.typed_notices import typed_concede
        from pbem.text.read_concession import SENTENCE

        others = bool(found.lines or found.start_over or found.vote or found.absence)
        if self.conceded:
            return [(TOO_LATE, "")] if others else []
        if not found.concedes:
            return []
        if others:
            return [(f"“{SENTENCE}”", ALONE)]
        try:
            signed_notice(self.session, typed_concede().saying, self.seat.seat)
        except CliError as error:
            told = str(error).removeprefix("this notice would not count: ")
            return [(f"“{SENTENCE}”", told)]
        return []

    def _concede(self) -> None:
        from pbem.cli.notices.notice_here import declare
        from pbem.cli.notices.typed_notices import typed_concede

        self.session.refresh()
        declare(self.session, typed_concede().saying, self.seat.seat)

    # -------------------------------------------------------------- messages
    def _checked(self, to: str, text: str) -> tuple[tuple[str, ...], str]:
        """Return the lines of a message, and the seat or `referee` it is for. Raises CliError."""
        from pbem.cli.press.addressee import addressee
        from pbem.cli.press.send_message import lines_of_text

        lines = lines_of_text(text)
        return lines, addressee(self.seat.view, to, self.seat.seat) if to else ""

    def _tell(self, to: str, text: str) -> str:
        from pbem.cli.press.addressee import name_of
        from pbem.cli.press.messages_here import MessagesHere
        from pbem.cli.press.send_message import send_message

        view, me = self.seat.view, self.seat.seat
        lines, receiver = self._checked(to, text)
        here = MessagesHere(self.session, view, mine=[me]).read({view.published})
        if not any((m.writer, m.to, m.lines) == (me, receiver, lines) for m in here):
            send_message(self.session, view, text, to, as_referee=False)
            self.session.refresh()
        who = f"to {name_of(view, receiver)}" if receiver else "to all players"
        return f"You said {who}: {clean(' '.join(lines))}"

    def forward(self, lines: Sequence[str]) -> list[str]:
        """Send lines that are no orders to the referee, as a private message of this player.

        Returns the lines that are on their way; none if no message can be sent now. Raises
        StorageError.
        """
        from pbem.records.press.message_record import REFEREE
        from pbem.records.press.message_text import MOST_LINES, MOST_TEXT

        text = "\n".join(clean(line) for line in lines[:MOST_LINES])[:MOST_TEXT].strip()
        if not text:
            return []
        try:
            self._tell(REFEREE, text)
        except CliError:
            return []  # the player has written too many messages since the last turn
        return text.split("\n")

    # -------------------------------------------------------------- votes
    def _vote(self, word: str) -> Vote | None:
        """Return the vote that a word asks for; None if there is no word, or if the seat already
        votes so.

        Raises CliError if the seat cannot cast this vote now.
        """
        from pbem.cli.notices.notice_here import votes_here
        from pbem.records.notices.sayings import DRAW, NO_WINNER, PLAY_ON, SCORE, Vote

        if not word:
            return None
        view, me = self.seat.view, self.seat.seat
        if me in view.conceded or me in view.removed:
            raise CliError("your seat has no vote now")
        votes = votes_here(self.session)
        others = {vote for seat, vote in votes.items() if seat != me}
        if word == "agree" and (len(others) != 1 or view.wanted):
            raise CliError("it is not clear what you agree to: write “vote end” or “vote draw”")
        words = {"end": SCORE, "draw": DRAW, "no winner": NO_WINNER, "no": PLAY_ON}
        wanted = words.get(word) or next(iter(others))
        return None if votes.get(me) == wanted else Vote(wanted)

    def _declare(self, vote: Vote) -> list[str]:
        from pbem.cli.notices.notice_here import declare
        from pbem.records.notices.sayings import PLAY_ON

        if declare(self.session, vote, self.seat.seat).again:
            return [SAME]
        told = [f"You vote {vote_words(vote.result)}."]
        return told if vote.result == PLAY_ON else [*told, AGREED]

    # -------------------------------------------------------------- absences
    def _announced(self) -> tuple[int, int] | None:
        """Return when the seat's absence begins and ends; None if it has announced none."""
        from pbem.cli.notices.notice_here import absences_here

        return None if self.seat.view.over else absences_here(self.session).get(self.seat.seat)

    def _absence(self, absence: Absence | None) -> Typed | None:
        """Return the notice that is meant; None if there is none, or if it is already announced.

        Raises CliError if it cannot count now.
        """
        from pbem.cli.notices.notice_here import signed_notice
        from pbem.records.notices.sayings import Away

        if absence is None:
            return None
        typed = self._typed(absence)
        before, said = self._announced(), typed.saying
        if before and isinstance(said, Away) and before[1] == said.ends:
            begun = not absence.first and before[0] <= said.begins
            if begun or before[0] == said.begins:
                return None
        signed_notice(self.session, said, self.seat.seat)
        return typed

    def _typed(self, absence: Absence) -> Typed:
        from datetime import datetime

        from pbem.cli.clock import now
        from pbem.cli.notices.typed_notices import typed_away
        from pbem.text.read_absence import days_of

        if absence.last is None:
            return typed_away("", back=True)
        try:
            return typed_away(days_of(absence, datetime.fromtimestamp(now()).date()))
        except ValueError as error:
            raise CliError(str(error)) from None

    def _announce(self, absence: Absence) -> list[str]:
        from pbem.cli.notices.notice_here import declare

        typed = self._absence(absence)
        if typed is None:
            return [STILL_AWAY]
        declare(self.session, typed.saying, self.seat.seat)
        told = f"{typed.told[:1].upper()}{typed.told[1:]}."
        return [told, AWAY] if absence.last else [told]
