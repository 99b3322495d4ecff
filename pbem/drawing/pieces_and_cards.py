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
        player_fact_names: Mapping[str, str] | None = None,
    ) -> None:
        """Hold these icons (SVG documents) by name, the drawings of facts by label, and the names
        of a player's facts in prose."""
        self.icons = icons
        self.looks = looks
        self.player_fact_names = player_fact_names or {}
        """The names of a player's facts in prose, by label."""

    @cached_property
    def _names(self) -> re.Pattern[str]:
        longest_first = sorted(
            (n.replace("_", " ") for n in self.icons), key=lambda n: (-len(n), n)
        )
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)")

    def name_in(self, text: str) -> str:
        """Return the name of the first icon that these words name; empty if none does."""
        match = self._names.search(text.replace("_", " "))
        return match[0].replace(" ", "_") if match else ""

    def use(self, name: str, x: float, y: float, size: float, classes: str = "") -> str:
        """Draw the icon with this name at a place; the picture must also contain its `symbols`."""
        box = {"x": float(x), "y": float(y), "width": float(size), "height": float(size)}
        return tag("use", href=f"#pb-{name}", **box, class_=f"pb-icon {classes}".strip())

    def symbols(self, markup_in_use: str | None = None) -> str:
        """Return the definitions of the icons that this markup uses, or of all icons.

        Raises BadIcon if one of them is not a plain drawing.
        """
        names = (
            sorted(self.icons)
            if markup_in_use is None
            else re.findall(r'href="#pb-(\w+)"', markup_in_use)
        )
        markup = ""
        for name in dict.fromkeys(names):
            try:
                root = ElementTree.fromstring(self.icons[name])
            except ElementTree.ParseError as error:
                raise BadIcon(f"the icon {name} is not SVG: {error}") from None
            shapes = "".join(_shape_markup(name, child) for child in root)
            markup += f'<symbol id="pb-{name}" viewBox="0 0 {SIZE} {SIZE}">{shapes}</symbol>'
        return markup


def _shape_markup(name: str, element: ElementTree.Element) -> str:
    """Write one shape of an icon again. Raises BadIcon for anything that is not a shape."""
    kind = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    if kind not in _SHAPES:
        allowed_shapes = ", ".join(sorted(_SHAPES))
        raise BadIcon(f"the icon {name} has <{kind}>; an icon can have only {allowed_shapes}")
    for key, value in element.attrib.items():
        if key not in _GEOMETRY or (key == "class" and value not in _CLASSES):
            raise BadIcon(f'the icon {name} has {key}="{value}", which an icon cannot have')
    attributes = {key: f"pb-{v}" if key == "class" else v for key, v in element.attrib.items()}
    return tag(kind, *(_shape_markup(name, child) for child in element), **attributes)


# ---- Facts of a piece

ROW_HEIGHT = 21.0
"""The height of a row with one line."""
_PITCH, _CLOSE_PITCH = 10.0, 7.5
_FACT_TEXT_SIZE = 12.0
_COUNT = re.compile(r"(\d+)(?:/(\d+))?")
_MARKS = ("bars", "dots", "leaves")
_MAX_MARKS = 9


def fact_row(
    name: str, value: str, facts: Mapping[str, str], icons: Icons, width: float, key: str
) -> Part:
    """Return one fact of a piece as a row.

    `facts` are all facts of the piece: one fact can be the maximum of another.
    """
    icon = icons.name_in(name)
    start = 22.0 if icon else 0.0
    markup = icons.use(icon, 0, 1.5, 18) if icon else ""
    markup += label(name.replace("_", " "), start, 15, "pb-words")
    shown_value = value.replace("_", " ")
    left = start + text_width(name, _FACT_TEXT_SIZE) + 6
    right = width - text_width(shown_value, _FACT_TEXT_SIZE, bold=True)
    height = ROW_HEIGHT
    if left <= right:
        markup += label(shown_value, width, 15.5, "pb-value pb-end")
        markup += _marks(name, value, facts, icons, left, right - 6)
    else:
        lines = lines_of(shown_value, width - start, _FACT_TEXT_SIZE)
        markup += labels(lines, start, 30, 14, "pb-words")
        height += 14 * len(lines)
    frame = tag("rect", x=-4.0, y=1.5, width=width + 8, height=height - 2.5, rx=5, class_="pb-row")
    group = tag("g", frame, markup, class_="pb-fact", data_fact=name, data_key=key)
    return Part(group, width, height)


def _marks(
    name: str, value: str, facts: Mapping[str, str], icons: Icons, left: float, right: float
) -> str:
    """Draw the number of a fact as a row of marks between left and right, some of them filled;
    nothing if the fact has no such drawing, or there is no room."""
    number_match, look = _COUNT.fullmatch(value), icons.looks.get(name)
    if not number_match or look is None or look.shape not in _MARKS:
        return ""
    full_count = int(number_match[1])
    other_value = facts.get(look.max_fact, "")
    mark_count = max(
        full_count,
        int(number_match[2] or (other_value if other_value.isdecimal() else look.max_marks)),
    )
    if not 0 < mark_count <= _MAX_MARKS or mark_count * _CLOSE_PITCH > right - left:
        return ""
    pitch = min(_PITCH, (right - left) / mark_count)
    start = right - mark_count * pitch
    return "".join(
        _mark(look.shape, start + pitch * n, n, n < full_count) for n in range(mark_count)
    )


def _mark(shape: str, x: float, number: int, is_full: bool) -> str:
    classes = f"pb-mark-{shape}" + (" pb-on" if is_full else "")
    if shape == "bars":
        height = 5.0 + number
        return tag("rect", x=x, y=16.5 - height, width=6.5, height=height, rx=1.5, class_=classes)
    if shape == "dots":
        return tag("circle", cx=x + 3.5, cy=11.5, r=3.2, class_=classes)
    return tag("path", d=f"M{x + 3.5:g} 6q6 5.5 0 11q-6 -5.5 0 -11z", class_=classes)


# ---- The words on a card

_NUMBER = re.compile(r"[+-]?\d+")
_FACE_DOWN = re.compile(r" ?\(?face down\)?$")


class CardWords(NamedTuple):
    """The parts of a card's text."""

    faces: tuple[str, ...]
    """The names under which the card may be played; empty if this viewpoint may not see it."""
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
        face_names = " or ".join(self.faces)
        card_name = " ".join(filter(None, (face_names, self.number, *self.marks)))
        return f"{card_name} (face down)" if self.down else card_name


def read_card(text: str, icons: Icons) -> CardWords:
    """Split a card's text in a `scene`: `long_neck 4 sun`, `horns/fat (face down)`."""
    visible_text = _FACE_DOWN.sub("", text)
    is_down = visible_text != text
    if visible_text in ("", UNKNOWN):
        return CardWords((), "", (), is_down)
    remaining_words = visible_text.split(" ")
    numbers = [word for word in remaining_words if _NUMBER.fullmatch(word)]
    number = numbers[0] if len(numbers) == 1 else ""
    marks: list[str] = []
    if number:
        number_index = remaining_words.index(number)
        marks = [word for word in remaining_words[number_index + 1 :] if word in icons.icons]
        remaining_words = [
            word
            for n, word in enumerate(remaining_words)
            if n != number_index and (n < number_index or word not in marks)
        ]
    faces = " ".join(remaining_words).replace("_", " ").split("/")
    return CardWords(tuple(face for face in faces if face), number, tuple(marks), is_down)


# ---- Cards

CARD_WIDTH, CARD_HEIGHT = 120.0, 168.0
"""The width and height of a whole card, in units."""
STRIP_HEIGHT = 28.0
"""The height of a strip whose title takes one line."""
_TITLE_SIZE = 14.0
_SMALL_TITLE_SIZE = 12.5


def card(text: str, icons: Icons, key: str = "") -> Part:
    """Return a whole card of 120 by 168 units; `text` is as in a `scene`, `?` is a back."""
    card_words = read_card(text, icons)
    if not card_words.faces:
        markup = _back()
    else:
        markup = tag(
            "rect",
            x=1.0,
            y=1.0,
            width=CARD_WIDTH - 2,
            height=CARD_HEIGHT - 2,
            rx=9,
            class_="pb-face",
        )
        draw_face = _one_face if len(card_words.faces) == 1 else _two_faces
        markup += draw_face(card_words, icons)
        markup += _number(card_words, icons)
        if card_words.down:
            markup += tag(
                "rect",
                x=5.0,
                y=5.0,
                width=CARD_WIDTH - 10,
                height=CARD_HEIGHT - 10,
                rx=7,
                class_="pb-veil",
            )
            markup += tag(
                "rect", x=1.0, y=30.0, width=CARD_WIDTH - 2, height=18.0, class_="pb-band"
            )
            markup += label("face down", CARD_WIDTH / 2, 43, "pb-note pb-on-band pb-mid")
    return Part(_card_group(markup, card_words, text, key, "pb-card"), CARD_WIDTH, CARD_HEIGHT)


def laid_card(text: str, icons: Icons, width: float, key: str = "") -> Part:
    """Return a card that lies on a piece, as a strip with its icon, title and number."""
    card_words = read_card(text, icons)
    height = STRIP_HEIGHT
    if card_words.faces:
        markup, height = _strip(card_words, icons, width)
    else:
        back_markup = tag(
            "rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=6, class_="pb-back"
        )
        lace = tag("rect", x=4.0, y=4.0, width=width - 8, height=height - 8, rx=4, class_="pb-lace")
        markup = back_markup + lace + label("face down", width / 2, 18.5, "pb-on-back pb-mid")
    return Part(_card_group(markup, card_words, text, key, "pb-strip"), width, height)


def _card_group(markup: str, card_words: CardWords, text: str, key: str, kind: str) -> str:
    down_class = " pb-down" if card_words.down or not card_words.faces else ""
    known_text = text if card_words.faces else None
    title = tag("title", words(card_words.in_words))
    return tag(
        "g", title, markup, class_=kind + down_class, data_card=known_text, data_key=key or None
    )


def _one_face(card_words: CardWords, icons: Icons) -> str:
    """Draw the face of a card with one name: a large icon, the name below."""
    face = card_words.faces[0]
    lines = lines_of(face, CARD_WIDTH - 14, _TITLE_SIZE, bold=True, max_lines=3, keeps_words=True)
    top, height, centre = (34.0, 70.0, 69.0) if len(lines) > 2 else (38.0, 80.0, 78.0)
    art = tag("rect", x=12.0, y=top, width=CARD_WIDTH - 24, height=height, rx=8, class_="pb-art")
    art += _emblem(face, icons, CARD_WIDTH / 2, centre, 60)
    foot_y = CARD_HEIGHT - 13 - 17.0 * (len(lines) - 1)
    return art + title_lines(
        lines, CARD_WIDTH / 2, foot_y, 17, "pb-title pb-mid", CARD_WIDTH - 14, _TITLE_SIZE
    )


def _two_faces(card_words: CardWords, icons: Icons) -> str:
    """Draw the face of a card that can be played under several names: a part for each."""
    count = len(card_words.faces)
    height = (CARD_HEIGHT - 12) / count
    markup = ""
    for n, face in enumerate(card_words.faces):
        top = 6 + height * n
        lines = lines_of(
            face, CARD_WIDTH - 16, _SMALL_TITLE_SIZE, bold=True, max_lines=2, keeps_words=True
        )
        size = min(42.0, height - 10 - 14 * len(lines))
        markup += tag(
            "rect", x=6.0, y=top, width=CARD_WIDTH - 12, height=height - 2, rx=7, class_="pb-art"
        )
        markup += _emblem(face, icons, CARD_WIDTH / 2, top + 5 + size / 2, size)
        foot_y = top + height - 9 - 14 * (len(lines) - 1)
        classes = "pb-title pb-small pb-mid"
        markup += title_lines(
            lines, CARD_WIDTH / 2, foot_y, 14, classes, CARD_WIDTH - 16, _SMALL_TITLE_SIZE
        )
    return markup


def _emblem(
    face: str, icons: Icons, x: float, y: float, size: float, is_small: bool = False
) -> str:
    """Draw the icon of a name around a point; without an icon, its first letters."""
    if name := icons.name_in(face):
        return icons.use(name, x - size / 2, y - size / 2, size, "" if is_small else "pb-large")
    classes = "pb-letters pb-small pb-mid" if is_small else "pb-letters pb-mid"
    return label(initials(face), x, y + (4.5 if is_small else 12), classes)


def initials(face: str) -> str:
    """Return the first letters of a card's name, for a card without an icon."""
    first_letters = [word[0] for word in face.split() if word[0].isalnum()] or [face[:1]]
    return "".join(first_letters[:2]).upper()


def _number(card_words: CardWords, icons: Icons) -> str:
    markup = ""
    if card_words.number:
        markup = tag("circle", cx=20.0, cy=20.0, r=14, class_="pb-badge")
        markup += label(card_words.number, 20, 25.5, "pb-number pb-mid")
    for n, mark in enumerate(card_words.marks):
        markup += icons.use(mark, CARD_WIDTH - 31 - 24 * n, 9, 22, "pb-mark")
    return markup


def _back() -> str:
    """Return the back of a card; it looks the same for every card."""
    frame = tag(
        "rect", x=1.0, y=1.0, width=CARD_WIDTH - 2, height=CARD_HEIGHT - 2, rx=9, class_="pb-back"
    )
    inner = tag(
        "rect", x=8.0, y=8.0, width=CARD_WIDTH - 16, height=CARD_HEIGHT - 16, rx=6, class_="pb-lace"
    )
    x, y = CARD_WIDTH / 2, CARD_HEIGHT / 2
    leaf = f"M{x:g} {y - 26:g}q26 26 0 52q-26 -26 0 -52zM{x:g} {y - 26:g}v66"
    veins = "".join(f"M{x:g} {y + d:g}l9 -9M{x:g} {y + d:g}l-9 -9" for d in (-4, 8, 20))
    return frame + inner + tag("path", d=leaf + veins, class_="pb-lace")


def _strip(card_words: CardWords, icons: Icons, width: float) -> tuple[str, float]:
    """Draw a card that lies on a piece; return the markup and its height, which depends on the
    title."""
    right = width - 6
    right_markup = ""
    if card_words.number:
        size = max(18.0, text_width(card_words.number, 12, bold=True) + 8)
        right -= size
        right_markup += tag(
            "rect", x=right, y=5.0, width=size, height=18.0, rx=9, class_="pb-badge"
        )
        right_markup += label(card_words.number, right + size / 2, 18.5, "pb-count pb-mid")
    for mark in card_words.marks:
        right -= 18
        right_markup += icons.use(mark, right, 6, 16, "pb-mark")
    title = " / ".join(card_words.faces)
    lines = lines_of(title, right - 34, _SMALL_TITLE_SIZE, max_lines=3)
    height = STRIP_HEIGHT + 14 * (len(lines) - 1) + (12 if card_words.down else 0)
    frame = tag("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=6, class_="pb-face")
    art = tag("rect", x=3.0, y=3.0, width=24.0, height=22.0, rx=4, class_="pb-art")
    art += _emblem(card_words.faces[0], icons, 15, 14, 20, is_small=True)
    text = labels(lines, 33, 18.5, 14, "pb-words")
    if card_words.down:
        text += label("face down", 33, height - 6.5, "pb-note")
    return frame + art + text + right_markup, height


# ---- Pieces

WIDTH = 192.0
"""The width of a piece, in units, unless the picture is too narrow for it."""
_EDGE = 10.0
_HEAD = 30.0


def piece(game_piece: Piece, icons: Icons, seat_index: int = 0, width: float = WIDTH) -> Part:
    """Draw one piece; `seat_index` is the number of its player at the table, for the colour."""
    inner_width, facts, key = width - 2 * _EDGE, dict(game_piece.facts), f"piece:{game_piece.name}"
    y, markup = _HEAD + 4, ""
    for name, value in game_piece.facts:
        part = fact_row(name, value, facts, icons, inner_width, f"{key}:{name}")
        markup += part.moved_to(_EDGE, y)
        y += part.height
    y += 4 if game_piece.cards else 0
    for n, text in enumerate(game_piece.cards):
        part = laid_card(text, icons, inner_width, f"{key}:card:{n}")
        markup += part.moved_to(_EDGE, y)
        y += part.height + 3
    height, right, tab_width = y + 6, width - 1, text_width(game_piece.name, 15, bold=True) + 16
    head_path = f"M1 {_HEAD:g}V12q0 -11 11 -11H{right - 11:g}q11 0 11 11V{_HEAD:g}z"
    parts = (
        tag("title", words(piece_words(game_piece, icons))),
        tag("rect", x=1.0, y=1.0, width=width - 2, height=height - 2, rx=11, class_="pb-board"),
        tag("path", d=head_path, class_="pb-head"),
        tag("rect", x=8.0, y=6.0, width=tab_width, height=20.0, rx=10, class_="pb-tab"),
        label(game_piece.name, 8 + tab_width / 2, 21, "pb-name pb-mid"),
    )
    classes = f"pb-piece pb-seat-{seat_index % 8}"
    group = tag("g", *parts, markup, class_=classes, data_piece=game_piece.name, data_key=key)
    return Part(group, width, height)


def piece_words(game_piece: Piece, icons: Icons) -> str:
    """Describe the piece for screen readers: `a2: body 3, population 2; horns 4`."""
    facts = ", ".join(f"{name} {value}" for name, value in game_piece.facts)
    cards = ", ".join(read_card(card, icons).in_words for card in game_piece.cards)
    return f"{game_piece.name}: {'; '.join(filter(None, (facts, cards)))}".replace("_", " ")
