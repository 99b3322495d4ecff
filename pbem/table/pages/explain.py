"""The page that explains a card, a phase or a word, with the texts of `pbem explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.table.render import page
from pbem.table.requests import games_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

LONGEST = 200
"""The longest word that is looked up, in characters."""


async def show(request: Request) -> Response:
    """Answer with the text for a word, or the words that are close to it."""
    from games.registry import first, ruleset
    from pbem.cli.viewing.explain import find

    word = request.query_params.get("word", "")[:LONGEST]
    name = request.query_params.get("game", "")
    if name:
        rules = games_of(request).game(name).view().play.ruleset
    else:
        rules = ruleset(first())
    try:
        text = find(rules, word)
    except CliError as error:
        return page(request, "explain.html", text=None, told=str(error), hint=error.hint)
    return page(request, "explain.html", text=text, told="", hint="")
