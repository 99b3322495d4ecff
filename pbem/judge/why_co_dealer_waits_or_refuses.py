"""Reasons for which a co-dealer waits or refuses to deal: its clock, records of seats (§13)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from pbem.files.record_file_names import Name
from pbem.format.record_error import RecordError
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.seat_holders_keys_and_agreements import MIN_WAIT_SECONDS, Standing
from pbem.judge.which_notices_count import SignedNotice, kind_of, max_listed_of_key, why_not
from pbem.records.charter import Charter
from pbem.records.player_call_request import MAX_CLOCK_SECONDS
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn
from pbem.text.dates import DAY

SURE_SECONDS: Final = MAX_CLOCK_SECONDS
"""A record that was here so long before the date of a turn was surely in time for it."""
UNPROVEN_WAIT_SECONDS: Final = 30 * DAY
"""The time for which a co-dealer keeps its secret if the chain does not show that each player knows
it up to its end."""


def earliest_time_to_deal(turns: Iterable[Turn], seen_at: Mapping[int, int]) -> int:
    """Return the time from which a co-dealer may deal for the last turn, so that nobody lost time
    to a turn before the co-dealer saw it; 0 if it may at once.

    `turns` came since its last deal; `seen_at` has, by the number of a turn, when it first saw it.
    A turn that names somebody silent, gives a seat away or ends the game counts as much later than
    its date as the co-dealer saw one of the turns before it later than that turn's date.
    """
    earliest, lag_seconds = 0, 0
    for turn in turns:
        if turn.silent or turn.handover or turn.over:
            earliest = max(earliest, turn.time + lag_seconds)
        lag_seconds = max(lag_seconds, seen_at[turn.turn] - turn.time)
    return earliest


def earliest_time_to_open(
    charter: Charter, turns: Sequence[Turn], seen_at: int, missing_seats: Collection[str] = ()
) -> int:
    """Return the time from which a co-dealer may open its secret; `turns` are all turns of a game
    that is over, and `seen_at` says when it first saw the last one.

    It waits as long as players may take for any answer, and as long as an announced act does: so
    the real game has gone on by then, if this one was ended on a copy that nobody else sees. It
    waits for 30 days if some seats are missing (see `seats_without_proof`).
    """
    longest_seconds = max((turn.deadline - turn.time for turn in turns if turn.deadline), default=0)
    wait_seconds = max(
        MIN_WAIT_SECONDS, longest_seconds, UNPROVEN_WAIT_SECONDS if missing_seats else 0
    )
    return max(seen_at + wait_seconds, charter.policies.latest_deadline(seen_at))


def seats_without_proof(turns: Sequence[Turn], standing: Standing, find: Finder) -> tuple[str, ...]:
    """Return the seats of players without proof of presence at the end of this chain, sorted.

    `turns` are all turns of a game that is over, and `standing` is the one after them.

    A player proves it with orders or a notice that follow the last turn that asked the seat: on a
    copy of the game that the player never saw, nobody can sign them. Seats that gave up need not,
    nor those whose keys the referee has. Keys that others gave to a seat show nothing of its
    player, and nor does an absence.
    """
    charter, last_turn = standing.charter, turns[-1]
    seats = standing.people() - {*charter.plays} - standing.by_mail
    seats -= {seat for seat, reason in standing.departures.items() if reason != "removed"}
    own_keys = {(row.writer, row.turn) for row in standing.applied_notices if row.kind == "key"}
    return tuple(
        seat
        for seat in sorted(seats)
        if any(
            (seat, keys.valid_until) not in own_keys for keys in standing.former_keys.get(seat, ())
        )
        or ((absence := standing.calendar.absences.get(seat)) and absence.covers(last_turn.time))
        or not _has_answered(seat, turns, find)
    )


def _has_answered(seat: str, turns: Sequence[Turn], find: Finder) -> bool:
    """Return whether accepted orders or a listed notice of a seat follow the last turn that asked
    the seat."""
    asking_turns = [turn.turn for turn in turns if any(row.seat == seat for row in turn.awaited)]
    asked_turn = max(asking_turns, default=0)
    for turn in turns[asked_turn:]:
        with suppress(RecordError):
            records: list[Record[Any]] = [
                find.orders(row.id)
                for row in turn.orders
                if row.seat == seat and row.status == "accepted"
            ]
            records += [find.notice(row.id) for row in turn.notices if row.seat == seat]
            if any(record.content.turn >= asked_turn for record in records):
                return True
    return False


# ---- Records of seats that a turn leaves out


class SeatRecord(NamedTuple):
    """A record of a seat, on the chain, that no turn lists."""

    name: Name
    """The name of its file."""
    key: bytes
    """The key that signed it."""
    seen_at: int
    """The time at which the co-dealer first saw it."""
    notice: SignedNotice | None = None
    """The content of a notice whose file is still here; None for other records."""


def left_out_record(
    previous_chain: Chain, turn: Turn, standing: Standing, records: Iterable[SeatRecord]
) -> SeatRecord | None:
    """Return a record against which a turn takes something from a seat: the co-dealer had it in
    time, and no turn lists it; None if there is none.

    `previous_chain` ends before the turn, and `standing` is the one after it. A turn may not
    settle a question of a seat without its orders if orders for that question, or a notice of the
    seat that counts, such as an absence, were here. Nor may an act take effect, such as new keys
    for a seat, that the record cancels.
    """
    absent_seats = _seats_called_absent(previous_chain.last_turn, turn)
    absent_seats -= standing.seats_out | standing.new_keys(turn.turn)  # their orders lapse
    acts = [
        act
        for act in previous_chain.standing.announced_acts
        if (act.kind == "vote" and turn.over)
        or (act.seat in standing.roster and standing.roster[act.seat].key == act.key)
    ]
    for record in records:
        name, join = record.name, previous_chain.standing.roster.get(record.name.seat)
        if join is None or record.seen_at > turn.time - SURE_SECONDS:
            continue
        if name.kind == "orders":
            has_answered = name.turn >= previous_chain.asking_turn
        else:
            has_answered = _could_count(previous_chain, turn, standing, record)
        if has_answered and record.key == join.key and name.seat in absent_seats:
            return record
        if record.key in (join.key, join.recovery) and any(
            act.is_cancelled_by([(name.seat, name.turn)])
            for act in acts
            if not act.disputed or record.key == join.recovery
        ):
            return record
    return None


def _could_count(previous_chain: Chain, turn: Turn, standing: Standing, record: SeatRecord) -> bool:
    """Return whether an unlisted notice of a seat could have counted in this turn, besides the
    listed ones.

    `standing` is the one after the turn. A notice whose file is gone was good when it came.
    """
    name, previous_standing = record.name, previous_chain.standing
    if (name.turn, name.revision) <= previous_standing.ranks.get(name.seat, (0, 0)):
        return False
    listed_count = sum(row.seat == name.seat for row in turn.notices)
    if listed_count >= max_listed_of_key(previous_standing):
        return False
    if record.notice is None:
        return True
    previous_standing = previous_chain.standing_at(turn.time, previous_standing.joins)
    notice = record.notice.content
    return not (
        why_not(previous_standing, record.notice, previous_chain.heads)
        or kind_of(notice).why_not(standing, notice)
    )


def _seats_called_absent(previous_turn: Turn | None, turn: Turn) -> set[str]:
    """Return the seats that a turn answers for, or names as silent, and of which it lists no
    accepted orders."""
    if previous_turn is None or previous_turn.owed:  # its answers were settled before
        return set()
    rows = [(entry.by, entry.seat) for entry in turn.log]
    rows += [(answer.by, answer.key.split(".")[3]) for answer in turn.said]
    seats = {*turn.silent, *(seat for by, seat in rows if by == "default")}
    return seats - {row.seat for row in turn.orders if row.status == "accepted"}
