"""Work out which order lines of a seat still count now, if they were accepted some time ago."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.log import Entry
from engine.sentences.standing_orders import Line, OrderSet
from engine.sentences.text import Seat
from engine.table import Table


def resumed_orders(
    table: Table[Any], seat: Seat, in_round: int, lines: Sequence[Line], log: Sequence[Entry],
    since: int,
) -> OrderSet:  # fmt: skip
    """Return the lines that still count; they were accepted when the log had ``since`` entries.

    ``log`` is the log behind the table. It is replayed only if the lines include stop lines.
    """
    ruleset, then = table.game.ruleset, table
    if since < len(log) and ruleset.stops_in(lines):
        then = Table(table.game, table.viewpoint, log[:since])
    orders = ruleset.orders(seat, in_round, lines, then.state)
    for entry in log[since:]:
        if then is not table:
            then.push(entry)
        orders.entered(entry, then.state)
    return orders
