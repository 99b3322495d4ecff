"""Work out which order lines of a seat still count now, if they were accepted some time ago."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.log import Entry
from engine.ruleset import Game
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
    ruleset = table.game.ruleset
    if since == len(log) or not ruleset.stops_in(lines):
        orders = ruleset.orders(seat, in_round, lines, table.state)
        for entry in log[since:]:
            orders.entered(entry, table.state)
        return orders
    return _replayed(table.game, table.viewpoint, seat, in_round, lines, log, since)


def _replayed(
    game: Game[Any], viewpoint: Seat, seat: Seat, in_round: int, lines: Sequence[Line],
    log: Sequence[Entry], since: int,
) -> OrderSet:  # fmt: skip
    then = Table(game, viewpoint, log[:since])
    orders = game.ruleset.orders(seat, in_round, lines, then.state)
    for entry in log[since:]:
        then.push(entry)
        orders.entered(entry, then.state)
    return orders
