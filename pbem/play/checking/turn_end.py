"""Check the end of a turn: its table, its questions, who was silent, and the deadline.

All of it follows from the log and the charter, so everybody can check it (protocol §3, c, e, g).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from engine import CHANCE, UNKNOWN, Pending, Table, forced
from pbem.format.errors import RecordError
from pbem.play.calendar.charter_deadlines import deadline_fits
from pbem.play.checking.public_table import board_lines
from pbem.records.charter_join_orders import Charter
from pbem.records.turn import Turn


def awaited(pending: Pending) -> dict[str, tuple[str, ...]]:
    """Each seat that is asked, with the kinds of decision it is asked for."""
    found: dict[str, list[str]] = {}
    for _, decision in pending:
        found.setdefault(decision.seat, []).append(decision.kind)
    return {seat: tuple(dict.fromkeys(kinds)) for seat, kinds in found.items()}


def check_end(turn: Turn, table: Table[Any], charter: Charter) -> None:
    """Check the end of a turn against the public table after its log. Raises RecordError `rule`."""
    if {asked.seat: asked.kinds for asked in turn.awaited} != awaited(table.pending):
        raise RecordError("rule", "awaited: does not name exactly the open questions")
    if turn.over != table.over:
        raise RecordError("rule", f"over: the game is {'' if table.over else 'not '}over")
    if not table.over and all(_answers_itself(decision) for _, decision in table.pending):
        raise RecordError("rule", "log: the turn stops although there is nobody to ask")
    if turn.table != board_lines(table.game.ruleset.scene(table.state)):
        raise RecordError("rule", "table: differs from what is on the table")
    if not deadline_fits(charter.policies, table.pending, turn.time, turn.deadline):
        raise RecordError("rule", "deadline: differs from the one that follows from the charter")
    check_cards(table)


def _answers_itself(decision: Any) -> bool:
    return decision.seat == CHANCE or decision.fact or forced(decision)


def check_silence(turn: Turn, asked: Collection[str], deadline: int) -> None:
    """Check that silent seats were asked and the deadline has passed. Raises RecordError `rule`."""
    if not set(turn.silent) <= set(asked):
        raise RecordError("rule", "silent: names a seat that was not asked")
    if turn.silent and not 0 < deadline <= turn.time:
        raise RecordError("rule", "silent: names a seat before the deadline")


def check_cards(table: Table[Any]) -> None:
    """Check that no card is in play more often than printed. Raises RecordError `chain`."""
    ruleset = table.game.ruleset
    printed = Counter(card for deck in ruleset.decks.values() for card in deck)
    known = Counter(card for card in table.state.cards() if card != UNKNOWN)
    if more := known - printed:
        card = min(more)
        raise RecordError(
            "chain", f"{card} is there {known[card]} times, but printed {printed[card]}"
        )
