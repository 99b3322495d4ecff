"""Draw the table as parts of a web page: one drawing, with its name, for each piece and card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from engine import UNKNOWN
from pbem.drawing.table import card_svg, chip_svg, fact_svg, icons_of, marked, piece_svg, sprite
from pbem.frozen import frozen

if TYPE_CHECKING:
    from engine import Place, Scene
    from pbem.drawing.icons import Icons
    from pbem.play.view import View

SHORT, LONG = 12, 110
"""Lengths of a fact in characters: above SHORT it needs a wide tile; above LONG it is written as
text below the tiles."""


@frozen
class Drawn:
    """One drawing on the page, with its name."""

    name: str
    svg: Markup


@frozen
class DrawnPlace:
    """The drawings of everything in front of one player."""

    seat: str
    name: str
    at: int
    """The number of the player at the table, which gives their colour."""
    mine: bool
    flags: Sequence[str]
    facts: Sequence[Markup]
    pieces: Sequence[Drawn]
    hand: Sequence[Drawn]
    """The cards that this viewpoint knows."""
    backs: int
    """The number of cards in a hand that this viewpoint does not know."""


@frozen
class Picture:
    """The drawings of the whole table: the middle, then the players clockwise; your own place is
    last."""

    sprite: Markup
    facts: Sequence[Markup]
    words: Sequence[tuple[str, str]]
    """Facts that are too long for a tile: name and text."""
    places: Sequence[DrawnPlace]


def picture(view: View, scene: Scene, changed: Sequence[str] = ()) -> Picture:
    """Draw a scene as parts of a page; `changed` are the keys of the drawings to mark."""
    return _Drawing(view, changed).picture(scene)


# A server draws the same pieces and cards again and again, so their drawings are cached.
_icons_of = lru_cache(16)(icons_of)
_piece_svg = lru_cache(2048)(piece_svg)
_card_svg = lru_cache(2048)(card_svg)
_sprite = lru_cache(16)(sprite)


class _Drawing:
    def __init__(self, view: View, changed: Sequence[str]) -> None:
        self.seat, self.changed = view.seat, changed
        self.names: Mapping[str, str] = view.names
        self.icons: Icons = _icons_of(view.play.ruleset)

    def picture(self, scene: Scene) -> Picture:
        flags: dict[str, list[str]] = {}
        for label, value in scene.facts:
            flags.setdefault(value, []).append(label)
        seats = [place.seat for place in scene.places]
        begin = seats.index(self.seat) + 1 if self.seat in seats else 0
        order = [(begin + n) % len(seats) for n in range(len(seats))]
        middle = [fact for fact in scene.facts if fact[1] not in seats]
        middle.sort(key=lambda fact: len(fact[1]) > SHORT)  # small tiles share a row
        facts = [
            self._marked(fact_svg(label, value, self.icons))
            for label, value in middle
            if len(value) <= LONG
        ]
        words = [(label, value) for label, value in middle if len(value) > LONG]
        places = [self._place(scene.places[n], n, flags) for n in order]
        return Picture(Markup(_sprite(self.icons)), facts, words, places)

    def _place(self, place: Place, at: int, flags: Mapping[str, Sequence[str]]) -> DrawnPlace:
        key = f"seat:{place.seat}"
        known = any(card != UNKNOWN for card in place.hand)
        return DrawnPlace(
            seat=place.seat,
            name=self.names.get(place.seat, ""),
            at=at % 8,
            mine=place.seat == self.seat,
            flags=flags.get(place.seat, ()),
            facts=[
                self._marked(chip_svg(label, value, self.icons, f"{key}:{label}"))
                for label, value in place.facts
            ],
            pieces=[
                Drawn(piece.name, self._marked(_piece_svg(piece, self.icons, at)))
                for piece in place.pieces
            ],
            hand=[
                Drawn(card, self._marked(_card_svg(card, self.icons, f"{key}:hand:{n}")))
                for n, card in enumerate(place.hand)
            ]
            if known
            else [],
            backs=0 if known else len(place.hand),
        )

    def _marked(self, svg: str) -> Markup:
        """Return the drawing as safe markup: the texts in it were escaped when it was drawn."""
        return Markup(marked(svg, self.changed))
