"""Do what a player without `pbem` asks for besides orders: send messages, or vote to end the
game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.cli.mail.open_votes import vote_words
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.mail.mail_seats import MailSeat
    from pbem.mailseats.understand import Understood
    from pbem.records.notices.sayings import Vote

AGREED = (
    "The game ends when all other players have voted for the same end. Until then you can write: "
    "vote no"
)
SAME = "Your vote changes nothing: you have voted so already, or had no vote to take back."


class Speaker:
    """Signs messages and votes with the key of one seat, which the referee has.

    A message or a vote that is already here is not signed again, because a reply may be taken
    twice: `pbem` may be killed before it notes the reply.
    """

    def __init__(self, seat: MailSeat) -> None:
        self.seat, self.session = seat, seat.session

    def agreed(self, found: Understood) -> None:
        """Treat `agree` as small talk if no other player has voted."""
        from pbem.cli.notices.notice_here import votes_here

        if found.vote == "agree":
            voted = not self.seat.view.over and votes_here(self.session).keys() - {self.seat.seat}
            if not voted:
                found.vote = ""
                found.unused.append("agree")

    def wrong(self, found: Understood) -> list[tuple[str, str]]:
        """Return each message or vote that cannot be sent, with the reason; nothing is signed."""
        wrong: list[tuple[str, str]] = []
        for to, text in found.told:
            try:
                self._checked(to, text)
            except CliError as error:
                hint = error.hint if error.hint.startswith("did you mean") else ""
                told = f"“tell {to}:”" if to else "“tell:”"
                wrong.append((told, f"{error}; {hint}" if hint else str(error)))
        try:
            self._vote(found.vote)
        except CliError as error:
            wrong.append((f"“vote {found.vote}”", str(error)))
        return wrong

    def speak(self, found: Understood) -> list[str]:
        """Sign the messages and the vote; return what was done. Raises CliError, StorageError."""
        done = [self._tell(to, text) for to, text in found.told]
        if found.vote:
            vote = self._vote(found.vote)
            done += self._declare(vote) if vote else [SAME]
        if done:
            self.session.refresh()
        return done

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

    # -------------------------------------------------------------- votes
    def _vote(self, word: str) -> Vote | None:
        """Return the vote that a word asks for; None if there is no word, or if the seat already
        votes so.

        Raises CliError if the seat cannot cast this vote now.
        """
        from pbem.cli.notices.notice_here import votes_here
        from pbem.records.notices.sayings import DRAW, PLAY_ON, SCORE, Vote

        if not word:
            return None
        view, me = self.seat.view, self.seat.seat
        if me in view.conceded or me in view.removed:
            raise CliError("your seat has no vote now")
        votes = votes_here(self.session)
        others = {vote for seat, vote in votes.items() if seat != me}
        if word == "agree" and (len(others) != 1 or view.wanted):
            raise CliError("it is not clear what you agree to: write “vote end” or “vote draw”")
        wanted = {"end": SCORE, "draw": DRAW, "no": PLAY_ON, "agree": next(iter(others), "")}[word]
        return None if votes.get(me, PLAY_ON) == wanted else Vote(wanted)

    def _declare(self, vote: Vote) -> list[str]:
        from pbem.cli.notices.notice_here import declare
        from pbem.records.notices.sayings import PLAY_ON

        declare(self.session, vote, self.seat.seat)
        told = [f"You vote {vote_words(vote.result)}."]
        return told if vote.result == PLAY_ON else [*told, AGREED]
