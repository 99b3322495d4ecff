"""Read the icons of a ruleset, check that they are plain drawings, and find the icon for a card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from xml.etree import ElementTree

from engine import Look
from pbem.drawing.svg import NAMESPACE, tag

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

    def __init__(self, icons: Mapping[str, str], looks: Mapping[str, Look]) -> None:
        self.icons = icons
        self.looks = looks

    @cached_property
    def _names(self) -> re.Pattern[str]:
        longest = sorted((n.replace("_", " ") for n in self.icons), key=lambda n: (-len(n), n))
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest)) or '(?!)'})(?!\w)")

    def found(self, text: str) -> str:
        """Return the name of the icon for these words: the first word that names an icon; empty if
        none does."""
        first = self._names.search(text.replace("_", " "))
        return first[0].replace(" ", "_") if first else ""

    def use(self, name: str, x: float, y: float, size: float, classes: str = "") -> str:
        """Draw the icon with this name at a place; the picture must also contain its `symbols`."""
        both = f"pb-icon {classes}".strip()
        return tag(
            "use", href=f"#pb-{name}", x=float(x), y=float(y), width=float(size),
            height=float(size), class_=both,
        )  # fmt: skip

    def symbols(self, used: str | None = None) -> str:
        """Return the definitions of the icons that this markup uses, or of all icons.

        Raises BadIcon if one of them is not a plain drawing.
        """
        names = sorted(self.icons) if used is None else re.findall(r'href="#pb-(\w+)"', used)
        return "".join(
            f'<symbol id="pb-{name}" viewBox="0 0 {SIZE} {SIZE}">{self._shapes(name)}</symbol>'
            for name in dict.fromkeys(names)
        )

    def _shapes(self, name: str) -> str:
        try:
            root = ElementTree.fromstring(self.icons[name])
        except ElementTree.ParseError as wrong:
            raise BadIcon(f"the icon {name} is not SVG: {wrong}") from None
        return "".join(_plain(name, child) for child in root)


def _plain(name: str, element: ElementTree.Element) -> str:
    """Write one shape of an icon again, with nothing except what shapes may have.

    Raises BadIcon for anything that is not a shape.
    """
    kind = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    if kind not in _SHAPES:
        only = ", ".join(sorted(_SHAPES))
        raise BadIcon(f"the icon {name} has <{kind}>; an icon can have only {only}")
    for key, value in element.attrib.items():
        if key not in _GEOMETRY or (key == "class" and value not in _CLASSES):
            raise BadIcon(f'the icon {name} has {key}="{value}", which is not a shape')
    said = {key: f"pb-{v}" if key == "class" else v for key, v in element.attrib.items()}
    return tag(kind, *(_plain(name, child) for child in element), **said)
