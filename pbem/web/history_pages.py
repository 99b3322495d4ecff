"""The history of a game: the pages that play its news, show any moment, or replay all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from pbem.acts.write_replays_and_pictures import messages_for, page_text, view_to_show
from pbem.errors import CliError
from pbem.judge.game_view import View
from pbem.records.invite import slug
from pbem.replay.page import player_bar
from pbem.replay.steps import Steps
from pbem.web.game_page_head import head_values
from pbem.web.open_games import game_of
from pbem.web.page_rendering import page
from pbem.web.request_fields import read_number
from pbem.web.scene_as_html import scene_values

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.replay.steps import History


MAX_BRIEF_STEPS = 6
"""The most steps of a turn that plays by itself: each can be read within ten seconds."""


async def show_news(request: Request) -> Response:
    """Answer with the steps after the turn in the address, for the player on the board; with
    `brief` in the address, with few of them, for a turn that plays by itself."""
    game = game_of(request)
    view, last_seen_turn = game.view(), read_number(request, "since", 0)
    turns = range(_check_turn(view, last_seen_turn + 1), view.turn + 1)
    is_brief = "brief" in request.query_params
    most_steps = MAX_BRIEF_STEPS if is_brief else 0
    steps = Steps(game.history(), turns, at_once=not is_brief, most_steps=most_steps)
    return JSONResponse({"bar": player_bar(), **steps.data()})


async def show_history(request: Request) -> Response:
    """Show the table after an entry (`step` in the address) or turn (`turn`), else after the last
    entry. `since` shows all entries from that turn on."""
    game = game_of(request)
    view, history = game.view(), game.history()
    last_step = len(history.steps)
    if "since" in request.query_params:
        first_turn = read_number(request, "since", 1)
        step, previous_step = last_step, history.end_of(_check_turn(view, first_turn) - 1)
    elif "turn" in request.query_params:
        turn = _check_turn(view, read_number(request, "turn", view.turn))
        step, previous_step = history.end_of(turn), history.end_of(turn - 1)
    else:
        step = read_number(request, "step", last_step)
        previous_step = max(0, step - 1)
    if not 0 <= step <= last_step:
        raise CliError(f"there is no entry {step}; the last is {last_step}")
    values = head_values(request, game, "history") | _moment_values(
        view, history, step, previous_step
    )
    if request.headers.get("x-pbem-part") == "1":  # `fetchPart` in table_requests.js
        return page(request, "moment.html", **values)
    return page(request, "history.html", **values)


async def show_replay(request: Request) -> Response:
    """Answer with the page that `pbem replay` writes: everything that is public."""
    from starlette.concurrency import run_in_threadpool

    session = game_of(request).session
    # after the end of the game, this audits it first
    view = await run_in_threadpool(view_to_show, session, "")
    text = page_text(view, range(1, view.published + 1), messages_for(session, view))
    name = f'attachment; filename="{slug(view.title)}.html"'
    return HTMLResponse(text, headers={"content-disposition": name})


def _check_turn(view: View, turn: int) -> int:
    """Return a turn of the game. Raises CliError if it is not one."""
    if not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}")
    return turn


def _moment_values(view: View, history: History, step: int, previous_step: int) -> dict[str, Any]:
    """Return the table after an entry as values of a page, with the entries after
    `previous_step`."""
    scene, turn = history.scene_after(step), history.turn_at(step)
    return {
        "view": view,
        "step": step,
        "last_step": len(history.steps),
        "turn": turn,
        "first_of_turn": history.end_of(turn - 1) + 1 if turn else 0,
        "picture": scene_values(view, scene, history.changed(previous_step, step)),
        "steps": history.steps[previous_step:step],
        "since": view.accepted.get(view.seat, 1),
        "long": step - previous_step > 1,
    }
