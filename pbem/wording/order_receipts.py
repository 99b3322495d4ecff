"""Sealed orders in words: the receipt, which questions they leave open, which orders count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pbem.terminal.clean_text import clean
from pbem.text.numbers_and_lists import counted
from pbem.text.terminal_and_page_wording import TerminalText

# ---- The receipt: the ends that sealing adds, what orders replace, which questions are left open

_END_ADDED: Final = TerminalText(
    "[[the lines of {kind} did not end with “{end}”, so pbem added “{end}”"
    "||nothing more follows: “{end}”]]"
)


def added_end_note(kind: str, end: str) -> str:
    """Say that sealing adds the end of a list."""
    return _END_ADDED.format(kind=kind, end=end)


UNTIL_NEXT_TURN_SENTENCE: Final = (
    "until the next turn is made, you can submit new orders to replace these orders"
)
_SEALED: Final = TerminalText(
    "SEALED here[[ as {digits} (revision {revision})]]; only {referee} can read these orders"
)
_SEALED_BEFORE: Final = TerminalText(
    "SEALED already[[ as {digits}]]: these orders are the same as before"
)
_ORDERS_REPLACED: Final = TerminalText("the new orders replace all of your orders[[ {digits}]]")
_REST_REPLACED: Final = TerminalText(
    "the new orders replace what is left of your earlier orders[[ {digits}]]"
)
_QUESTIONS_LEFT: Final = TerminalText(
    "[[these orders do not answer {kinds}, so you still have to answer"
    "||you still have to answer: {questions}]]"
)
_DROPPED_ORDER: Final = "the new orders drop your standing order: {order}"


def repeated_seal_line(order_id: str) -> str:
    """Return the line that says that the same orders were sealed before."""
    return _SEALED_BEFORE.format(digits=order_id[:6])


def seal_lines(
    order_id: str, revision: int, referee: str, replaced_id: str, *, replaces_all: bool
) -> list[str]:
    """Return lines on new orders: who can read them, and what they replace.

    `replaced_id` is empty if there were no orders; with `replaces_all`, none of them was used yet.
    """
    lines = [_SEALED.format(digits=order_id[:6], revision=revision, referee=clean(referee))]
    if replaced_id:
        template = _ORDERS_REPLACED if replaces_all else _REST_REPLACED
        lines.append(template.format(digits=replaced_id[:6]))
    return [*lines, UNTIL_NEXT_TURN_SENTENCE]


def unanswered_line(kinds: Sequence[str], questions: Sequence[str]) -> str:
    """Say which questions the orders leave open: in a terminal by their kinds."""
    return _QUESTIONS_LEFT.format(kinds=", ".join(kinds), questions=", ".join(questions))


def dropped_order_lines(orders: Iterable[str]) -> list[str]:
    """Return a line for each standing order that new orders drop."""
    return [_DROPPED_ORDER.format(order=clean(order)) for order in orders]


# ---- The orders in force

NO_ORDERS_SENTENCE: Final = "you have no sealed orders yet"
_ORDERS_STILL_COUNT: Final = TerminalText(
    "your orders[[ {digits} (revision {revision})]] still count"
)
_NOTHING_SEALED: Final = "{problems}: nothing was sealed; {orders}"


def orders_in_force_clause(order_id: str, revision: int) -> str:
    """Say which orders of the seat count as long as no others are sealed; `order_id` is empty if
    none do."""
    if not order_id:
        return NO_ORDERS_SENTENCE
    return _ORDERS_STILL_COUNT.format(digits=order_id[:6], revision=revision)


def nothing_sealed_line(error_count: int, warning_count: int, orders_clause: str) -> str:
    """Say why nothing was sealed, and which orders count."""
    counts = ((error_count, "error"), (warning_count, "warning"))
    problems = " and ".join(counted(count, noun) for count, noun in counts if count)
    return _NOTHING_SEALED.format(problems=problems, orders=orders_clause)
