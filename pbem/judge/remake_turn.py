"""Make a published turn again, to compare it."""

from __future__ import annotations

from dataclasses import replace

from pbem.judge.awaited_and_silent_seats import inputs_of
from pbem.judge.orders_for_next_turn import OrderSorter
from pbem.judge.record_chain import Finder
from pbem.judge.turn_maker import TurnMaker
from pbem.records.turn import Turn


def remake(maker: TurnMaker, turn: Turn, find: Finder) -> Turn | None:
    """Make a turn again from the orders and notices that it lists; the result is equal to `turn` if
    that is right. None if the orders settle nothing.

    `maker` has made the turns before it; call `maker.add_turn` before the next one. The result gets
    from the turn only its time, its `own`, its `by_word`, and its deadline if the rules allow it.
    Raises RecordError `parent` if a listed record is missing, `rule` for a notice that cannot
    count.
    """
    previous_standing = maker.chain.list_notices(turn, find)
    notices = [find.notice(row.id) for row in turn.notices]
    maker.take_notices(previous_standing, notices, maker.chain.standing)
    records = [find.orders(row.id) for row in turn.orders]
    # a turn lists no orders that wait, so what it lists must get a status
    sorted_orders = OrderSorter(maker, go_on=True).sort(records)
    inputs = inputs_of(maker, sorted_orders, turn.own, turn.time)
    deals = tuple(find.deal(deal_id) for deal_id in turn.deals)
    inputs = replace(inputs, by_word=turn.by_word, deadline=turn.deadline, deals=deals)
    return maker.make(inputs)
