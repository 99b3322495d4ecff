"""Draw one fact of a piece as a row: its icon, its label, one mark for each unit, and its value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pbem.drawing.icons import Icons
from pbem.drawing.svg import Part, label, tag
from pbem.drawing.text_lines import lines_of, text_width

ROW = 21.0
"""The height of a row with one line."""
_PITCH, _CLOSE = 10.0, 7.5
_SIZE = 12.0
_COUNT = re.compile(r"(\d+)(?:/(\d+))?")
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
        drawn += "".join(label(t, start, 30 + 14 * n, "pb-words") for n, t in enumerate(lines))
        high += 14 * len(lines)
    frame = tag("rect", x=-4.0, y=1.5, width=width + 8, height=high - 2.5, rx=5, class_="pb-row")
    group = tag("g", frame, drawn, class_="pb-fact", data_fact=name, data_key=key)
    return Part(group, width, high)


def _marks(
    name: str, value: str, facts: Mapping[str, str], icons: Icons, left: float, right: float
) -> str:
    """Return one mark for each unit of the maximum, filled up to the value; empty if the marks do
    not fit."""
    count, look = _COUNT.fullmatch(value), icons.looks.get(name)
    if not count or look is None or look.shape not in _MARKS:
        return ""
    full = int(count[1])
    above = facts.get(look.out_of, "")
    most = max(full, int(count[2] or (above if above.isdecimal() else look.most)))
    if not 0 < most <= _MOST_MARKS or most * _CLOSE > right - left:
        return ""
    pitch = min(_PITCH, (right - left) / most)
    start = right - most * pitch
    return "".join(_MARKS[look.shape](start + pitch * n, n, n < full) for n in range(most))


def _bar(x: float, number: int, full: bool) -> str:
    high = 5.0 + number
    kind = _kind("bars", full)
    return tag("rect", x=x, y=16.5 - high, width=6.5, height=high, rx=1.5, class_=kind)


def _dot(x: float, number: int, full: bool) -> str:
    return tag("circle", cx=x + 3.5, cy=11.5, r=3.2, class_=_kind("dots", full))


def _leaf(x: float, number: int, full: bool) -> str:
    shape = f"M{x + 3.5:g} 6q6 5.5 0 11q-6 -5.5 0 -11z"
    return tag("path", d=shape, class_=_kind("leaves", full))


def _kind(shape: str, full: bool) -> str:
    return f"pb-mark-{shape}" + (" pb-on" if full else "")


_MARKS: Mapping[str, Callable[[float, int, bool], str]] = {
    "bars": _bar,
    "dots": _dot,
    "leaves": _leaf,
}
