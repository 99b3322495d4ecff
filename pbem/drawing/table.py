"""Draw a whole scene: what is in the middle, then each player's place; your own comes last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import Piece, Ruleset, Scene
from pbem.drawing import cards
from pbem.drawing.card_words import read_card
from pbem.drawing.icons import Icons
from pbem.drawing.pieces import piece, piece_words
from pbem.drawing.places import GAP, Seating, backs, draw_place, flow
from pbem.drawing.stylesheet import plain_stylesheet
from pbem.drawing.svg import NAMESPACE, Part, tag, words
from pbem.drawing.tiles import chip, die, tile

NARROWEST = 344.0
"""The smallest width of a player's place that shares a row with another."""


def icons_of(ruleset: Ruleset[Any]) -> Icons:
    """Return the icons of a ruleset."""
    drawings = ruleset.drawings()
    return Icons(drawings.icons, drawings.looks)


def draw(
    scene: Scene,
    icons: Icons,
    names: Mapping[str, str],
    seat: str = "",
    *,
    width: float = 1200.0,
    title: str = "",
    changed: Sequence[str] = (),
    alone: bool = False,
) -> str:
    """Draw the scene as one `svg` element, laid out for a width of `width` CSS pixels.

    `changed` are the keys (values of `data-key`) of parts to mark. A picture that is `alone` is a
    separate file with its own style sheet and icons; otherwise the page must have them
    (`stylesheet`, `sprite`).
    """
    inside, height = _scene(scene, icons, Seating(names, seat, flags(scene)), width)
    inside = marked(inside, changed)
    size = f"0 0 {width:g} {height:g}"
    if not alone:
        said = title or "the table"
        return tag("svg", inside, class_="pb", viewBox=size, role="group", aria_label=said)
    defs = tag("defs", icons.symbols(inside)) + tag("style", plain_stylesheet())
    ground = tag("rect", width=width, height=height, class_="pb-ground")
    named = tag("title", words(title)) if title else ""
    return tag(
        "svg", named, defs, ground, inside, xmlns=NAMESPACE, class_="pb", viewBox=size,
        width=width, height=height, role="img",
    )  # fmt: skip


def sprite(icons: Icons) -> str:
    """Return the definitions of all icons of a ruleset, once for a page whose pictures use them."""
    return tag("svg", icons.symbols(), class_="pb-sprite", aria_hidden="true")


def card_svg(text: str, icons: Icons, key: str = "") -> str:
    """Return one card as an `svg` element; `text` is as in a scene."""
    part = cards.card(text, icons, key)
    return part.svg("pb pb-one", read_card(text, icons).said)


def piece_svg(found: Piece, icons: Icons, at: int = 0) -> str:
    """Return one piece as an `svg` element; `at` is the number of its player at the table."""
    return piece(found, icons, at).svg("pb pb-one", piece_words(found, icons))


def fact_svg(name: str, value: str, icons: Icons, key: str = "", most: float = 340.0) -> str:
    """Return one fact of the table or of a player as an `svg` element."""
    part = tile(name, value, icons, key or f"fact:{name}", most)
    return part.svg("pb pb-one", f"{name} {value}".replace("_", " "))


def chip_svg(name: str, value: str, icons: Icons, key: str = "", most: float = 340.0) -> str:
    """Return one fact as a small box ("chip") of one line, as an `svg` element."""
    part = chip(name, value, icons, key or f"fact:{name}", most)
    return part.svg("pb pb-one", f"{name} {value}".replace("_", " "))


def die_svg(number: int) -> str:
    """Return a die that shows this number, as an `svg` element."""
    return die(number).svg("pb pb-one pb-die-shown", f"a die that shows {number}")


def backs_svg(count: int) -> str:
    """Return a hand of this many cards, unknown to the viewpoint, as an `svg` element."""
    return backs(count).svg("pb pb-one pb-backs", f"{count} in hand")


def marked(markup: str, changed: Sequence[str]) -> str:
    """Return the markup with `data-changed` on the elements that have these keys."""
    for key in changed:
        found = f'data-key="{words(key)}"'
        markup = markup.replace(found, f'data-changed="" {found}')
    return markup


def _scene(scene: Scene, icons: Icons, seating: Seating, width: float) -> tuple[str, float]:
    edge = GAP
    inner = width - 2 * edge
    tiles = [
        tile(name, value, icons, f"fact:{name}", inner)
        for name, value in scene.facts
        if value not in (seating.flags or ())  # the player's place already shows it
    ]
    drawn, high = flow(tiles, inner)
    markup = tag("g", Part(drawn, inner, high).at(edge, edge), class_="pb-middle")
    y = edge + high + GAP
    seats = [place.seat for place in scene.places]
    begin = seats.index(seating.seat) + 1 if seating.seat in seats else 0
    order = [(begin + n) % len(seats) for n in range(len(seats))]
    mine = [order.pop()] if seating.seat in seats else []
    for group, columns in ((order, 0), (mine, 1)):
        drawn, high = _shelves(scene, group, icons, seating, inner, columns)
        markup += Part(drawn, inner, high).at(edge, y)
        y += high + GAP if group else 0
    return markup, y


def _shelves(
    scene: Scene, order: Sequence[int], icons: Icons, seating: Seating, width: float, columns: int
) -> tuple[str, float]:
    """Draw these places in as many columns as make the picture lowest, or in `columns` columns."""
    most = max(1, min(len(order), int((width + GAP) // (NARROWEST + GAP))))
    tried = []
    for count in [columns] if columns else range(1, most + 1):
        each = (width + GAP) / count - GAP
        parts = [draw_place(scene.places[n], n, seating, icons, each) for n in order]
        tried.append(flow(parts, width))
    return min(tried, key=lambda one: one[1])


def flags(scene: Scene) -> dict[str, str]:
    """Return, for each seat that is the value of a fact, the fact's label, such as `first
    player`."""
    seats = {place.seat for place in scene.places}
    return {value: name for name, value in scene.facts if value in seats}
