"""Write a bot's orders: the bot looks at its seat's table and answers as a person would."""

from __future__ import annotations

from typing import Any

from engine import DONE, Bot, Decision, Table
from engine.bots import answer
from pbem.play.checking.seat_reader import SeatReader
from pbem.play.orders.bot_lines import round_lines

MOST_AHEAD = 60
"""The most lines that a bot writes for one set of orders."""


def bot_lines(reader: SeatReader, bot: Bot) -> list[str]:
    """Write lines that answer everything the seat is asked now, by playing ahead on its own table.

    A script continues until it ends, or until chance or another seat decides something.
    """
    table = Table(reader.own_table.game, reader.seat, reader.own_log)
    lines: list[str] = []
    while len(lines) < MOST_AHEAD and (mine := _asked(table, reader.seat)):
        text = answer(bot, table.state, mine)
        if mine.script:
            lines += [f"{mine.kind}: {step}" for step in text.split("; ")]
            break
        lines.append(f"{mine.kind}: {text}")
        scripted = reader.public.game.ruleset.kinds[mine.kind].script
        if len(table.pending) > 1 or not scripted or text == DONE:
            break
        table.send(text)
    return lines


def whole_round(reader: SeatReader, bot: Bot) -> list[str]:
    """Write lines for everything that this seat may be asked in this round."""
    table = reader.own_table
    mine = [decision for _, decision in table.pending if decision.seat == reader.seat]
    return round_lines(table.game.ruleset, table.state, reader.seat, bot, mine)


def _asked(table: Table[Any], seat: str) -> Decision | None:
    mine = [decision for _, decision in table.pending if decision.seat == seat]
    return mine[0] if mine else None
