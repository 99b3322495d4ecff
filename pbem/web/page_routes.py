"""The routes of the table: its web addresses, and which page answers each. `pbem table` serves
them; in a browser tab, pbem.web.program_in_tab answers the same requests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from pbem.files.game_folder_places import Place
from pbem.files.home import Home
from pbem.replay.page import player_script, styles
from pbem.web import (
    game_page,
    history_pages,
    join_pages,
    mail_pages,
    message_and_notice_pages,
    new_game_page,
    order_plan_on_page,
    referee_and_co_dealer_pages,
    rematch_on_page,
    result_and_audit_pages,
    rules_and_explain_pages,
    start_page,
)
from pbem.web.access_guard import ScriptedActs
from pbem.web.error_answers import answer_error
from pbem.web.open_games import OpenGames

STATIC = Path(__file__).parent / "static"


class ErrorPages:
    """Answers with a page that shows a sentence if the application raises an error, so that no
    traceback appears in the terminal."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the interface is ASGI's)."""
        try:
            await self.app(scope, receive, send)
        except HTTPException:
            raise
        except Exception as error:  # noqa: BLE001 - a bug becomes a sentence here too
            answer = await answer_error(Request(scope, receive), error)
            await answer(scope, receive, send)


def make_app(home: Home, folder: Place | None, extra_routes: Sequence[Route] = ()) -> Starlette:
    """Make the web application for one person's home.

    `folder` is a game to add to their list, None for none. `extra_routes` are pages that only a
    browser tab has.
    """
    game_path = "/game/{name}"
    app = Starlette(
        routes=[
            Route("/", start_page.show_games),
            Route("/unlock", start_page.unlock, methods=["POST"]),
            Route("/receive", mail_pages.receive, methods=["POST"]),
            Route("/new", new_game_page.show_form, methods=["GET"]),
            Route("/new", new_game_page.make_game, methods=["POST"]),
            Route("/learn", start_page.learn, methods=["POST"]),
            Route("/join", join_pages.join_game, methods=["POST"]),
            Route("/open", start_page.open_folder, methods=["POST"]),
            Route("/explain", rules_and_explain_pages.show_explain),
            Route("/rules/{name}", rules_and_explain_pages.show_rules),
            Route("/static/drawing.css", stylesheet),
            Route("/static/player.js", script_of_player),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route(game_path, game_page.show_game),
            Route(f"{game_path}/live", game_page.show_changes),
            Route(f"{game_path}/invite", join_pages.show_invite),
            Route(f"{game_path}/join", join_pages.join_here, methods=["POST"]),
            Route(f"{game_path}/plan", order_plan_on_page.show_plan),
            Route(f"{game_path}/plan", order_plan_on_page.change_plan, methods=["POST"]),
            Route(f"{game_path}/forecast", order_plan_on_page.show_forecast),
            Route(f"{game_path}/about", rules_and_explain_pages.show_thing),
            Route(f"{game_path}/seal", order_plan_on_page.seal_plan, methods=["POST"]),
            Route(f"{game_path}/deliver", order_plan_on_page.deliver_orders, methods=["POST"]),
            Route(f"{game_path}/take-back", order_plan_on_page.take_back_orders, methods=["POST"]),
            Route(f"{game_path}/missed", game_page.note_missed, methods=["POST"]),
            Route(f"{game_path}/news", history_pages.show_news),
            Route(f"{game_path}/history", history_pages.show_history),
            Route(f"{game_path}/replay", history_pages.show_replay),
            Route(f"{game_path}/proof", result_and_audit_pages.show_proof),
            Route(f"{game_path}/rematch", rematch_on_page.start_rematch, methods=["POST"]),
            Route(f"{game_path}/rules", rules_and_explain_pages.show_rules_of_game),
            Route(f"{game_path}/audit", result_and_audit_pages.show_audit),
            Route(f"{game_path}/messages", message_and_notice_pages.messages, methods=["GET"]),
            Route(
                f"{game_path}/messages", message_and_notice_pages.write_message, methods=["POST"]
            ),
            Route(f"{game_path}/notices", message_and_notice_pages.notices, methods=["GET"]),
            Route(f"{game_path}/notices", message_and_notice_pages.sign_notice, methods=["POST"]),
            Route(f"{game_path}/mail", mail_pages.show_mail),
            Route(f"{game_path}/mail/sent", mail_pages.note_sent, methods=["POST"]),
            Route(f"{game_path}/referee", referee_and_co_dealer_pages.show_referee),
            Route(f"{game_path}/referee", referee_and_co_dealer_pages.advance, methods=["POST"]),
            Route(f"{game_path}/deal", referee_and_co_dealer_pages.show_co_dealer),
            Route(f"{game_path}/deal", referee_and_co_dealer_pages.deal_part, methods=["POST"]),
            *extra_routes,
        ],
        middleware=[Middleware(ScriptedActs), Middleware(ErrorPages)],
    )
    app.state.games = OpenGames(home)
    app.state.start_folder = folder
    app.state.site = ""  # where a browser loaded the program, if it runs in one
    return app


async def stylesheet(request: Request) -> Response:
    """Answer with the style sheet of the drawings and of the player."""
    return Response(styles(), media_type="text/css")


async def script_of_player(request: Request) -> Response:
    """Answer with the script of the player, which replay pages have too."""
    return Response(player_script(), media_type="text/javascript")
