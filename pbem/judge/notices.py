"""What all kinds of notices have in common: which files a turn lists, in which order (protocol §5).

A notice that somebody cannot wait for makes a turn with an empty log. Such a turn keeps the
deadline, and orders for the turn before stay in time, so that it delays nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, cast

from pbem.format.canonical import RecordError
from pbem.judge.notice_kinds import Kind
from pbem.judge.standing import Acts, Counted, Standing, Wait
from pbem.records.limits import MAX_LISTED_NOTICES
from pbem.records.notice import Notice
from pbem.records.read_record import Record
from pbem.records.turn import ListedNotice, Turn

SignedNotice = Record[Notice]
FindNotice = Callable[[bytes], SignedNotice]
"""Finds the notice with this id. Raises RecordError if it is not here."""


def kind_of(notice: Notice) -> Kind:
    """Return what a notice says, with the rule and the words of its kind."""
    return cast(Kind, notice.saying)


def no_notice(wanted: bytes) -> SignedNotice:
    """Find no notice, in a game without notices. Raises RecordError `parent`."""
    raise RecordError("parent", f"the notice {wanted.hex()[:6]} is not here")


def in_order(standing: Standing, records: Iterable[SignedNotice]) -> list[SignedNotice]:
    """Sort notices into the order in which they are applied: those that recovery keys signed, those
    of seats, the referee's; each by turn, number, seat and id."""

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
    """Return with whose numbers a notice is counted: the writer's, the deputy's, or the recovery
    key's, so that a thief of a seat's key cannot use them up."""
    if is_recovery(standing, writer, key):
        return f"{writer} recovery"
    return "deputy" if key == standing.charter.deputy_key else writer


def why_not(standing: Standing, record: SignedNotice, heads: Sequence[bytes]) -> str:
    """Say why a notice cannot count for the turn after these heads; empty if it can."""
    notice = record.content
    said = kind_of(notice)
    if standing.announced(record.id):
        early = "it cannot take effect yet"
        return "" if record.id in {wait.id for wait in standing.due} else early
    if notice.turn >= len(heads) or notice.prev != heads[notice.turn]:
        return "it was written after a turn that is not in this game"
    if said.at_once and notice.turn < len(heads) - 1:
        return f"turn {notice.turn + 1} was made without it, so it must be signed again"
    if record.signed.key not in said.signers(standing, notice):
        return said.why_not_signed(standing, notice, record.signed.key)
    who = numbered_with(standing, notice.writer, record.signed.key)
    if notice.rank <= standing.ranks.get(who, (0, 0)):
        return "a turn lists a later notice of the same writer"
    return said.why_not(standing, notice)


def after_notice(standing: Standing, record: SignedNotice, turn: int) -> Standing:
    """Return the standing after this turn has listed a notice that counts.

    A notice that announces something which can be cancelled is listed again when it takes effect.
    """
    notice, kind, before = record.content, kind_of(record.content), standing.present
    was_announced = any(applied.id == record.id for applied in standing.listed)
    wait = None if was_announced else kind.wait(standing, notice)
    fields, seat = kind.event_fields(standing, notice), kind.shows(notice)
    if wait:
        fields, seat = fields | {"cancels": " ".join(wait.cancels)}, ""
    who = numbered_with(standing, notice.writer, record.signed.key)
    recovery = is_recovery(standing, notice.seat, record.signed.key)
    applied = Counted(turn, record.id, notice.writer, notice.about, seat, recovery, fields)
    after = replace(
        standing,
        ranks={**standing.ranks} | ({} if was_announced else {who: notice.rank}),
        listed=(*standing.listed, applied),
        shown=standing.shown | ({seat} - {""}),
        waits=tuple(other for other in standing.waits if other.id != record.id or not other.id),
    )
    if wait:
        wait = wait._replace(id=record.id, turn=turn)
        return replace(after, waits=(*after.waits, wait))
    after = kind.apply(after, notice, turn)
    if notice.seat:
        after = after.cancelled(notice.seat, notice.turn, recovery)
    after = replace(after, waits=tuple(w for w in after.waits if w.seat not in after.gone))
    return after.lapse(turn) if before - after.present else after


def believed(standing: Standing, records: Iterable[SignedNotice], turn: int) -> Standing:
    """Return the standing after a turn, which is not checked, has listed these notices; those about
    seats that nobody has are passed over."""
    for record in in_order(standing, records):
        notice = record.content
        if {notice.seat, getattr(notice.saying, "seat", "")} - {""} <= standing.roster.keys():
            standing = after_notice(standing, record, turn)
    return standing


MOST_PRESSED: Final = 6
"""For how many turns a round the notices of one seat are reason enough."""


def is_pressing(before: Standing, after: Standing) -> bool:
    """Return whether new notices alone are a reason to make a turn.

    They are if somebody cannot go on without them, if they change the deadline or end the game, or
    announce what can be cancelled, or if somebody leaves and a successor is invited, or nobody is
    left: then others can take over the open seats. A seat can bring about only a few such turns in
    each round, and its recovery key as many.
    """
    if after.ended or after.deputy_since != before.deputy_since:
        return True
    writers = {one.presses for one in after.listed[len(before.listed) :]}
    if writers and all(before.pressed.get(who, 0) >= MOST_PRESSED for who in writers):
        return False
    old, new = before.calendar, after.calendar
    left = {seat for seat, why in after.gone.items() if why == "open"} - before.gone.keys()
    return (
        after.since != before.since
        or bool(left and (not after.present or left & after.doors.keys()))
        or bool({(w.id, w.result) for w in after.waits} - {(w.id, w.result) for w in before.waits})
        or (old.put_off, old.changed, old.set_back) != (new.put_off, new.changed, new.set_back)
    )


FOR_SEATS: Final = MAX_LISTED_NOTICES - 16
"""How many notices of seats a turn lists at most, so that there is always room for the referee's.
Each seat, and each recovery key, has its share; its other notices wait for the next turn."""


class Sorted(NamedTuple):
    """The notices that no turn lists."""

    good: list[SignedNotice]
    """Those that count for the next turn, in order."""
    others: list[tuple[SignedNotice, str]]
    """Those that cannot count, with reasons."""
    after: Standing
    """The standing once a turn has listed the good ones."""


def sorted_out(
    standing: Standing, records: Iterable[SignedNotice], heads: Sequence[bytes]
) -> Sorted:
    """Find out which notices that no turn lists count now."""
    good, others = list[SignedNotice](), list[tuple[SignedNotice, str]]()
    count, most = Counter[str](), max(1, FOR_SEATS // (2 * len(standing.roster) or 1))
    for record in in_order(standing, records):
        who = numbered_with(standing, record.content.writer, record.signed.key)
        if reason := why_not(standing, record, heads):
            others.append((record, reason))
        elif len(good) < MAX_LISTED_NOTICES and (count[who] < most or not record.content.seat):
            good.append(record)
            count[who] += 1
            standing = after_notice(standing, record, len(heads))
    return Sorted(good, others, standing)


def row_of(record: SignedNotice) -> ListedNotice:
    """Return the row with which a turn lists a notice."""
    return ListedNotice(record.id, record.content.about, record.content.seat)


def after_turn(
    standing: Standing, turn: Turn, find: FindNotice, heads: Sequence[bytes], acts: Acts = ()
) -> Standing:
    """Return the standing after the notices that a turn lists; `heads` are those before it, `acts`
    the orders that it lists (see `acts_of`).

    Raises RecordError `rule` for a notice that cannot count, `parent` for a missing one.
    """
    rows, before = {row.id: row for row in turn.notices}, standing
    for record in in_order(standing, (find(wanted) for wanted in rows)):
        if row_of(record) != rows[record.id]:
            raise RecordError("rule", f"{_named(record)} is listed with the wrong kind or seat")
        if reason := why_not(standing, record, heads):
            if reason == kind_of(record.content).missing(standing):
                raise RecordError("parent", reason)
            raise RecordError("rule", f"{_named(record)} cannot count: {reason}")
        standing = after_notice(standing, record, len(heads))
    after = standing.with_agreed_end(len(heads), acts) if turn.turn > 1 else before
    for wait in () if after.ended else must_count(standing.due, acts):
        told = f"notices: {wait.id.hex()[:6]} ({wait.about}) must take effect in this turn"
        raise RecordError("rule", told)
    return after


def must_count(due: Iterable[Wait], acts: Acts) -> list[Wait]:
    """Return the acts that the turn must list again, because none of these orders cancels them."""
    again = [wait for wait in due if wait.id]
    return [wait for wait in again if wait.disputed or not wait.is_cancelled_by(acts)]


def check_needed(record: Record[Turn], standing: Standing) -> None:
    """Check that the referee of that time signed the turn, and that something happens in it. Raises
    RecordError `key`, `rule`."""
    turn = record.content
    if record.signed.key != standing.referee_key:
        told = f"turn {turn.turn} is not signed by {standing.referee_name}"
        raise RecordError("key", f"{told}, who was the referee at that time")
    if not (turn.log or turn.notices or standing.ended):
        raise RecordError("rule", "log: nothing happens in this turn, so the file cannot be a turn")


def _named(record: SignedNotice) -> str:
    return f"notices: {record.id.hex()[:6]} ({record.content.about})"
