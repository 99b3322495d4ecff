"""A seat's orders as they are after a log: used lines and stop lines brought up to date."""

from collections.abc import Sequence
from typing import Any

from engine.log import Entry, Seat
from engine.replayed_table import Table
from engine.sentences.order_line_matching import Line, OrderSet


def resumed_orders(
    table: Table[Any], seat: Seat, in_round: int, lines: Sequence[Line], log: Sequence[Entry],
    start_length: int,
) -> OrderSet:  # fmt: skip
    """Return a seat's orders as they are after the log: used lines are marked, and stop lines have
    seen every entry since the orders were accepted.

    ``log`` is the log behind the table, which had ``start_length`` entries when the orders were
    accepted. It is replayed only if the lines include stop lines, which need the states of that
    time; nothing else reads the state.
    """
    ruleset, replay_table = table.game.ruleset, table
    if start_length < len(log) and ruleset.stops_in(lines):
        replay_table = Table(table.game, table.viewpoint, log[:start_length])
    orders = ruleset.orders(seat, in_round, lines, replay_table.state)
    for entry in log[start_length:]:
        if replay_table is not table:
            replay_table.push(entry)
        orders.entered(entry, replay_table.state)
    return orders
