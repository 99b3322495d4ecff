"""How a ruleset helps to draw its table: icons for cards and facts, and how facts are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from engine.values import Value

Shape = Literal["bars", "dots", "leaves", "pile", "pool", "steps"]
"""How a fact is drawn. ``bars``, ``dots``, ``leaves``: a row of such marks on a piece, some of them
filled. ``pile``: a pile of cards. ``pool``: tokens in a pond. ``steps``: a row of places, one of
them marked."""


class Look(Value):
    """How one fact is drawn; its label and its value are always written beside the drawing."""

    shape: Shape
    most: int = 0
    """For marks: the maximum number. A fact such as ``1/3`` gives the maximum itself."""
    out_of: str = ""
    """For marks: the label of the fact, on the same piece, whose value is the maximum number."""
    steps: tuple[str, ...] = ()
    """For steps: their names, in order. The value of the fact begins with one of them."""


class Drawings(Value):
    """What a ruleset adds to the drawing of its ``Scene``.

    Without any drawings, all facts are written as words.
    """

    icons: Mapping[str, str] = field(default_factory=dict)
    """SVG documents of 24 by 24 units, by the name of a card, of a trait or of a fact."""
    looks: Mapping[str, Look] = field(default_factory=dict)
    """How facts are drawn, by their label."""
