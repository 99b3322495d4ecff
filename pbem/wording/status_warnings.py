"""Warnings about orders, dates and files of a game in progress, in words; and the error for a new
turn that seems to have a wrong date."""

from __future__ import annotations

from typing import Final

from engine.counts_and_lists_in_prose import counted
from pbem.errors import NOT_YET, CliError
from pbem.files.record_file_names import turn_path
from pbem.person.new_turn_date_doubt import ClockDoubt
from pbem.terminal.clean_text import clean
from pbem.text.dates import local_date, span
from pbem.text.terminal_and_page_wording import TerminalText

# ---- Orders that do not count

_REFUSED_LINE: Final = TerminalText(
    "in your orders[[ {digits}]], the line “{line}” was refused: {reason}"
)
_EXCLUDED_ORDERS: Final = TerminalText(
    "your orders[[ {digits}]] do not count: they {cause} (turn {turn} refused them)"
)
_CAUSES: Final = {
    "late": "came too late",
    "forked": "were written for a different version of the turn than the one in this folder",
    "unopenable": "could not be opened",
}
"""For each reason why a turn lists orders without counting them: a clause about the orders."""
_CHANGED_DRAFT: Final = TerminalText(
    "your draft {draft} has changes that you have not sealed: your orders[[ {digits}]] "
    "still count[[, until you type pbem submit]]"
)


def refused_line_sentence(order_id: str, line: str, reason: str) -> str:
    """Say that a line of the user's orders was refused."""
    return _REFUSED_LINE.format(digits=order_id[:6], line=clean(line), reason=clean(reason))


def excluded_orders_sentence(order_id: str, reason: str, turn: int) -> str:
    """Say why a turn lists orders of the user without counting them."""
    cause = _CAUSES.get(reason, reason)
    return _EXCLUDED_ORDERS.format(digits=order_id[:6], cause=cause, turn=turn)


def changed_draft_sentence(draft: str, order_id: str) -> str:
    """Say that a draft was changed after the orders were sealed from it."""
    return _CHANGED_DRAFT.format(draft=draft, digits=order_id[:6])


# ---- Dates and the end of the game

_WAIT_FOR_SYNC: Final = "final.toml is here, but turn {turn} is not; let the folder sync"
_OPENED_EARLY: Final = TerminalText(
    "final.toml is here, but the game is not over: everybody can read every hand and all "
    "orders. Phone {referee}[[, and see pbem audit]]"
)
_IN_FUTURE: Final = TerminalText(
    "turn {turn} is dated {ahead} in the future, so its deadlines are too late as well.[[ If "
    "your clock is right, type: pbem notice clock.]] As soon as half of the players have "
    "said that the date is wrong, and the referee after them, the next turn gets the right date"
)
_DOUBT: Final = TerminalText("pbem[[ advance]] will not make the next turn: {doubt}; {hint}")


def early_final_sentence(turn: int, *, is_half_synced: bool, referee: str) -> str:
    """Say that the final record is here although the game is not over; `turn` is the next one."""
    template = _WAIT_FOR_SYNC if is_half_synced else _OPENED_EARLY
    return template.format(turn=turn, referee=clean(referee))


def future_turn_sentence(turn: int, seconds_ahead: int) -> str:
    """Say that the last turn is dated far ahead, and what people can do."""
    return _IN_FUTURE.format(turn=turn, ahead=span(seconds_ahead))


def doubt_sentence(doubt: ClockDoubt) -> str:
    """Tell the referee why `advance` will not make the next turn."""
    error = clock_error(doubt)
    return _DOUBT.format(doubt=error.sentence, hint=error.hint)


# ---- Seats whose orders leave questions open; messages

_LEFT_OPEN: Final = (
    "note: the orders of {seat} {name} leave a question unanswered: tell that player"
)
_NEW_MESSAGES: Final = TerminalText("note: {messages}[[; to read what is new: pbem since]]")


def left_open_note(seat: str, name: str) -> str:
    """Tell the referee that a seat's orders leave questions open."""
    return _LEFT_OPEN.format(seat=seat, name=clean(name))


def new_messages_note(message_count: int) -> str:
    """Say how many messages of others the user has not seen yet."""
    return _NEW_MESSAGES.format(messages=counted(message_count, "new message"))


# ---- Files that do not count

_DOES_NOT_COUNT: Final = "{path} does not count: {sentence}"
_IS_NOT_READ: Final = "{path} is not read: {reason}"
_MISSING_TURN: Final = (
    "{path} is missing, but later turns are here: you see the game as it was before that turn; "
    "let the folder sync, or ask another player for the file"
)


def fault_sentence(path: str, sentence: str) -> str:
    """Say that a file does not count."""
    return _DOES_NOT_COUNT.format(path=path, sentence=sentence)


def unread_file_sentence(path: str, reason: str) -> str:
    """Say that a file is not read."""
    return _IS_NOT_READ.format(path=path, reason=reason)


def missing_turn_sentence(turn: int) -> str:
    """Say that a turn is missing although later ones are here."""
    return _MISSING_TURN.format(path=turn_path(turn))


# ---- How players by plain email answer

_WAITING_MAIL: Final = (
    "note: pbem did not understand an email that {name} wrote on {date}, and has asked {name} "
    "what the email means"
)
_ANSWERS_BY_MAIL: Final = (
    "answers of {name} by email: {tap} by tap, {number} by number, {words} in words; questions "
    "that pbem had to ask {name}: {back}"
)


def waiting_mail_note(name: str, date: str) -> str:
    """Tell the referee that a player wrote without an answer that counts."""
    return _WAITING_MAIL.format(name=clean(name), date=date)


def answers_by_mail_line(name: str, counts_by_way: dict[str, int]) -> str:
    """Tell the referee how a player by plain email answers: how often in each way."""
    ways = ("tap", "number", "words", "back")
    counts = {way: counts_by_way.get(way, 0) for way in ways}
    return _ANSWERS_BY_MAIL.format(name=clean(name), **counts)


# ---- The date of a new turn

_CLOCK_BEFORE_GAME: Final = (
    "this computer's clock says {clock_date}, {difference} before the game was made"
)
_CLOCK_BEFORE_TURN: Final = (
    "this computer's clock says {clock_date}. The last turn is dated {other_date}, {difference} "
    "later, and the next turn cannot have an earlier date"
)
_CLOCK_AFTER_EVERYTHING: Final = (
    "the newest date in this game is {other_date}, but this computer's clock says {clock_date}, "
    "{difference} later"
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
