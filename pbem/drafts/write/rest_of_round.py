"""How far a round is: the current phase, and what may still be asked."""

from __future__ import annotations

from typing import Any

from engine import Phase
from pbem.play.view import View


def phase_of(view: View) -> str:
    """The phase of the next question, in the rulebook's words; empty when nothing is asked."""
    names = {p.name: p.doc or p.name for p in _phases(view)}
    return names.get(_now(view), "")


def may_come(view: View, kind: str) -> bool:
    """Whether this kind may still be asked in this round.

    Judged by the game so far: a kind that was asked only in phases now past does not come again.
    """
    order = [phase.name for phase in _phases(view)]
    asked = {key[1] for key in (e.key.split(".") for e in view.log) if key[2] == kind}
    if not asked or _now(view) not in order:
        return True
    here = order.index(_now(view))
    return any(order.index(phase) >= here for phase in asked if phase in order)


def _phases(view: View) -> list[Phase[Any]]:
    ruleset = view.play.ruleset
    return [ruleset.opening, *ruleset.phases]


def _now(view: View) -> str:
    pending = view.table.pending
    return pending[0][0].split(".")[1] if pending else ""
