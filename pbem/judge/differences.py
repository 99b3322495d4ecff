"""How a turn differs from the one that its orders and the seed give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from pbem.format.canonical import Reason, RecordError
from pbem.judge.card_mode import CardDifferences, Difference
from pbem.records.turn import ListedOrders, LogEntry, Turn, open_packet


def _orders(turn: Turn, right: Turn) -> RecordError:
    made = {listed.id: listed for listed in right.orders}
    for listed in turn.orders:
        if (wanted := made[listed.id]) != listed:
            told = f"the turn lists orders {listed.id.hex()[:6]} of seat {listed.seat} as "
            return RecordError("rule", f"{told}{_status(listed)}, but they are {_status(wanted)}")
    raise AssertionError("the audit makes each turn again from the orders that the turn lists")


def _status(listed: ListedOrders) -> str:
    return f"{listed.status} ({listed.reason})" if listed.reason else listed.status


def _silent(turn: Turn, right: Turn) -> RecordError:
    said, wanted = (", ".join(t.silent) or "nobody" for t in (turn, right))
    return RecordError("rule", f"silent: the turn names {said}, but {wanted} was silent")


def _log(turn: Turn, right: Turn, cards: CardDifferences) -> RecordError:
    for n, (said, wanted) in enumerate(zip(turn.log, right.log, strict=False)):
        if said != wanted:
            return _entry(n, said, wanted, cards)
    if len(turn.log) < len(right.log):
        told = f"the turn stops before {right.log[len(turn.log)].key}, which the orders settle"
    else:
        told = f"{turn.log[len(right.log)].key}: the orders do not settle this"
    return RecordError("rule", f"log: {told}")


def _entry(n: int, said: LogEntry, wanted: LogEntry, cards: CardDifferences) -> RecordError:
    where = f"log, entry {n}, {said.key}"
    if (said.key, said.text, said.by) == (wanted.key, wanted.text, wanted.by):
        return RecordError("commitment", f"{where}: {cards.in_entry}")
    if said.key == wanted.key and said.text == wanted.text:
        told = f"says that {said.by} settles {said.text!r}, but {wanted.by} does"
        return RecordError("rule", f"{where}: {told}")
    told = f"says {said.text!r} by {said.by}"
    if said.key == wanted.key:
        told += f", but the orders and the seed give {wanted.text!r} by {wanted.by}"
    else:
        told += f", but the next question is {wanted.key}"
    return RecordError("rule", f"{where}: {told}")


def _packets(
    turn: Turn, right: Turn, keys: Mapping[str, bytes], cards: CardDifferences
) -> RecordError:
    if turn.packets.keys() != right.packets.keys():
        return RecordError("box", "packets: there must be one for each seat")
    seat = next(seat for seat, box in turn.packets.items() if box != right.packets[seat])
    where = f"packet of seat {seat}"
    try:
        said = open_packet(turn.turn, seat, turn.packets[seat], keys[seat])
    except RecordError as error:
        return RecordError(error.reason, f"{where}: {error.sentence}")
    wanted = open_packet(right.turn, seat, right.packets[seat], keys[seat])
    reasons: dict[str, Reason] = {**cards.in_packet, "refused": "rule"}
    for name, reason in reasons.items():
        one, other = getattr(said, name), getattr(wanted, name)
        if one != other:
            wrong = next((a for a, b in zip(one, other, strict=False) if a != b), None)
            card = getattr(wrong, "card", "")
            told = f", {card!r} among them" if card else ""
            return RecordError(reason, f"{where}: {name} differs from the correct contents{told}")
    return RecordError("padding", f"{where}: does not have the size that this turn requires")


_JOINS: Final = RecordError("commitment", "joins: differ from those that the seed was made from")


def difference(
    turn: Turn, right: Turn | None, keys: Mapping[str, bytes], cards: CardDifferences
) -> RecordError:
    """Return what is wrong with a turn; `right` is the correct turn, None if nothing can be
    settled.

    `keys` has, for each seat, the key of the boxes between the seat and `audit`. The fields are
    compared in the order in which one follows from the other.
    """
    if right is None:
        told = "the listed orders do not settle anything, so no turn can be made from them"
        return RecordError("rule", f"log: {told}")
    orders: dict[str, Difference] = {"orders": _orders, "silent": _silent}
    before_log = {"joins": _JOINS, **cards.before_orders, **orders, **cards.before_log}
    for name, wrong in before_log.items():
        if getattr(turn, name) != getattr(right, name):
            return wrong if isinstance(wrong, RecordError) else wrong(turn, right)
    if turn.log != right.log:
        return _log(turn, right, cards)
    for name, wrong in cards.after_log.items():
        if getattr(turn, name) != getattr(right, name):
            return wrong if isinstance(wrong, RecordError) else wrong(turn, right)
    if turn.packets != right.packets:
        return _packets(turn, right, keys, cards)
    other = next(f.name for f in fields(turn) if getattr(turn, f.name) != getattr(right, f.name))
    return RecordError("field", f"{other}: differs from what these orders and the seed give")
