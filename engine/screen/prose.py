"""Tell a game's sentences to people in prose; the sentences themselves do not change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple


class Prose(NamedTuple):
    """Templates that turn sentences into prose.

    A template has the fields of its form; ``{name}`` is the player who acted. A sentence without a
    template is printed unchanged.
    """

    told: Mapping[str, str] = {}
    """What was done, by form; ``kind.form``, for one kind of decision, takes precedence."""
    orders: Mapping[str, str] = {}
    """What is ordered, by form; ``{new}`` is the name of the piece that it makes, if known."""
    facts: Mapping[str, str] = {}
    """What turns up: the template of the fact's sentence, and how it is told."""
    common: Mapping[str, str] = {}
    """The common facts of the scene that are told when they change, by label; with the fields
    ``{before}`` and ``{after}``. Facts that are not named here are not told."""
    own: Mapping[str, str] = {}
    """The facts of a seat's place that are told when their number changes: label, name in prose."""
    said: Mapping[str, Mapping[str, int]] = {}
    """By form as in ``told``: the changes that the sentence already reports. By label, how much
    the number of its piece ``{sp}``, or of a common fact, grows; any other change is told below
    the sentence."""
    emptied: Collection[str] = ()
    """Labels of numbers, common or of a piece, whose fall to 0 is not told."""
    new: tuple[str, str] = ("{pieces} is new", "{pieces} are new")
    gone: tuple[str, str] = ("{pieces} is gone", "{pieces} are gone")
    """Words for pieces that came and that left: for one piece, and for several."""


def described(thing: object) -> str:
    """The docstring of a trait's class, or of a phase, on one line."""
    return " ".join((thing.__doc__ or "").split())
