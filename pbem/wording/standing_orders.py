"""The fates of a seat's standing orders in one round, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.judge.game_view import View
from pbem.judge.standing_order_reports import Fate, standing_report
from pbem.terminal.game_prose import spaced
from pbem.text.numbers_and_lists import count_times

_HEADING: Final = "what your standing orders did in round {round}:"
_LINE: Final = '  {kind}: "{order}" {fates}'
_STOPPED: Final = "your standing orders have stopped in this round: {reasons}"
_NO_QUESTION: Final = "had no question to answer"
_FATES: Final[Mapping[Fate, str]] = {
    "followed": "followed {times}",
    "not possible": "pbem skipped this line {times}, because it was not possible",
    "not reached": "pbem did not need this line {times}, because a line above it fitted",
    "limits the other lines in the same list": "limited the other lines",
}


def standing_order_lines(view: View) -> list[str]:
    """Return the lines of `status` on the seat's standing orders."""
    report = standing_report(view)
    if report is None:
        return []
    lines = [
        _LINE.format(kind=row.kind, order=spaced(row.text), fates=_describe_fates(row.fates))
        for row in report.lines
        if row.fates
    ]
    if lines:
        lines.insert(0, _HEADING.format(round=report.round))
    if report.stopped:
        lines.append(_STOPPED.format(reasons=" and ".join(report.stopped)))
    return lines


def _describe_fates(counts_by_fate: Mapping[Fate, int]) -> str:
    fates = [
        _FATES[fate].format(times=count_times(count))
        for fate, count in counts_by_fate.items()
        if count
    ]
    return "; ".join(fates) or _NO_QUESTION
