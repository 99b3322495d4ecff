"""Notices that no turn lists yet, in words: when each counts, or why it cannot."""

from __future__ import annotations

from typing import Final

from pbem.judge.game_view import View
from pbem.judge.seats_and_agreements import Standing
from pbem.judge.which_notices_count import SortedNotices, is_recovery
from pbem.person.session import Session
from pbem.person.standing_now import sort_new_notices, standing_now
from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.notice_sentences import describe_event

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


def lines_on_waits(session: Session, view: View) -> list[str]:
    """Return a line for each notice that no turn lists yet; the line says why if the notice cannot
    count."""
    if not session.listing.notices or view.preview or view.is_over:
        return []
    return unlisted_notice_lines(standing_now(session), sort_new_notices(session))
