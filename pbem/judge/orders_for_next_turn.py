"""Sort the orders that no turn lists yet, for the next turn."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.judge.orders_in_force import by_rank, why_misplaced, why_unusable
from pbem.judge.turn_inputs_and_outcome import SortedOrders
from pbem.judge.turn_maker import TurnMaker
from pbem.records.orders import Orders
from pbem.records.packet import MAX_PACKET_REFUSALS
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import ListedOrders


class OrderSorter:
    """Sorts orders by the state of the game before the next turn."""

    def __init__(self, maker: TurnMaker, go_on: bool = False, made_last_turn: bool = False) -> None:
        """Unplaced orders build on a turn that this chain does not have. With `go_on`, they are
        listed as forked; without it, they are set apart, so that no turn is made while there are
        any. `made_last_turn`: this machine made the last turn; then only unplaced orders for a
        later turn are set apart, because the referee's other machine may have made that turn."""
        self.maker, self.go_on, self.made_last_turn = maker, go_on, made_last_turn
        self.sorted_orders = SortedOrders()

    def sort(self, records: Sequence[Record[Orders]]) -> SortedOrders:
        """Sort these records by the reasons that `why_misplaced` and `why_unusable` give; the order
        of the records does not matter. Of a seat's usable orders, the first by rank are accepted,
        unless orders in force rank before them; the others are replaced."""
        usable_records: dict[str, list[Record[Orders]]] = {}
        chain, referee_seats = self.maker.chain, self.maker.charter.plays
        for record in sorted(records, key=lambda r: r.id):
            orders, is_named = record.content, record.id in chain.own_order_ids
            seat, is_referee_seat = orders.seat, orders.seat in referee_seats
            reason = why_misplaced(
                orders, chain.heads, is_referee_seat, is_named, chain.asking_turn
            )
            go_on = self.go_on or (self.made_last_turn and orders.turn <= chain.turn)
            if reason == "forked" and orders.prev not in chain.heads and not go_on:
                self.sorted_orders.unplaced_orders.append(record)
                continue
            if not reason:
                reason, details = why_unusable(
                    record, self.maker.open, self.maker.orders_table, self.maker.mode.has_handles
                )
                if details:
                    refusals = self.sorted_orders.rule_refusals.setdefault(seat, [])
                    refusals += details[: MAX_PACKET_REFUSALS - len(refusals)]
            if reason == "ahead":
                self.sorted_orders.early_orders.setdefault(seat, []).append(record)
            elif reason:
                self._list(record, "refused", reason)
            else:
                usable_records.setdefault(seat, []).append(record)
        for seat, seat_records in usable_records.items():
            # a turn that only lists notices may have accepted orders for the same questions
            in_force = self.maker.in_force.get(seat)
            first_record = by_rank([*seat_records, *([in_force.record] if in_force else [])])[0]
            for record in seat_records:
                self._list(record, "accepted" if record is first_record else "replaced")
                if record is first_record:
                    self.sorted_orders.accepted[seat] = record
        return self.sorted_orders

    def _list(self, record: Record[Orders], status: str, reason: str = "") -> None:
        """Add a row about these orders to `listed_orders` of the result."""
        seat = record.content.seat
        self.sorted_orders.listed_orders.append(ListedOrders(record.id, seat, status, reason))
        self.sorted_orders.acts += [(seat, record.content.turn)] if reason != "forked" else []
