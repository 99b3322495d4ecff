"""Reports on standing orders: the fate of each line in a round."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from engine import STOP, Entry, Line, line_number
from engine.resumed_orders import resumed_orders
from engine.value_classes import Value
from pbem.judge.absent_seats import round_of
from pbem.judge.game_view import View

Fate = Literal["followed", "not possible", "not reached", "limits the other lines in the same list"]


class LineReport(Value):
    """One standing line of a seat, and its fate at each question that standing lines of the seat
    answered."""

    kind: str
    text: str
    fates: dict[Fate, int]
    """For each fate, the number of questions."""


class StandingReport(Value):
    """The reports on all of a seat's standing lines in one round."""

    round: int
    """The last round in which a standing line answered; the present round if none has."""
    lines: list[LineReport]
    stopped: list[str]
    """The stop lines with a condition that came true in the present round."""


def standing_report(view: View) -> StandingReport | None:
    """Report on the standing lines of the view's seat in its orders in force; None if there are
    none, or if none has answered or stopped yet."""
    standing_lines = [line for line in view.lines if line.always and line.kind != STOP]
    if not standing_lines or view.seat not in view.accepted:
        return None
    log_length = view.log_length_before_orders
    log = [entry for entry in view.log[log_length:] if entry.seat == view.seat]
    own_entries = [entry for entry in log if entry.by.startswith("always ")]
    stopped: list[str] = []
    if any(line.kind == STOP for line in view.lines):
        now = view.table.state.round
        orders = resumed_orders(view.table, view.seat, now, view.lines, view.log, log_length)
        stopped = orders.stopped
    if not own_entries and not stopped:
        return None
    number = round_of(own_entries[-1].key) if own_entries else view.table.state.round
    entries = [entry for entry in own_entries if round_of(entry.key) == number]
    reports = [_report(view, line, entries) for line in standing_lines]
    return StandingReport(number, reports, stopped)


def _report(view: View, line: Line, entries: list[Entry]) -> LineReport:
    """Report on one standing line; `entries` are the answers by standing lines of the seat."""
    entries_of_kind = [entry for entry in entries if entry.kind == line.kind]
    ready_call = view.play.ruleset.ready_lines.read(line.kind, line.text)
    fates = Counter(_fate(line, entry) for entry in entries_of_kind)
    if ready_call is not None and ready_call.line.keeps:
        # such a line chooses nothing: it limits what the others choose
        fates = Counter({"limits the other lines in the same list": len(entries_of_kind)})
    return LineReport(line.kind, line.text, dict(fates))


def _fate(line: Line, entry: Entry) -> Fate:
    """Return the fate of one line when a question was answered.

    Lines above the answering line did not match. Lines below it were not reached.
    """
    settling_number = line_number(entry.by)
    assert settling_number is not None  # the entry is one of the owner's choices
    if line.number == settling_number:
        return "followed"
    return "not possible" if line.number < settling_number else "not reached"
