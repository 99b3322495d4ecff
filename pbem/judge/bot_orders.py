"""What a bot would answer for a seat, as order lines."""

from __future__ import annotations

from engine import DONE, Bot, Table
from engine.bots import answer
from pbem.judge.lines import round_lines
from pbem.judge.seat_reader import SeatReader

MOST_AHEAD = 60
"""The most lines that a bot writes for one set of orders."""


def bot_lines(reader: SeatReader, bot: Bot) -> list[str]:
    """Write lines that answer all that the seat is asked now, by playing ahead on its own table,
    until a script ends or chance or another seat decides something."""
    table = Table(reader.own_table.game, reader.seat, reader.own_log)
    lines: list[str] = []
    while len(lines) < MOST_AHEAD:
        mine = next((one for _, one in table.pending if one.seat == reader.seat), None)
        if mine is None:
            break
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
