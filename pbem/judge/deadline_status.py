"""The deadline of a turn: when it was asked, when it ends, and how much time is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.value_classes import Value
from pbem.judge.absent_seats import phase_of
from pbem.judge.game_view import View

if TYPE_CHECKING:
    from pbem.judge.turn_inputs_and_outcome import Outcome


class DeadlineStatus(Value):
    """The deadline of a turn. All times are seconds since 1970 UTC."""

    asked_at: int
    """The date of the turn that asks the questions."""
    absent_at: int
    """The moment from which a silent seat counts as absent, as the turn says; 0 = never."""
    grace_seconds: int = 0
    """Seconds between the deadline and the moment `absent_at`."""
    zone: str = ""
    """The time zone of the game's rule; empty if the rule is a span of time, the same anywhere."""

    def __bool__(self) -> bool:
        return bool(self.absent_at)

    @property
    def deadline(self) -> int:
        """The deadline that players are told; orders still count in the grace after it."""
        return self.absent_at - self.grace_seconds

    def is_over(self, now: int) -> bool:
        """Return whether the deadline and its grace have passed."""
        return 0 < self.absent_at <= now

    def share_left(self, now: int) -> float:
        """Return the remaining share of the time until the deadline: 1 at first, 0 at the deadline,
        then negative."""
        return (self.deadline - now) / max(self.deadline - self.asked_at, 1)


def deadline_status_of(asker: View | Outcome) -> DeadlineStatus:
    """Return the deadline of a view's last turn, or of the turn that the orders for `advance`
    answer; its `absent_at` is 0 if there is none."""
    if isinstance(asker, View):
        phase = phase_of(asker.table.pending)
        asked_at, absent_at = asker.times[-1], asker.deadline
    else:
        turn, phase = asker.turn, asker.phase
        asked_at, absent_at = (turn.time, turn.deadline) if turn else (0, 0)
    rule = asker.policies.rule(phase if absent_at else "")
    return DeadlineStatus(asked_at, absent_at, rule.grace, rule.zone if rule.days else "")
