"""Split the text of a card into what a picture shows: faces, number, marks, side."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine import UNKNOWN
from pbem.drawing.icons import Icons

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
    def said(self) -> str:
        """The card in words, such as `long neck 4` or `a card face down`."""
        if not self.faces:
            return "a card face down" if self.down else "a hidden card"
        both = " or ".join(self.faces)
        whole = " ".join(filter(None, (both, self.number, *self.marks)))
        return f"{whole} (face down)" if self.down else whole


def read_card(text: str, icons: Icons) -> CardWords:
    """Split the text of a card in a `scene` into its parts: `long_neck 4 sun`, `horns/fat (face
    down)`."""
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
