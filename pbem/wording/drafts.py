"""A draft of orders in words: where it is, what it would do, and what to type next."""

from __future__ import annotations

from typing import Final

from pbem.text.terminal_and_page_wording import to_type

STANDING_LINES_SENTENCE: Final = (
    "In every round, pbem uses the first line that fits, until you change these lines."
)

# ---- What orders do

_FORECAST_HEADING: Final = "if nobody else acts:"


def forecast_lines(events: list[str]) -> list[str]:
    """Return what orders do if nobody else acts, under a heading; empty if nothing happens."""
    return [_FORECAST_HEADING, *(f"  {event}" for event in events)] if events else []


# ---- The file

EDIT_STEP: Final = "edit this file, then type: pbem check, pbem submit"
_NOT_WRITTEN: Final = "this draft is not written yet; next: {command}"
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


# ---- Around the questions of `pbem play`

NEWS_HEADING: Final = "what is new:"
NOTHING_SEALED: Final = "nothing was sealed"
CORRECT_FIRST_SENTENCE: Final = f"{NOTHING_SEALED}: correct the errors first"
NO_OTHER_GAME_SENTENCE: Final = "no other game is waiting for you"
_DRAFT_KEPT: Final = f"{NOTHING_SEALED}; your draft is kept: {{path}}"
_NEXT_GAME: Final = "the next game that is waiting for you: {place}"


def draft_kept_sentence(path: str) -> str:
    """Say that nothing was sealed, and where the draft is."""
    return _DRAFT_KEPT.format(path=path)


def next_game_line(place: str) -> str:
    """Return the line above the next game that waits for the user."""
    return _NEXT_GAME.format(place=place)
