"""Notices in words, made from the fields that the standing of a game keeps of them.

Each sentence is a template of the notice's kind (`pbem/judge/notice_kinds.py`) with its fields. A
template names fields in braces. `{seat}` is a field as it is, `{seat:name}` the name of this
seat's player then, `{by:names}` the names of several; `{time:utc}` and `{time:local}` are dates,
`{result:end}` says how a game ends, and `{hours:hour}` is a number with its noun.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from string import Formatter
from typing import Final, cast

from engine.counts_and_lists_in_prose import counted, join_words
from pbem.judge.game_view import View
from pbem.judge.notice_kinds import NoticeKind, Templates
from pbem.judge.seat_holders_keys_and_agreements import Fields, Standing
from pbem.judge.which_notices_count import SignedNotice, SortedNotices, is_recovery, kind_of
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import sort_new_notices, standing_now
from pbem.records.notice import DRAW, NO_WINNER, SAYINGS, SCORE
from pbem.terminal.clean_text import clean
from pbem.text.dates import local_date, utc_date
from pbem.text.terminal_and_page_wording import TerminalText

END_WORDS: Final = {
    SCORE: "with the scores as they are",
    DRAW: "as a draw",
    NO_WINNER: "without a winner",
}
"""For each result that players agree on: the words for how the game ends."""
UNLESS_CANCELLED: Final = "{announcement}, unless somebody cancels the change"


def describe_event(kind_name: str, fields: Fields) -> str:
    """Say what a listed notice of this kind brought about, or announced."""
    if "cancels" in fields:
        announcement = describe_announcement(kind_name, fields)
        return UNLESS_CANCELLED.format(announcement=announcement)
    return _sentence(_kind(kind_name).events, fields)


def describe_announcement(kind_name: str, fields: Fields) -> str:
    """Say what an act of this kind will bring about, if nobody cancels it."""
    return _sentence(_kind(kind_name).announcements, fields)


def confirm_to_writer(kind_name: str, fields: Fields) -> str:
    """Say to the person who has signed a notice of this kind what they have declared."""
    return _sentence(_kind(kind_name).confirmations, fields)


def describe_removal(name: str) -> str:
    """Say what happened to a player whose seat was removed."""
    return f"{name} was silent for too long and is removed from the game"


def name_people(writers: Iterable[str], names: Mapping[str, str], by_mail: Container[str]) -> str:
    """Name these writers of notices; those who play by mail agree on the referee's word."""
    on_word = " (by email, as the referee says)"
    return join_words(
        f"{names[writer]}{on_word if writer in by_mail else ''}" for writer in writers
    )


def _kind(kind_name: str) -> type[NoticeKind]:
    return cast(type[NoticeKind], SAYINGS[kind_name])


def _sentence(templates: Templates, fields: Fields) -> str:
    template = next(text for condition, text in templates.items() if _is_true(condition, fields))
    return _Words(fields).vformat(template, (), fields)


def _is_true(condition: str, fields: Fields) -> bool:
    parts = (part.partition("=") for part in condition.split(" & ") if part)
    return all(
        fields.get(name) == value if sign else fields.get(name) for name, sign, value in parts
    )


class _Words(Formatter):
    """Puts fields into a template, each in the form that the template asks for."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    def format_field(self, value: str, form: str) -> str:
        """Return a field in this form."""
        match form:
            case "":
                return value
            case "name":
                return self.fields[value]
            case "names":
                by_mail = self.fields.get("by_mail", "").split()
                return name_people(value.split(), self.fields, by_mail)
            case "utc":
                return utc_date(int(value))
            case "local":
                return local_date(int(value))
            case "end":
                return END_WORDS[value]
        return counted(int(value), form)


# ---- A notice that the user has just signed

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


# ---- Notices that no turn lists yet

_WILL_COUNT: Final = "the notice is signed, and takes effect with the next turn: “{event}”"
_RECOVERY_COUNTS_FIRST: Final = (
    "the recovery key signed this notice. It takes effect with the next turn, before other "
    "notices of seat {seat}: “{event}”"
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
