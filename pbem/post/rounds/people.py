"""Remember the addresses of the people in one game: in the home, never in a signed file."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from pbem.format.errors import RecordError
from pbem.storage.errors import StorageError

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.records.charter_join_orders import Join
    from pbem.storage.private.home import Mine

FILE: Final = "people.toml"


class People:
    """The addresses of people in one game, by seat or `referee`."""

    def __init__(self, mine: Mine) -> None:
        self.path = mine.root / FILE
        self._found: dict[str, str] | None = None
        self._none: set[str] = set()

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses, by seat or `referee`."""
        if self._found is None:
            self._found = self._read()
        return self._found

    def set(self, who: str, address: str) -> None:
        """Note a person's address; an empty one removes it. Raises StorageError."""
        from pbem.format.canonical import emit
        from pbem.storage.atomic_write import replace

        found = {**self.addresses, who: address}
        self._found = {one: where for one, where in sorted(found.items()) if where}
        self._none = {*self._none - {who}, *([] if address else [who])}
        replace(self.path, emit({"addresses": self._found, "none": sorted(self._none)}))

    def learn(self, who: str, address: str) -> bool:
        """Note an address if none is known for this person, and nobody said that no mail goes to
        them; return whether it was noted.

        Anyone can write any address into From, so this never changes an address that is known.
        """
        if not address or who in self.addresses or who in self._none:
            return False
        self.set(who, address)
        return True

    def _read(self) -> dict[str, str]:
        from pbem.storage.read_file import read_file
        from pbem.text.handwritten_toml import decoded

        try:
            doc = decoded(read_file(self.path))
        except (StorageError, RecordError, ValueError):
            return {}  # without these notes, the person has to name the addresses again
        told, none = doc.get("addresses"), doc.get("none")
        self._none = {str(who) for who in none} if isinstance(none, list) else set()
        found = told if isinstance(told, dict) else {}
        return {str(who): str(where) for who, where in found.items() if isinstance(where, str)}


def is_invited(session: Session, join: Join) -> bool:
    """Check whether a join has the code of an invite that counts now; only the referee can.

    Anybody with the charter can write a join for any seat, and put any address into `From:`.
    """
    from pbem.cli.notices.notice_here import standing_now
    from pbem.format.keys import Secrets
    from pbem.play.seats.invites import fresh_code, has_code
    from pbem.records.joining import invite_code

    game = session.game_folder.game
    table = session.game_folder.charter.content.table
    audit = Secrets(session.referee_key().seed).audit(table)
    if session.listing.reached:
        code = fresh_code(standing_now(session), audit, game, join.seat)
    else:
        code = invite_code(audit, game, join.seat)
    return has_code(join, audit, game, code)


def carry_over(session: Session, people: People) -> None:
    """Note the addresses of players who had no `pbem` and took their seats over: turns go on to
    the address that the turn mails went to. Raises StorageError."""
    from pbem.cli.failure import CliError
    from pbem.cli.mail.mail_seats import MailSeat

    if not session.roles.referee:
        return
    by_mail = set(session.game_folder.charter.content.by_mail)
    for seat in sorted(by_mail - session.roles.mail - people.addresses.keys()):
        with contextlib.suppress(CliError):  # it is not known here
            people.learn(seat, MailSeat(session, seat).address)
