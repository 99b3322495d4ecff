"""The end of a game on its page: your result, how ties fell, and whether the game was fair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from pbem.acts.remembered_audit import audit_once, remembered_audit
from pbem.judge.game_view import View
from pbem.judge.scores_and_ranks import departures_of, ranks_by_seat, scores_of
from pbem.terminal.clean_text import clean
from pbem.text.numbers_and_lists import counted, join_words
from pbem.web.game_page_head import head_values
from pbem.web.open_games import OpenGame, game_of
from pbem.web.rematch import rematch_values
from pbem.web.rendering import page
from pbem.wording.results import end_sentence, own_result_line, tie_lines

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def result_values(view: View) -> dict[str, Any]:
    """Return the result of the game as values of a page: the user's own result, a sentence on the
    end, the lead of the winner, everybody's points by their parts."""
    ranks, departures = ranks_by_seat(view), departures_of(view)
    scores = sorted(scores_of(view), key=lambda score: (ranks[score.seat], score.rank))
    parts = list(dict.fromkeys(name for score in scores for name in score.parts))
    staying_scores = [score for score in scores if score.seat not in departures]
    lead = staying_scores[0].total - staying_scores[1].total if len(staying_scores) > 1 else 0
    second_scores = [
        score for score in staying_scores[1:] if score.total == staying_scores[1].total
    ]
    margin = f"{counted(lead, 'point')} ahead of "
    margin += join_words(clean(view.names[score.seat]) for score in second_scores)
    seats = sorted(view.names)
    rows = [
        {
            "seat": score.seat,
            "name": view.names[score.seat],
            "at": seats.index(score.seat) % 8,
            "rank": ranks[score.seat] or "–",
            "total": score.total,
            "parts": [score.parts.get(name, 0) for name in parts],
            "out": departures.get(score.seat, ""),
            "mine": score.seat == view.seat,
        }
        for score in scores
    ]
    return {
        "own_result": own_result_line(view),
        "said": end_sentence(view),
        "ties": tie_lines(view),
        "margin": margin if lead > 0 and ranks[staying_scores[0].seat] == 1 else "",
        "parts": parts,
        "rows": rows,
        "most": max([1, *(sum(n for n in score.parts.values() if n > 0) for score in scores)]),
    }


# ---- Whether the game was fair


def end_values(request: Request, game: OpenGame, view: View) -> dict[str, Any]:
    """Return what the page of a game that is over says below its result. `proof` is the result of
    the last audit, None if the page must ask for one."""
    return {
        "proof": remembered_audit(game.session),
        "rematch": rematch_values(request, game, view),
    }


async def show_proof(request: Request) -> Response:
    """Audit a game that is over, unless that was done since its files changed; show the result."""
    game = game_of(request)
    notes = await run_in_threadpool(audit_once, game.session)
    return page(request, "proof.html", proof=notes, **head_values(request, game, "table"))
