"""The co-dealer's page: what the game waits for, and the button that deals your part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.acts.deal_as_co_dealer import deal_own_part
from pbem.errors import KEY, CliError
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.game_page_head import head_values
from pbem.web.open_games import OpenGame, game_of
from pbem.web.rendering import page
from pbem.web.request_fields import field_of, read_fields
from pbem.wording.advance import dealt_line
from pbem.wording.co_dealing import NO_CO_DEALER_SENTENCE, describe_owed_part

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


async def show_co_dealer(request: Request) -> Response:
    """Show what the game waits for, and whether that is your part. Writes nothing."""
    game = _dealt_game_of(request)
    situation = game.situation()
    return page(
        request,
        "co_dealer.html",
        **head_values(request, game, "deal"),
        owed_sentence=off_terminal(describe_owed_part(situation)),
        turn=game.session.listing.reached,
        is_owed=situation.owes_deal,
        may_deal=situation.may_deal,
        is_over=situation.stage == "over",
    )


async def deal_part(request: Request) -> Response:
    """Deal your part, as `pbem advance` does."""
    game, fields = _dealt_game_of(request), await read_fields(request)
    deal = deal_own_part(game.session, field_of(fields, "compared"))
    game.refresh()
    if deal is None:
        raise CliError(describe_owed_part(game.situation()))
    return page(
        request,
        "dealt.html",
        **head_values(request, game, "deal"),
        dealt_line=dealt_line(deal),
    )


def _dealt_game_of(request: Request) -> OpenGame:
    """Return the game of a request if you are a co-dealer in it. Raises CliError if not."""
    game = game_of(request)
    if not game.session.roles.co_dealer:
        raise CliError(NO_CO_DEALER_SENTENCE, "", KEY)
    return game
