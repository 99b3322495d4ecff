"""The table of a game as parts of a page in HTML, also as the user's plan would make it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from engine import UNKNOWN, Place, Scene
from pbem.drawing.pieces_and_cards_in_html import card_html, fact_html, piece_html, track_html
from pbem.drawing.table import icons_of, marked, middle, sprite
from pbem.judge.game_view import View
from pbem.replay.steps import find_changed_keys

# A server shows the same pieces and cards again and again, so their markup is cached.
_icons_of = lru_cache(16)(icons_of)
_piece_html = lru_cache(2048)(piece_html)
_card_html = lru_cache(2048)(card_html)
_sprite = lru_cache(16)(sprite)


def scene_values(view: View, scene: Scene, changed_keys: Sequence[str] = ()) -> dict[str, Any]:
    """Return a scene as values of a page: the middle, the user's own place, the other places
    clockwise.

    `changed_keys` are the keys of the parts to mark as changed.
    """
    icons = _icons_of(view.play.ruleset)
    flags: dict[str, list[str]] = {}
    for label, value in scene.facts:
        flags.setdefault(value, []).append(label)

    def mark_changes(part: str) -> Markup:  # the texts in a part were escaped when it was made
        return Markup(marked(part, changed_keys))

    def place_values(place: Place, index: int) -> dict[str, Any]:
        """Return the values of one player's place; a hand that this viewpoint does not know is
        shown as a number of backs."""
        cards = place.hand if any(card != UNKNOWN for card in place.hand) else ()
        return _place_values(view, place._replace(hand=cards), index, mark_changes) | {
            "seat": place.seat,
            "name": view.names.get(place.seat, ""),
            "at": index % 8,  # gives the colour
            "mine": place.seat == view.seat,
            "flags": flags.get(place.seat, ()),
            "backs": 0 if cards else len(place.hand),  # cards that this viewpoint does not know
        }

    other_indexes, own_indexes = scene.around(view.seat)
    middle_parts = middle(scene, icons)
    return {
        "sprite": Markup(_sprite(icons)),
        "tracks": [mark_changes(track_html(*fact, icons)) for fact in middle_parts.tracks],
        "facts": [
            mark_changes(fact_html(*fact, icons, f"fact:{fact[0]}")) for fact in middle_parts.chips
        ],
        "tiles": [
            mark_changes(fact_html(*fact, icons, f"fact:{fact[0]}")) for fact in middle_parts.tiles
        ],
        "words": middle_parts.words,
        "places": [place_values(scene.places[n], n) for n in (*own_indexes, *other_indexes)],
    }


def _place_values(
    view: View, place: Place, index: int, mark_changes: Callable[[str], Markup]
) -> dict[str, Any]:
    """Return the facts, pieces and hand of a place as HTML. `index` is the place's number at the
    table, `mark_changes` marks the changed parts of an element. The third item of pieces and cards
    is the word beside them in a plan (see `planned_place_values`), which is empty here."""
    icons, key = _icons_of(view.play.ruleset), f"seat:{place.seat}"
    hand = [_card_html(card, icons, f"{key}:hand:{n}") for n, card in enumerate(place.hand)]
    return {
        "facts": [
            mark_changes(fact_html(*fact, icons, f"{key}:{fact[0]}")) for fact in place.facts
        ],
        "pieces": [(p.name, mark_changes(_piece_html(p, icons, index)), "") for p in place.pieces],
        "hand": [
            (card, mark_changes(html), "") for card, html in zip(place.hand, hand, strict=True)
        ],
    }


def planned_place_values(view: View, planned_place: Place) -> dict[str, Any]:
    """Return the user's own place as the plan makes it, as values of a page.

    Changes are marked; each piece and card has a word beside it: `new`, `planned`, `used`, `gone`.
    Pieces that die out come last.
    """
    places = view.play.ruleset.scene(view.table.state).places
    index, place = next((n, place) for n, place in enumerate(places) if place.seat == view.seat)
    changed_keys = find_changed_keys(Scene((), (place,)), Scene((), (planned_place,)))

    def mark_changes(part: str) -> Markup:
        return Markup(marked(part, changed_keys, "data-planned"))

    planned_names = {piece.name for piece in planned_place.pieces}
    lost_pieces = [piece for piece in place.pieces if piece.name not in planned_names]
    pieces = (*planned_place.pieces, *lost_pieces)
    shown_place = planned_place._replace(hand=place.hand, pieces=pieces)
    values = _place_values(view, shown_place, index, mark_changes)
    hand_counts = Counter(planned_place.hand)
    for n, (card, html, _) in reversed([*enumerate(values["hand"])]):
        hand_counts[card] -= 1
        values["hand"][n] = card, html, "used" if hand_counts[card] < 0 else ""
    present_names = {piece.name for piece in place.pieces}
    for n, (name, html, _) in enumerate(values["pieces"]):
        word = "planned" if "data-planned" in html else ""
        if name not in planned_names:
            word = "gone"
        elif name not in present_names:
            word = "new"
        values["pieces"][n] = name, html, word
    return values
