"""Draw a whole scene: the middle, and each player's place with its facts and pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine import UNKNOWN, Look, Piece, Place, Ruleset, Scene
from engine.values import Value
from pbem.drawing import pieces
from pbem.drawing.pieces import WIDTH, Icons, piece, piece_words, read_card
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

HIGH = 66.0
"""The height of a tile whose value takes one line."""
CHIP = 32.0
"""The height of a small box ("chip") with one line."""
_ART = 50.0
"""The width of the picture at the left of a tile."""
_LONGEST = 250.0
"""The width, in units, above which words take more than one line."""


def tile(name: str, value: str, icons: Icons, key: str, most: float = 1e9) -> Part:
    """Draw one fact as a tile at most `most` units wide; a page finds it by `key`."""
    look = icons.looks.get(name)
    if look and look.shape == "steps":
        part = _steps(name, value, look, icons, most)
    else:
        part = _plain(name, value, look, icons, most)
    title = tag("title", words(f"{name} {value}".replace("_", " ")))
    group = tag("g", title, part.markup, class_="pb-tile", data_fact=name, data_key=key)
    return part._replace(markup=group)


def chip(name: str, value: str, icons: Icons, key: str, most: float = 1e9) -> Part:
    """Draw one fact of a player in one line, or in several if it is wider than `most`."""
    label_text = icons.own.get(name, name).replace("_", " ")
    down = value.endswith(("face down", "(face down)"))
    shown = value.replace("_", " ")
    icon = icons.found(value) if down else icons.found(name) or icons.found(value)
    art = icons.use(icon, 8, 6, 20) if icon else ""
    if down and not icon:
        art = tag("rect", x=10.0, y=5.0, width=16.0, height=22.0, rx=3, class_="pb-back")
    left = 34.0 if art else 10.0
    start = left + text_width(label_text, 12) + 8
    lines = lines_of(shown, max(most - start - 10, 60), 14, bold=True)
    wide = start + max(text_width(line, 14, bold=True) for line in lines) + 8
    text = label(label_text, left, 20.5, "pb-words")
    text += labels(lines, start, 21, 16, "pb-value")
    high = CHIP + 16.0 * (len(lines) - 1)
    title = tag("title", words(f"{label_text} {shown}"))
    inside = title + _frame(wide, high) + art + text
    group = tag("g", inside, class_="pb-tile", data_fact=name, data_key=key)
    return Part(group, wide, high)


def _frame(width: float, height: float) -> str:
    return tag("rect", x=1.0, y=1.0, width=width - 2, height=height - 2, rx=10, class_="pb-board")


def _plain(name: str, value: str, look: Look | None, icons: Icons, most: float) -> Part:
    art = _ARTS[look.shape](value) if look and look.shape in _ARTS else ""
    exact = name.replace(" ", "_")
    icon = exact if exact in icons.icons else icons.found(value) or icons.found(name)
    if not art and icon:
        art = icons.use(icon, 12, 17, 32, "pb-large")
    left = 12 + _ART if art else 14
    shown, label_text, high = value.replace("_", " "), name.replace("_", " "), HIGH
    text = label(label_text, left, 25, "pb-words")
    widths = [text_width(label_text, 12)]
    if (large := text_width(shown, 20, bold=True)) <= 90:
        text += label(shown, left, 49, "pb-large-value")
        widths.append(large)
    else:
        room = min(_LONGEST if len(shown) < 120 else 2 * _LONGEST, most - left - 14)
        lines = lines_of(shown, room, 13)
        text += labels(lines, left, 44, 16, "pb-text")
        widths += [text_width(line, 13) for line in lines]
        high = max(high, 44 + 16.0 * len(lines))
    wide = left + max(widths) + 14
    return Part(_frame(wide, high) + art + text, wide, high)


def _steps(name: str, value: str, look: Look, icons: Icons, most: float) -> Part:
    here = max((s for s in look.steps if value.startswith(s)), key=len, default="")
    wide = min(most, max(340.0, 46.0 * len(look.steps) + 24))
    pitch = (wide - 24) / max(len(look.steps), 1)
    drawn = label(name.replace("_", " "), 12, 22, "pb-words")
    for n, step in enumerate(look.steps):
        on = " pb-here" if step == here else ""
        x = 12 + pitch * n
        drawn += tag(
            "rect", x=x, y=30.0, width=pitch - 3, height=34.0, rx=6,
            class_=f"pb-step pb-step-{round(8 * n / max(len(look.steps) - 1, 1))}{on}",
        )  # fmt: skip
        if icon := icons.found(step):
            drawn += icons.use(icon, x + (pitch - 3) / 2 - 11, 36, 22, "pb-on-step")
        if on:
            drawn += tag("path", d=f"M{x + pitch / 2 - 1.5:g} 68l-6 8h12z", class_="pb-marker")
    lines = lines_of(value.replace("_", " "), wide - 24, 13)
    drawn += labels(lines, 12, 92, 16, "pb-text")
    high = 86 + 16.0 * len(lines) + 4
    return Part(_frame(wide, high) + drawn, wide, high)


def track(name: str, value: str, icons: Icons, key: str) -> Part:
    """Draw a fact that is one of several steps in a line, with the words beside them."""
    steps = icons.looks[name].steps
    here = max((step for step in steps if value.startswith(step)), key=len, default="")
    drawn, x = "", 8.0
    for n, step in enumerate(steps):
        on = " pb-here" if step == here else ""
        shade = f"pb-step pb-step-{round(8 * n / max(len(steps) - 1, 1))}{on}"
        box = tag("rect", x=x, y=5.0, width=_STEP - 2, height=24.0, rx=5, class_=shade)
        if icon := icons.found(step):
            box += icons.use(icon, x + _STEP / 2 - 9, 9, 16, "pb-on-step")
        if on:
            box += tag("path", d=f"M{x + _STEP / 2 - 1:g} 31l-5 7h10z", class_="pb-marker")
        drawn += tag("g", tag("title", words(step)), box)
        x += _STEP
    label_text, more = name.replace("_", " "), value.removeprefix(here).strip(" ()")
    left = x + 8
    drawn += label(label_text, left, 17, "pb-words")
    start = left + text_width(label_text, 12) + 6
    drawn += label(here, start, 17.5, "pb-value")
    drawn += label(more, left, 34, "pb-note")
    wide = max(start + text_width(here, 14, bold=True), left + text_width(more, 11)) + 8
    title = tag("title", words(f"{label_text} {value}"))
    inside = title + tag(
        "rect", x=1.0, y=1.0, width=wide - 2, height=_TRACK - 2, rx=10, class_="pb-board"
    )
    group = tag("g", inside + drawn, class_="pb-tile", data_fact=name, data_key=key)
    return Part(group, wide, _TRACK)


_STEP, _TRACK = 23.0, 42.0


def _pile(value: str) -> str:
    cards = min(5, -(-int(value) // 12)) if value.isdecimal() else 3
    if not cards:
        return tag("rect", x=16.0, y=14.0, width=28.0, height=38.0, rx=4, class_="pb-none")
    return "".join(
        tag("rect", x=14 + 2.0 * n, y=17 - 2.0 * n, width=28.0, height=38.0, rx=4, class_="pb-back")
        for n in range(cards)
    )


def _pool(value: str) -> str:
    pond = tag("ellipse", cx=33.0, cy=34.0, rx=25, ry=21, class_="pb-pond")
    found = re.match(r"\d+", value)
    count = min(int(found[0]) if found else 0, len(_SPOTS))
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

GAP = 8.0
EDGE = 12.0
LEAST = 172.0
"""The smallest width of a piece when two fit side by side."""
_HEAD = 42.0
_MOST_BACKS = 12


class Seating(Value):
    """The facts about the players that a picture shows but the scene does not contain."""

    names: Mapping[str, str]
    """The name of the player at each seat."""
    seat: str
    """The seat of the person who looks at the picture; empty for a spectator."""
    flags: Mapping[str, str]
    """Words to show beside a player's name, by seat, such as `first player`."""


def draw_place(found: Place, at: int, seating: Seating, icons: Icons, width: float) -> Part:
    """Draw one player's place, `width` units wide; `at` is their number at the table."""
    inner = width - 2 * EDGE
    key = f"seat:{found.seat}"
    chips = [chip(*fact, icons, f"{key}:{fact[0]}", inner) for fact in found.facts]
    head, y = _head(found, at, seating, width, chips)
    count = max(2, int((inner + GAP) // (LEAST + GAP)))
    wide = min(WIDTH, (inner + GAP) / count - GAP)
    drawn, used = flow([piece(one, icons, at, wide) for one in found.pieces], inner)
    body = Part(drawn, inner, used).at(EDGE, y)
    y += used + GAP if found.pieces else 0
    drawn, used = hand(found, icons, inner)
    body += Part(drawn, inner, used).at(EDGE, y)
    y += used + (EDGE if used else 0)
    mine = " pb-mine" if found.seat == seating.seat else ""
    frame = tag("rect", x=1.0, y=1.0, width=width - 2, height=y - 2, rx=14, class_="pb-mat")
    group = tag(
        "g", frame, head, body, class_=f"pb-place pb-seat-{at % 8}{mine}", data_seat=found.seat,
        data_key=key,
    )  # fmt: skip
    return Part(group, width, y)


def hand(found: Place, icons: Icons, room: float) -> tuple[str, float]:
    """Draw the hand (the cards, or backs with their number); return the markup and its height."""
    key = f"seat:{found.seat}:hand"
    if any(card != UNKNOWN for card in found.hand):
        scale = min(1.0, (room - 2 * GAP) / 3 / pieces.WIDE)
        drawn = [pieces.card(text, icons, f"{key}:{n}") for n, text in enumerate(found.hand)]
        if scale < 1:
            small = [f'<g transform="scale({scale:.4f})">{part.markup}</g>' for part in drawn]
            drawn = [Part(one, pieces.WIDE * scale, pieces.HIGH * scale) for one in small]
        markup, used = flow(drawn, room)
    else:
        part = backs(len(found.hand))
        markup, used = part.markup, part.height
    return tag("g", markup, class_="pb-hand", data_key=key), used


def backs(count: int) -> Part:
    """Draw an unknown hand: small backs and the number of cards."""
    shown = min(count, _MOST_BACKS)
    drawn = "".join(
        tag("rect", x=1 + 12.0 * n, y=1.0, width=22.0, height=30.0, rx=4, class_="pb-back")
        for n in range(shown)
    )
    number = f"{count} in hand"
    left = 12.0 * shown + (18 if shown else 0)
    text = label(number, left, 21 if shown else 15, "pb-words")
    return Part(drawn + text, left + text_width(number, 13), 32 if shown else 20)


def _head(
    found: Place, at: int, seating: Seating, width: float, chips: Sequence[Part]
) -> tuple[str, float]:
    name = seating.names.get(found.seat, "")
    flags = ["you"] if found.seat == seating.seat else []
    flags += filter(None, [seating.flags.get(found.seat, "")])
    flag_text = " · ".join(flags)
    end = text_width(flag_text, 12) + 14 if flag_text else 0.0
    room = width - 50 - EDGE - end
    named = text_width(name, 17, bold=True)
    drawn = tag("circle", cx=28.0, cy=26.0, r=14, class_="pb-seat")
    drawn += label(found.seat, 28, 31.5, "pb-letter pb-mid")
    drawn += label(name, 50, 32, "pb-player", room if named > room > 0 else 0)
    drawn += label(flag_text, width - EDGE, 31, "pb-words pb-end") if flag_text else ""
    facts = sum(part.width + GAP for part in chips)
    if named + facts + 12 <= room:
        row, high = flow(chips, facts)
        return drawn + Part(row, facts, high).at(50 + named + 12, 10), _HEAD + 8
    row, high = flow(chips, width - 2 * EDGE)
    return drawn + Part(row, width, high).at(EDGE, _HEAD + 6), _HEAD + 6 + high + GAP


def flow(parts: Iterable[Part], width: float) -> tuple[str, float]:
    """Arrange parts in rows from left to right that fit; return the markup and height."""
    drawn, x, y, high = "", 0.0, 0.0, 0.0
    for part in parts:
        if x and x + part.width > width + 0.01:
            y += high + GAP
            x, high = 0.0, 0.0
        drawn += part.at(x, y)
        x += part.width + GAP
        high = max(high, part.height)
    return drawn, y + high


# ---- The whole scene

Fact = tuple[str, str]
NARROWEST = 344.0
"""The smallest width of a player's place that shares a row with another."""
MOST = 340.0
"""The largest width of a fact that is drawn alone."""


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
        about = title or "the table"
        return tag("svg", inside, class_="pb", viewBox=size, role="group", aria_label=about)
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
    part = pieces.card(text, icons, key)
    return part.svg("pb pb-one", read_card(text, icons).in_words)


def piece_svg(found: Piece, icons: Icons, at: int = 0) -> str:
    """Return one piece as an `svg` element; `at` is the number of its player at the table."""
    return piece(found, icons, at).svg("pb pb-one", piece_words(found, icons))


def fact_svg(name: str, value: str, icons: Icons) -> str:
    """Return one fact of the table as an `svg` element."""
    part = tile(name, value, icons, f"fact:{name}", MOST)
    return part.svg("pb pb-one", f"{name} {value}".replace("_", " "))


def track_svg(name: str, value: str, icons: Icons) -> str:
    """Return one fact of the table that is one of several steps, in a line, as an `svg` element."""
    part = track(name, value, icons, f"fact:{name}")
    return part.svg("pb pb-one", f"{name} {value}".replace("_", " "))


def chip_svg(name: str, value: str, icons: Icons, key: str) -> str:
    """Return one fact of a player as a small box ("chip") of one line, as an `svg` element."""
    part = chip(name, value, icons, key, MOST)
    said = f"{icons.own.get(name, name)} {value}"
    return part.svg("pb pb-one", said.replace("_", " "))


def die_svg(number: int) -> str:
    """Return a die that shows this number, which is a digit if it is above six."""
    frame = tag("rect", x=2.0, y=2.0, width=_DIE - 4, height=_DIE - 4, rx=7, class_="pb-board")
    dots = "".join(
        tag("circle", cx=float(x), cy=float(y), r=3.0, class_="pb-badge")
        for x, y in _DOTS.get(number, ())
    )
    shown = dots or label(str(number), _DIE / 2, 23.5, "pb-value pb-mid")
    part = Part(tag("g", frame + shown, class_="pb-die"), _DIE, _DIE)
    return part.svg("pb pb-one pb-die-shown", f"a die that shows {number}")


def marked(markup: str, changed: Sequence[str], mark: str = "data-changed") -> str:
    """Return the markup with an attribute on the elements that have these keys."""
    for key in changed:
        found = f'data-key="{words(key)}"'
        markup = markup.replace(found, f'{mark}="" {found}')
    return markup


def _scene(scene: Scene, icons: Icons, seating: Seating, width: float) -> tuple[str, float]:
    inner = width - 2 * GAP
    tiles = [
        tile(name, value, icons, f"fact:{name}", inner)
        for name, value in scene.facts
        if value not in seating.flags  # the player's place already shows it
    ]
    drawn, high = flow(tiles, inner)
    markup = tag("g", Part(drawn, inner, high).at(GAP, GAP), class_="pb-middle")
    y = GAP + high + GAP
    order, mine = scene.around(seating.seat)
    for group, columns in ((order, 0), (mine, 1)):
        drawn, high = _shelves(scene, group, icons, seating, inner, columns)
        markup += Part(drawn, inner, high).at(GAP, y)
        y += high + GAP if group else 0
    return markup, y


def _shelves(
    scene: Scene, order: Sequence[int], icons: Icons, seating: Seating, width: float, columns: int
) -> tuple[str, float]:
    most = max(1, min(len(order), int((width + GAP) // (NARROWEST + GAP))))
    tried = []
    for count in [columns] if columns else range(1, most + 1):
        each = (width + GAP) / count - GAP
        parts = [draw_place(scene.places[n], n, seating, icons, each) for n in order]
        tried.append(flow(parts, width))
    return min(tried, key=lambda one: one[1])


SHORT, LONG = 12, 110
"""Lengths of a fact in characters: a page shows one above SHORT as a tile, one above LONG as text.
"""


class Middle(NamedTuple):
    """What a page shows in the middle of the table, by how it is drawn there."""

    tracks: list[Fact]
    chips: list[Fact]
    tiles: list[Fact]
    words: list[Fact]


def middle(scene: Scene, icons: Icons) -> Middle:
    """Sort the facts of the table by how a page draws them.

    A fact whose value is a seat is left out, because the player's place shows it."""
    seats = {place.seat for place in scene.places}
    found = Middle([], [], [], [])
    for name, value in scene.facts:
        look = icons.looks.get(name)
        if look and look.shape == "steps":
            found.tracks.append((name, value))
        elif value not in seats:
            short, long = len(value) <= SHORT, len(value) > LONG
            (found.chips if short else found.words if long else found.tiles).append((name, value))
    return found


def flags(scene: Scene) -> dict[str, str]:
    """Return the label of the fact whose value is a seat, such as `first player`, by seat."""
    seats = {place.seat for place in scene.places}
    return {value: name for name, value in scene.facts if value in seats}
