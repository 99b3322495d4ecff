"""The deadline of a turn in words; `status`, `list`, `advance`, `send` and `calendar` use this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.cli.clock import now
from pbem.frozen import frozen

if TYPE_CHECKING:
    from pbem.play.view import View


@frozen
class Due:
    """The deadline of a turn. All times are seconds since 1970 UTC."""

    made: int
    """When the turn that asks the questions was made."""
    counts: int
    """The moment from which a seat that stays silent counts as absent, as the turn says; 0 =
    never."""
    grace: int = 0
    """Seconds between the deadline and the moment `counts`."""

    def __bool__(self) -> bool:
        return bool(self.counts)

    @property
    def deadline(self) -> int:
        """The deadline that players are told; orders still count in the grace after it."""
        return self.counts - self.grace

    @property
    def over(self) -> bool:
        """Whether the deadline and its grace have passed."""
        return 0 < self.counts <= now()

    @property
    def left(self) -> float:
        """The remaining share of the time until the deadline: 1 at first, 0 at the deadline, then
        negative."""
        return (self.deadline - now()) / max(self.deadline - self.made, 1)

    @property
    def words(self) -> str:
        """The deadline as words for a sentence, with its grace if any; empty if there is no
        deadline."""
        from pbem.text.dates import moment

        if not self.counts:
            return ""
        told = moment(self.deadline, now())
        if self.grace and not self.over:
            still = "still " if self.deadline <= now() else ""
            told += f" (orders {still}count until {moment(self.counts, now())})"
        return told

    @property
    def for_others(self) -> str:
        """The deadline in UTC, for people in other time zones."""
        from pbem.text.dates import utc_date

        later = f" (orders count until {utc_date(self.counts)})" if self.grace else ""
        return f"{utc_date(self.deadline)}{later}"


def due_of(view: View) -> Due:
    """Return the deadline of a view's last turn."""
    from pbem.play.calendar.charter_deadlines import phase_of

    return due(view.policies, phase_of(view.table.pending), view.times[-1], view.deadline)


def due(policies: Mapping[str, Any], phase: str, made: int, counts: int) -> Due:
    """Return the deadline of a turn.

    `made` is the time of the turn; silence counts from the time `counts` (0: never).
    """
    from pbem.play.calendar.charter_deadlines import rule_of

    return Due(made, counts, rule_of(policies, phase).grace if counts else 0)
