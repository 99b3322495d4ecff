"""The page of rules of a ruleset, with its pieces and cards as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from engine import Ruleset, Scene
from pbem.drawing.pieces import Icons
from pbem.drawing.svg import Part as Picture
from pbem.drawing.table import card_svg, fact_svg, icons_of, marked, piece_svg, sprite
from pbem.judge.rules import ruleset_of
from pbem.replay.page import changes
from pbem.web.games import frame, game_of
from pbem.web.guard import page
from pbem.wording.explain import ruleset_called
from pbem.wording.how_to_play import Part, ShownExample, parts_of


async def show_rules(request: Request) -> Response:
    """Show how the ruleset with this name is played."""
    return _answer(request, ruleset_called(request.path_params["name"]), {"here": ""})


async def show_rules_of_game(request: Request) -> Response:
    """Show how a game is played, with the values that this game has."""
    game = game_of(request)
    return _answer(request, ruleset_of(game.session.charter), frame(request, game, "rules"))


def _answer(request: Request, ruleset: Ruleset[Any], head: Mapping[str, Any]) -> Response:
    icons = icons_of(ruleset)
    values = {
        "rules": ruleset,
        "parts": [_drawn(part, icons) for part in parts_of(ruleset)],
        "sprite": Markup(sprite(icons)),
        "icons": _Emblems(icons),
    }
    return page(request, "rules.html", **head, **values)


class _Emblems:
    """The icon of each trait, as a small picture."""

    def __init__(self, icons: Icons) -> None:
        self.icons = icons

    def __getitem__(self, name: str) -> Markup:
        if name not in self.icons.icons:
            return Markup("")
        return Markup(Picture(self.icons.use(name, 0, 0, 24), 24, 24).svg("pb"))


def _drawn(part: Part, icons: Icons) -> dict[str, Any]:
    return {
        "title": part.title,
        "blocks": part.blocks,
        "cards": [Markup(card_svg(card, icons)) for card in part.cards],
        "examples": [_example(example, icons) for example in part.examples],
        "lists": part.lists,
    }


def _example(example: ShownExample, icons: Icons) -> dict[str, Any]:
    changed_names = changes(example.start_scene, example.end_scene)
    return {
        "title": example.title,
        "text": example.text,
        "before": _pictures(example.start_scene, example.facts, icons, ()),
        "after": _pictures(example.end_scene, example.facts, icons, changed_names),
        "answers": example.answers,
        "refusals": example.refusals,
        "changes": example.changes,
    }


def _pictures(
    scene: Scene, facts: Sequence[str], icons: Icons, differ: Sequence[str]
) -> list[tuple[str, Markup]]:
    drawn = [("fact", fact_svg(*fact, icons)) for fact in scene.facts if fact[0] in facts]
    for at, place in enumerate(scene.places):
        drawn += [("piece", piece_svg(piece, icons, at)) for piece in place.pieces]
    return [(kind, Markup(marked(svg, differ))) for kind, svg in drawn]
