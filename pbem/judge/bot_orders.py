"""A bot's answers for a seat, as order lines."""

from __future__ import annotations

from engine import DONE, Bot, Table
from engine.bots import answer
from pbem.judge.order_lines import read_lines, round_lines
from pbem.judge.seat_turn_reader import SeatReader

MAX_BOT_LINES = 60
"""The most lines that a bot writes for one set of orders."""


def bot_lines(reader: SeatReader, bot: Bot) -> list[str]:
    """Return lines that answer everything that the seat is asked now.

    The bot plays ahead on a copy of the seat's table, at most `MAX_BOT_LINES` lines: until a script
    ends, or until chance or another seat decides something. Only a kind whose lines are a list of
    steps is played ahead; of any other kind, one line answers.
    """
    table = Table(reader.own_table.game, reader.seat, reader.own_log)
    lines: list[str] = []
    while len(lines) < MAX_BOT_LINES:
        decision = next((d for _, d in table.pending if d.seat == reader.seat), None)
        if decision is None:
            break
        text = answer(bot, table.state, decision)
        if decision.script:
            lines += [f"{decision.kind}: {step}" for step in text.split("; ")]
            break
        lines.append(f"{decision.kind}: {text}")
        is_scripted = reader.public.game.ruleset.kinds[decision.kind].script
        if len(table.pending) > 1 or not is_scripted or text == DONE:
            break
        table.take_answer(text)
    return lines


def bot_round_lines(reader: SeatReader, bot: Bot) -> list[str]:
    """Return lines for everything that this seat may be asked in this round, but none that looks at
    the hand if whoever carries the lines out does not know it."""
    table = reader.own_table
    decisions = [decision for _, decision in table.pending if decision.seat == reader.seat]
    texts = round_lines(table.game.ruleset, table.state, reader.seat, bot, decisions)
    if reader.mode.has_handles:
        return texts
    read = table.game.ruleset.ready_lines.read
    calls = [
        (text, read(line.kind, line.text))
        for text, line in zip(texts, read_lines(texts), strict=True)
    ]
    return [text for text, call in calls if call is None or not call.line.reads_hand]
