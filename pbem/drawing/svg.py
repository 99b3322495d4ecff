"""Write SVG elements; all text that is not markup is escaped here."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from pbem.screen.terminal import clean

NAMESPACE = "http://www.w3.org/2000/svg"


def tag(name: str, *inside: str, **attributes: object) -> str:
    """Write one SVG element. Attributes that are None are omitted; `class_` and `data_key` lose
    `_`.

    `inside` is markup; use `words` for text.
    """
    said = "".join(
        f' {_spelled(key)}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    body = "".join(inside)
    return f"<{name}{said}>{body}</{name}>" if body else f"<{name}{said}/>"


def _spelled(key: str) -> str:
    return key if key == "viewBox" else key.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else clean(str(value))


def words(text: str) -> str:
    """Escape untrusted text for use in markup; replace each invisible character with its code
    number."""
    return escape(clean(text))


def label(text: str, x: float, y: float, classes: str, width: float = 0.0) -> str:
    """Write one line of text; with `width`, the line is stretched or squeezed to exactly this
    width."""
    squeezed = "spacingAndGlyphs" if width else None
    return tag(
        "text", words(text), x=x, y=y, class_=classes, textLength=width or None,
        lengthAdjust=squeezed,
    )  # fmt: skip


class Part(NamedTuple):
    """A part of a picture: markup whose top left corner is at 0,0, and its size in units."""

    markup: str
    width: float
    height: float

    def at(self, x: float, y: float) -> str:
        """Return the part's markup, moved to this position."""
        if not x and not y:
            return self.markup
        return f'<g transform="translate({_value(float(x))} {_value(float(y))})">{self.markup}</g>'

    def svg(self, classes: str, said: str = "", **attributes: object) -> str:
        """Return the part as a complete `svg` element; `said` is its description for screen
        readers."""
        return tag(
            "svg",
            self.markup,
            class_=classes,
            viewBox=f"0 0 {_value(float(self.width))} {_value(float(self.height))}",
            width=float(self.width),
            height=float(self.height),
            role="img" if said else None,
            aria_label=said or None,
            aria_hidden=None if said else "true",
            **attributes,
        )
