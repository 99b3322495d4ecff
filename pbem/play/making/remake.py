"""Make a turn again from what it lists; anybody with the secrets that `final` opens can do this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.play.making.silence import silent_seats, unheard_seats
from pbem.play.making.sort_orders import OrderSorter, SortedOrders
from pbem.play.making.turn_maker import TurnInputs, TurnMaker
from pbem.play.orders.in_force import FindOrders
from pbem.play.orders.late_or_counted import acts_of
from pbem.play.seats.listed_notices import FindNotice, after_turn
from pbem.records.charter_join_orders import Join
from pbem.records.read_record import Record
from pbem.records.turn import Turn


def inputs_of(
    maker: TurnMaker, found: SortedOrders, own: tuple[bytes, ...], last: Turn | None, time: int
) -> TurnInputs:
    """Collect the inputs of the next turn, from the sorted orders and the turn before."""
    return TurnInputs(
        accepted=found.accepted,
        listed=tuple(found.listed),
        refused={seat: tuple(why) for seat, why in found.refused.items()},
        own=own,
        time=time,
        silent=silent_seats(maker, found, last, time),
        unheard=unheard_seats(maker, found, last, time),
        kept=last.deadline if last else 0,
        acts=tuple(found.acts),
    )


def remake(
    maker: TurnMaker,
    turn: Turn,
    heads: Sequence[bytes],
    last: Turn | None,
    find: FindOrders,
    find_notice: FindNotice,
    joins: Mapping[bytes, Record[Join]],
) -> Turn | None:
    """Make a turn again from what it lists; the result is the same if the turn was correct.

    `last` is the turn before. Raises RecordError `parent` if listed orders or a listed notice are
    not here, `rule` for a notice that cannot count.
    """
    before = maker.standing_with(joins, turn.time, last)
    acts = acts_of(turn, find) if before.due else ()
    after_turn(before, turn, find_notice, heads, acts)
    maker.take_notices(before, (find_notice(listed.id) for listed in turn.notices), acts)
    records = [find(listed.id) for listed in turn.orders]
    found = OrderSorter(maker, heads, last.own if last else (), go_on=True).sort(records)
    made = inputs_of(maker, found, turn.own, last, turn.time)
    return maker.make(replace(made, by_word=turn.by_word, deadline=turn.deadline))
