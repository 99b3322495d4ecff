"""Headings and notes around what `show`, `since`, `log` and `replay` print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine import Ruleset
from pbem.judge.game_view import View
from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import TerminalText

# ---- One turn, or what happened since one

_TURN: Final = "{title}, turn {turn}"
_TURN_IN_PHASE: Final = "{title}, turn {turn}: {phase}"
_PAST_TURN: Final = "{title}, turn {turn} of {last_turn}, as the table was then"
_OVER_HEADING: Final = "{heading}: the game is over"
_IN_LAST_TURN: Final = "what happened in turn {turn}, which used your orders:"
_SINCE_TURN: Final = "what happened in turns {start} to {turn} (turn {start} used your orders):"
_SINCE_START: Final = "what happened since the game began, up to turn {turn}:"
_MESSAGES: Final = "messages after turn {turn}:"
UNOPENED_NOTE: Final = TerminalText(
    "note: there are private messages, perhaps some for you; to open them, pbem needs the "
    "passphrase of your key[[: add --passphrase-file FILE]]"
)
_SHOWS_HAND: Final = (
    "the page shows the hand of seat {seat}, so show it to nobody until the game is over"
)


def turn_heading(title: str, turn: int, phase: str, *, is_over: bool) -> str:
    """Return the heading of the table as it is now; `phase` may be empty."""
    template = _TURN_IN_PHASE if phase else _TURN
    heading = template.format(title=clean(title), turn=turn, phase=phase)
    return _OVER_HEADING.format(heading=heading) if is_over else heading


def past_turn_heading(title: str, turn: int, last_turn: int) -> str:
    """Return the heading of the table as it was in an earlier turn."""
    return _PAST_TURN.format(title=clean(title), turn=turn, last_turn=last_turn)


def since_heading(start: int, turn: int, *, used_orders: bool) -> str:
    """Return the heading of what happened since the turn that used the reader's orders, or since
    the game began."""
    template = _SINCE_TURN if used_orders else _SINCE_START
    template = _IN_LAST_TURN if used_orders and start == turn else template
    return template.format(start=start, turn=turn)


def messages_heading(turn: int) -> str:
    """Return the heading of the messages of one turn."""
    return _MESSAGES.format(turn=turn)


def shows_hand_note(seat: str) -> str:
    """Warn that a page shows a hand."""
    return _SHOWS_HAND.format(seat=seat)


_QUESTIONS: Final = "next: {questions}"
_QUESTION: Final = "{people}: {questions}"
_NO_QUESTIONS: Final = "next: the referee makes the next turn"


def open_questions_line(view: View) -> str:
    """Return the questions that are asked now, each with the players who must answer it."""
    people_by_questions: dict[str, list[str]] = {}
    for seat, kinds in sorted(view.awaited.items()):
        person = f"{seat} {clean(view.names[seat])}{' (you)' if seat == view.seat else ''}"
        questions = ", ".join(map(view.question_of, kinds))
        people_by_questions.setdefault(questions, []).append(person)
    if not people_by_questions:
        return _NO_QUESTIONS
    clauses = [
        _QUESTION.format(people=", ".join(people), questions=questions)
        for questions, people in people_by_questions.items()
    ]
    return _QUESTIONS.format(questions="; ".join(clauses))


# ---- The turns that a page shows

_ALL_HANDS: Final = "{turns}, with all hands"
_SPECTATOR: Final = "{turns}, as a spectator sees them"
_PLAYER_SEES: Final = "{turns}, as {name} (seat {seat}) sees them"
_ONE_TURN: Final = "turn {first}"
_SEVERAL_TURNS: Final = "turns {first} to {last}"


def turns_with_all_hands(turns: range) -> str:
    """Say which turns a page shows: `turns 1 to 9, with all hands`."""
    return _ALL_HANDS.format(turns=_turns_clause(turns))


def turns_seen_by(turns: range, seat: str, name: str) -> str:
    """Say which turns a page shows, and as which player sees them; an empty `seat` is a
    spectator."""
    template = _PLAYER_SEES if seat else _SPECTATOR
    return template.format(turns=_turns_clause(turns), name=clean(name), seat=seat)


def _turns_clause(turns: range) -> str:
    template = _SEVERAL_TURNS if len(turns) > 1 else _ONE_TURN
    return template.format(first=turns[0], last=turns[-1])


def rules_chosen(ruleset: Ruleset[Any], options: Mapping[str, object]) -> list[str]:
    """Return a line that says which rules are not played as printed; empty if all are."""
    option_texts = [
        option.doc if option.values == ("no", "yes") else f"{option.name}: {options[option.name]}"
        for option in ruleset.options
        if str(options.get(option.name, option.default)) != option.default
    ]
    return [f"rules of this game: {'; '.join(option_texts)}"] if option_texts else []
