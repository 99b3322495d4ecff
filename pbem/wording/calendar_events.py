"""The events of a calendar file in words: what is due when."""

from __future__ import annotations

from typing import Final

from pbem.judge.deadline_status import DeadlineStatus
from pbem.terminal.clean_text import clean
from pbem.text.clock import now
from pbem.text.dates import utc_date
from pbem.text.least_harmful_choice import LEAST_HARMFUL_CHOICE

ORDERS_TEXT: Final = (
    f"After this deadline, {LEAST_HARMFUL_CHOICE} is made for you.\nNext: pbem submit --edit"
)
_UNREADABLE_GAME: Final = "the game in {place} cannot be read: {reason}"
_WAITS_FOR_YOU: Final = "{title} is waiting for you, and there is no deadline"
_WAITS_FOR_PLAYERS: Final = "{title} is waiting for players, and there is no deadline"
_CANCEL_TITLE: Final = "{title}: the last moment to cancel an announced change"
_CANCEL_TEXT: Final = "{loss}.\nNext: {command}"
_ORDERS_TITLE: Final = "{title}: your orders for turn {turn} ({kinds})"
_TURN_TITLE: Final = "{title}: turn {turn} is over"
_TURN_TEXT: Final = "As of {date}, the game is waiting for {people}.\nNext: pbem advance"
_WITH_GRACE: Final = "{text}\nOrders count until {date}."


def unreadable_game_note(place: object, reason: object) -> str:
    """Say that a game cannot be read."""
    return _UNREADABLE_GAME.format(place=place, reason=reason)


def no_deadline_note(title: str, *, is_your_move: bool) -> str:
    """Say that a game waits for the user, or for others, without a deadline."""
    return (_WAITS_FOR_YOU if is_your_move else _WAITS_FOR_PLAYERS).format(title=clean(title))


def cancel_event(title: str, loss: str, command: str) -> tuple[str, str]:
    """Return title and text of the last moment to cancel an announced act."""
    text = _CANCEL_TEXT.format(loss=f"{loss[:1].upper()}{loss[1:]}", command=command)
    return _CANCEL_TITLE.format(title=clean(title)), text


def orders_event(title: str, turn: int, kinds: str) -> tuple[str, str]:
    """Return title and text of the deadline of the user's own orders."""
    return _ORDERS_TITLE.format(title=clean(title), turn=turn, kinds=kinds), ORDERS_TEXT


def turn_event(title: str, turn: int, people: str) -> tuple[str, str]:
    """Return title and text of the end of a turn, for the referee."""
    text = _TURN_TEXT.format(date=utc_date(now()), people=people)
    return _TURN_TITLE.format(title=clean(title), turn=turn), text


def text_with_grace(text: str, status: DeadlineStatus) -> str:
    """Return the text of an event, with the grace of its deadline if there is one."""
    if not status.grace_seconds:
        return text
    return _WITH_GRACE.format(text=text, date=utc_date(status.absent_at))
