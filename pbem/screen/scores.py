"""Print the final scores: what decided a tie, and who comes last or shares a draw."""

from __future__ import annotations

from pathlib import Path

from engine import Score
from pbem.files.folder import Place
from pbem.game.standing import END_WORDS, LAST_TURN
from pbem.game.view import View
from pbem.screen.tell import listed
from pbem.screen.terminal import brief, clean, typed


def score_lines(view: View) -> list[str]:
    """Return one line for each seat, best first, and who won."""
    rows, end = _scores(view)
    return [*rows, *end]


def end_sentence(view: View) -> str:
    """Return who won a game that is over, and how it ended, in one sentence."""
    return "; ".join(_scores(view)[1])


def play_again(place: Place) -> str:
    """Return what to type to play again with the same people; `place` is the game's folder."""
    what = "to play again with the same people, in other seats:"
    if isinstance(place, Path) and place == Path.cwd():  # a game is not put into another one
        return f"{what} cd .. && pbem new NAME --like {typed(place.name)}"
    return f"{what} pbem new NAME --like {typed(brief(place))}"


def _scores(view: View) -> tuple[list[str], list[str]]:
    """Return one line for each seat, best first, and who won, with the tie-break if one was needed.

    Seats that conceded or were removed come last, whatever their scores are. A draw has no order,
    and neither has an end without a winner.
    """
    result, ranks = view.play.ruleset.result(view.table.state), places(view)
    if view.ended in ("draw", "no winner"):
        return [_line(view, "-", score) for score in result.scores], [_how_it_ended(view)]
    out = {**dict.fromkeys(view.conceded, "conceded"), **dict.fromkeys(view.removed, "removed")}
    lines = [
        _line(view, f"{ranks[score.seat]}.", score, out.get(score.seat, ""))
        for score in sorted(result.scores, key=lambda score: score.seat in out)
    ]
    winners = [s.seat for s in result.scores if ranks[s.seat] == 1 and s.seat not in out]
    names = listed(clean(view.names[seat]) for seat in winners)
    if not winners:
        end = "everybody has conceded, so nobody wins"
    elif len(winners) > 1:
        end = f"{names} share the win"
    elif result.decided_by not in ("", "shared") and winners == list(result.winners):
        end = f"{names} wins, because {result.decided_by} decided the tie"
    else:
        end = f"{names} wins"
    agreed = view.ended_by or view.ended == LAST_TURN  # not if everybody but a bot has conceded
    return lines, [end, *([_how_it_ended(view)] if agreed and winners else [])]


def places(view: View) -> dict[str, int]:
    """Return the rank of each seat of a game that is over; 0 if the end has no order.

    Seats that conceded or were removed are last together; they cannot win, not even if all have.
    """
    scores = view.play.ruleset.result(view.table.state).scores
    if view.ended in ("draw", "no winner"):
        return {score.seat: 0 for score in scores}
    out = {*view.conceded, *view.removed}
    stayed = [score for score in scores if score.seat not in out]
    ranks = {s.seat: 1 + sum(other.rank < s.rank for other in stayed) for s in stayed}
    return {score.seat: ranks.get(score.seat, len(stayed) + 1) for score in scores}


def _line(view: View, rank: str, score: Score, out: str = "") -> str:
    parts = " + ".join(f"{number} {name}" for name, number in score.parts.items())
    name = clean(view.names[score.seat])
    points = f"{score.total} point{'' if score.total == 1 else 's'}"
    return f"{rank} {score.seat} {name}: {points} ({parts})" + (f", {out}" if out else "")


def _how_it_ended(view: View) -> str:
    if view.ended == LAST_TURN:
        last = f"turn {view.turn}, the last that a game can have"
        return f"the game ended with {last}, with the scores as they are"
    return f"{clean(view.ended_by)} agreed to end the game {END_WORDS[view.ended]}"
