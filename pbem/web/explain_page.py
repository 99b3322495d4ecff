"""The texts on a word, a card or a piece; of a card in the user's hand also its uses now."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from pbem.acts.orders_by_clicks import Planning
from pbem.drafts.uses_of_card_in_hand import about_card
from pbem.errors import CliError
from pbem.judge.game_ruleset import ruleset_called
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.open_games import game_of, games_of
from pbem.web.rendering import page
from pbem.wording.explained_words import find_text

MAX_NAME_CHARACTERS = 200
"""The longest name of a card or piece that is looked up, in characters."""


async def show_thing(request: Request) -> Response:
    """Show the text of a card or piece of the table; for a card in the user's hand, its uses
    now."""
    game, thing = game_of(request), request.query_params.get("thing", "")[:MAX_NAME_CHARACTERS]
    view = game.view()
    try:
        text, problem = find_text(view.play.ruleset, thing, view), ""
    except CliError as error:
        text, problem = None, off_terminal(error.sentence)
    places = view.play.ruleset.scene(view.table.state).places
    own_hand = next((place.hand for place in places if place.seat == view.seat), ())
    uses: list[str] = []
    if thing in own_hand and not view.is_over:
        with suppress(CliError):  # nobody can order anything now
            uses = about_card(view, Planning(game.session, view).draft.lines, thing)
    return page(request, "about.html", thing=thing, text=text, problem=problem, uses=uses)


MAX_WORD_CHARACTERS = 200
"""The longest word that is looked up, in characters."""


async def show_explain(request: Request) -> Response:
    """Answer with the text for a word, or the words that are close to it."""
    word = request.query_params.get("word", "")[:MAX_WORD_CHARACTERS]
    name = request.query_params.get("game", "")
    view = games_of(request).game(name).view() if name else None
    rules = view.play.ruleset if view else ruleset_called(request.query_params.get("rules", ""))
    try:
        text = find_text(rules, word, view)
    except CliError as error:
        return page(request, "explain.html", text=None, problem=error.sentence, hint=error.hint)
    return page(request, "explain.html", text=text, problem="", hint="")
