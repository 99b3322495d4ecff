"""Draw cards: a whole card, the narrow strip of a card on a piece, or the back of a card."""

from __future__ import annotations

from pbem.drawing.card_words import CardWords, read_card
from pbem.drawing.icons import Icons
from pbem.drawing.svg import Part, label, tag, words
from pbem.drawing.text_lines import lines_of, text_width

WIDE, HIGH = 120.0, 168.0
"""The width and height of a whole card, in units."""
STRIP = 28.0
"""The height of a strip whose title takes one line."""
_TITLE = 14.0
_SMALL = 12.5


def card(text: str, icons: Icons, key: str = "") -> Part:
    """Return a whole card of 120 by 168 units; `text` is as in a `scene`, and `?` is a card's
    back."""
    said = read_card(text, icons)
    if not said.faces:
        inside = _back(WIDE, HIGH)
    else:
        inside = tag("rect", x=1.0, y=1.0, width=WIDE - 2, height=HIGH - 2, rx=9, class_="pb-face")
        inside += _one_face(said, icons) if len(said.faces) == 1 else _two_faces(said, icons)
        inside += _number(said, icons)
        inside += _turned(WIDE, HIGH) if said.down else ""
    return Part(_named(inside, said, text, key, "pb-card"), WIDE, HIGH)


def strip(text: str, icons: Icons, width: float, key: str = "") -> Part:
    """Return a card that lies on a piece, as a strip with its icon, title and number."""
    said = read_card(text, icons)
    if not said.faces:
        inside, high = _back_strip(width), STRIP
    else:
        inside, high = _strip(said, icons, width)
    return Part(_named(inside, said, text, key, "pb-strip"), width, high)


def _named(inside: str, said: CardWords, text: str, key: str, kind: str) -> str:
    """Group the card's markup so that a page can find it, with its words as a tooltip."""
    down = " pb-down" if said.down or not said.faces else ""
    known = text if said.faces else None
    title = tag("title", words(said.said))
    return tag("g", title, inside, class_=kind + down, data_card=known, data_key=key or None)


def _one_face(said: CardWords, icons: Icons) -> str:
    face = said.faces[0]
    lines = lines_of(face, WIDE - 14, _TITLE, bold=True, most=3)
    top = HIGH - 13 - 17 * (len(lines) - 1)
    art = tag("rect", x=12.0, y=38.0, width=WIDE - 24, height=80.0, rx=8, class_="pb-art")
    if len(lines) > 2:
        art = tag("rect", x=12.0, y=34.0, width=WIDE - 24, height=70.0, rx=8, class_="pb-art")
    centre = 69.0 if len(lines) > 2 else 78.0
    text = "".join(
        label(line, WIDE / 2, top + 17 * n, "pb-title pb-mid") for n, line in enumerate(lines)
    )
    return art + _emblem(face, icons, WIDE / 2, centre, 60) + text


def _two_faces(said: CardWords, icons: Icons) -> str:
    """Draw a card that may be played as one of several things, with a part of the card for each."""
    count = len(said.faces)
    high = (HIGH - 12) / count
    drawn = ""
    for n, face in enumerate(said.faces):
        top = 6 + high * n
        lines = lines_of(face, WIDE - 12, _SMALL, bold=True, most=2)
        size = min(42.0, high - 10 - 14 * len(lines))
        drawn += tag("rect", x=6.0, y=top, width=WIDE - 12, height=high - 2, rx=7, class_="pb-art")
        drawn += _emblem(face, icons, WIDE / 2, top + 5 + size / 2, size)
        foot = top + high - 9 - 14 * (len(lines) - 1)
        drawn += "".join(
            label(line, WIDE / 2, foot + 14 * i, "pb-title pb-small pb-mid")
            for i, line in enumerate(lines)
        )
    return drawn


def _emblem(face: str, icons: Icons, x: float, y: float, size: float, small: bool = False) -> str:
    """Draw the icon of a face; a face without an icon gets the first letters of its words."""
    if name := icons.found(face):
        return icons.use(name, x - size / 2, y - size / 2, size, "" if small else "pb-large")
    first = [word[0] for word in face.split() if word[0].isalnum()] or [face[:1]]
    letters = "".join(first[:2]).upper()
    kind = "pb-letters pb-small pb-mid" if small else "pb-letters pb-mid"
    return label(letters, x, y + (4.5 if small else 12), kind)


def _number(said: CardWords, icons: Icons) -> str:
    """Draw the number in the left corner and the marks in the right corner."""
    drawn = ""
    if said.number:
        drawn = tag("circle", cx=20.0, cy=20.0, r=14, class_="pb-badge")
        drawn += label(said.number, 20, 25.5, "pb-number pb-mid")
    for n, mark in enumerate(said.marks):
        drawn += icons.use(mark, WIDE - 31 - 24 * n, 9, 22, "pb-mark")
    return drawn


def _back(width: float, height: float) -> str:
    """Return the back of a card; it looks the same for every card."""
    frame = tag("rect", x=1.0, y=1.0, width=width - 2, height=height - 2, rx=9, class_="pb-back")
    inner = tag("rect", x=8.0, y=8.0, width=width - 16, height=height - 16, rx=6, class_="pb-lace")
    x, y = width / 2, height / 2
    leaf = f"M{x:g} {y - 26:g}q26 26 0 52q-26 -26 0 -52zM{x:g} {y - 26:g}v66"
    veins = "".join(f"M{x:g} {y + d:g}l9 -9M{x:g} {y + d:g}l-9 -9" for d in (-4, 8, 20))
    return frame + inner + tag("path", d=leaf + veins, class_="pb-lace")


def _turned(width: float, height: float) -> str:
    """Draw a dashed frame and words on a face-down card that this viewpoint knows."""
    frame = tag("rect", x=5.0, y=5.0, width=width - 10, height=height - 10, rx=7, class_="pb-veil")
    band = tag("rect", x=1.0, y=30.0, width=width - 2, height=18.0, class_="pb-band")
    return frame + band + label("face down", width / 2, 43, "pb-note pb-on-band pb-mid")


def _strip(said: CardWords, icons: Icons, width: float) -> tuple[str, float]:
    right = width - 6
    ends = ""
    if said.number:
        size = max(18.0, text_width(said.number, 12, bold=True) + 8)
        right -= size
        ends += tag("rect", x=right, y=5.0, width=size, height=18.0, rx=9, class_="pb-badge")
        ends += label(said.number, right + size / 2, 18.5, "pb-count pb-mid")
    for mark in said.marks:
        right -= 18
        ends += icons.use(mark, right, 6, 16, "pb-mark")
    title = " / ".join(said.faces)
    lines = lines_of(title, right - 34, _SMALL, most=3)
    high = STRIP + 14 * (len(lines) - 1) + (12 if said.down else 0)
    frame = tag("rect", x=0.5, y=0.5, width=width - 1, height=high - 1, rx=6, class_="pb-face")
    art = tag("rect", x=3.0, y=3.0, width=24.0, height=22.0, rx=4, class_="pb-art")
    art += _emblem(said.faces[0], icons, 15, 14, 20, small=True)
    text = "".join(label(row, 33, 18.5 + 14 * n, "pb-words") for n, row in enumerate(lines))
    if said.down:
        text += label("face down", 33, high - 6.5, "pb-note")
    return frame + art + text + ends, high


def _back_strip(width: float) -> str:
    frame = tag("rect", x=0.5, y=0.5, width=width - 1, height=STRIP - 1, rx=6, class_="pb-back")
    lace = tag("rect", x=4.0, y=4.0, width=width - 8, height=STRIP - 8, rx=4, class_="pb-lace")
    return frame + lace + label("face down", width / 2, 18.5, "pb-on-back pb-mid")
