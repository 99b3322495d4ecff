"""The error for a new turn that seems to have a wrong date."""

from __future__ import annotations

from typing import Final

from pbem.errors import NOT_YET, CliError
from pbem.person.clock_doubt import ClockDoubt
from pbem.text.dates import local_date, span
from pbem.text.terminal_and_page_wording import TerminalText

_CLOCK_BEFORE_GAME: Final = (
    "this computer's clock says {clock_date}, {difference} before the game was made"
)
_CLOCK_BEFORE_TURN: Final = (
    "this computer's clock says {clock_date}. The last turn is dated {other_date}, {difference} "
    "later, and the next turn cannot have an earlier date"
)
_CLOCK_AFTER_EVERYTHING: Final = (
    "the newest date of a turn, a deadline or a player's file in this game is {other_date}. This "
    "computer's clock says {clock_date}, {difference} later"
)
_TYPED_AFTER_EVERYTHING: Final = (
    "the time that you typed, {clock_date}, is {difference} after this computer's clock and "
    "after every date in this game"
)
_SET_CLOCK: Final = TerminalText(
    "set the clock if it is wrong[[; if it is right: pbem advance --time-is-right]]"
)
_SET_CLOCK_OR_NOTICE: Final = TerminalText(
    "set the clock if it is wrong[[. If it is right, type: pbem notice clock. To make the turn "
    "all the same: pbem advance --time-is-right]]"
)


def clock_error(doubt: ClockDoubt) -> CliError:
    """Return the error that stops `advance`."""
    hint = _SET_CLOCK
    match doubt.kind:
        case "before game":
            template = _CLOCK_BEFORE_GAME
        case "before turn":
            template, hint = _CLOCK_BEFORE_TURN, _SET_CLOCK_OR_NOTICE
        case "after records":
            template = _TYPED_AFTER_EVERYTHING if doubt.is_typed else _CLOCK_AFTER_EVERYTHING
    sentence = template.format(
        clock_date=local_date(doubt.clock_date),
        difference=span(abs(doubt.clock_date - doubt.other_date)),
        other_date=local_date(doubt.other_date),
    )
    return CliError(sentence, hint, NOT_YET)
