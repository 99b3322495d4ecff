"""The texts of a lesson for each question, from the view of the learner's seat; and a demo in
words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from engine import Line
from engine.counts_and_lists_in_prose import join_words
from engine.value_classes import Value
from games.rule_case_differences import differences
from pbem.drafts.describe_orders import describe_orders
from pbem.files.home import LessonHome
from pbem.judge.game_view import View
from pbem.person.session import Session
from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import TerminalText

_STEP_HEADING: Final = "Lesson {number} of {count}: {title}"
_END_TITLE: Final = "Now play with friends"
_OWN_WAY_HEADING: Final = "Lesson: your own way"
OWN_WAY_SENTENCE: Final = (
    "You play in your own way, so the lesson advises no move here; the game goes on all the same."
)
_FRIENDS: Final = (
    "To play with friends, let a host deal: its page “Start a game” has a link for each player.[[ "
    "Or type `pbem new savannah --players Ann,Bo --referee-plays`, which prints an invite for each "
    "friend.]]"
)
_PLAY_ON_OR_FRIENDS: Final = f"You can play this game on to its end. {_FRIENDS}"
_SEAL_ADVICE: Final = "`pbem learn --game {ruleset} --do` seals this for you: {orders}"


class LessonText(Value):
    """The text that a learner reads at one question."""

    heading: str
    paragraphs: Sequence[str]
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The lines that are advised, by the kind of question."""
    is_over: bool = False
    """Whether the lesson is over, though its game may go on."""


def lesson_text(session: Session, view: View) -> LessonText | None:
    """Return the text for the learner's question; None if this game is no lesson, or nothing is
    asked."""
    ruleset = view.play.ruleset
    is_learner = isinstance(session.home, LessonHome) and view.seat not in view.bots
    lesson = ruleset.lesson() if is_learner else None
    if lesson is None:
        return None
    count, asked_kinds = len(lesson.steps) + 1, view.awaited.get(view.seat, [])
    if view.is_over or view.table.state.round > lesson.rounds:
        heading = _STEP_HEADING.format(number=count, count=count, title=_END_TITLE)
        last_paragraph = _FRIENDS if view.is_over else _PLAY_ON_OR_FRIENDS
        paragraphs = [*lesson.end.strip().split("\n\n"), last_paragraph]
        return LessonText(heading, [*map(TerminalText, paragraphs)], is_over=True)
    facts = facts_of(view)
    for number, step in enumerate(lesson.steps, start=1):
        if step.ask in asked_kinds and not any(differences(step.sees, facts)):
            heading = _STEP_HEADING.format(number=number, count=count, title=step.title)
            orders = {step.ask: step.orders, **step.ahead}
            paragraphs = step.text.strip().split("\n\n")
            return LessonText(heading, [*map(TerminalText, paragraphs)], orders)
    kinds = [kind for kind in asked_kinds if kind in lesson.kinds]
    if not kinds:
        return None
    paragraphs = [*(lesson.kinds[kind].strip() for kind in kinds), OWN_WAY_SENTENCE]
    return LessonText(_OWN_WAY_HEADING, [*map(TerminalText, paragraphs)])


def facts_of(view: View) -> Mapping[str, Any]:
    """Return the facts of a rule case, as far as the view's seat may know them."""
    positions = view.play.ruleset.positions
    return positions().facts(view.table.state) if positions else {}


def lesson_lines(session: Session, view: View) -> list[str]:
    """Return the text for the learner's question as lines of any length, for a terminal."""
    lesson = lesson_text(session, view)
    if lesson is None:
        return []
    lines = [lesson.heading, *(" ".join(clean(part).split()) for part in lesson.paragraphs)]
    if lesson.orders:
        orders = [(kind, line) for kind, kind_lines in lesson.orders.items() for line in kind_lines]
        advice = [Line(number, *order, False) for number, order in enumerate(orders, 1)]
        sentences = "; ".join(describe_orders(view, advice))
        lines.append(_SEAL_ADVICE.format(ruleset=view.ruleset, orders=sentences))
    return lines


# ---- The demo

_DEMO_HEADING: Final = (
    "{names} are bots and play {game}. Each seals order files;\n"
    "Rhea publishes signed turn files in {folder}"
)
_DEMO_PAGE: Final = "To step through the game, open this page: {page}"
_DEMO_FOLDER: Final = "The folder of the game, for pbem audit, pbem show and pbem log: {folder}"


def demo_heading(names: Iterable[str], game: str, folder: object) -> str:
    """Say which bots play which game, and where."""
    return _DEMO_HEADING.format(names=join_words(names), game=game, folder=folder)


def demo_lines(page: object, folder: object) -> Sequence[str]:
    """Return where the game of a demo is."""
    return [_DEMO_PAGE.format(page=page), _DEMO_FOLDER.format(folder=folder)]
