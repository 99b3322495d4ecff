"""Write SVG: elements, lines of text, the style sheet of all pictures; and turn it into PNG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import lru_cache
from html import escape
from importlib.resources import as_file, files
from pkgutil import get_data
from typing import Final, NamedTuple
from unicodedata import east_asian_width

from pbem.terminal.clean_text import clean

NAMESPACE = "http://www.w3.org/2000/svg"


def tag(name: str, *parts: str, **attributes: object) -> str:
    """Write one SVG element. Attributes that are None are omitted; `class_` and `data_key` lose
    `_`.

    `parts` are markup; use `words` for text.
    """
    body = "".join(parts)
    start = f"<{name}{attributes_of(attributes)}"
    return f"{start}>{body}</{name}>" if body else f"{start}/>"


def attributes_of(attributes: Mapping[str, object]) -> str:
    """Write the attributes of an element, as `tag` does."""
    markup = ""
    for key, content in attributes.items():
        if content is not None:
            name = key if key == "viewBox" else key.rstrip("_").replace("_", "-")
            markup += f' {name}="{escape(_value(content))}"'
    return markup


def _value(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else clean(str(value))


def words(text: str) -> str:
    """Escape untrusted text for markup; invisible characters become their code numbers."""
    return escape(clean(text))


def label(text: str, x: float, y: float, classes: str, width: float = 0.0) -> str:
    """Write one line of text, stretched or squeezed to exactly `width`, if it is given."""
    squeezed = {"textLength": width, "lengthAdjust": "spacingAndGlyphs"} if width else {}
    return tag("text", words(text), x=x, y=y, class_=classes, **squeezed)


def labels(lines: Iterable[str], x: float, y: float, pitch: float, classes: str) -> str:
    """Write lines of text below each other, the first at `y`."""
    return "".join(label(line, x, y + pitch * n, classes) for n, line in enumerate(lines))


class Part(NamedTuple):
    """A part of a picture: markup whose top left corner is at 0,0, and its size in units."""

    markup: str
    width: float
    height: float

    def moved_to(self, x: float, y: float) -> str:
        """Return the part's markup, moved to this position."""
        if not x and not y:
            return self.markup
        return f'<g transform="translate({_value(float(x))} {_value(float(y))})">{self.markup}</g>'

    def svg(self, classes: str, description: str = "", **attributes: object) -> str:
        """Return the part as an `svg` element; `description` is for screen readers."""
        width, height = float(self.width), float(self.height)
        label_attributes = (
            {"role": "img", "aria_label": description} if description else {"aria_hidden": "true"}
        )
        box = f"0 0 {_value(width)} {_value(height)}"
        return tag(
            "svg", self.markup, class_=classes, viewBox=box, width=width, height=height,
            **label_attributes, **attributes,
        )  # fmt: skip


_NARROW_CHARACTERS, _WIDE_CHARACTERS = frozenset("fijlrtI.,:;'!|()[]/ -"), frozenset("mwMW@%—")


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimate the text's width in units; the estimate is more often too large than too small."""
    return sum(map(_width, text)) * size * (1.13 if bold else 1.0)


def _width(character: str) -> float:
    if character in _NARROW_CHARACTERS:
        return 0.37
    if character in _WIDE_CHARACTERS:
        return 0.9
    if east_asian_width(character) in "WF":
        return 1.05
    return 0.74 if character.isupper() else 0.61


def title_lines(
    lines: Iterable[str], x: float, y: float, pitch: float, classes: str, width: float, size: float
) -> str:
    """Write the lines of a card's name below each other; a word that is too long is squeezed."""
    return "".join(
        label(line, x, y + pitch * n, classes, width if text_width(line, size, True) > width else 0)
        for n, line in enumerate(lines)
    )


def lines_of(
    text: str,
    width: float,
    size: float,
    bold: bool = False,
    max_lines: int = 0,
    keeps_words: bool = False,
) -> list[str]:
    """Break the text into lines of at most that width; the last of `max_lines` (0: no limit) ends
    with … if it is cut.

    A word that is longer is broken too, unless the text `keeps_words`.
    """
    lines: list[str] = []
    for word in text.split(" "):
        longer_line = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer_line, size, bold) <= width:
            lines[-1] = longer_line
        else:
            lines += [word] if keeps_words else _broken(word, width, size, bold)
    if max_lines and len(lines) > max_lines:
        last_line = " ".join(lines[max_lines - 1 :])
        while last_line and text_width(f"{last_line}…", size, bold) > width:
            last_line = last_line[:-1]
        lines[max_lines - 1 :] = [f"{last_line.rstrip()}…"]
    return lines


def _broken(word: str, width: float, size: float, bold: bool) -> list[str]:
    parts = [""]
    for character in word:
        if parts[-1] and text_width(parts[-1] + character, size, bold) > width:
            parts.append("")
        parts[-1] += character
    return parts


# ---- The style sheet of all pictures

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"--([\w-]+):\s*([^;]+);")
_DARK = "@media (prefers-color-scheme: dark)"
Colours = Mapping[str, str]


@lru_cache(1)
def stylesheet() -> str:
    """Return the style sheet of all pictures, light and dark."""
    data = get_data("pbem.drawing", "drawing.css")
    assert data is not None
    return data.decode("utf-8")


@lru_cache(1)
def plain_stylesheet() -> str:
    """Return the style sheet without CSS variables, for programs that do not know them."""
    text = re.sub(r"/\*.*?\*/\s*", "", stylesheet(), flags=re.DOTALL)
    begin = text.index(_DARK)
    end = text.index("}\n}\n", begin) + len("}\n}\n")
    light = dict(_VARIABLE.findall(text[:begin]))
    dark = light | dict(_VARIABLE.findall(text[begin:end]))
    rules = text[:begin] + text[end:]
    seats = {
        rule[1].strip(): dict(_VARIABLE.findall(rule[2]))
        for rule in _RULE.finditer(rules)
        if rule[1].strip().startswith(".pb-seat-")
    }
    light_rules, dark_rules = (
        "\n".join(_resolved(rules, colours, seats)) for colours in (light, dark)
    )
    return f"{light_rules}\n{_DARK} {{\n{dark_rules}\n}}\n"


def _resolved(rules: str, colours: Colours, seats: Mapping[str, Colours]) -> Iterator[str]:
    """A rule that needs a seat's colour is written once for each seat."""
    for rule in _RULE.finditer(rules):
        selector, body = rule[1].strip(), " ".join(_VARIABLE.sub("", rule[2]).split())
        if not body or selector in seats:
            continue
        if "var(--seat" not in body:
            yield f"{selector} {{ {_filled(body, colours)} }}"
            continue
        for seat, seat_colours in seats.items():
            parts = [part.strip() for part in selector.split(",")]
            selectors = [
                # the class of your own place is on the same element as the seat's
                f"{seat}{part}" if part.startswith(".pb-mine") else
                f"{seat} {part.removeprefix('.pb ')}" for part in parts
            ]  # fmt: skip
            yield f"{', '.join(selectors)} {{ {_filled(body, {**colours, **seat_colours})} }}"


def _filled(body: str, colours: Colours) -> str:
    return re.sub(r"var\(--([\w-]+)\)", lambda match: colours[match[1]], body)


# ---- PNG, for programs that do not show SVG, such as most mail programs
#
# A picture has the same pixels on every computer: its text is in the fonts of `fonts/`, never in
# those of the system.

FAMILY: Final = "DejaVu Sans"
FONTS: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_FAMILIES = re.compile(r"font-family:[^;}]*")


@lru_cache(4)
def png(svg: str, zoom: float = 2) -> bytes:
    """Draw an SVG picture with `zoom` pixels for each of its own."""
    from resvg_py import svg_to_bytes

    svg_with_font = _FAMILIES.sub(
        f'font-family: "{FAMILY}"', svg
    )  # resvg draws no text in system-ui
    with ExitStack() as stack:
        folder = files("pbem.drawing") / "fonts"
        fonts = [str(stack.enter_context(as_file(folder / name))) for name in FONTS]
        return svg_to_bytes(
            svg_string=svg_with_font, zoom=zoom, font_files=fonts, skip_system_fonts=True,
            font_family=FAMILY, sans_serif_family=FAMILY,
        )  # fmt: skip
