"""The user's own notices in words: signed just now, not listed yet, or not theirs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.judge.seats_and_agreements import Standing
from pbem.judge.which_notices_count import SignedNotice, SortedNotices, is_recovery
from pbem.terminal.terminal import clean
from pbem.text.numbers_and_lists import counted, join_words
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.notice_templates import describe_event

# ---- A notice that was signed just now

_SIGNED: Final = TerminalText("SIGNED here[[ as {digits}]]: {confirmation}")
_SIGNED_BEFORE: Final = TerminalText("SIGNED here already[[, as {digits}]]: {confirmation}")
NOTHING_NEW_SENTENCE: Final = (
    "nothing new was signed, because you have already signed the same notice"
)
_COUNTS_WHEN_LISTED: Final = TerminalText(
    "the notice takes effect when {maker} makes a turn that contains it[[; pbem status shows when]]"
)


_HOURS_LEFT: Final = "; you can then put deadlines off by {hours_left} more in all"
_HOURS_LEFT_FOR_MORE: Final = TerminalText(
    "; you can then put deadlines off by {hours_left} more in all[[; to put this deadline off "
    "again, add --again]]"
)


def hours_left_clause(hours: int, *, is_repeat: bool) -> str:
    """Return the end of the line on a delay: how much the seat may still put off."""
    return (_HOURS_LEFT_FOR_MORE if is_repeat else _HOURS_LEFT).format(
        hours_left=counted(hours, "hour")
    )


def signed_line(notice_id: bytes, confirmation: str, *, is_repeat: bool) -> str:
    """Return the line that says that a notice is signed."""
    template = _SIGNED_BEFORE if is_repeat else _SIGNED
    return template.format(digits=notice_id.hex()[:6], confirmation=confirmation)


def counts_when_listed(maker: str) -> str:
    """Say when a signed notice counts; `maker` makes the next turn."""
    return _COUNTS_WHEN_LISTED.format(maker=clean(maker))


# ---- A key that somebody else may have

_ONLY_RECOVERY_KEY: Final = (
    "you have the recovery key of seat {seat}, but not its key. To take the seat back before any "
    "other change of its keys: {command}"
)
_FOREIGN_NOTICES: Final = (
    "your key signed {notices}, but not on this computer. If you did not sign on another "
    "computer, somebody has your key: {command}"
)


def only_recovery_key(seat: str, command: str) -> str:
    """Say that only the recovery key of a seat is here; `command` takes the seat back."""
    return _ONLY_RECOVERY_KEY.format(seat=seat, command=command)


def foreign_notices(records: Iterable[SignedNotice], command: str) -> str:
    """Say that the user's key signed notices on another computer; `command` gives a new key."""
    notices = join_words(f"{record.content.about} {record.id.hex()[:6]}" for record in records)
    return _FOREIGN_NOTICES.format(notices=notices, command=command)


# ---- Notices that no turn lists yet

_WILL_COUNT: Final = "the notice is signed, and takes effect with the next turn: {event}"
_RECOVERY_COUNTS_FIRST: Final = (
    "the recovery key signed this notice, which takes effect with the next turn, before other "
    "notices of seat {seat}: {event}"
)
_DOES_NOT_COUNT: Final = TerminalText(
    "a notice of {name} ({about}[[, {digits}]]) has no effect: {reason}"
)


def unlisted_notice_lines(standing: Standing, result: SortedNotices) -> list[str]:
    """Return a line for each notice that no turn lists yet, with the reason if it cannot count.

    `standing` is the current one; `result` is how these notices were sorted.
    """
    counting, rejected, next_standing = result
    events = {applied.id: applied for applied in next_standing.applied_notices}
    lines = list[str]()
    for record in counting:
        notice = record.content
        event = clean(describe_event(notice.about, events[record.id].fields))
        counts_first = is_recovery(standing, notice.seat, record.signed.key)
        template = _RECOVERY_COUNTS_FIRST if counts_first else _WILL_COUNT
        lines.append(template.format(seat=notice.seat, event=event))
    for record, reason in rejected:
        notice = record.content
        line = _DOES_NOT_COUNT.format(
            name=clean(next_standing.names.get(notice.writer, notice.writer)),
            about=notice.about,
            digits=record.id.hex()[:6],
            reason=clean(reason),
        )
        lines.append(line)
    return lines
