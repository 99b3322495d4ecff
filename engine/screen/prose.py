"""Prose: how a game's sentences are told to people; the sentences themselves stay as they are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Prose:
    """Templates with the fields of the form; ``{name}`` is the player who did it.

    What a ruleset does not offer is told by its own sentences.
    """

    told: Mapping[str, str] = field(default_factory=dict)
    """What was done, by form; ``kind.form`` for one kind of decision goes first."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """What is ordered, by form; ``{new}`` is the name of the piece that it makes, if known."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What turns up: a template of the fact's sentence, and how it is told."""
    common: Mapping[str, str] = field(default_factory=dict)
    """The common facts of the scene that are told when they change, by label; with the fields
    ``{before}`` and ``{after}``. Those that are not named are not told."""
    own: Mapping[str, str] = field(default_factory=dict)
    """The facts of a seat's place that are told when their number changes: label, name in prose."""
    said: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By form as in ``told``: what the sentence says by itself. By label, how much the number of
    its piece ``{sp}``, or of a common fact, grows; what grows otherwise is told below it."""
    emptied: Collection[str] = ()
    """Labels of numbers, common or of a piece, whose fall to nothing is not told."""
    new: tuple[str, str] = ("{pieces} is new", "{pieces} are new")
    gone: tuple[str, str] = ("{pieces} is gone", "{pieces} are gone")
    """What came and what left: one piece, and several."""


def described(thing: object) -> str:
    """What the docstring of a trait's class, or of a phase, says: on one line."""
    return " ".join((thing.__doc__ or "").split())
