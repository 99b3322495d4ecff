"""The order lines of bots, and the lines that answer every question of a kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import (
    DONE,
    SKIP,
    Bot,
    Decision,
    Ruleset,
    Table,
)
from engine.log import Seat
from engine.make_and_ask_bots import ask_bot, choose_script, pick_option
from engine.ruleset import QuestionKind
from pbem.judge.order_line_checks import read_lines
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
        text = ask_bot(bot, table.state, decision)
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


def total_line(ruleset: Ruleset[Any], kind: QuestionKind) -> tuple[str, bool]:
    """Return a line that answers every question of this kind, and whether it must be a standing
    order. It must if it depends on the hand, because standing orders stay secret. The line is the
    first ready line that always fits, else the end line of a list; empty if there is neither."""
    for line in ruleset.ready_lines.lines_of(kind.name):
        if line.total:
            return line.sentence, line.reads_hand
    return (kind.ends if kind.ends in ruleset.forms.templates.values() else ""), False


def standing_lines(ruleset: Ruleset[Any]) -> list[str]:
    """Return standing orders that answer everything except questions about cards."""
    kinds = [kind for kind in ruleset.kinds.values() if not kind.cards]
    rows = [(kind.name, total_line(ruleset, kind)[0]) for kind in kinds]
    return [f"always {kind}: {line}" for kind, line in rows if line]


def round_lines(
    ruleset: Ruleset[Any], state: Any, seat: Seat, bot: Bot, open_decisions: Iterable[Decision]
) -> list[str]:
    """Return all the order lines that a bot sends for a seat at the beginning of a round.

    `open_decisions` are its open questions; `state` may come from any table that shows the seat's
    cards. For a kind about cards, the bot chooses, if the options can be known already; for other
    kinds, the line is one that answers every question, if the ruleset has one.
    """
    decisions = {decision.kind: decision for decision in open_decisions}
    earlier_lines: dict[str, list[str]] = {}  # the sentences of the lines so far, by kind
    lines = []
    for kind in ruleset.kinds.values():
        line, reads_hand = total_line(ruleset, kind)
        if line and reads_hand and not kind.cards:
            lines.append(f"always {kind.name}: {line}")
            continue
        if line and not kind.cards:
            sentences = [line]
        else:  # the bot chooses, if the options are known yet
            decision = decisions.get(kind.name)
            is_single_answer = decision is not None and decision.script
            if not is_single_answer:
                # the question as it will be once the lines so far have been carried out
                early_decision = ruleset.early_decision(state, seat, kind.name, earlier_lines)
                decision = early_decision or decision
            if decision is None:
                continue
            if decision.script:
                sentences = choose_script(bot, state, decision)[0].split("; ")
            else:
                sentences = [pick_option(bot, state, decision, decision.option_list())]
            # the table may change before the list is reached: then it skips what is impossible
            sentences += [SKIP] if kind.script and not is_single_answer else []
        earlier_lines[kind.name] = sentences
        lines += [f"{kind.name}: {text}" for text in sentences]
    return lines
