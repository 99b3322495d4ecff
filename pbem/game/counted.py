"""Decide which orders count, and why others do not (protocol §8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import Table
from engine.values import Value
from pbem.format.canonical import RecordError
from pbem.game.lines import read_lines, write_line, wrong_lines
from pbem.records.charter import Orders
from pbem.records.read_record import Record
from pbem.records.sealed_orders import OrderPlace, Sealed
from pbem.records.turn import MAX_REASON, Listed, Refusal


class OrdersInForce(Value):
    """A seat's orders that count now, and the round in which their plain lines count."""

    record: Record[Orders]
    round: int


class HandleOrigin(Value):
    """Where a face-down card's handle comes from: a bracket in a line of orders, or the referee."""

    handle: bytes
    place: OrderPlace | None = None
    slot: int = 0
    bracket: int = 0


def why_misplaced(
    orders: Orders, heads: Sequence[bytes], held: bool, named: bool, since: int = 0
) -> str:
    """Say why orders cannot count for the next turn: `late`, `forked`, or `ahead` (too early).

    The answer is empty if they are in time. `heads` are the heads from before turn 1 to the last
    turn made. With `held`, the seat is in `plays`; with `named`, the last turn names these orders
    as its `own`. `since` is the turn that asked the open questions; later turns only listed
    notices.
    """
    last = len(heads) - 1
    if held and (orders.turn, orders.prev) == (last + 1, heads[last]):
        return "ahead"
    if orders.prev not in heads:
        return "forked"
    if held:
        return "" if named else "late"
    if (since or last) <= orders.turn <= last and orders.prev == heads[orders.turn]:
        return ""
    past = orders.turn < last and orders.prev == heads[orders.turn]
    return "late" if past else "forked"


def why_unusable(
    record: Record[Orders], unseal: Callable[[Orders], Sealed], table: Table[Any]
) -> tuple[str, list[Refusal]]:
    """Say why orders that are in time cannot count at this table: `unopenable` or `rule`; empty if
    they can. Also returns each wrong line with what is wrong, for the owner."""
    try:
        lines = read_lines(unseal(record.content).texts)
    except RecordError as error:
        return "rule" if error.reason == "rule" else "unopenable", []
    details = [
        Refusal(record.id, write_line(lines[wrong.line - 1]), _plain(wrong.what))
        for wrong in wrong_lines(table, record.content.seat, lines)
    ]
    return "rule" if details else "", details


def _plain(reason: str) -> str:
    """Return a reason in plain ASCII, cut to the length that fits into a packet."""
    return reason.encode("ascii", "replace").decode()[:MAX_REASON]


def set_that_counts(records: Iterable[Record[Orders]]) -> Record[Orders]:
    """Choose, from one seat's orders in time, those that count: for the latest turn, then of the
    highest revision, then with the smallest id."""
    return min(records, key=lambda r: (-r.content.turn, -r.content.revision, r.id))


def check_status(listed: Listed, misplaced: str) -> None:
    """Raise RecordError `opening` if a turn wrongly calls orders late, forked or in time."""
    said = listed.reason if listed.reason in ("late", "forked") else ""
    if said != misplaced:
        digits, told = listed.id.hex()[:6], listed.reason or listed.status
        told = f"the turn lists orders {digits} of seat {listed.seat} as {told}, "
        told += f"but they are {misplaced or 'in time'}"
        raise RecordError("opening", told)


def check_choice(seat: str, accepted: list[Record[Orders]], others: list[Record[Orders]]) -> None:
    """Raise RecordError `opening` unless the accepted orders are exactly those that count."""
    if len(accepted) > 1:
        raise RecordError("opening", f"the turn accepts two sets of orders of seat {seat}")
    if others and (not accepted or set_that_counts(accepted + others) is not accepted[0]):
        digits = set_that_counts(accepted + others).id.hex()[:6]
        told = f"the turn leaves out orders {digits} of seat {seat}, although they count"
        raise RecordError("opening", told)
