"""Notes about drafts of orders: where they are, what they would do, and what to type next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.counts_and_lists_in_prose import counted
from pbem.text.terminal_and_page_wording import TerminalText, to_type

STANDING_LINES_SENTENCE: Final = (
    "In every round, pbem uses the first line that fits, until you change these lines."
)

# ---- What orders do

_FORECAST_HEADING: Final = "if nobody else acts:"


def forecast_lines(events: list[str]) -> list[str]:
    """Return what orders do if nobody else acts, under a heading; empty if nothing happens."""
    return [_FORECAST_HEADING, *(f"  {event}" for event in events)] if events else []


# ---- The file

EDIT_STEP: Final = "edit this file; next: pbem check, then pbem submit"
_NOT_WRITTEN: Final = "you have no draft for this turn yet; to write one: {command}"
_NEXT: Final = "next: {command}"


def not_written_line(command: str) -> str:
    """Say that a draft is not written yet; `command` writes it."""
    return _NOT_WRITTEN.format(command=command)


def next_command_line(command: str) -> str:
    """Return the line that says what to type next."""
    return _NEXT.format(command=command)


# ---- Orders that were not sealed

NEW_DRAFT_STEP: Final = to_type("pbem orders writes a draft for the current turn")
EDIT_AGAIN_STEP: Final = to_type("pbem submit --edit")
MEND_INPUT_STEP: Final = to_type("fix your lines, then pbem submit -")
_MEND_FILE: Final = to_type("fix {file}, then pbem submit {file}")


def mend_file_step(quoted_path: str) -> str:
    """Say how to correct orders in a file, whose path is quoted for a shell, and seal them."""
    return _MEND_FILE.format(file=quoted_path)


_HIDDEN_PROBLEMS: Final = "{problems} {verb} not shown"


def hidden_problems_line(levels: Sequence[str]) -> str:
    """Say how many errors and warnings are not shown."""
    problems = [
        counted(levels.count(level), f"more {level}")
        for level in ("error", "warning")
        if level in levels
    ]
    verb = "is" if len(levels) == 1 else "are"
    return _HIDDEN_PROBLEMS.format(problems=" and ".join(problems), verb=verb)


# ---- Drafts of earlier turns, and changed ones

_OLD_DRAFT: Final = "your old draft is kept as {path}"
_DRAFT_OF_OTHER_TURN: Final = (
    "your old draft was for a different turn; the old draft is kept as {path}"
)
_UNSEALED_DRAFT: Final = (
    "you never sealed your draft of turn {turn}; you can copy lines from the draft: {path}"
)


def old_draft_note(path: object, *, is_for_this_turn: bool) -> str:
    """Say where an old draft is kept."""
    return (_OLD_DRAFT if is_for_this_turn else _DRAFT_OF_OTHER_TURN).format(path=path)


def unsealed_draft_note(turn: int, path: object) -> str:
    """Say that the draft of an earlier turn was never sealed."""
    return _UNSEALED_DRAFT.format(turn=turn, path=path)


_CHANGED_DRAFT: Final = TerminalText(
    "note: turn {turn} contains your orders[[ {digits}]] as you sealed them, without the "
    "later changes in your draft {draft}"
)


def changed_draft_note(turn: int, digits: str, draft: str) -> str:
    """Say that a turn has orders as they were sealed, without later changes in the draft."""
    return _CHANGED_DRAFT.format(turn=turn, digits=digits, draft=draft)
