"""Find out which orders in the folder count for the next turn, and why other orders do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.play.making.turn_maker import TurnMaker
from pbem.play.orders.late_or_counted import set_that_counts, why_misplaced, why_unusable
from pbem.records.charter_join_orders import Orders
from pbem.records.packet import MOST_REFUSALS, Refusal
from pbem.records.read_record import Record
from pbem.records.turn import Listed

SignedOrders = Record[Orders]


@dataclass
class SortedOrders:
    """The orders that no earlier turn lists, sorted for the next turn."""

    accepted: dict[str, SignedOrders] = field(default_factory=dict)
    listed: list[Listed] = field(default_factory=list)
    refused: dict[str, list[Refusal]] = field(default_factory=dict)
    ahead: dict[str, list[SignedOrders]] = field(default_factory=dict)
    """Orders of seats in `plays` for a turn that is not made yet."""
    strange: list[SignedOrders] = field(default_factory=list)
    """Orders that are signed, but build on a head that is not known here."""
    acts: list[tuple[str, int]] = field(default_factory=list)
    """For each set of orders of this chain that is listed: its seat, and the turn that it answers.
    They show that somebody with the seat's key was there."""


class OrderSorter:
    """Sorts orders by the state of the game before the next turn."""

    def __init__(
        self,
        maker: TurnMaker,
        heads: Sequence[bytes],
        own: Sequence[bytes],
        go_on: bool = False,
        all_here: bool = False,
    ) -> None:
        """`heads[k]` is the head after turn k; `own` has the ids that the last turn names as own.

        With `go_on`, orders that build on an unknown head are listed as forked. `all_here` does the
        same, except for orders that answer a later turn, because the referee's other machine may
        have made that turn.
        """
        self.all_here = all_here
        self.maker, self.heads, self.own, self.go_on = maker, heads, set(own), go_on
        self.done = SortedOrders()

    def sort(self, records: Sequence[SignedOrders]) -> SortedOrders:
        """Sort all these records; their order does not matter."""
        good: dict[str, list[SignedOrders]] = {}
        for record in sorted(records, key=lambda r: r.id):
            reason = self._why_refused(record)
            if reason == "ahead":
                self.done.ahead.setdefault(record.content.seat, []).append(record)
            elif reason == "strange":
                self.done.strange.append(record)
            elif reason:
                self._list(record, "refused", reason)
            else:
                good.setdefault(record.content.seat, []).append(record)
        for seat, mine in good.items():
            self._choose(seat, mine)
        return self.done

    def _choose(self, seat: str, records: list[SignedOrders]) -> None:
        counts = set_that_counts(records)
        self.done.accepted[seat] = counts
        for record in records:
            self._list(record, "accepted" if record is counts else "replaced")

    def _list(self, record: SignedOrders, status: str, reason: str = "") -> None:
        seat = record.content.seat
        self.done.listed.append(Listed(record.id, seat, status, reason))
        self.done.acts += [(seat, record.content.turn)] if reason != "forked" else []

    def _why_refused(self, record: SignedOrders) -> str:
        """Return why orders do not count, such as `late` or `strange`; empty if they count."""
        return self._why_misplaced(record) or self._why_unusable(record)

    def _why_misplaced(self, record: SignedOrders) -> str:
        orders = record.content
        held, named = orders.seat in self.maker.charter.plays, record.id in self.own
        reason = why_misplaced(orders, self.heads, held, named, self.maker.asked_by)
        unknown = reason == "forked" and orders.prev not in self.heads
        go_on = self.go_on or (self.all_here and orders.turn < len(self.heads))
        return "strange" if unknown and not go_on else reason

    def _why_unusable(self, record: SignedOrders) -> str:
        reason, details = why_unusable(record, self.maker.open, self.maker.table.full)
        mine = self.done.refused.setdefault(record.content.seat, []) if details else []
        mine += details[: MOST_REFUSALS - len(mine)]
        return reason
