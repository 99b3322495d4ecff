"""Find out for `status` and `list` whether `advance` would make something now.

`status` and `list` try `advance` without writing. If the referee's key has a passphrase, they only
look at the sealed orders and the deadline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.clock import now
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.cli.failure import CliError
    from pbem.cli.session.session import Session
    from pbem.play.making.outcome import Outcome
    from pbem.play.view import View

LACKING = "pbem advance says what is missing"


def leaves_open(name: str, seat: str) -> str:
    """Write a note that tells the referee that a seat's orders leave questions open."""
    told = f"the orders of {seat} {clean(name)} leave a question unanswered"
    return f"note: {told}: tell that player"


class Readiness:
    """Finds out whether the referee can make the next turn; only for the referee's session."""

    def __init__(
        self, session: Session, view: View | None = None, sealed: Collection[str] = ()
    ) -> None:
        self.session, self.view, self.sealed = session, view, sealed

    @property
    def ready(self) -> bool:
        """Whether `advance` would write something now."""
        view = self.view
        if view is not None and view.over:
            return self.session.listing.final is None
        if not self._worth_asking():
            return False  # this can be seen without making the whole game again
        outcome = self._outcome()
        return self._writes(outcome) if outcome else view is not None

    @property
    def sure(self) -> bool:
        """Whether it is certain that `advance` would write something, because it was tried."""
        outcome = self._outcome() if self.ready else None
        return bool(outcome and self._writes(outcome))

    def _writes(self, outcome: Outcome) -> bool:
        """Whether `advance` would write this, and not say that the clock seems wrong."""
        return bool(outcome.write) and self.session.refereeing.doubt(outcome) is None

    @property
    def doubt(self) -> CliError | None:
        """Why `advance` would not write the turn that it can make: its date seems wrong."""
        outcome = self._outcome() if self._worth_asking() else None
        return self.session.refereeing.doubt(outcome) if outcome else None

    @property
    def held_until(self) -> int:
        """When the turn will be made, if all have answered but may still change their orders; else
        0."""
        view = self.view
        if view is None or view.over or not self._worth_asking():
            return 0
        outcome = self._outcome()
        return outcome.held_until if outcome else 0

    @property
    def left_open(self) -> list[str]:
        """Seats whose sealed orders do not answer what they are asked."""
        view = self.view
        if view is None or view.over or view.preview or not set(view.awaited) & {*self.sealed}:
            return []
        outcome = self._outcome()
        return list(outcome.left_open) if outcome else []

    @property
    def answered(self) -> list[str]:
        """Seats whose orders answer every question that they are asked, as far as pbem can see."""
        view = self.view
        if view is None or view.over or view.preview:
            return []
        if not set(view.awaited) & set(view.accepted) - {*self.sealed}:
            return []  # only those who sealed something new can have answered
        outcome = self._outcome()
        return list(outcome.answered) if outcome else []

    def waits(self) -> str:
        """Return the names of the players that the next turn waits for."""
        view = self.view
        if view is None:
            return self._waits_to_begin()
        missing = [seat for seat in self._missing(view) if seat not in self.answered]
        missing = sorted({*missing, *self.left_open})
        if self.held_until:
            from pbem.text.dates import local_date

            until = local_date(self.held_until)
            return f"everyone has sealed orders; next: pbem advance, after {until}"
        if not missing:
            return f"everyone has sealed orders; {LACKING}"
        return f"the game is waiting for {', '.join(clean(view.names[seat]) for seat in missing)}"

    def _worth_asking(self) -> bool:
        view = self.view
        late = not view or 0 < view.deadline <= now()
        if late or not view or not self._missing(view):
            return True
        # some notices are not listed yet, or what one announced takes effect now
        return len(self.session.listing.notices) > len(view.notices) or self._due()

    def _due(self) -> bool:
        """Return whether something that a turn announced would take effect in a turn made now."""
        if not self.session.listing.notices:
            return False
        from pbem.cli.notices.notice_here import standing_now

        return bool(standing_now(self.session).due)

    def _missing(self, view: View) -> list[str]:
        away = view.away.keys() - {*self.sealed}
        return sorted(set(view.awaited) - {*self.sealed} - set(view.plays) - away)

    def _outcome(self) -> Outcome | None:
        """Return what `advance` would do; None if it cannot run or fails."""
        from pbem.cli.failure import CliError
        from pbem.format.errors import RecordError
        from pbem.format.keys import is_encrypted
        from pbem.storage.errors import StorageError

        session = self.session
        try:
            locked = is_encrypted(session.home.read_key(session.roles.referee))
            return None if locked and not session.roles.held else session.refereeing.outlook
        except (CliError, RecordError, StorageError):
            return None

    def _waits_to_begin(self) -> str:
        taken = {join.content.seat for join in self.session.game_folder.joins().values()}
        charter = self.session.game_folder.charter.content
        here = taken | set(charter.plays)
        free = [clean(plan.name) for plan in charter.seats if plan.seat not in here]
        return f"the game is waiting for {', '.join(free)} to join" if free else LACKING
