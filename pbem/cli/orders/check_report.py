"""Print the problems in an order file and its orders in prose, for `check` and `submit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import say
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.drafts.read.read_draft import Draft
    from pbem.play.view import View

MOST_NOTES = 20
"""The most problems that are shown for one order file; errors come before warnings."""


def report(session: Session, view: View, draft: Draft, name: str, *, strict: bool = False) -> None:
    """Print each problem with its line and the legal choices, then which orders still count."""
    from pbem.drafts.read.problem_report import note_lines

    errors_first = sorted(draft.notes, key=lambda note: note.level != "error")
    shown = errors_first[:MOST_NOTES]
    for note in draft.notes:
        if note in shown:
            say("\n".join(note_lines(note, name)))
    if len(draft.notes) > len(shown):
        hidden = [note.level for note in errors_first[MOST_NOTES:]]
        kinds = [counted(hidden.count(x), f"more {x}") for x in ("error", "warning") if x in hidden]
        say(f"there are also {' and '.join(kinds)} that are not shown here")
    errors, warnings = len(draft.errors), len(draft.notes) - len(draft.errors)
    if errors or (strict and warnings):
        parts = [counted(errors, "error")] if errors else []
        parts += [counted(warnings, "warning")] if strict and warnings else []
        say(f"{' and '.join(parts)}: nothing was sealed; {still_stands(session, view)}")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 error`, `2 errors`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def still_stands(session: Session, view: View) -> str:
    """Say which orders of the seat count as long as no others are sealed."""
    from pbem.cli.status.my_orders import newest

    if found := newest(session, view):
        return f"your orders {found.id.hex()[:6]} (revision {found.content.revision}) still count"
    if view.orders:
        return f"your orders {view.orders[:6]} (revision {view.revision}) still count"
    return "you have no sealed orders yet"


def echo(view: View, draft: Draft) -> None:
    """Print the orders in prose, and say whose they are."""
    from pbem.drafts.say_orders_back import said_back

    if draft.errors:
        return
    print(f"as {view.seat} ({clean(view.names[view.seat])}):")
    for line in said_back(view, draft.lines):
        print(f"  {line}")


def foreseen(view: View, draft: Draft) -> list[str]:
    """Say what the orders would do if nobody else acts, as far as this seat knows, and why the
    forecast ends there."""
    from pbem.drafts.forecast import forecast
    from pbem.screen.tell_entries import Teller

    if draft.errors:
        return []
    seen = forecast(view, draft.lines)
    teller = Teller(view.play.ruleset, view.names)
    told = [sentence for entry in seen.entries for sentence in teller.entry(entry)]
    return [*told, seen.end or "and so on"]
