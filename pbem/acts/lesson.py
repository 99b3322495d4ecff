"""The texts of a lesson for each question, from the view of the learner's seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from engine import Line
from engine.values import Value
from games.positions import differences
from pbem.drafts.write import said_back
from pbem.files.home import LessonHome
from pbem.judge.view import View
from pbem.person.session import Session
from pbem.terminal.terminal import clean

NEW_GAME = "pbem new savannah --players Ann,Bo --referee-plays"
FRIENDS = (
    "To play with friends, let a host deal: its page “Start a game” has a link for each player. Or "
    f"type `{NEW_GAME}`, which prints an invite for each of them."
)
OWN_WAY = "You play in your own way, so no move is advised here; the game goes on all the same."


class Told(Value):
    """What a learner is told now."""

    heading: str
    paragraphs: Sequence[str]
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The lines that are advised, by the kind of question."""
    over: bool = False
    """Whether the lesson is over, though its game may go on."""


def told_now(session: Session, view: View) -> Told | None:
    """Return what a learner is told now; None if this game is no lesson, or nothing is asked."""
    ruleset = view.play.ruleset
    learns = isinstance(session.home, LessonHome) and view.seat not in view.bots
    lesson = ruleset.lesson() if learns else None
    if lesson is None:
        return None
    number, asked = len(lesson.steps) + 1, view.awaited.get(view.seat, [])
    if view.is_over or view.table.state.round > lesson.rounds:
        heading = f"Lesson {number} of {number}: Now play with friends"
        on = "" if view.is_over else "This game can be played on to its end. "
        end = [*lesson.end.strip().split("\n\n"), f"{on}{FRIENDS}"]
        return Told(heading, end, over=True)
    facts = facts_of(view)
    for at, one in enumerate(lesson.steps, start=1):
        if one.ask in asked and not any(differences(one.sees, facts)):
            heading = f"Lesson {at} of {number}: {one.title}"
            orders = {one.ask: one.orders, **one.ahead}
            return Told(heading, one.text.strip().split("\n\n"), orders)
    kinds = [kind for kind in asked if kind in lesson.kinds]
    if not kinds:
        return None
    heading = "Lesson: your own way"
    return Told(heading, [lesson.kinds[kind].strip() for kind in kinds] + [OWN_WAY])


def facts_of(view: View) -> Mapping[str, Any]:
    """Return the facts of a rule case, as far as the view's seat may know them."""
    positions = view.play.ruleset.positions
    return positions().facts(view.table.state) if positions else {}


def lesson_lines(session: Session, view: View) -> list[str]:
    """Return the same as lines of any length, for a terminal."""
    if (told := told_now(session, view)) is None:
        return []
    command = f"pbem learn --game {view.ruleset}"
    lines = [told.heading, *(" ".join(clean(one).split()) for one in told.paragraphs)]
    if told.orders:
        texts = [(kind, text) for kind, found in told.orders.items() for text in found]
        advised = [Line(number, *order, False) for number, order in enumerate(texts, 1)]
        lines.append(f"`{command} --do` seals this for you: {'; '.join(said_back(view, advised))}")
    return lines
