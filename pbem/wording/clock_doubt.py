"""The error for a new turn that seems to have a wrong date."""

from __future__ import annotations

from typing import Final

from pbem.errors import NOT_YET, CliError
from pbem.person.clock_doubt import ClockDoubt
from pbem.text.dates import local_date, span

_CLOCK_BEFORE_GAME: Final = (
    "this computer's clock says {clock_date}, {difference} before the game was made"
)
_CLOCK_BEFORE_TURN: Final = (
    "this computer's clock says {clock_date}, {difference} before the last turn, and no turn can "
    "have an earlier date ({other_date})"
)
_CLOCK_AFTER_EVERYTHING: Final = (
    "this computer's clock says {clock_date}, {difference} after the last turn, its deadline and "
    "all that players have sent ({other_date})"
)
_TYPED_AFTER_EVERYTHING: Final = (
    "the time that you typed is {clock_date}, {difference} after the last turn, its deadline and "
    "all that players have sent, and after the clock's time"
)
_SET_CLOCK: Final = "set the clock; if it is right: pbem advance --time-is-right"
_SET_CLOCK_OR_NOTICE: Final = (
    "set the clock; if it is right, type pbem notice clock; to go on all the same: pbem advance "
    "--time-is-right"
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
