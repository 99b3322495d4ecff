"""Find the lines of a seat's earlier orders that still count in this round, for the next draft."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine import Line, line_number
from pbem.drafts.choices import written
from pbem.play.orders.check_lines import LineChecker
from pbem.play.view import View


@dataclass
class Kept:
    """Lines of the orders in force that were sent for this round and can still be used.

    Standing orders are not among them.
    """

    lines: list[Line] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """Comments: which orders these are, and which of their lines are no longer possible."""

    def of(self, kind: str) -> list[Line]:
        """Return the kept lines of one kind."""
        return [line for line in self.lines if line.kind == kind]


def kept_lines(view: View) -> Kept:
    """Find the lines that a new draft takes over; none if the orders were for a different round."""
    if not view.orders or view.seat not in view.accepted or not _same_round(view):
        return Kept()
    plain = [line for line in view.lines if not line.always and line.number not in _used(view)]
    asked = {d.kind for _, d in view.table.pending if d.seat == view.seat}
    problems = LineChecker(view.table, view.seat, plain).run()
    wrong = {problem.line: problem.what for problem in problems if problem.level == "error"}
    remarks = [
        f"# Your orders {view.orders[:6]} (revision {view.revision}) for this round still count.",
        "# What you seal now replaces all of them. The lines below can still be used.",
    ]
    remarks += [
        f"# No longer possible: {line.kind}: {written(line.text)} ({wrong[line.number]})"
        for line in plain
        if line.number in wrong
    ]
    kept = [line for line in plain if line.number not in wrong]
    return Kept(kept, [*remarks, ""] if kept or wrong or asked else [])


def _same_round(view: View) -> bool:
    """Return whether the orders in force answered a question of the present round."""
    answered = view.accepted[view.seat] - 1
    return answered > 0 and view.round_at(answered) == view.table.state.round


def _used(view: View) -> set[int]:
    """Return the numbers of script lines that were carried out since the orders were accepted."""
    kinds, begin = view.play.ruleset.kinds, view.ends[view.accepted[view.seat] - 2]
    used: set[int] = set()
    for entry in view.log[begin:]:
        kind, number = entry.key.split(".")[2], line_number(entry.by)
        if entry.seat != view.seat or number is None or not entry.by.startswith("line "):
            continue
        if kind in kinds and kinds[kind].script:
            whole = len(entry.text.split("; "))
            used |= set(range(number, number + whole))
    return used
