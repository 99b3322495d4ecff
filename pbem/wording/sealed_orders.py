"""Sealed orders in words: the receipt, open questions, which orders count, and what standing orders
did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from engine.counts_and_lists_in_prose import count_times, counted
from pbem.judge.game_view import View
from pbem.judge.standing_order_reports import Fate, standing_report
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced
from pbem.text.terminal_and_page_wording import TerminalText

if TYPE_CHECKING:
    from pbem.person.restore_last_sealed_orders import LastOrdersNote


# ---- The receipt: the ends that sealing adds, what orders replace, which questions are left open

_END_TO_ADD: Final = TerminalText(
    "[[the lines of {kind} do not end with “{end}”, so sealing adds “{end}”"
    "||nothing more follows: “{end}”]]"
)
_END_ADDED: Final = TerminalText(
    "[[the lines of {kind} did not end with “{end}”, so pbem added “{end}”"
    "||nothing more follows: “{end}”]]"
)


def end_to_add_note(kind: str, end: str) -> str:
    """Say that sealing will add the end of a list."""
    return _END_TO_ADD.format(kind=kind, end=end)


def added_end_note(kind: str, end: str) -> str:
    """Say that sealing has added the end of a list."""
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


# ---- The last orders, put back or not counted

_LAST_ORDERS_TEMPLATES: Final = {
    "outranked": TerminalText(
        "the orders that you sealed last on this computer[[, {short_id} (revision {revision}),]] "
        "do not count for turn {turn}: other orders of yours[[, {counting_short_id} (revision "
        "{counting_revision}),]] do. Perhaps an old file came back, or you sealed orders on "
        "another computer. Seal the orders that you want again[[: pbem submit]]"
    ),
    "put_back": TerminalText(
        "your orders[[ {short_id} (revision {revision})]] for turn {turn} were missing from "
        "the folder; pbem has put the orders back"
    ),
    "not_put_back": TerminalText(
        "your orders[[ {short_id} (revision {revision})]] for turn {turn} are missing from the "
        "folder, and pbem cannot put the orders back now: {error_sentence}"
    ),
}


def last_orders_sentence(note: LastOrdersNote) -> str:
    """Return a note on the user's last orders, in words."""
    facts = note._asdict() | {"error_sentence": clean(note.error_sentence)}
    return _LAST_ORDERS_TEMPLATES[note.event].format(**facts)


# ---- What standing orders did

_STANDING_ORDERS_HEADING: Final = "what your standing orders did in round {round}:"
_STANDING_ORDER: Final = '  {kind}: "{order}" {fates}'
_STANDING_ORDERS_STOPPED: Final = (
    "your standing orders have stopped for this round, because of a stop line: {reasons}"
)
_NO_QUESTION: Final = "had no question to answer"
_STANDING_ORDER_FATES: Final[Mapping[Fate, str]] = {
    "followed": "followed {times}",
    "not possible": "pbem skipped this line {times}, because it was not possible",
    "not reached": "pbem skipped this line {times}, because a line above it fitted",
    "limits the other lines in the same list": "limited the other lines",
}


def standing_order_lines(view: View) -> list[str]:
    """Return the lines of `status` on the seat's standing orders."""
    report = standing_report(view)
    if report is None:
        return []
    lines = [
        _STANDING_ORDER.format(
            kind=row.kind, order=spaced(row.text), fates=_describe_fates(row.fates)
        )
        for row in report.lines
        if row.fates
    ]
    if lines:
        lines.insert(0, _STANDING_ORDERS_HEADING.format(round=report.round))
    if report.stopped:
        lines.append(_STANDING_ORDERS_STOPPED.format(reasons=" and ".join(report.stopped)))
    return lines


def _describe_fates(counts_by_fate: Mapping[Fate, int]) -> str:
    fates = [
        _STANDING_ORDER_FATES[fate].format(times=count_times(count))
        for fate, count in counts_by_fate.items()
        if count
    ]
    return "; ".join(fates) or _NO_QUESTION


# ---- `pbem play`, around its questions

NEWS_HEADING: Final = "what is new:"
NOTHING_SEALED: Final = "nothing was sealed"
CORRECT_FIRST_SENTENCE: Final = f"{NOTHING_SEALED}: correct the errors first"
NO_OTHER_GAME_SENTENCE: Final = "no other game is waiting for you"
_DRAFT_KEPT: Final = f"{NOTHING_SEALED}; your draft is kept: {{path}}"
_NEXT_GAME: Final = "the next game that is waiting for you: {place}"


def draft_kept_sentence(path: str) -> str:
    """Say that nothing was sealed, and where the draft is."""
    return _DRAFT_KEPT.format(path=path)


def next_game_line(place: str) -> str:
    """Return the line above the next game that waits for the user."""
    return _NEXT_GAME.format(place=place)
