"""A notice that the user has just signed, in words: what they declared, and when it counts."""

from __future__ import annotations

from typing import Final

from pbem.judge.which_notices_count import SignedNotice, kind_of
from pbem.person.session import Session
from pbem.terminal.clean_text import clean
from pbem.text.numbers_and_lists import counted
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.notice_sentences import confirm_to_writer

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


def what_you_declared(session: Session, record: SignedNotice) -> str:
    """Say to the person who has signed a notice what they have declared."""
    notice, standing = record.content, session.readers.table().chain.standing
    fields = kind_of(notice).event_fields(standing, notice)
    return clean(confirm_to_writer(notice.about, fields))
