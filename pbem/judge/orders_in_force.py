"""Which orders are in force, and why others are not (protocol §8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import (
    Table,
)
from engine.sentences.slots_in_sentences import with_names
from engine.value_classes import Value
from pbem.format.record_error import RecordError
from pbem.judge.order_line_checks import read_lines, refusal_problems, write_line
from pbem.records.orders import Orders, orders_rank
from pbem.records.packet import MAX_REASON, RefusedLine
from pbem.records.read_and_sign_record import Record
from pbem.records.sealed_orders import UnsealedOrders
from pbem.records.turn import ListedOrders


class OrdersInForce(Value):
    """A seat's orders in force, and the round in which their plain lines count."""

    record: Record[Orders]
    round: int


def why_misplaced(
    orders: Orders,
    heads: Sequence[bytes],
    is_referee_seat: bool,
    is_named_as_own: bool,
    asking_turn: int,
) -> str:
    """Return the reason why orders cannot count for the next turn: `late`, `forked`, or `ahead`
    (too early); empty if they are in time.

    `heads` are the heads from before turn 1 to the last turn made. With `is_referee_seat`, the seat
    is in `plays`; with `is_named_as_own`, the last turn names these orders as its `own`.
    `asking_turn` is the turn that asked the open questions; later turns only listed notices.
    """
    last_turn = len(heads) - 1
    if is_referee_seat and (orders.turn, orders.prev) == (last_turn + 1, heads[last_turn]):
        return "ahead"
    if orders.prev not in heads:
        return "forked"
    if is_referee_seat:
        return "" if is_named_as_own else "late"
    if asking_turn <= orders.turn <= last_turn and orders.prev == heads[orders.turn]:
        return ""
    is_earlier_turn = orders.turn < last_turn and orders.prev == heads[orders.turn]
    return "late" if is_earlier_turn else "forked"


def why_unusable(
    record: Record[Orders],
    unseal: Callable[[Orders], UnsealedOrders],
    table: Table[Any],
    has_handles: bool = True,
) -> tuple[str, list[RefusedLine]]:
    """Return the reason why orders in time cannot count at this table, and each wrong line with an
    explanation for its owner.

    The reason is `unopenable` or `rule`; empty if they can count. `unseal` decrypts the orders; if
    that fails, or if the sealed text is no order lines, there are no explanations. Without handles,
    lines name slots, which stand for cards that nobody knows.
    """
    try:
        lines = read_lines(unseal(record.content).texts)
    except RecordError as error:
        return "rule" if error.reason == "rule" else "unopenable", []
    checked_lines = lines
    if not has_handles:
        checked_lines = [line._replace(text=with_names(line.text, {})) for line in lines]
    details = [
        RefusedLine(record.id, write_line(lines[problem.line - 1]), _ascii_reason(problem.sentence))
        for problem in refusal_problems(table, record.content.seat, checked_lines)
    ]
    return "rule" if details else "", details


def _ascii_reason(reason: str) -> str:
    """Return a reason in plain ASCII, cut to the length that fits into a packet."""
    return reason.encode("ascii", "replace").decode()[:MAX_REASON]


def by_rank(records: Iterable[Record[Orders]]) -> list[Record[Orders]]:
    """Sort one seat's orders by rank. The first one in time comes into force."""
    return sorted(
        records, key=lambda r: orders_rank(r.content.turn, r.content.revision, r.id.hex())
    )


def check_status(listed_orders: ListedOrders, expected_reason: str) -> None:
    """Raise RecordError `opening` if a turn wrongly calls orders late, forked or in time;
    `expected_reason` is the answer of `why_misplaced`."""
    published_reason = listed_orders.reason if listed_orders.reason in ("late", "forked") else ""
    if published_reason != expected_reason:
        subject = f"orders {listed_orders.id.hex()[:6]} of seat {listed_orders.seat}"
        expected_status = (
            status_in_words("refused", expected_reason) if expected_reason else "valid"
        )
        raise RecordError("opening", wrong_status(subject, listed_orders, expected_status))


def status_in_words(status: str, reason: str) -> str:
    """Return the status of orders, with the reason if there is one."""
    return f"{status} ({reason})" if reason else status


def wrong_status(subject: str, listed_orders: ListedOrders, expected_status: str) -> str:
    """Say that a turn lists orders, which `subject` names, with the wrong status."""
    published_status = status_in_words(listed_orders.status, listed_orders.reason)
    return (
        f"the turn lists {subject} as {published_status}, but must list them as {expected_status}"
    )


def check_choice(
    seat: str,
    accepted: list[Record[Orders]],
    other_orders: list[Record[Orders]],
    in_force: Record[Orders] | None = None,
) -> None:
    """Raise RecordError `opening` unless the turn accepts exactly the seat's first orders by rank,
    or none if the orders `in_force` before the turn rank first.

    `accepted` are the orders that the turn lists as accepted, `other_orders` those that it lists as
    replaced.
    """
    if len(accepted) > 1:
        sentence = f"the turn accepts two sets of orders of seat {seat}; a seat can have only one"
        raise RecordError("opening", sentence)
    candidates = [*accepted, *other_orders, *([in_force] if in_force else [])]
    first_record = next(iter(by_rank(candidates)), None)
    if accepted and first_record is in_force:
        sentence = (
            f"the turn accepts orders {accepted[0].id.hex()[:6]} of seat {seat}, although the "
            "orders that the seat had before still count"
        )
        raise RecordError("opening", sentence)
    if first_record is not in_force and accepted != [first_record]:
        short_id = first_record.id.hex()[:6] if first_record else ""
        sentence = f"the turn does not accept orders {short_id} of seat {seat}, although they count"
        raise RecordError("opening", sentence)
