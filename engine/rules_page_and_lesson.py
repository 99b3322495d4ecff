"""The page of rules and the lesson of a ruleset, as values."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from engine.value_classes import Value


# ------------------------------------------------------------------ how to play
class Example(Value):
    """An example on the page of rules: a table, what players say there, and the table after it.

    It is a rule case, so that tests can play it; the page draws both tables."""

    text: str
    """The special feature of this table, and the lesson from it."""
    case: Mapping[str, Any]
    """The rule case, as a case file has it."""
    end_position: Mapping[str, Any]
    """The table after the last answer, written like the case's position; ``phase`` is the phase
    that it is in, if not the case's."""
    facts: tuple[str, ...] = ()
    """The labels of the table's facts that matter here."""


List = Literal["traits", "options", "house"]
"""A list that a chapter ends with: all traits, all options, or all house rules."""


class Chapter(Value):
    """A chapter of the page of rules. In texts, `code` is what players type; an empty line ends a
    paragraph; `* ` begins a line of a list."""

    title: str
    text: str = ""
    says: tuple[str, ...] = ()
    """The names of the ruleset's texts that this chapter repeats, for `explain` has them."""
    names: tuple[str, ...] = ()
    """The names of texts that follow as a table, each with its name."""
    orders: str = ""
    """An order that a player writes here."""
    cards: tuple[str, ...] = ()
    """Cards to draw."""
    examples: tuple[Example, ...] = ()
    lists: tuple[List, ...] = ()


# ------------------------------------------------------------------ learn by playing
class LessonStep(Value):
    """A question of a lesson's game: what it is for, and what to answer. In texts, as in a chapter,
    `code` is what players type, and an empty line ends a paragraph."""

    ask: str
    """The kind of question."""
    title: str
    text: str
    sees: Mapping[str, Any]
    """Facts, as in a rule case, that hold on the learner's table; the text is shown only then."""
    orders: tuple[str, ...]
    """The lines that the text advises."""
    ahead: Mapping[str, list[str]] = field(default_factory=dict)
    """The lines that it advises for questions that may come later in the round."""
    offers: tuple[str, ...] = ()
    """Lines that are possible too."""
    refuses: Mapping[str, str] = field(default_factory=dict)
    """Lines that are not possible now, each with a part of the reason."""
    then: Mapping[str, Any] = field(default_factory=dict)
    """Facts that hold when the learner has ordered this and is asked again."""


class Lesson(Value):
    """A first game against a bot, in which every step says what it is for."""

    table: str
    """32 hex digits, from which the cards follow."""
    rounds: int
    """The number of rounds in the lesson."""
    steps: tuple[LessonStep, ...]
    kinds: Mapping[str, str]
    """The purpose of each kind of question, for learners who play in their own way."""
    end: str
    """A summary of the lesson, for the end of the last round."""
