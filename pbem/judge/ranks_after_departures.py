"""Who won: the scores by the rules, and the ranks, in which seats that departed come last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import Score
from pbem.judge.game_view import View


def scores_of(view: View) -> Sequence[Score]:
    """Return the scores, best first; in a game that goes on, as if it ended now."""
    return view.play.ruleset.result(view.table.state).scores


def departures_of(view: View) -> dict[str, str]:
    """Return the seats that come last, whatever their scores are, each with the reason: `conceded`
    or `removed`."""
    return {**dict.fromkeys(view.conceded, "conceded"), **dict.fromkeys(view.removed, "removed")}


def ranking(view: View) -> list[dict[str, Any]]:
    """Return data on each player of a game that is over, best first."""
    ranks, departures = ranks_by_seat(view), departures_of(view)
    return [
        {
            "seat": score.seat,
            "name": view.names[score.seat],
            "bot": view.bots.get(score.seat, ""),
            "points": score.total,
            "rank": ranks[score.seat],
            "won": ranks[score.seat] == 1 and score.seat not in departures,
        }
        for score in sorted(scores_of(view), key=lambda score: (ranks[score.seat], score.seat))
    ]


def ranks_by_seat(view: View) -> dict[str, int]:
    """Return the rank of each seat of a game that is over; 0 if the end has no order.

    Seats that conceded or were removed are last together; they cannot win, not even if all have.
    """
    scores = scores_of(view)
    if view.ended in ("draw", "no winner"):
        return {score.seat: 0 for score in scores}
    departures = departures_of(view)
    stayers = [score for score in scores if score.seat not in departures]
    ranks = {s.seat: 1 + sum(rival.rank < s.rank for rival in stayers) for s in stayers}
    return {score.seat: ranks.get(score.seat, len(stayers) + 1) for score in scores}
