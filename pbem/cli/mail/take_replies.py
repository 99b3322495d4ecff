"""Read the emails in which players without `pbem` answer the referee, for `receive`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, complain, say
from pbem.cli.mail.mail_seats import MailSeat, write_letter
from pbem.screen.terminal import brief, clean

if TYPE_CHECKING:
    from pbem.cli.mail.mail_replies import Fate, ReplyResult
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
        """Read all replies in a file; return False if other code must still file what is in it.

        That is so if the file has no reply, or if it also contains records. Raises CliError,
        FileError, StorageError.
        """
        from pbem.mail.opening.letter import mails_in, open_post
        from pbem.mailseats.read_reply import is_reply, read_reply

        replies = [read_reply(mail, source) for mail in mails_in(data) if is_reply(mail)]
        replies = [reply for reply in replies if reply.tokens]
        if not replies:
            return False
        found = open_post(data, source)
        fates = [self._take(replace(reply, has_records=bool(found))) for reply in replies]
        # what is damaged may be a part of a message that the reply quotes
        return "bundle" not in fates and not any(one.data is not None for one in found)

    def _take(self, reply: Reply) -> Fate:
        from pbem.cli.mail.mail_replies import ReplyDesk

        seat = self._seat(reply)
        if isinstance(seat, str):
            return self._counts_for_nothing(reply, seat)
        result = ReplyDesk(seat).take(reply, lambda found: self.deliver(seat, reply, found))
        if result.fate == "forged":
            return self._counts_for_nothing(reply, result.told)
        if result.fate != "bundle":
            self.results.append((seat.referee, result))
            self.tell(seat, result)
        return result.fate

    def _counts_for_nothing(self, reply: Reply, told: str) -> Fate:
        """Print why a reply was refused, unless it also contains records, because its player uses
        `pbem` now."""
        if reply.has_records:
            return "bundle"
        self.refuse(reply, told)
        return "forged"

    def deliver(self, seat: MailSeat, reply: Reply, result: ReplyResult) -> None:
        """Do nothing here; a subclass gets each answer before its reply is noted as answered."""

    def refuse(self, reply: Reply, told: str) -> None:
        """Print why a reply was refused."""
        self.code = KEY
        complain(f"{reply.source}: {told}")

    def tell(self, seat: MailSeat, result: ReplyResult) -> None:
        """Write the answer to a file, and say what to do with it."""
        from pbem.cli.session.mail_hints import mail_hint

        print(f"{clean(seat.view.title)}, turn {seat.view.turn}: {result.told}")
        if result.letter:
            path = write_letter(seat.referee, result.letter)
            print(f"wrote {brief(path)} (an email to {clean(result.letter.name)})")
            say(
                f"send the email to {result.letter.address}, so that the player knows what pbem "
                "understood"
            )
        if result.fate in ("said", "conceded"):
            mail_hint(seat.referee)

    @property
    def changed(self) -> dict[bytes, Session]:
        """The games in which a reply changed something."""
        done = ("sealed", "said", "forwarded", "conceded")
        changed = (session for session, result in self.results if result.fate in done)
        return {session.game_folder.game: session for session in changed}

    # -------------------------------------------------------------- the game
    def _seat(self, reply: Reply) -> MailSeat | str:
        """Return the seat to which a reply belongs, or a sentence that says why there is none.

        That is the seat whose code in the reply is right. If no code is right, it is the first seat
        that a code names, or a sentence if that seat's player uses their own key now. A reply may
        quote codes that somebody else wrote into a message or a title.
        """
        named: list[MailSeat | str] = []
        for digits, letter in dict.fromkeys((one.game, one.seat) for one in reply.tokens):
            for session in self._sessions(digits):
                if letter in session.roles.mail:
                    seat = MailSeat(session, letter)
                    if seat.turn_of(reply.tokens):
                        return seat
                    named.append(seat)
                elif letter in session.game_folder.charter.content.by_mail:
                    name = clean(session.here.name_of(letter))
                    told = (
                        f"{name} now has a key for seat {letter}, so emails no longer count for it"
                    )
                    named.append(told)
        told = "it answers an email about a game of which you are not the referee"
        return named[0] if named else told

    def _sessions(self, digits: str) -> Iterator[Session]:
        """Find the games that you referee here and whose ids begin with these digits.

        There can be several: a stranger can make a game whose id begins like that of another game.
        Raises FileError if turns are missing there.
        """
        from pbem.cli.session.keyring import Keyring
        from pbem.cli.session.missing_turns import need_last_made
        from pbem.cli.session.session import Session
        from pbem.mail.find_folder import game_in

        known = [game for game in self.home.games() if game.startswith(digits)]
        places = [self.home.game(game).place for game in known]
        for place in [self.folder] if self.folder else [Path(".").absolute(), *places]:
            if place and game_in(self.home.folder(place)).hex().startswith(digits):
                self._keyring = self._keyring or Keyring(self.home)
                session = Session(place, home=self.home, keyring=self._keyring)
                if session.roles.referee:
                    need_last_made(session.here)  # else a reply to that turn would be lost
                    if session.listing.reached:
                        yield session


class WrittenReplies(ReplyTaker):
    """Writes each answer to a file before pbem notes its reply as answered; `receive` uses this."""

    def deliver(self, seat: MailSeat, reply: Reply, result: ReplyResult) -> None:
        """Write the answer to a file (see ReplyTaker.deliver)."""
        if result.letter:
            write_letter(seat.referee, result.letter)
