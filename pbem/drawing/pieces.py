"""Draw a piece or a card, with its icons, facts and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple
from xml.etree import ElementTree

from engine import UNKNOWN, Look, Piece
from pbem.drawing.svg import (
    NAMESPACE,
    Part,
    label,
    labels,
    lines_of,
    tag,
    text_width,
    title_lines,
    words,
)

# ---- Icons

SIZE = 24
"""The width and height of an icon, in units."""
_SHAPES = {"circle", "ellipse", "g", "line", "path", "polygon", "polyline", "rect"}
_GEOMETRY = {
    "class", "cx", "cy", "d", "height", "points", "r", "rx", "ry", "transform", "width", "x", "x1",
    "x2", "y", "y1", "y2",
}  # fmt: skip
_CLASSES = {"full", "thin"}
"""The classes that an icon may use: `full` is filled, `thin` is a thinner line."""


class BadIcon(ValueError):
    """Raised if an icon has anything except shapes, or is not SVG."""


class Icons:
    """The icons of one ruleset, and how its facts are drawn."""

    def __init__(
        self,
        icons: Mapping[str, str],
        looks: Mapping[str, Look],
        own: Mapping[str, str] | None = None,
    ) -> None:
        self.icons = icons
        self.looks = looks
        self.own = own or {}
        """What the facts of a player are called in prose, by label."""

    @cached_property
    def _names(self) -> re.Pattern[str]:
        longest = sorted((n.replace("_", " ") for n in self.icons), key=lambda n: (-len(n), n))
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest)) or '(?!)'})(?!\w)")

    def found(self, text: str) -> str:
        """Return the name of the first icon that these words name; empty if none does."""
        first = self._names.search(text.replace("_", " "))
        return first[0].replace(" ", "_") if first else ""

    def use(self, name: str, x: float, y: float, size: float, classes: str = "") -> str:
        """Draw the icon with this name at a place; the picture must also contain its `symbols`."""
        box = {"x": float(x), "y": float(y), "width": float(size), "height": float(size)}
        return tag("use", href=f"#pb-{name}", **box, class_=f"pb-icon {classes}".strip())

    def symbols(self, used: str | None = None) -> str:
        """Return the definitions of the icons that this markup uses, or of all icons.

        Raises BadIcon if one of them is not a plain drawing.
        """
        names = sorted(self.icons) if used is None else re.findall(r'href="#pb-(\w+)"', used)
        markup = ""
        for name in dict.fromkeys(names):
            try:
                root = ElementTree.fromstring(self.icons[name])
            except ElementTree.ParseError as wrong:
                raise BadIcon(f"the icon {name} is not SVG: {wrong}") from None
            shapes = "".join(_plain(name, child) for child in root)
            markup += f'<symbol id="pb-{name}" viewBox="0 0 {SIZE} {SIZE}">{shapes}</symbol>'
        return markup


def _plain(name: str, element: ElementTree.Element) -> str:
    """Write one shape of an icon again. Raises BadIcon for anything that is not a shape."""
    kind = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    if kind not in _SHAPES:
        only = ", ".join(sorted(_SHAPES))
        raise BadIcon(f"the icon {name} has <{kind}>; an icon can have only {only}")
    for key, value in element.attrib.items():
        if key not in _GEOMETRY or (key == "class" and value not in _CLASSES):
            raise BadIcon(f'the icon {name} has {key}="{value}", which is not a shape')
    kept = {key: f"pb-{v}" if key == "class" else v for key, v in element.attrib.items()}
    return tag(kind, *(_plain(name, child) for child in element), **kept)


# ---- Facts of a piece

ROW = 21.0
"""The height of a row with one line."""
_PITCH, _CLOSE = 10.0, 7.5
_SIZE = 12.0
_COUNT = re.compile(r"(\d+)(?:/(\d+))?")
_MARKS = ("bars", "dots", "leaves")
_MOST_MARKS = 9


def fact_row(
    name: str, value: str, facts: Mapping[str, str], icons: Icons, width: float, key: str
) -> Part:
    """Return one fact of a piece as a row.

    `facts` are all facts of the piece: one fact can be the maximum of another.
    """
    icon = icons.found(name)
    start = 22.0 if icon else 0.0
    drawn = icons.use(icon, 0, 1.5, 18) if icon else ""
    drawn += label(name.replace("_", " "), start, 15, "pb-words")
    shown = value.replace("_", " ")
    left = start + text_width(name, _SIZE) + 6
    right = width - text_width(shown, _SIZE, bold=True)
    high = ROW
    if left <= right:
        drawn += label(shown, width, 15.5, "pb-value pb-end")
        drawn += _marks(name, value, facts, icons, left, right - 6)
    else:
        lines = lines_of(shown, width - start, _SIZE)
        drawn += labels(lines, start, 30, 14, "pb-words")
        high += 14 * len(lines)
    frame = tag("rect", x=-4.0, y=1.5, width=width + 8, height=high - 2.5, rx=5, class_="pb-row")
    group = tag("g", frame, drawn, class_="pb-fact", data_fact=name, data_key=key)
    return Part(group, width, high)


def _marks(
    name: str, value: str, facts: Mapping[str, str], icons: Icons, left: float, right: float
) -> str:
    count, look = _COUNT.fullmatch(value), icons.looks.get(name)
    if not count or look is None or look.shape not in _MARKS:
        return ""
    full = int(count[1])
    above = facts.get(look.max_fact, "")
    most = max(full, int(count[2] or (above if above.isdecimal() else look.max_marks)))
    if not 0 < most <= _MOST_MARKS or most * _CLOSE > right - left:
        return ""
    pitch = min(_PITCH, (right - left) / most)
    start = right - most * pitch
    return "".join(_mark(look.shape, start + pitch * n, n, n < full) for n in range(most))


def _mark(shape: str, x: float, number: int, full: bool) -> str:
    kind = f"pb-mark-{shape}" + (" pb-on" if full else "")
    if shape == "bars":
        high = 5.0 + number
        return tag("rect", x=x, y=16.5 - high, width=6.5, height=high, rx=1.5, class_=kind)
    if shape == "dots":
        return tag("circle", cx=x + 3.5, cy=11.5, r=3.2, class_=kind)
    return tag("path", d=f"M{x + 3.5:g} 6q6 5.5 0 11q-6 -5.5 0 -11z", class_=kind)


# ---- The words on a card

_NUMBER = re.compile(r"[+-]?\d+")
_DOWN = re.compile(r" ?\(?face down\)?$")


class CardWords(NamedTuple):
    """The parts of a card's text."""

    faces: tuple[str, ...]
    """What the card may be played as; empty if this viewpoint may not see the card."""
    number: str
    """The number on the card, if it has exactly one."""
    marks: tuple[str, ...]
    """Names of icons that stand beside the number."""
    down: bool
    """Whether the card is face down on the table; its owner may still know its `faces`."""

    @property
    def in_words(self) -> str:
        """The card in words, such as `long neck 4` or `a card face down`."""
        if not self.faces:
            return "a card face down" if self.down else "a hidden card"
        both = " or ".join(self.faces)
        whole = " ".join(filter(None, (both, self.number, *self.marks)))
        return f"{whole} (face down)" if self.down else whole


def read_card(text: str, icons: Icons) -> CardWords:
    """Split a card's text in a `scene`: `long_neck 4 sun`, `horns/fat (face down)`."""
    bare = _DOWN.sub("", text)
    down = bare != text
    if bare in ("", UNKNOWN):
        return CardWords((), "", (), down)
    rest = bare.split(" ")
    numbers = [word for word in rest if _NUMBER.fullmatch(word)]
    number = numbers[0] if len(numbers) == 1 else ""
    marks: list[str] = []
    if number:
        at = rest.index(number)
        marks = [word for word in rest[at + 1 :] if word in icons.icons]
        rest = [word for n, word in enumerate(rest) if n != at and (n < at or word not in marks)]
    faces = " ".join(rest).replace("_", " ").split("/")
    return CardWords(tuple(face for face in faces if face), number, tuple(marks), down)


# ---- Cards

WIDE, HIGH = 120.0, 168.0
"""The width and height of a whole card, in units."""
STRIP = 28.0
"""The height of a strip whose title takes one line."""
_TITLE = 14.0
_SMALL = 12.5


def card(text: str, icons: Icons, key: str = "") -> Part:
    """Return a whole card of 120 by 168 units; `text` is as in a `scene`, `?` is a back."""
    printed = read_card(text, icons)
    if not printed.faces:
        inside = _back()
    else:
        inside = tag("rect", x=1.0, y=1.0, width=WIDE - 2, height=HIGH - 2, rx=9, class_="pb-face")
        draw_face = _one_face if len(printed.faces) == 1 else _two_faces
        inside += draw_face(printed, icons)
        inside += _number(printed, icons)
        if printed.down:
            inside += tag(
                "rect", x=5.0, y=5.0, width=WIDE - 10, height=HIGH - 10, rx=7, class_="pb-veil"
            )
            inside += tag("rect", x=1.0, y=30.0, width=WIDE - 2, height=18.0, class_="pb-band")
            inside += label("face down", WIDE / 2, 43, "pb-note pb-on-band pb-mid")
    return Part(_named(inside, printed, text, key, "pb-card"), WIDE, HIGH)


def strip(text: str, icons: Icons, width: float, key: str = "") -> Part:
    """Return a card that lies on a piece, as a strip with its icon, title and number."""
    printed = read_card(text, icons)
    high = STRIP
    if printed.faces:
        inside, high = _strip(printed, icons, width)
    else:
        back = tag("rect", x=0.5, y=0.5, width=width - 1, height=high - 1, rx=6, class_="pb-back")
        lace = tag("rect", x=4.0, y=4.0, width=width - 8, height=high - 8, rx=4, class_="pb-lace")
        inside = back + lace + label("face down", width / 2, 18.5, "pb-on-back pb-mid")
    return Part(_named(inside, printed, text, key, "pb-strip"), width, high)


def _named(inside: str, printed: CardWords, text: str, key: str, kind: str) -> str:
    down = " pb-down" if printed.down or not printed.faces else ""
    known = text if printed.faces else None
    title = tag("title", words(printed.in_words))
    return tag("g", title, inside, class_=kind + down, data_card=known, data_key=key or None)


def _one_face(printed: CardWords, icons: Icons) -> str:
    face = printed.faces[0]
    lines = lines_of(face, WIDE - 14, _TITLE, bold=True, most=3, whole=True)
    top, high, centre = (34.0, 70.0, 69.0) if len(lines) > 2 else (38.0, 80.0, 78.0)
    art = tag("rect", x=12.0, y=top, width=WIDE - 24, height=high, rx=8, class_="pb-art")
    art += _emblem(face, icons, WIDE / 2, centre, 60)
    foot = HIGH - 13 - 17.0 * (len(lines) - 1)
    return art + title_lines(lines, WIDE / 2, foot, 17, "pb-title pb-mid", WIDE - 14, _TITLE)


def _two_faces(printed: CardWords, icons: Icons) -> str:
    count = len(printed.faces)
    high = (HIGH - 12) / count
    drawn = ""
    for n, face in enumerate(printed.faces):
        top = 6 + high * n
        lines = lines_of(face, WIDE - 16, _SMALL, bold=True, most=2, whole=True)
        size = min(42.0, high - 10 - 14 * len(lines))
        drawn += tag("rect", x=6.0, y=top, width=WIDE - 12, height=high - 2, rx=7, class_="pb-art")
        drawn += _emblem(face, icons, WIDE / 2, top + 5 + size / 2, size)
        foot = top + high - 9 - 14 * (len(lines) - 1)
        kind = "pb-title pb-small pb-mid"
        drawn += title_lines(lines, WIDE / 2, foot, 14, kind, WIDE - 16, _SMALL)
    return drawn


def _emblem(face: str, icons: Icons, x: float, y: float, size: float, small: bool = False) -> str:
    if name := icons.found(face):
        return icons.use(name, x - size / 2, y - size / 2, size, "" if small else "pb-large")
    first = [word[0] for word in face.split() if word[0].isalnum()] or [face[:1]]
    letters = "".join(first[:2]).upper()
    kind = "pb-letters pb-small pb-mid" if small else "pb-letters pb-mid"
    return label(letters, x, y + (4.5 if small else 12), kind)


def _number(printed: CardWords, icons: Icons) -> str:
    drawn = ""
    if printed.number:
        drawn = tag("circle", cx=20.0, cy=20.0, r=14, class_="pb-badge")
        drawn += label(printed.number, 20, 25.5, "pb-number pb-mid")
    for n, mark in enumerate(printed.marks):
        drawn += icons.use(mark, WIDE - 31 - 24 * n, 9, 22, "pb-mark")
    return drawn


def _back() -> str:
    """Return the back of a card; it looks the same for every card."""
    frame = tag("rect", x=1.0, y=1.0, width=WIDE - 2, height=HIGH - 2, rx=9, class_="pb-back")
    inner = tag("rect", x=8.0, y=8.0, width=WIDE - 16, height=HIGH - 16, rx=6, class_="pb-lace")
    x, y = WIDE / 2, HIGH / 2
    leaf = f"M{x:g} {y - 26:g}q26 26 0 52q-26 -26 0 -52zM{x:g} {y - 26:g}v66"
    veins = "".join(f"M{x:g} {y + d:g}l9 -9M{x:g} {y + d:g}l-9 -9" for d in (-4, 8, 20))
    return frame + inner + tag("path", d=leaf + veins, class_="pb-lace")


def _strip(printed: CardWords, icons: Icons, width: float) -> tuple[str, float]:
    right = width - 6
    ends = ""
    if printed.number:
        size = max(18.0, text_width(printed.number, 12, bold=True) + 8)
        right -= size
        ends += tag("rect", x=right, y=5.0, width=size, height=18.0, rx=9, class_="pb-badge")
        ends += label(printed.number, right + size / 2, 18.5, "pb-count pb-mid")
    for mark in printed.marks:
        right -= 18
        ends += icons.use(mark, right, 6, 16, "pb-mark")
    title = " / ".join(printed.faces)
    lines = lines_of(title, right - 34, _SMALL, most=3)
    high = STRIP + 14 * (len(lines) - 1) + (12 if printed.down else 0)
    frame = tag("rect", x=0.5, y=0.5, width=width - 1, height=high - 1, rx=6, class_="pb-face")
    art = tag("rect", x=3.0, y=3.0, width=24.0, height=22.0, rx=4, class_="pb-art")
    art += _emblem(printed.faces[0], icons, 15, 14, 20, small=True)
    text = labels(lines, 33, 18.5, 14, "pb-words")
    if printed.down:
        text += label("face down", 33, high - 6.5, "pb-note")
    return frame + art + text + ends, high


# ---- Pieces

WIDTH = 192.0
"""The width of a piece, in units, unless the picture is too narrow for it."""
_EDGE = 10.0
_HEAD = 30.0


def piece(found: Piece, icons: Icons, at: int = 0, width: float = WIDTH) -> Part:
    """Draw one piece; `at` is the number of its player at the table, which gives its colour."""
    inner, facts, key = width - 2 * _EDGE, dict(found.facts), f"piece:{found.name}"
    y, drawn = _HEAD + 4, ""
    for name, value in found.facts:
        part = fact_row(name, value, facts, icons, inner, f"{key}:{name}")
        drawn += part.at(_EDGE, y)
        y += part.height
    y += 4 if found.cards else 0
    for n, text in enumerate(found.cards):
        part = strip(text, icons, inner, f"{key}:card:{n}")
        drawn += part.at(_EDGE, y)
        y += part.height + 3
    height, right, tab = y + 6, width - 1, text_width(found.name, 15, bold=True) + 16
    head = f"M1 {_HEAD:g}V12q0 -11 11 -11H{right - 11:g}q11 0 11 11V{_HEAD:g}z"
    inside = (
        tag("title", words(piece_words(found, icons))),
        tag("rect", x=1.0, y=1.0, width=width - 2, height=height - 2, rx=11, class_="pb-board"),
        tag("path", d=head, class_="pb-head"),
        tag("rect", x=8.0, y=6.0, width=tab, height=20.0, rx=10, class_="pb-tab"),
        label(found.name, 8 + tab / 2, 21, "pb-name pb-mid"),
    )
    kind = f"pb-piece pb-seat-{at % 8}"
    group = tag("g", *inside, drawn, class_=kind, data_piece=found.name, data_key=key)
    return Part(group, width, height)


def piece_words(found: Piece, icons: Icons) -> str:
    """Describe the piece for screen readers: `a2: body 3, population 2; horns 4`."""
    facts = ", ".join(f"{name} {value}" for name, value in found.facts)
    cards = ", ".join(read_card(card, icons).in_words for card in found.cards)
    return f"{found.name}: {'; '.join(filter(None, (facts, cards)))}".replace("_", " ")
