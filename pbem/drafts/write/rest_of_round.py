"""Find out how far a round has gone: its phase, what may still be asked, and who has sent
nothing."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from engine import Phase
from pbem.play.view import View


def phase_of(view: View) -> str:
    """Return the phase of the next question, in the rulebook's words.

    The answer is empty when nothing is asked.
    """
    names = {p.name: p.doc or p.name for p in _phases(view)}
    return names.get(_now(view), "")


def may_come(view: View, kind: str) -> bool:
    """Return whether this kind may still be asked in this round.

    The kind's phase decides this. If the ruleset names no phase for it, the log decides: a kind
    that was asked only in phases that are over will not be asked again.
    """
    order = [phase.name for phase in _phases(view)]
    asked = {view.play.ruleset.kinds[kind].phase} - {""} or view.phases_of.get(kind, set())
    if not asked or _now(view) not in order:
        return True
    here = order.index(_now(view))
    return any(order.index(phase) >= here for phase in asked if phase in order)


def silent_so_far(view: View, sealed: Collection[str]) -> list[str]:
    """Return the seats that are not asked now, are not away, and have sent nothing for this round.

    Only what everybody can see decides this. `sealed` are the seats whose orders are here and wait
    for the next turn.
    """
    others = set(view.names) - {*view.awaited, *view.plays, *view.away, *sealed}
    return [seat for seat in sorted(others) if not _spoke(view, seat)]


def _spoke(view: View, seat: str) -> bool:
    """Return whether the seat's orders in force answered a turn of this round."""
    answered = view.accepted.get(seat, 0) - 1
    number = view.table.state.round
    return answered > 0 and view.round_at(answered) == number


def _phases(view: View) -> list[Phase[Any]]:
    ruleset = view.play.ruleset
    return [ruleset.opening, *ruleset.phases]


def _now(view: View) -> str:
    pending = view.table.pending
    return pending[0][0].split(".")[1] if pending else ""
