"""Draw a whole scene: the middle, and each player's place with its facts and pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine import UNKNOWN, Look, Place, Ruleset, Scene
from engine.value_classes import Value
from pbem.drawing.pieces_and_cards import CARD_HEIGHT, CARD_WIDTH, WIDTH, Icons, card, piece
from pbem.drawing.svg import (
    NAMESPACE,
    Part,
    label,
    labels,
    lines_of,
    plain_stylesheet,
    tag,
    text_width,
    words,
)

# ---- Facts as tiles: a pile, a pond, a track or words

TILE_HEIGHT = 66.0
"""The height of a tile whose value takes one line."""
CHIP_HEIGHT = 32.0
"""The height of a small box ("chip") with one line."""
_ART_WIDTH = 50.0
"""The width of the picture at the left of a tile."""
_MAX_TEXT_WIDTH = 250.0
"""The width, in units, above which words take more than one line."""


def tile(name: str, value: str, icons: Icons, key: str, max_width: float = 1e9) -> Part:
    """Draw one fact as a tile at most `max_width` units wide; a page finds it by `key`."""
    look = icons.looks.get(name)
    if look and look.shape == "steps":
        part = _steps(name, value, look, icons, max_width)
    else:
        part = _plain_tile(name, value, look, icons, max_width)
    title = tag("title", words(f"{name} {value}".replace("_", " ")))
    group = tag("g", title, part.markup, class_="pb-tile", data_fact=name, data_key=key)
    return part._replace(markup=group)


def chip(name: str, value: str, icons: Icons, key: str, max_width: float = 1e9) -> Part:
    """Draw one fact of a player in one line, or in several if it is wider than `max_width`."""
    label_text = icons.player_fact_names.get(name, name).replace("_", " ")
    is_face_down = value.endswith(("face down", "(face down)"))
    shown_value = value.replace("_", " ")
    icon = icons.name_in(value) if is_face_down else icons.name_in(name) or icons.name_in(value)
    art = icons.use(icon, 8, 6, 20) if icon else ""
    if is_face_down and not icon:
        art = tag("rect", x=10.0, y=5.0, width=16.0, height=22.0, rx=3, class_="pb-back")
    label_x = 34.0 if art else 10.0
    value_x = label_x + text_width(label_text, 12) + 8
    lines = lines_of(shown_value, max(max_width - value_x - 10, 60), 14, bold=True)
    width = value_x + max(text_width(line, 14, bold=True) for line in lines) + 8
    text = label(label_text, label_x, 20.5, "pb-words")
    text += labels(lines, value_x, 21, 16, "pb-value")
    height = CHIP_HEIGHT + 16.0 * (len(lines) - 1)
    title = tag("title", words(f"{label_text} {shown_value}"))
    markup = title + _frame(width, height) + art + text
    group = tag("g", markup, class_="pb-tile", data_fact=name, data_key=key)
    return Part(group, width, height)


def _frame(width: float, height: float) -> str:
    return tag("rect", x=1.0, y=1.0, width=width - 2, height=height - 2, rx=10, class_="pb-board")


def _plain_tile(name: str, value: str, look: Look | None, icons: Icons, max_width: float) -> Part:
    """Draw a fact as words with, if there is one, a drawing or an icon at the left."""
    art = _ARTS[look.shape](value) if look and look.shape in _ARTS else ""
    exact_name = name.replace(" ", "_")
    icon = exact_name if exact_name in icons.icons else icons.name_in(value) or icons.name_in(name)
    if not art and icon:
        art = icons.use(icon, 12, 17, 32, "pb-large")
    left = 12 + _ART_WIDTH if art else 14
    shown_value, label_text, height = value.replace("_", " "), name.replace("_", " "), TILE_HEIGHT
    text = label(label_text, left, 25, "pb-words")
    widths = [text_width(label_text, 12)]
    if (large_width := text_width(shown_value, 20, bold=True)) <= 90:
        text += label(shown_value, left, 49, "pb-large-value")
        widths.append(large_width)
    else:
        room = min(
            _MAX_TEXT_WIDTH if len(shown_value) < 120 else 2 * _MAX_TEXT_WIDTH,
            max_width - left - 14,
        )
        lines = lines_of(shown_value, room, 13)
        text += labels(lines, left, 44, 16, "pb-text")
        widths += [text_width(line, 13) for line in lines]
        height = max(height, 44 + 16.0 * len(lines))
    width = left + max(widths) + 14
    return Part(_frame(width, height) + art + text, width, height)


def _steps(name: str, value: str, look: Look, icons: Icons, max_width: float) -> Part:
    """Draw a fact whose value is one of several steps: all steps in a row, the current one marked,
    and the value below."""
    current_step = max((s for s in look.steps if value.startswith(s)), key=len, default="")
    width = min(max_width, max(340.0, 46.0 * len(look.steps) + 24))
    pitch = (width - 24) / max(len(look.steps), 1)
    markup = label(name.replace("_", " "), 12, 22, "pb-words")
    for n, step in enumerate(look.steps):
        here_class = " pb-here" if step == current_step else ""
        x = 12 + pitch * n
        markup += tag(
            "rect", x=x, y=30.0, width=pitch - 3, height=34.0, rx=6,
            class_=f"pb-step pb-step-{round(8 * n / max(len(look.steps) - 1, 1))}{here_class}",
        )  # fmt: skip
        if icon := icons.name_in(step):
            markup += icons.use(icon, x + (pitch - 3) / 2 - 11, 36, 22, "pb-on-step")
        if here_class:
            markup += tag("path", d=f"M{x + pitch / 2 - 1.5:g} 68l-6 8h12z", class_="pb-marker")
    lines = lines_of(value.replace("_", " "), width - 24, 13)
    markup += labels(lines, 12, 92, 16, "pb-text")
    height = 86 + 16.0 * len(lines) + 4
    return Part(_frame(width, height) + markup, width, height)


def _pile(value: str) -> str:
    cards = min(5, -(-int(value) // 12)) if value.isdecimal() else 3
    if not cards:
        return tag("rect", x=16.0, y=14.0, width=28.0, height=38.0, rx=4, class_="pb-none")
    return "".join(
        tag("rect", x=14 + 2.0 * n, y=17 - 2.0 * n, width=28.0, height=38.0, rx=4, class_="pb-back")
        for n in range(cards)
    )


def _pool(value: str) -> str:
    """Draw a pond with as many tokens as the value says, up to its spots."""
    pond = tag("ellipse", cx=33.0, cy=34.0, rx=25, ry=21, class_="pb-pond")
    match = re.match(r"\d+", value)
    count = min(int(match[0]) if match else 0, len(_SPOTS))
    drops = (
        tag("path", d=f"M{x} {y - 4}q5 4 0 8q-5 -4 0 -8z", class_="pb-mark-leaves pb-on")
        for x, y in _SPOTS[:count]
    )
    return pond + "".join(drops)


_SPOTS = (
    (33, 34), (24, 30), (42, 38), (41, 28), (25, 40), (33, 24), (33, 44), (16, 34), (50, 34),
    (49, 42), (17, 26), (41, 48), (25, 20), (42, 20), (18, 43), (50, 26),
)  # fmt: skip
_ARTS: Mapping[str, Callable[[str], str]] = {"pile": _pile, "pool": _pool}


_DIE = 36.0
_DOTS = {
    1: ((18, 18),),
    2: ((11, 11), (25, 25)),
    3: ((11, 11), (18, 18), (25, 25)),
    4: ((11, 11), (25, 11), (11, 25), (25, 25)),
    5: ((11, 11), (25, 11), (18, 18), (11, 25), (25, 25)),
    6: ((11, 10), (25, 10), (11, 18), (25, 18), (11, 26), (25, 26)),
}


# ---- One player's place

GAP_WIDTH = 8.0
EDGE_WIDTH = 12.0
MIN_PIECE_WIDTH = 172.0
"""The smallest width of a piece when two fit side by side."""
_HEAD_HEIGHT = 42.0
_MAX_BACKS = 12


class Seating(Value):
    """The facts about the players that a picture shows but the scene does not contain."""

    names: Mapping[str, str]
    """The name of the player at each seat."""
    seat: str
    """The seat of the person who looks at the picture; empty for a spectator."""
    flags: Mapping[str, str]
    """Words to show beside a player's name, by seat, such as `first player`."""


def draw_place(place: Place, seat_index: int, seating: Seating, icons: Icons, width: float) -> Part:
    """Draw one player's place, `width` units wide; `seat_index` gives the player's colour."""
    inner_width = width - 2 * EDGE_WIDTH
    key = f"seat:{place.seat}"
    chips = [chip(*fact, icons, f"{key}:{fact[0]}", inner_width) for fact in place.facts]
    head_markup, y = _head(place, seat_index, seating, width, chips)
    count = max(2, int((inner_width + GAP_WIDTH) // (MIN_PIECE_WIDTH + GAP_WIDTH)))
    piece_width = min(WIDTH, (inner_width + GAP_WIDTH) / count - GAP_WIDTH)
    markup, used_height = flow(
        [piece(game_piece, icons, seat_index, piece_width) for game_piece in place.pieces],
        inner_width,
    )
    body = Part(markup, inner_width, used_height).moved_to(EDGE_WIDTH, y)
    y += used_height + GAP_WIDTH if place.pieces else 0
    markup, used_height = hand(place, icons, inner_width)
    body += Part(markup, inner_width, used_height).moved_to(EDGE_WIDTH, y)
    y += used_height + (EDGE_WIDTH if used_height else 0)
    own_class = " pb-mine" if place.seat == seating.seat else ""
    frame = tag("rect", x=1.0, y=1.0, width=width - 2, height=y - 2, rx=14, class_="pb-mat")
    group = tag(
        "g", frame, head_markup, body, class_=f"pb-place pb-seat-{seat_index % 8}{own_class}",
        data_seat=place.seat, data_key=key,
    )  # fmt: skip
    return Part(group, width, y)


def hand(place: Place, icons: Icons, room: float) -> tuple[str, float]:
    """Draw the hand (the cards, or backs with their number); return the markup and its height."""
    key = f"seat:{place.seat}:hand"
    if any(text != UNKNOWN for text in place.hand):
        scale = min(1.0, (room - 2 * GAP_WIDTH) / 3 / CARD_WIDTH)
        parts = [card(text, icons, f"{key}:{n}") for n, text in enumerate(place.hand)]
        if scale < 1:
            scaled_markups = [
                f'<g transform="scale({scale:.4f})">{part.markup}</g>' for part in parts
            ]
            parts = [
                Part(scaled_markup, CARD_WIDTH * scale, CARD_HEIGHT * scale)
                for scaled_markup in scaled_markups
            ]
        markup, used_height = flow(parts, room)
    else:
        part = unknown_hand(len(place.hand))
        markup, used_height = part.markup, part.height
    return tag("g", markup, class_="pb-hand", data_key=key), used_height


def unknown_hand(count: int) -> Part:
    """Draw an unknown hand: small backs and the number of cards."""
    shown_count = min(count, _MAX_BACKS)
    markup = "".join(
        tag("rect", x=1 + 12.0 * n, y=1.0, width=22.0, height=30.0, rx=4, class_="pb-back")
        for n in range(shown_count)
    )
    number = f"{count} in hand"
    left = 12.0 * shown_count + (18 if shown_count else 0)
    text = label(number, left, 21 if shown_count else 15, "pb-words")
    return Part(markup + text, left + text_width(number, 13), 32 if shown_count else 20)


def _head(
    place: Place, seat_index: int, seating: Seating, width: float, chips: Sequence[Part]
) -> tuple[str, float]:
    """Draw the head of a place: seat, name, flags, and the chips with the player's facts, beside
    the name if they fit. Return the markup and its height."""
    name = seating.names.get(place.seat, "")
    flags = ["you"] if place.seat == seating.seat else []
    flags += filter(None, [seating.flags.get(place.seat, "")])
    flag_text = " · ".join(flags)
    flag_width = text_width(flag_text, 12) + 14 if flag_text else 0.0
    room = width - 50 - EDGE_WIDTH - flag_width
    name_width = text_width(name, 17, bold=True)
    markup = tag("circle", cx=28.0, cy=26.0, r=14, class_="pb-seat")
    markup += label(place.seat, 28, 31.5, "pb-letter pb-mid")
    markup += label(name, 50, 32, "pb-player", room if name_width > room > 0 else 0)
    markup += label(flag_text, width - EDGE_WIDTH, 31, "pb-words pb-end") if flag_text else ""
    facts_width = sum(part.width + GAP_WIDTH for part in chips)
    if name_width + facts_width + 12 <= room:
        row_markup, height = flow(chips, facts_width)
        return markup + Part(row_markup, facts_width, height).moved_to(
            50 + name_width + 12, 10
        ), _HEAD_HEIGHT + 8
    row_markup, height = flow(chips, width - 2 * EDGE_WIDTH)
    return markup + Part(row_markup, width, height).moved_to(
        EDGE_WIDTH, _HEAD_HEIGHT + 6
    ), _HEAD_HEIGHT + 6 + height + GAP_WIDTH


def flow(parts: Iterable[Part], width: float) -> tuple[str, float]:
    """Arrange parts in rows from left to right that fit; return the markup and height."""
    markup, x, y, row_height = "", 0.0, 0.0, 0.0
    for part in parts:
        if x and x + part.width > width + 0.01:
            y += row_height + GAP_WIDTH
            x, row_height = 0.0, 0.0
        markup += part.moved_to(x, y)
        x += part.width + GAP_WIDTH
        row_height = max(row_height, part.height)
    return markup, y + row_height


# ---- The whole scene

Fact = tuple[str, str]
MIN_PLACE_WIDTH = 344.0
"""The smallest width of a player's place that shares a row with another."""


def icons_of(ruleset: Ruleset[Any]) -> Icons:
    """Return the icons of a ruleset."""
    drawings = ruleset.drawings()
    return Icons(drawings.icons, drawings.looks, ruleset.prose().seat_facts)


def draw(
    scene: Scene,
    icons: Icons,
    names: Mapping[str, str],
    seat: str = "",
    *,
    width: float = 1200.0,
    title: str = "",
    changed: Sequence[str] = (),
    is_separate_file: bool = False,
) -> str:
    """Draw the scene as one `svg` element, laid out for a width of `width` CSS pixels.

    `changed` are the keys (values of `data-key`) of parts to mark. A separate file has its own
    style sheet and icons; otherwise the page must have them (`stylesheet`, `sprite`).
    """
    markup, height = _scene(scene, icons, Seating(names, seat, flag_labels_by_seat(scene)), width)
    markup = marked(markup, changed)
    view_box = f"0 0 {width:g} {height:g}"
    if not is_separate_file:
        description = title or "the table"
        return tag(
            "svg", markup, class_="pb", viewBox=view_box, role="group", aria_label=description
        )
    definitions = tag("defs", icons.symbols(markup)) + tag("style", plain_stylesheet())
    background = tag("rect", width=width, height=height, class_="pb-ground")
    title_markup = tag("title", words(title)) if title else ""
    return tag(
        "svg", title_markup, definitions, background, markup, xmlns=NAMESPACE, class_="pb",
        viewBox=view_box, width=width, height=height, role="img",
    )  # fmt: skip


def sprite(icons: Icons) -> str:
    """Return the definitions of all icons of a ruleset, once for a page whose pictures use them."""
    return tag("svg", icons.symbols(), class_="pb-sprite", aria_hidden="true")


def die_svg(number: int) -> str:
    """Return a die that shows this number, which is a digit if it is above six."""
    frame = tag("rect", x=2.0, y=2.0, width=_DIE - 4, height=_DIE - 4, rx=7, class_="pb-board")
    dots = "".join(
        tag("circle", cx=float(x), cy=float(y), r=3.0, class_="pb-badge")
        for x, y in _DOTS.get(number, ())
    )
    face_markup = dots or label(str(number), _DIE / 2, 23.5, "pb-value pb-mid")
    part = Part(tag("g", frame + face_markup, class_="pb-die"), _DIE, _DIE)
    return part.svg("pb pb-one pb-die-shown", f"a die that shows {number}")


def marked(markup: str, changed: Sequence[str], mark: str = "data-changed") -> str:
    """Return the markup with an attribute on the elements that have these keys."""
    for key in changed:
        attribute = f'data-key="{words(key)}"'
        markup = markup.replace(attribute, f'{mark}="" {attribute}')
    return markup


def _scene(scene: Scene, icons: Icons, seating: Seating, width: float) -> tuple[str, float]:
    """Draw the whole scene: the table's facts, the other seats, the viewer's own place. Return the
    markup and its height."""
    inner_width = width - 2 * GAP_WIDTH
    tiles = [
        tile(name, value, icons, f"fact:{name}", inner_width)
        for name, value in scene.facts
        if value not in seating.flags  # the player's place already shows it
    ]
    row_markup, row_height = flow(tiles, inner_width)
    markup = tag(
        "g",
        Part(row_markup, inner_width, row_height).moved_to(GAP_WIDTH, GAP_WIDTH),
        class_="pb-middle",
    )
    y = GAP_WIDTH + row_height + GAP_WIDTH
    other_indexes, own_indexes = scene.around(seating.seat)
    for group, columns in ((other_indexes, 0), (own_indexes, 1)):
        row_markup, row_height = _shelves(scene, group, icons, seating, inner_width, columns)
        markup += Part(row_markup, inner_width, row_height).moved_to(GAP_WIDTH, y)
        y += row_height + GAP_WIDTH if group else 0
    return markup, y


def _shelves(
    scene: Scene, order: Sequence[int], icons: Icons, seating: Seating, width: float, columns: int
) -> tuple[str, float]:
    """Draw these places in rows of equal columns (0: as many as make the least height). Return the
    markup and its height."""
    max_columns = max(1, min(len(order), int((width + GAP_WIDTH) // (MIN_PLACE_WIDTH + GAP_WIDTH))))
    arrangements = []
    for count in [columns] if columns else range(1, max_columns + 1):
        column_width = (width + GAP_WIDTH) / count - GAP_WIDTH
        parts = [draw_place(scene.places[n], n, seating, icons, column_width) for n in order]
        arrangements.append(flow(parts, width))
    return min(arrangements, key=lambda arrangement: arrangement[1])


MAX_CHIP_CHARACTERS, MAX_TILE_CHARACTERS = 12, 110
"""Lengths of a fact in characters: a page shows one above SHORT as a tile, one above LONG as text.
"""


class Middle(NamedTuple):
    """The facts that a page shows in the middle of the table, by their drawing."""

    tracks: list[Fact]
    chips: list[Fact]
    tiles: list[Fact]
    words: list[Fact]


def middle(scene: Scene, icons: Icons) -> Middle:
    """Sort the facts of the table by how a page draws them.

    A fact whose value is a seat is left out, because the player's place shows it."""
    seats = {place.seat for place in scene.places}
    facts = Middle([], [], [], [])
    for name, value in scene.facts:
        look = icons.looks.get(name)
        if look and look.shape == "steps":
            facts.tracks.append((name, value))
        elif value not in seats:
            is_short, is_long = len(value) <= MAX_CHIP_CHARACTERS, len(value) > MAX_TILE_CHARACTERS
            (facts.chips if is_short else facts.words if is_long else facts.tiles).append(
                (name, value)
            )
    return facts


def flag_labels_by_seat(scene: Scene) -> dict[str, str]:
    """Return the label of the fact whose value is a seat, such as `first player`, by seat."""
    seats = {place.seat for place in scene.places}
    return {value: name for name, value in scene.facts if value in seats}
