"""Apply notices: which of them count for a turn, in which order, and what they change.

The referee's program chooses with `sorted_out` which notices a turn lists. Everybody's program
works out with `after_turn` what these notices do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from pbem.format.errors import RecordError
from pbem.play.seats.calendar_notices import AwayRule, DelayRule, SetDeadlineRule
from pbem.play.seats.concede import ConcedeRule, LeaveRule
from pbem.play.seats.hand_over import HandOverRule
from pbem.play.seats.new_keys import NewKeyRule, VouchRule
from pbem.play.seats.rule import Rule
from pbem.play.seats.standing import Counted, Standing
from pbem.play.seats.take_in import TakeInRule
from pbem.play.seats.vote import VoteRule
from pbem.records.notices.notice_record import Notice
from pbem.records.read_record import Record
from pbem.records.turn import MOST_LISTED, ListedNotice, Turn

SignedNotice = Record[Notice]
FindNotice = Callable[[bytes], SignedNotice]
"""Finds the notice with this id. Raises RecordError if it is not here."""

_RULES: Final[tuple[Rule[Any], ...]] = (
    ConcedeRule(),
    LeaveRule(),
    VoteRule(),
    TakeInRule(),
    NewKeyRule(),
    VouchRule(),
    AwayRule(),
    DelayRule(),
    SetDeadlineRule(),
    HandOverRule(),
)
RULES: Final[dict[str, Rule[Any]]] = {rule.saying.about: rule for rule in _RULES}
"""What each kind of notice does, by its name."""


def nowhere(wanted: bytes) -> SignedNotice:
    """Find no notice: this is the FindNotice for a game without notices. Raises RecordError
    `parent`."""
    raise RecordError("parent", f"the notice {wanted.hex()[:6]} is not here")


def in_order(records: Iterable[SignedNotice]) -> list[SignedNotice]:
    """Sort notices into the order in which they are applied: those of seats, then the referee's.

    Within these two groups, notices are sorted by turn, number, seat and id.
    """

    def place(record: SignedNotice) -> tuple[bool, int, int, str, bytes]:
        notice = record.content
        return not notice.seat, *notice.rank, notice.seat, record.id

    return sorted(records, key=place)


def why_not(standing: Standing, record: SignedNotice, heads: Sequence[bytes]) -> str:
    """Say why a notice cannot count for the turn after these heads; empty if it can."""
    notice = record.content
    rule, said = RULES[notice.about], notice.saying
    if notice.turn >= len(heads) or notice.prev != heads[notice.turn]:
        return "it was written after a turn that is not in this game"
    if record.signed.key not in rule.signers(standing, notice, said):
        return "it is not signed with the key that counts now"
    if notice.rank <= standing.ranks.get(notice.writer, (0, 0)):
        return "a turn lists a later notice of the same writer"
    return rule.why_not(standing, notice, said)


def after_notice(standing: Standing, record: SignedNotice, turn: int) -> Standing:
    """Return the game's standing after this turn has listed a notice that counts."""
    notice = record.content
    rule, ranks = RULES[notice.about], {**standing.ranks, notice.writer: notice.rank}
    told = rule.told(standing, notice, notice.saying)
    seat = rule.shows(notice, notice.saying)
    one = Counted(turn, record.id, notice.writer, notice.about, seat, told)
    standing = replace(standing, ranks=ranks, listed=(*standing.listed, one))
    return rule.apply(standing, notice, notice.saying, turn)


def again(standing: Standing, listed: Iterable[tuple[int, bytes]], find: FindNotice) -> Standing:
    """Return the game's standing after these notices, given in the order in which the turns list
    them.

    Raises RecordError for a notice that is not here.
    """
    for turn, ident in listed:
        standing = after_notice(standing, find(ident), turn)
    return standing


def all_counted(standing: Standing, records: Iterable[SignedNotice], turn: int) -> Standing:
    """Return the game's standing after a turn has listed these notices.

    If they agree on the end of the game, the standing says so.
    """
    for record in in_order(records):
        standing = after_notice(standing, record, turn)
    return replace(standing, ended=standing.agreed(turn))


def is_pressing(before: Standing, after: Standing) -> bool:
    """Return whether new notices alone are a reason to make a turn.

    They are if somebody cannot go on without them, if they change the deadline, or if they end the
    game.
    """
    old, new = before.calendar, after.calendar
    return (
        bool(after.ended)
        or after.since != before.since
        or after.deputy_since != before.deputy_since
        or (old.put_off, old.changed) != (new.put_off, new.changed)
    )


def sorted_out(
    standing: Standing, records: Iterable[SignedNotice], heads: Sequence[bytes]
) -> tuple[list[SignedNotice], list[tuple[SignedNotice, str]]]:
    """Split the notices that no turn lists: those that count now, and the others with the
    reasons."""
    good, others = list[SignedNotice](), list[tuple[SignedNotice, str]]()
    for record in in_order(records):
        if reason := why_not(standing, record, heads):
            others.append((record, reason))
        elif len(good) < MOST_LISTED:
            good.append(record)
            standing = after_notice(standing, record, len(heads))
    return good, others


def row_of(record: SignedNotice) -> ListedNotice:
    """Return the row with which a turn lists a notice."""
    return ListedNotice(record.id, record.content.about, record.content.seat)


def after_turn(
    standing: Standing, turn: Turn, find: FindNotice, heads: Sequence[bytes]
) -> Standing:
    """Return the game's standing after the notices that a turn lists; `heads` are the heads before
    that turn.

    Raises RecordError `rule` for a notice that cannot count, `parent` for a missing one.
    """
    rows, before = {row.id: row for row in turn.notices}, standing
    records = in_order(find(wanted) for wanted in rows)
    for record in records:
        if row_of(record) != rows[record.id]:
            raise RecordError("rule", f"{_named(record)} is listed with the wrong kind or seat")
        if reason := why_not(standing, record, heads):
            if reason == RULES[record.content.about].missing(standing, record.content.saying):
                raise RecordError("parent", reason)
            raise RecordError("rule", f"{_named(record)} cannot count: {reason}")
        standing = after_notice(standing, record, len(heads))
    return all_counted(before, records, len(heads)) if turn.turn > 1 else before


def check_needed(record: Record[Turn], standing: Standing) -> None:
    """Check that the referee of that time signed the turn, and that something happens in it.

    Raises RecordError `key`, `rule`.
    """
    turn = record.content
    if record.signed.key != standing.referee_key:
        told = f"turn {turn.turn} is not signed by {standing.referee_name}"
        raise RecordError("key", f"{told}, who was the referee at that time")
    if not (turn.log or turn.notices or standing.ended):
        raise RecordError("rule", "log: nothing happens in this turn, so the file cannot be a turn")


def _named(record: SignedNotice) -> str:
    return f"notices: {record.id.hex()[:6]} ({record.content.about})"
