"""Draw a fact of the table or of a player as a tile: a box with a pile, a pond, a track or
words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from engine import Look
from pbem.drawing.icons import Icons
from pbem.drawing.svg import Part, label, tag, words
from pbem.drawing.text_lines import lines_of, text_width

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
    said = tag("title", words(f"{name} {value}".replace("_", " ")))
    return Part(
        tag("g", said, part.markup, class_="pb-tile", data_fact=name, data_key=key),
        part.width,
        part.height,
    )


def chip(name: str, value: str, icons: Icons, key: str, most: float = 1e9) -> Part:
    """Draw one fact of a player in one line, or in several if it is wider than `most`."""
    said, down = name.replace("_", " "), value.endswith(("face down", "(face down)"))
    shown = value.replace("_", " ")
    icon = icons.found(value) if down else icons.found(name) or icons.found(value)
    art = icons.use(icon, 8, 6, 20) if icon else ""
    if down and not icon:
        art = tag("rect", x=10.0, y=5.0, width=16.0, height=22.0, rx=3, class_="pb-back")
    left = 34.0 if art else 10.0
    start = left + text_width(said, 12) + 8
    lines = lines_of(shown, max(most - start - 10, 60), 14, bold=True)
    wide = start + max(text_width(line, 14, bold=True) for line in lines) + 8
    text = label(said, left, 20.5, "pb-words")
    text += "".join(label(row, start, 21 + 16 * n, "pb-value") for n, row in enumerate(lines))
    high = CHIP + 16.0 * (len(lines) - 1)
    title = tag("title", words(f"{said} {shown}"))
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
    shown, said = value.replace("_", " "), name.replace("_", " ")
    if text_width(shown, 20, bold=True) <= 90:
        wide = max(text_width(said, 12), text_width(shown, 20, bold=True))
        text = label(said, left, 25, "pb-words") + label(shown, left, 49, "pb-large-value")
        return Part(_frame(left + wide + 14, HIGH) + art + text, left + wide + 14, HIGH)
    return _wordy(said, shown, art, left, most)


def _wordy(said: str, shown: str, art: str, left: float, most: float) -> Part:
    room = min(_LONGEST if len(shown) < 120 else 2 * _LONGEST, most - left - 14)
    lines = lines_of(shown, room, 13)
    wide = max(text_width(said, 12), *(text_width(line, 13) for line in lines))
    high = max(HIGH, 44 + 16.0 * len(lines))
    text = label(said, left, 25, "pb-words")
    text += "".join(label(row, left, 44 + 16 * n, "pb-text") for n, row in enumerate(lines))
    return Part(_frame(left + wide + 14, high) + art + text, left + wide + 14, high)


def _steps(name: str, value: str, look: Look, icons: Icons, most: float) -> Part:
    """Draw a track of named places with the present one marked, and the value in words below."""
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
    drawn += "".join(label(t, 12, 92 + 16 * n, "pb-text") for n, t in enumerate(lines))
    high = 86 + 16.0 * len(lines) + 4
    return Part(_frame(wide, high) + drawn, wide, high)


def _pile(value: str) -> str:
    """Draw a pile of cards; the more cards, the higher the pile."""
    cards = min(5, -(-int(value) // 12)) if value.isdecimal() else 3
    if not cards:
        return tag("rect", x=16.0, y=14.0, width=28.0, height=38.0, rx=4, class_="pb-none")
    return "".join(
        tag("rect", x=14 + 2.0 * n, y=17 - 2.0 * n, width=28.0, height=38.0, rx=4, class_="pb-back")
        for n in range(cards)
    )


def _pool(value: str) -> str:
    """Draw a pond with one token for each unit of the number, as far as there is room."""
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


# ------------------------------------------------------------------ dice
_DIE = 36.0
_DOTS = {
    1: ((18, 18),),
    2: ((11, 11), (25, 25)),
    3: ((11, 11), (18, 18), (25, 25)),
    4: ((11, 11), (25, 11), (11, 25), (25, 25)),
    5: ((11, 11), (25, 11), (18, 18), (11, 25), (25, 25)),
    6: ((11, 10), (25, 10), (11, 18), (25, 18), (11, 26), (25, 26)),
}


def die(number: int) -> Part:
    """Draw a die that shows this number; a number above six is written as a digit."""
    frame = tag("rect", x=2.0, y=2.0, width=_DIE - 4, height=_DIE - 4, rx=7, class_="pb-board")
    dots = "".join(
        tag("circle", cx=float(x), cy=float(y), r=3.0, class_="pb-badge")
        for x, y in _DOTS.get(number, ())
    )
    shown = dots or label(str(number), _DIE / 2, 23.5, "pb-value pb-mid")
    return Part(tag("g", frame + shown, class_="pb-die"), _DIE, _DIE)
