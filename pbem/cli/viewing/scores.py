"""The final scores, and what decided a tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.tell_entries import listed
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.play.view import View


def score_lines(view: View) -> list[str]:
    """One line for each seat, best first, and the tie-break if one decided."""
    result = view.play.ruleset.result(view.table.state)
    lines = []
    for score in result.scores:
        parts = " + ".join(f"{number} {name}" for name, number in score.parts.items())
        name = clean(view.names[score.seat])
        points = f"{score.total} point{'' if score.total == 1 else 's'}"
        lines.append(f"{score.rank}. {score.seat} {name}: {points} ({parts})")
    winners = listed(clean(view.names[seat]) for seat in result.winners)
    if result.decided_by == "shared":
        lines.append(f"{winners} share the win")
    elif result.decided_by:
        lines.append(f"{winners} wins; the tie was decided by {result.decided_by}")
    else:
        lines.append(f"{winners} wins")
    return lines
