"""How a ruleset helps to draw its table: icons for cards and facts, and how facts are counted."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Shape = Literal["bars", "dots", "leaves", "pile", "pool", "steps"]
"""``bars``, ``dots`` and ``leaves``: a row of such marks on a piece, some of them filled. ``pile``:
cards on each other. ``pool``: tokens in a pond. ``steps``: one place of several, in a row."""


class Look(NamedTuple):
    """How one fact is drawn. Its label and its value are always written beside it."""

    shape: Shape
    most: int = 0
    """For marks: how many there are at most. A fact such as ``1/3`` says this itself."""
    out_of: str = ""
    """For marks: the fact of the same piece whose value says how many there are at most."""
    steps: tuple[str, ...] = ()
    """For steps: their names, in order. The value of the fact begins with one of them."""


class Drawings(NamedTuple):
    """What a ruleset adds to the drawing of its ``Scene``.

    Without it, all facts are written as words.
    """

    icons: Mapping[str, str] = MappingProxyType({})
    """SVG documents of 24 by 24 units, by the name of a card, of a trait or of a fact."""
    looks: Mapping[str, Look] = MappingProxyType({})
    """How facts are drawn, by their label."""
