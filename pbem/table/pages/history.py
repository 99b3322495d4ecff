"""The page that shows the game after any turn or entry, and what changed before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse

from pbem.cli.failure import CliError
from pbem.table.pages.frame import frame
from pbem.table.picture import picture
from pbem.table.render import page
from pbem.table.requests import game_of, number_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.play.view import View
    from pbem.replay.history import History


async def show(request: Request) -> Response:
    """Show the table after the entry or turn in the address; if there is none, after the last
    entry."""
    game = game_of(request)
    view, history = game.view(), game.history()
    last = len(history.steps)
    if "since" in request.query_params:
        taken = number_of(request, "since", 1)
        step, before = last, history.end_of(_turn(view, taken) - 1)
    elif "turn" in request.query_params:
        turn = _turn(view, number_of(request, "turn", view.turn))
        step, before = history.end_of(turn), history.end_of(turn - 1)
    else:
        step = number_of(request, "step", last)
        before = max(0, step - 1)
    if not 0 <= step <= last:
        raise CliError(f"there is no entry {step}; the last is {last}")
    values = frame(request, game, "history") | _moment(view, history, step, before)
    if request.headers.get("x-pbem-part") == "1":
        return page(request, "moment.html", **values)
    return page(request, "history.html", **values)


async def replay(request: Request) -> Response:
    """Answer with the whole game as one page to keep: what everybody may see, as `pbem replay`
    writes it."""
    from starlette.concurrency import run_in_threadpool

    from pbem.cli.pictures.replay import messages_for, page_text, view_to_show
    from pbem.records.joining import slug

    session = game_of(request).session
    # after the end of the game, this audits it first
    view = await run_in_threadpool(view_to_show, session, "")
    text = page_text(view, range(1, view.published + 1), messages_for(session, view))
    name = f'attachment; filename="{slug(view.title)}.html"'
    return HTMLResponse(text, headers={"content-disposition": name})


def _turn(view: View, turn: int) -> int:
    if not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}")
    return turn


def _moment(view: View, history: History, step: int, before: int) -> dict[str, Any]:
    """Return the table after `step` entries, and what differs from the table after `before`
    entries."""
    scene, turn = history.scene_after(step), history.turn_at(step)
    return {
        "view": view,
        "step": step,
        "last": len(history.steps),
        "turn": turn,
        "first_of_turn": history.end_of(turn - 1) + 1 if turn else 0,
        "picture": picture(view, scene, history.changed(before, step)),
        "steps": history.steps[before:step],
        "since": view.accepted.get(view.seat, 1),
        "long": step - before > 1,
    }
