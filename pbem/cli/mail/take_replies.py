"""Read the emails in which players without `pbem` answer the referee, for `receive`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, complain, say
from pbem.cli.mail.mail_seats import MailSeat, write_letter
from pbem.screen.terminal import brief, clean

if TYPE_CHECKING:
    from pbem.cli.mail.mail_replies import ReplyResult
    from pbem.cli.session.keyring import Keyring
    from pbem.cli.session.session import Session
    from pbem.mailseats.read_reply import Reply
    from pbem.storage.private.home import Home
    from pbem.storage.store.address import Place


class ReplyTaker:
    """One run of `receive`; call `take` for each file before it is opened as a bundle."""

    def __init__(self, home: Home, folder: Place | None) -> None:
        self.home, self.folder = home, folder
        self.code = 0
        """The exit code, which reports the replies that were refused."""
        self.results: list[tuple[Session, ReplyResult]] = []
        """What pbem did with each reply, in order."""
        self._keyring: Keyring | None = None

    def take(self, data: bytes, source: str) -> bool:
        """Read all replies in a file; return False if it has none, or if it also contains bundles.

        Raises CliError, FileError, StorageError.
        """
        from pbem.mail.opening.letter import mails_in, open_post
        from pbem.mailseats.read_reply import is_reply, read_reply

        mails = mails_in(data)
        replies = [read_reply(mail, source) for mail in mails if is_reply(mail)]
        replies = [reply for reply in replies if reply.tokens]
        if not replies or open_post(data, source):
            return False  # a bundle is in it: the player has pbem now
        for reply in replies:
            self._take(reply)
        return True

    def _take(self, reply: Reply) -> None:
        from pbem.cli.mail.mail_replies import ReplyDesk

        seat = self._seat(reply)
        if seat is None:
            self.refuse(reply, "it answers an email of a game that you do not referee here")
            return
        if isinstance(seat, str):
            self.refuse(reply, seat)
            return
        result = ReplyDesk(seat).take(reply, lambda found: self.deliver(seat, reply, found))
        self.results.append((seat.referee, result))
        if result.fate == "forged":
            self.refuse(reply, result.told)
            return
        self.tell(seat, result)

    def deliver(self, seat: MailSeat, reply: Reply, result: ReplyResult) -> None:
        """Called with each answer before its reply is noted as answered; does nothing here."""

    def refuse(self, reply: Reply, told: str) -> None:
        """Print why a reply was refused."""
        self.code = KEY
        complain(f"{reply.source}: {told}")

    def tell(self, seat: MailSeat, result: ReplyResult) -> None:
        """Write the answer to a file, and say what to do with it."""
        print(f"{clean(seat.view.title)}, turn {seat.view.turn}: {result.told}")
        if result.letter:
            path = write_letter(seat.referee, result.letter)
            print(f"wrote {brief(path)} (an email to {clean(result.letter.name)})")
            say(f"send it to {result.letter.address}, so that they know what pbem understood")
        if result.fate == "sealed":
            print(f"next: pbem advance{self._where(seat.referee)}")

    def _where(self, session: Session) -> str:
        from pbem.screen.terminal import typed

        return "" if session.place == Path(".").absolute() else f" -C {typed(session.place)}"

    # -------------------------------------------------------------- the game
    def _seat(self, reply: Reply) -> MailSeat | str | None:
        """Return the seat that a reply is for, or a sentence if its player uses their own key
        now."""
        for token in reply.tokens:
            session = self._session(token.game)
            if session is None:
                continue
            if token.seat in session.roles.mail:
                return MailSeat(session, token.seat)
            if token.seat in session.game_folder.charter.content.by_mail:
                name = clean(session.here.name_of(token.seat))
                return f"{name} has a key for seat {token.seat} now, so emails do not count for it"
        return None

    def _session(self, digits: str) -> Session | None:
        """Return the game whose id begins with these digits, if it is here and you are its
        referee."""
        from pbem.cli.session.keyring import Keyring
        from pbem.cli.session.session import Session
        from pbem.mail.find_folder import game_in

        known = [
            self.home.game(game).place for game in self.home.games() if game.startswith(digits)
        ]
        for place in [self.folder] if self.folder else [Path(".").absolute(), *known]:
            if place and game_in(self.home.folder(place)).hex().startswith(digits):
                self._keyring = self._keyring or Keyring(self.home)
                session = Session(place, home=self.home, keyring=self._keyring)
                return session if session.roles.referee and session.listing.reached else None
        return None


class WrittenReplies(ReplyTaker):
    """Writes each answer to a file before pbem notes its reply as answered; `receive` uses this."""

    def deliver(self, seat: MailSeat, reply: Reply, result: ReplyResult) -> None:
        """Write the answer to a file (see ReplyTaker.deliver)."""
        if result.letter:
            write_letter(seat.referee, result.letter)
