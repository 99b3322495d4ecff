"""Earlier orders that still count, and so go into a new draft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from engine import (
    Line,
    line_number,
)
from engine.value_classes import Mutable
from pbem.drafts.order_file_toml import quote_option
from pbem.judge.game_view import View, has_answered_this_round
from pbem.judge.order_line_checks import UNFIT, LineChecker, Problem, decisions_by_kind


class CarriedLines(Mutable):
    """Lines of the orders for this round that can still be used, without standing orders."""

    lines: list[Line] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """Comments: which orders these are, and which of their lines are no longer possible."""

    def lines_of(self, kind: str) -> list[Line]:
        """Return the kept lines of one kind."""
        return [line for line in self.lines if line.kind == kind]


def carried_over_lines(view: View) -> CarriedLines:
    """Find the lines that a new draft takes over; none if the orders were for a different round."""
    if not view.orders or not has_answered_this_round(view, view.seat):
        return CarriedLines()
    used_numbers = _used_line_numbers(view)
    plain_lines = [
        line for line in view.lines if not line.always and line.number not in used_numbers
    ]
    decisions = decisions_by_kind(view.table, view.seat)
    problems = LineChecker(view.table, view.seat, plain_lines).run()
    reason_by_number = {
        problem.line: problem.sentence for problem in problems if problem.level == "error"
    }
    remarks = [
        f"# Your orders {view.orders[:6]} (revision {view.revision}) for this round still count.",
        "# What you seal now replaces all of them. The lines below can still be used.",
    ]
    remarks += [
        f"# No longer possible: {line.kind}: {quote_option(line.text)} "
        f"({reason_by_number[line.number]})"
        for line in plain_lines
        if line.number in reason_by_number
    ]
    done_numbers = _done_line_numbers(view, problems)
    carried_lines = [
        line for line in plain_lines if line.number not in {*reason_by_number, *done_numbers}
    ]
    # a seat that is asked nothing, and whose lines are all used, needs no remarks
    return CarriedLines(
        carried_lines, [*remarks, ""] if carried_lines or reason_by_number or decisions else []
    )


def standing_orders_now(view: View) -> list[Line]:
    """Return the seat's standing orders; before its first orders, those that the rules suggest."""
    if view.texts:
        return [line for line in view.lines if line.always]
    kinds = view.play.ruleset.kinds.values()
    return [Line(0, kind.name, kind.suggestion, True) for kind in kinds if kind.suggestion]


def _done_line_numbers(view: View, problems: Sequence[Problem]) -> set[int]:
    """Return the numbers of lines that are done: each has answered since the orders were accepted,
    and fits no choice now although its kind is asked.

    Lines with `*` and ready lines are meant for many answers, so they are never done. The seat must
    have orders in force.
    """
    unfit_numbers = {problem.line for problem in problems if problem.code == UNFIT}
    log = view.log[view.log_length_before_orders :]
    used_numbers = {line_number(entry.by) for entry in log if entry.seat == view.seat}
    read_line = view.play.ruleset.ready_lines.read
    return {
        line.number
        for line in view.lines
        if line.number in unfit_numbers & used_numbers
        and "*" not in line.text
        and read_line(line.kind, line.text) is None
    }


def _used_line_numbers(view: View) -> set[int]:
    """Return the numbers of the lines of scripts that were carried out since the orders in force
    were accepted. The seat must have orders in force."""
    kinds = view.play.ruleset.kinds
    used_numbers: set[int] = set()
    for entry in view.log[view.log_length_before_orders :]:
        kind, number = entry.kind, line_number(entry.by)
        if entry.seat != view.seat or number is None or not entry.by.startswith("line "):
            continue
        if kind in kinds and kinds[kind].script:
            step_count = len(entry.text.split("; "))
            used_numbers |= set(range(number, number + step_count))
    return used_numbers
