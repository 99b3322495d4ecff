"""The page of rules of a ruleset, with its pieces and cards; and the texts on a word, a card or a
piece; of a card in the user's hand also its uses now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from engine import Ruleset, Scene
from pbem.acts.plan_orders_step_by_step import Planning
from pbem.drafts.playability_of_card_in_hand import about_card
from pbem.drawing.pieces_and_cards import Icons
from pbem.drawing.pieces_and_cards_in_html import card_html, fact_html, icon, piece_html
from pbem.drawing.table import icons_of, marked, sprite
from pbem.errors import CliError
from pbem.judge.game_ruleset import ruleset_called, ruleset_of
from pbem.replay.steps import find_changed_keys
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.game_page_head import head_values
from pbem.web.open_games import game_of, games_of
from pbem.web.page_rendering import page
from pbem.wording.find_explanation import find_text
from pbem.wording.how_to_play import Part, ShownExample, parts_of


async def show_rules(request: Request) -> Response:
    """Show how the ruleset with this name is played."""
    return _rules_page(request, ruleset_called(request.path_params["name"]), {"current_page": ""})


async def show_rules_of_game(request: Request) -> Response:
    """Show how a game is played, with the values that this game has."""
    game = game_of(request)
    return _rules_page(
        request, ruleset_of(game.session.charter), head_values(request, game, "rules")
    )


def _rules_page(request: Request, ruleset: Ruleset[Any], head: Mapping[str, Any]) -> Response:
    """Return the page of a ruleset. `head` are values for the head of the page."""
    icons = icons_of(ruleset)
    values = {
        "rules": ruleset,
        "parts": [_part_values(part, icons) for part in parts_of(ruleset)],
        "sprite": Markup(sprite(icons)),
        "icons": _Emblems(icons),
    }
    return page(request, "rules.html", **head, **values)


class _Emblems:
    """The icon of each trait."""

    def __init__(self, icons: Icons) -> None:
        self.icons = icons

    def __getitem__(self, name: str) -> Markup:
        return Markup(icon(name if name in self.icons.icons else ""))


def _part_values(part: Part, icons: Icons) -> dict[str, Any]:
    """Return a part of the rules as values for the page."""
    return {
        "title": part.title,
        "blocks": part.blocks,
        "cards": [Markup(card_html(card, icons)) for card in part.cards],
        "examples": [_example_values(example, icons) for example in part.examples],
        "lists": part.lists,
    }


def _example_values(example: ShownExample, icons: Icons) -> dict[str, Any]:
    """Return an example as values for the page: its texts, and its facts and pieces before and
    after. What differs is marked after."""
    changed_keys = find_changed_keys(example.start_scene, example.end_scene)
    return {
        "title": example.title,
        "text": example.text,
        "before": _scene_pieces(example.start_scene, example.facts, icons, ()),
        "after": _scene_pieces(example.end_scene, example.facts, icons, changed_keys),
        "answers": example.answers,
        "refusals": example.refusals,
        "changes": example.changes,
    }


def _scene_pieces(
    scene: Scene, facts: Sequence[str], icons: Icons, differ: Sequence[str]
) -> list[tuple[str, Markup]]:
    """Return the facts and pieces of a scene as HTML, each with its kind. `facts` are the labels of
    the facts to show, `differ` the keys of the parts to mark as changed."""
    parts = [
        ("fact", fact_html(name, value, icons, f"fact:{name}"))
        for name, value in scene.facts
        if name in facts
    ]
    for index, place in enumerate(scene.places):
        parts += [("piece", piece_html(piece, icons, index)) for piece in place.pieces]
    return [(kind, Markup(marked(part, differ))) for kind, part in parts]


# ---- The texts on a word, a card or a piece

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
