"""Break text into lines, which SVG cannot do; the widths of characters are estimated."""

from __future__ import annotations

from unicodedata import east_asian_width

_NARROW, _WIDE = frozenset("fijlrtI.,:;'!|()[]/ -"), frozenset("mwMW@%—")


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimate the text's width in units; the estimate is more often too large than too small."""
    return sum(map(_width, text)) * size * (1.13 if bold else 1.0)


def _width(character: str) -> float:
    if character in _NARROW:
        return 0.37
    if character in _WIDE:
        return 0.9
    if east_asian_width(character) in "WF":
        return 1.05
    return 0.74 if character.isupper() else 0.61


def lines_of(text: str, width: float, size: float, bold: bool = False, most: int = 0) -> list[str]:
    """Break the text into lines of at most that width; the last of `most` lines ends with … if
    cut."""
    lines: list[str] = []
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, size, bold) <= width:
            lines[-1] = joined
        else:
            lines += _broken(word, width, size, bold)
    if most and len(lines) > most:
        lines = [*lines[: most - 1], _cut(" ".join(lines[most - 1 :]), width, size, bold)]
    return lines


def _broken(word: str, width: float, size: float, bold: bool) -> list[str]:
    """Break a word into as many parts as the width requires."""
    parts = [""]
    for character in word:
        if parts[-1] and text_width(parts[-1] + character, size, bold) > width:
            parts.append("")
        parts[-1] += character
    return parts


def _cut(text: str, width: float, size: float, bold: bool) -> str:
    while text and text_width(f"{text}…", size, bold) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"
