"""Report what a seat's standing orders did: which lines were followed, passed over or not reached.

It also says whether the orders in force answer what is open now. The seat's reader has checked
every entry and refuses a turn that did not follow the orders. This report only tells the owner what
happened, in the round in which the orders last answered something.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from engine import STOP, Entry, Line, line_number
from engine.resumed_orders import resumed_orders
from pbem.frozen import frozen
from pbem.play.orders.absence import round_of
from pbem.play.view import View

Fate = Literal[
    "followed", "not possible", "not reached", "applies to the other lines in the same list"
]


@frozen
class LineReport:
    """One standing line, and how often it was followed, passed over or not reached."""

    kind: str
    text: str
    fates: dict[Fate, int]


@frozen
class StandingReport:
    """The reports on all of a seat's standing lines in one round."""

    round: int
    lines: list[LineReport]
    stopped: list[str]
    """The stop lines whose condition came true in the present round."""


def standing_report(view: View) -> StandingReport | None:
    """Report on the orders in force; None if no standing line has answered or stopped yet."""
    standing = [line for line in view.lines if line.always and line.kind != STOP]
    if not standing or view.seat not in view.accepted:
        return None
    since = view.ends[view.accepted[view.seat] - 2]
    mine = [entry for entry in view.log[since:] if _by_standing(view, entry)]
    stopped = _stopped(view, since)
    if not mine and not stopped:
        return None
    number = round_of(mine[-1].key) if mine else view.table.state.round
    entries = [entry for entry in mine if round_of(entry.key) == number]
    return StandingReport(number, [_report(view, line, entries) for line in standing], stopped)


def answers_everything(view: View) -> bool:
    """Return whether the seat's orders in force answer everything that it is asked now."""
    mine = [(key, decision) for key, decision in view.table.pending if decision.seat == view.seat]
    if not mine or view.seat not in view.accepted:
        return False
    turn = view.accepted[view.seat]
    since, number = view.ends[turn - 2], view.round_at(turn - 1)
    orders = resumed_orders(view.table, view.seat, number, view.lines, view.log, since)
    return all(orders.answer(key, one, view.table.state) is not None for key, one in mine)


def _by_standing(view: View, entry: Entry) -> bool:
    return entry.seat == view.seat and entry.by.startswith("always ")


def _stopped(view: View, since: int) -> list[str]:
    """Find the stop lines that came true; the log is read only if the orders have stop lines."""
    if not any(line.kind == STOP for line in view.lines):
        return []
    number = view.table.state.round
    return resumed_orders(view.table, view.seat, number, view.lines, view.log, since).stopped


def _report(view: View, line: Line, entries: list[Entry]) -> LineReport:
    kind = [entry for entry in entries if entry.key.split(".")[2] == line.kind]
    said = view.play.ruleset.ready_lines.read(line.kind, line.text)
    if said is not None and said.line.keeps:
        times = len(kind)
        told: dict[Fate, int] = {"applies to the other lines in the same list": times}
        return LineReport(line.kind, line.text, told)
    fates = Counter(_fate(line, entry) for entry in kind)
    return LineReport(line.kind, line.text, dict(fates))


def _fate(line: Line, entry: Entry) -> Fate:
    """Return what happened to one line when a question was answered.

    Lines above the one that answered did not match; lines below it were not reached.
    """
    settled = line_number(entry.by)
    assert settled is not None  # the entry is one of the owner's choices
    if line.number == settled:
        return "followed"
    return "not possible" if line.number < settled else "not reached"
