"""The page of one game: the table, your plan beside it, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from pbem.cli.failure import CliError
from pbem.cli.planning.planning import Planning
from pbem.cli.status.before_turn_one import BeforeTurnOne
from pbem.table.pages.frame import frame
from pbem.table.picture import picture
from pbem.table.render import page
from pbem.table.requests import game_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.cli.status.game_status import GameStatus
    from pbem.play.view import View
    from pbem.table.open_games import OpenGame

FEW_TURNS = 3
"""The number of turns in the log beside the table."""


async def show(request: Request) -> Response:
    """Show the page of the game: its table as you may see it."""
    game = game_of(request)
    status = game.status()
    values = frame(request, game, "table")
    if isinstance(status, BeforeTurnOne):
        lines, roles = status.lines()[1:-1], game.session.roles
        may_join = not (roles.seats or roles.referee)
        told: dict[str, Any] = {"lines": lines, "notes": notes(game), "may_join": may_join}
        return page(request, "waiting.html", referee=bool(roles.referee), **told, **values)
    return page(request, "game.html", **values, **table_values(game, status))


def table_values(game: OpenGame, status: GameStatus) -> dict[str, Any]:
    """Return the values of the page of a game that has begun."""
    from pbem.drafts.write.rest_of_round import phase_of
    from pbem.screen.scores import score_lines

    view, history = game.view(), game.history()
    first = max(1, min(view.accepted.get(view.seat, 1), view.turn - FEW_TURNS + 1))
    scene = view.play.ruleset.scene(view.table.state)
    begin = history.end_of(view.turn - 1)
    changed = history.changed(begin, len(history.steps)) if view.turn > 1 else []
    # the owner knows their hand; a frame around one of its cards means that it can be used
    own_hand = f"seat:{view.seat}:hand"
    changed = [key for key in changed if not key.startswith(own_hand)]
    planning, why_not = plan_of(game, view)
    return {
        "view": view,
        "phase": phase_of(view),
        "picture": picture(view, scene, changed),
        "seats": seats(status),
        "warnings": [*warnings_of(status), *notes(game)],
        "scores": score_lines(view) if view.over else [],
        "plan": planning,
        "why_not": why_not,
        "state": plan_state(game, status),
        "steps": history.of_turns(range(max(first, view.turn - FEW_TURNS + 1), view.turn + 1)),
        "since": view.accepted.get(view.seat, 0),
    }


def plan_of(game: OpenGame, view: View) -> tuple[Planning | None, str]:
    """Return your plan, or the reason why you cannot plan now; for a spectator neither."""
    if not view.seat or view.over:
        return None, ""
    try:
        return Planning(game.session, view), ""
    except CliError as error:
        return None, str(error)


def plan_state(game: OpenGame, status: GameStatus) -> list[str]:
    """Return lines that say whether your orders are sealed, what they leave open, and when they are
    final."""
    from pbem.cli.status.my_orders import newest
    from pbem.cli.status.status_lines import StatusLines

    view = status.view
    if not view.seat or view.over:
        return []
    lines = []
    record = newest(game.session, view)
    if record is not None and view.seat in status.sealed:
        lines.append(f"Your orders are sealed as {record.id.hex()[:6]}.")
        if status.open_kinds:
            lines.append(f"They do not answer {', '.join(status.open_kinds)}.")
    return [*lines, *StatusLines(status).deadline()]


def seats(status: GameStatus) -> list[dict[str, Any]]:
    """Return, for each seat, the player's name and whether their answer is here."""
    view = status.view
    return [
        {
            "seat": seat,
            "name": name,
            "ready": status.readiness_of(seat),
            "asked": view.awaited.get(seat, []),
            "mine": seat == view.seat,
        }
        for seat, name in sorted(view.names.items())
    ]


def warnings_of(status: GameStatus) -> list[str]:
    """Return sentences on what is wrong with your orders or keys."""
    from pbem.cli.status.status_warnings import warnings

    return warnings(status)


def notes(game: OpenGame) -> list[str]:
    """Return notes on stray files in the folder."""
    from pbem.cli.status.ignored_files import notes as file_notes

    return [note.removeprefix("note: ") for note in file_notes(game.session)]


async def now(request: Request) -> Response:
    """Answer whether anything has changed since the page was shown."""
    game = game_of(request)
    return JSONResponse({"stamp": game.stamp})


async def stylesheet(request: Request) -> Response:
    """Answer with the style sheet of the drawings."""
    from pbem.drawing.stylesheet import stylesheet as found

    return Response(found(), media_type="text/css")
