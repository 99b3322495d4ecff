"""Which orders the next turn accepts, whom it waits for, and whom it names as silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.judge.absence import Absence, waited_for
from pbem.judge.chain import Finder
from pbem.judge.lines import by_rank, why_misplaced, why_unusable
from pbem.judge.turn_inputs import SortedOrders, TurnInputs
from pbem.judge.turn_maker import TurnMaker, answers
from pbem.records.charter import Orders
from pbem.records.read_record import Record
from pbem.records.turn import MAX_PACKET_REFUSALS, ListedOrders, Turn


class OrderSorter:
    """Sorts orders by the state of the game before the next turn."""

    def __init__(self, maker: TurnMaker, go_on: bool = False, made_last_turn: bool = False) -> None:
        """Orders that build on an unknown head are `strange`: no turn is made while they are here.
        With `go_on` they are listed as forked. `made_last_turn` does the same, except for orders
        that answer a later turn: the referee's other machine may have made it."""
        self.maker, self.go_on, self.made_last_turn = maker, go_on, made_last_turn
        self.done = SortedOrders()

    def sort(self, records: Sequence[Record[Orders]]) -> SortedOrders:
        """Sort all these records; their order does not matter."""
        good: dict[str, list[Record[Orders]]] = {}
        chain = self.maker.chain
        for record in sorted(records, key=lambda r: r.id):
            orders = record.content
            held, named = (
                orders.seat in self.maker.charter.plays,
                record.id in chain.early_order_ids,
            )
            reason = why_misplaced(orders, chain.heads, held, named, chain.asking_turn)
            go_on = self.go_on or (self.made_last_turn and orders.turn <= chain.turn)
            if reason == "forked" and orders.prev not in chain.heads and not go_on:
                self.done.strange.append(record)
                continue
            if not reason:
                reason, details = why_unusable(record, self.maker.open, self.maker.orders_table)
                mine = self.done.refused.setdefault(orders.seat, []) if details else []
                mine += details[: MAX_PACKET_REFUSALS - len(mine)]
            if reason == "ahead":
                self.done.ahead.setdefault(record.content.seat, []).append(record)
            elif reason:
                self._list(record, "refused", reason)
            else:
                good.setdefault(record.content.seat, []).append(record)
        for seat, in_time in good.items():
            # a turn that only lists notices may have accepted orders for the same questions
            in_force = self.maker.in_force.get(seat)
            counts = by_rank([*in_time, *([in_force.record] if in_force else [])])[0]
            for record in in_time:
                self._list(record, "accepted" if record is counts else "replaced")
                if record is counts:
                    self.done.accepted[seat] = record
        return self.done

    def _list(self, record: Record[Orders], status: str, reason: str = "") -> None:
        seat = record.content.seat
        self.done.listed.append(ListedOrders(record.id, seat, status, reason))
        self.done.acts += [(seat, record.content.turn)] if reason != "forked" else []


def waiting(maker: TurnMaker, absence: Absence | None = None) -> dict[str, tuple[str, ...]]:
    """Return the seats that are asked and not away, with what they are asked."""
    away = (absence or maker.absence_now).absence_reasons(maker.pending)
    return {s: kinds for s, kinds in maker.awaited.items() if s not in away}


def not_heard(maker: TurnMaker, before: int, time: int) -> tuple[str, ...]:
    """Return the seats that the turn just made should wait for; empty if it need not wait.

    With `wait = "round"`, the referee holds back a turn that would only ask players who have sent
    nothing for the round yet: their orders can arrive meanwhile, so that eight players need one
    exchange of mail instead of eight. The deadline ends the wait. A player who wants to see
    more before they decide can send orders that say less, even an empty set.

    `before` is the round in which the turn began. If it asks a seat for the first time in that
    round, and no orders of that seat count for it, the turn also waits for all seats without any
    orders, which will be asked next. It never waits for seats that are away, or whose keys the
    referee has.
    """
    chain = maker.chain
    if (
        not chain.turn
        or 0 < chain.deadline <= time
        or maker.table.public_table.state.round != before
    ):
        return ()
    others = chain.awaited.keys() | maker.absence_now.absence_reasons(maker.pending).keys()
    seats = waited_for(maker.charter, maker.joins, before, others)
    quiet = [seat for seat in sorted(seats) if not _heard(maker, seat, before)]
    asked = {*maker.awaited}
    if not asked.intersection(quiet):
        return ()
    return tuple(seat for seat in quiet if seat in asked or seat not in maker.in_force)


def _heard(maker: TurnMaker, seat: str, number: int) -> bool:
    held = maker.in_force.get(seat)
    return held is not None and held.lines.round == number


def inputs_of(
    maker: TurnMaker, found: SortedOrders, own: tuple[bytes, ...], time: int
) -> TurnInputs:
    """Collect the inputs of the next turn, made at `time`, from the sorted orders.

    After the deadline, silence counts: of seats that were asked, did not answer and are not away
    already; and of those that were not asked, but whose orders for the round are not here, if a
    question reaches them now.
    """
    chain = maker.chain
    if not 0 < chain.deadline <= time:
        return TurnInputs(found, own, time)
    here = chain.absence_with(found.accepted, ())
    silent = frozenset(
        decision.seat
        for key, decision in maker.questions
        if not here.unasked(key, decision) and not answers(maker, key, decision, found.accepted)
    )
    spoke = {*found.accepted, *chain.standing.seats_shown(chain.turn + 1)}
    spoke |= {seat for seat in maker.in_force if _heard(maker, seat, chain.round)}
    spoke |= maker.awaited.keys()
    unheard = waited_for(maker.charter, maker.joins, chain.round, spoke)
    return TurnInputs(found, own, time, silent, unheard)


def remake(maker: TurnMaker, turn: Turn, find: Finder) -> Turn | None:
    """Make the next turn again from what it lists; the result is the same if it was correct.

    Raises RecordError `parent` if something listed is missing, `rule` for a notice that cannot
    count.
    """
    before = maker.chain.list_notices(turn, find)
    notices = [find.notice(listed.id) for listed in turn.notices]
    maker.take_notices(before, notices, maker.chain.standing)
    records = [find.orders(listed.id) for listed in turn.orders]
    found = OrderSorter(maker, go_on=True).sort(records)
    made = inputs_of(maker, found, turn.own, turn.time)
    return maker.make(replace(made, by_word=turn.by_word, deadline=turn.deadline))
