"""The changes since a page was shown; every page asks for them again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from pbem.web.game_page import mark_of_region, page_title, regions_of, table_values
from pbem.web.game_page_head import head_values, is_sending
from pbem.web.open_games import game_of

if TYPE_CHECKING:
    from starlette.requests import Request


MAX_HAVE = 400
"""The longest list of regions that a page may say it has, in characters."""


async def show_changes(request: Request) -> Response:
    """Answer with the changes since the page was shown: the mark of the files and the last turn;
    for the page of a game (`have`) also each region that the page lacks, if the mark differs. A
    hidden page asks only for its `title`, so that nothing counts as seen.

    Every page asks for this again and again; it belongs to one person, as the page does.
    """
    game, query = game_of(request), request.query_params
    stamp = game.stamp
    sending = is_sending(request, game.session)
    changes_data: dict[str, Any] = {
        "stamp": stamp,
        "turn": game.session.listing.reached,
        "sending": sending,
    }
    have = query.get("have", "")[:MAX_HAVE]
    situation = game.situation() if have and query.get("stamp") != stamp else None
    if situation and situation.view is not None:
        values = head_values(request, game, "table") | table_values(request, game, situation)
        regions = {
            name: (mark_of_region(html), html) for name, html in regions_of(request, values).items()
        }
        known = set(have.split(","))
        changes_data["have"] = ",".join(f"{name}:{mark}" for name, (mark, _) in regions.items())
        changes_data["regions"] = {
            name: html for name, (mark, html) in regions.items() if f"{name}:{mark}" not in known
        }
        changes_data["title"] = values["page_title"]
    elif "title" in query and query.get("stamp") != stamp:
        situation = game.situation()
        if situation.view is not None:
            changes_data["title"] = page_title(situation, situation.view)
    return JSONResponse(changes_data)
