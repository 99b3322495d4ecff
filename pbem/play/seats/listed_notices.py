"""Apply notices: which of them count for a turn, in which order, and what they change.

The referee's program chooses with `sorted_out` which notices a turn lists. Everybody's program
works out with `after_turn` what these notices do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from pbem.format.errors import RecordError
from pbem.play.seats.calendar_notices import AwayRule, DelayRule, SetClockRule, SetDeadlineRule
from pbem.play.seats.concede import ConcedeRule, LeaveRule
from pbem.play.seats.hand_over import HandOverRule
from pbem.play.seats.new_keys import NewKeyRule, VouchRule
from pbem.play.seats.rule import Rule
from pbem.play.seats.standing import Acts, Counted, Standing, Wait
from pbem.play.seats.take_in import SetDoorRule, TakeInRule
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
    SetDoorRule(),
    TakeInRule(),
    NewKeyRule(),
    VouchRule(),
    AwayRule(),
    DelayRule(),
    SetDeadlineRule(),
    SetClockRule(),
    HandOverRule(),
)
RULES: Final[dict[str, Rule[Any]]] = {rule.saying.about: rule for rule in _RULES}
"""What each kind of notice does, by its name."""


def nowhere(wanted: bytes) -> SignedNotice:
    """Find no notice: this is the FindNotice for a game without notices. Raises RecordError
    `parent`."""
    raise RecordError("parent", f"the notice {wanted.hex()[:6]} is not here")


def in_order(standing: Standing, records: Iterable[SignedNotice]) -> list[SignedNotice]:
    """Sort notices into the order in which they are applied: those that recovery keys signed, then
    those of seats, then the referee's.

    Within these three groups, notices are sorted by turn, number, seat and id. `standing` is the
    standing before all of them.
    """

    def place(record: SignedNotice) -> tuple[bool, bool, int, int, str, bytes]:
        notice = record.content
        later = not is_recovery(standing, notice.seat, record.signed.key)
        return not notice.seat, later, *notice.rank, notice.seat, record.id

    return sorted(records, key=place)


def is_recovery(standing: Standing, writer: str, key: bytes) -> bool:
    """Return whether this is the recovery key of this seat."""
    join = standing.roster.get(writer)
    return join is not None and key == join.recovery


def numbered_with(standing: Standing, writer: str, key: bytes) -> str:
    """Return whose numbers a notice of this writer, signed with this key, is counted with: the
    writer's, or those of the deputy or of the seat's recovery key.

    A recovery key has numbers of its own, so that a thief of the seat's key cannot use them up.
    """
    if is_recovery(standing, writer, key):
        return f"{writer} recovery"
    return "deputy" if key == standing.charter.deputy_key else writer


def why_not(standing: Standing, record: SignedNotice, heads: Sequence[bytes]) -> str:
    """Say why a notice cannot count for the turn after these heads; empty if it can."""
    notice = record.content
    rule, said = RULES[notice.about], notice.saying
    if standing.announced(record.id):
        early = "it cannot take effect yet"
        return "" if record.id in {wait.id for wait in standing.due} else early
    if notice.turn >= len(heads) or notice.prev != heads[notice.turn]:
        return "it was written after a turn that is not in this game"
    if rule.at_once and notice.turn < len(heads) - 1:
        return f"turn {notice.turn + 1} was made without it, so it must be signed again"
    if record.signed.key not in rule.signers(standing, notice, said):
        return rule.why_not_signed(standing, notice, record.signed.key)
    who = numbered_with(standing, notice.writer, record.signed.key)
    if notice.rank <= standing.ranks.get(who, (0, 0)):
        return "a turn lists a later notice of the same writer"
    return rule.why_not(standing, notice, said)


def after_notice(standing: Standing, record: SignedNotice, turn: int) -> Standing:
    """Return the game's standing after this turn has listed a notice that counts.

    A notice that announces something which can still be cancelled is listed twice: the second time,
    it takes effect.
    """
    notice, said, before = record.content, record.content.saying, standing.present
    rule, waited = RULES[notice.about], any(one.id == record.id for one in standing.listed)
    wait = None if waited else rule.wait(standing, notice, said)
    told = f"{wait.told}, unless somebody cancels it" if wait else rule.told(standing, notice, said)
    seat = "" if wait else rule.shows(notice, said)
    who = numbered_with(standing, notice.writer, record.signed.key)
    recovery = is_recovery(standing, notice.seat, record.signed.key)
    one = Counted(turn, record.id, notice.writer, notice.about, seat, told, recovery)
    after = replace(
        standing,
        ranks={**standing.ranks} | ({} if waited else {who: notice.rank}),
        listed=(*standing.listed, one),
        shown=standing.shown | ({seat} - {""}),
        waits=tuple(other for other in standing.waits if other.id != record.id or not other.id),
    )
    if wait:
        wait = wait._replace(id=record.id, turn=turn)
        return replace(after, waits=(*after.waits, wait))
    after = rule.apply(after, notice, said, turn)
    if notice.seat:
        after = after.cancelled(notice.seat, notice.turn, recovery)
    after = replace(after, waits=tuple(w for w in after.waits if w.seat not in after.gone))
    return after.lapse(turn) if before - after.present else after


def is_about_seats(standing: Standing, record: SignedNotice) -> bool:
    """Return whether somebody has each seat that a notice names.

    Readers refuse a turn that lists any other; whoever only looks at what turns list leaves it out.
    """
    notice = record.content
    return {notice.seat, getattr(notice.saying, "seat", "")} - {""} <= standing.roster.keys()


def again(standing: Standing, listed: Iterable[tuple[int, bytes]], find: FindNotice) -> Standing:
    """Return the game's standing after these notices, given in the order in which the turns list
    them.

    Raises RecordError for a notice that is not here.
    """
    for turn, ident in listed:
        standing = after_notice(standing, find(ident), turn)
    return standing


def all_counted(
    standing: Standing, records: Iterable[SignedNotice], turn: int, acts: Acts = ()
) -> Standing:
    """Return the game's standing after a turn has listed these notices.

    If they agree on the end of the game, the standing says so. `acts` are the orders that the turn
    lists if it goes on.
    """
    for record in in_order(standing, records):
        standing = after_notice(standing, record, turn)
    return standing.with_agreed_end(turn, acts)


MOST_PRESSED: Final = 6
"""For how many turns a round the notices of one seat are reason enough."""


def is_pressing(before: Standing, after: Standing) -> bool:
    """Return whether new notices alone are a reason to make a turn.

    They are if somebody cannot go on without them, if they change the deadline, if they end the
    game, and if they announce what somebody can still cancel. A seat can bring about only a few
    such turns in each round, and its recovery key as many: after that, its notices are listed by
    the turns that are made anyway.
    """
    if after.ended or after.deputy_since != before.deputy_since:
        return True
    writers = {one.presses for one in after.listed[len(before.listed) :]}
    if writers and all(before.pressed.get(who, 0) >= MOST_PRESSED for who in writers):
        return False
    old, new = before.calendar, after.calendar
    return (
        after.since != before.since
        or bool({(w.id, w.result) for w in after.waits} - {(w.id, w.result) for w in before.waits})
        or (old.put_off, old.changed, old.set_back) != (new.put_off, new.changed, new.set_back)
    )


FOR_SEATS: Final = MOST_LISTED - 16
"""How many notices of seats a turn lists at most, so that there is always room for the referee's.
Each seat, and each recovery key, has its share; its other notices wait for the next turn."""


def sorted_out(
    standing: Standing, records: Iterable[SignedNotice], heads: Sequence[bytes]
) -> tuple[list[SignedNotice], list[tuple[SignedNotice, str]]]:
    """Split the notices that no turn lists: those that count now, and the others with the
    reasons."""
    good, others = list[SignedNotice](), list[tuple[SignedNotice, str]]()
    count, most = Counter[str](), max(1, FOR_SEATS // (2 * len(standing.roster) or 1))
    for record in in_order(standing, records):
        who = numbered_with(standing, record.content.writer, record.signed.key)
        if reason := why_not(standing, record, heads):
            others.append((record, reason))
        elif len(good) < MOST_LISTED and (count[who] < most or not record.content.seat):
            good.append(record)
            count[who] += 1
            standing = after_notice(standing, record, len(heads))
    return good, others


def row_of(record: SignedNotice) -> ListedNotice:
    """Return the row with which a turn lists a notice."""
    return ListedNotice(record.id, record.content.about, record.content.seat)


def after_turn(
    standing: Standing, turn: Turn, find: FindNotice, heads: Sequence[bytes], acts: Acts = ()
) -> Standing:
    """Return the game's standing after the notices that a turn lists; `heads` are the heads before
    that turn, `acts` the orders that it lists (see `acts_of`).

    Raises RecordError `rule` for a notice that cannot count, `parent` for a missing one.
    """
    rows, before = {row.id: row for row in turn.notices}, standing
    records = in_order(standing, (find(wanted) for wanted in rows))
    for record in records:
        if row_of(record) != rows[record.id]:
            raise RecordError("rule", f"{_named(record)} is listed with the wrong kind or seat")
        if reason := why_not(standing, record, heads):
            if reason == RULES[record.content.about].missing(standing, record.content.saying):
                raise RecordError("parent", reason)
            raise RecordError("rule", f"{_named(record)} cannot count: {reason}")
        standing = after_notice(standing, record, len(heads))
    after = all_counted(before, records, len(heads), acts) if turn.turn > 1 else before
    for wait in () if after.ended else must_count(standing.due, acts):
        told = f"notices: {wait.id.hex()[:6]} ({wait.about}) must take effect in this turn"
        raise RecordError("rule", told)
    return after


def must_count(due: Iterable[Wait], acts: Acts) -> list[Wait]:
    """Return the acts whose notices the turn must list again, because none of these orders cancels
    them."""
    again = [wait for wait in due if wait.id]
    return [wait for wait in again if wait.disputed or not wait.is_cancelled_by(acts)]


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
