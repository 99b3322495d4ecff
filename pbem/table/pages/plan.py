"""The part of the page with your plan: look at it, change it, see what it would do, seal it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.cli.planning.planning import CHANGED, Planning
from pbem.table.pages.frame import frame
from pbem.table.pages.game import plan_state
from pbem.table.render import page
from pbem.table.requests import game_of, words_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.table.open_games import OpenGame

UNREAD = "nothing was sealed: the plan has mistakes, which are marked in it"


def _fragment(request: Request, game: OpenGame, told: str = "", status: int = 200) -> Response:
    """Answer with the plan as a part of the page."""
    from pbem.cli.status.game_status import status_of

    view = game.view()
    planning = Planning(game.session, view)
    state = plan_state(game, status_of(game.session, view))
    values = frame(request, game, "table") | {"plan": planning, "view": view, "state": state}
    return page(request, "plan.html", status, told=told, why_not="", **values)


async def show(request: Request) -> Response:
    """Show the plan as it is now."""
    return _fragment(request, game_of(request))


async def change(request: Request) -> Response:
    """Carry out one click, and show the plan after it."""
    game, said = game_of(request), await words_of(request)
    planning = Planning(game.session, game.view())
    try:
        planning.change(said)
    except CliError as error:
        return _fragment(request, game, str(error), 409)
    return _fragment(request, game)


async def foresee(request: Request) -> Response:
    """Show what the plan would do if nobody else acts."""
    from pbem.cli.orders.check_report import foreseen

    game = game_of(request)
    planning = Planning(game.session, game.view())
    told = foreseen(planning.view, planning.draft)
    return page(request, "forecast.html", told=told)


async def look_before(request: Request) -> Response:
    """Show what would be sealed, so that the player can confirm it."""
    game = game_of(request)
    planning = Planning(game.session, game.view())
    answered = [one for one in planning.lists if one.rows]
    values = {
        "now": [one for one in answered if one.question.asked],
        "later": [one for one in answered if not one.question.asked],
        "standing": [one for one in planning.standing if one.rows],
    }
    return page(request, "look_before.html", plan=planning, view=planning.view, **values)


async def seal(request: Request) -> Response:
    """Read every file again and seal the plan, as `pbem submit` does; show the receipt."""
    from pbem.cli.orders.open_draft import open_draft
    from pbem.cli.orders.seal_draft import seal_draft
    from pbem.cli.session.mail_hints import unsent
    from pbem.cli.turns.advance_report import MadeAtOnce
    from pbem.cli.turns.make_turns import waits_for_nobody

    game, said = game_of(request), await words_of(request)
    game.session.refresh()
    planning = Planning(game.session, game.session.view(fresh=True))
    if said.get("mark") != planning.mark:
        raise CliError(CHANGED)
    if planning.draft.errors:
        raise CliError(UNREAD)
    # the sealed lines stay in the draft, so that they can be changed later
    open_draft(game.session, planning.view)
    done = seal_draft(game.session, planning.view, planning.draft)
    game.session.refresh()
    ready = waits_for_nobody(game.session, planning.view)
    turns = MadeAtOnce(game.session)
    made = turns.lines() if ready else []
    game.look()
    return page(
        request,
        "receipt.html",
        receipt=done.told(final=ready),
        made=made,
        stopped=turns.stopped,
        by_mail=bool(unsent(game.session, planning.view.seat)),
        held=planning.view.seat in game.session.roles.held,
        **frame(request, game, "table"),
    )
