"""Prose: how a game's sentences are told to people; the sentences themselves stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
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


def described(thing: object) -> str:
    """What the docstring of a trait's class, or of a phase, says: on one line."""
    return " ".join((thing.__doc__ or "").split())
