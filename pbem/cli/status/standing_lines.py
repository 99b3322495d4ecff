"""What `status` says about your standing orders: each was followed, or why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.screen.tell_entries import spaced

if TYPE_CHECKING:
    from pbem.play.orders.standing_report import LineReport, StandingReport
    from pbem.play.view import View

_TOLD = {
    "followed": "followed {times}",
    "not possible": "passed over {times}, because it was not possible then",
    "not reached": "not reached {times}, because a line above it answered",
    "counts for the lines beside it": "held the other lines back",
}


def standing_of(view: View) -> StandingReport | None:
    """The report on your own standing orders; None if there is nothing to say."""
    if not view.texts:
        return None
    from pbem.play.orders.standing_report import standing_report

    return standing_report(view)


def standing_lines(view: View) -> list[str]:
    """The lines for people."""
    report = standing_of(view)
    if report is None:
        return []
    lines = [f"  {line.kind}: {_told(line)}" for line in report.lines if line.fates]
    head = [f"your standing orders in round {report.round}, all checked:"] if lines else []
    if report.stopped:
        when = " and ".join(report.stopped)
        lines.append(f"your standing orders have stopped in this round: {when}")
    return [*head, *lines]


def _told(line: LineReport) -> str:
    said = [_TOLD[fate].format(times=times(n)) for fate, n in line.fates.items() if n]
    return f'"{spaced(line.text)}" {"; ".join(said) or "had nothing to answer"}'


def times(number: int) -> str:
    """`once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def standing_data(view: View) -> dict[str, Any] | None:
    """The data for programs."""
    report = standing_of(view)
    if report is None:
        return None
    lines = [{"kind": one.kind, "line": one.text, "fates": one.fates} for one in report.lines]
    return {"round": report.round, "lines": lines, "stopped": report.stopped}
