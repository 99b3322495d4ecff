"""What `check` and `submit` print: problems with their places, the orders in prose, a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import say
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.session.session import Session
    from pbem.drafts.read.read_draft import Draft
    from pbem.play.checking.seat_reader import SeatReader
    from pbem.play.view import View
    from pbem.records.charter_join_orders import Orders
    from pbem.records.read_record import Record


MOST_NOTES = 20
"""Problems that are shown of one order file; errors come before warnings."""


def report(session: Session, view: View, draft: Draft, name: str, *, strict: bool = False) -> None:
    """Print each problem, with its line and what is legal, then which orders still stand."""
    from pbem.drafts.read.problem_report import note_lines

    errors_first = sorted(draft.notes, key=lambda note: note.level != "error")
    shown = errors_first[:MOST_NOTES]
    for note in draft.notes:
        if note in shown:
            say("\n".join(note_lines(note, name)))
    if len(draft.notes) > len(shown):
        hidden = [note.level for note in errors_first[MOST_NOTES:]]
        kinds = [counted(hidden.count(x), f"more {x}") for x in ("error", "warning") if x in hidden]
        say(f"not shown here: {' and '.join(kinds)}")
    errors, warnings = len(draft.errors), len(draft.notes) - len(draft.errors)
    if errors or (strict and warnings):
        parts = [counted(errors, "error")] if errors else []
        parts += [counted(warnings, "warning")] if strict and warnings else []
        say(f"{' and '.join(parts)}: nothing was sealed; {still_stands(session, view)}")


def counted(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def still_stands(session: Session, view: View) -> str:
    """Which orders of the seat count if nothing else is sealed."""
    if found := newest(session, view):
        return f"your orders {found.id.hex()[:6]} (revision {found.content.revision}) still stand"
    if view.orders:
        return f"your orders {view.orders[:6]} (revision {view.revision}) still stand"
    return "you have no sealed orders yet"


def newest(session: Session, view: View) -> Record[Orders] | None:
    """The newest orders of the seat in the folder, signed by its key; needs no secret key."""
    key = session.public_of(view.seat)
    mine = [
        found
        for found in session.listing.orders
        if found.name.seat == view.seat and found.name.turn >= view.turn
    ]
    newest_first = sorted(
        mine, key=lambda f: (f.name.turn, f.name.revision, f.name.digits), reverse=True
    )
    records = (one for found in newest_first for one in session.game_folder.tried(found, key))
    return next(records, None)


def echo(view: View, draft: Draft) -> None:
    """Print the orders in prose, and whose they are."""
    from pbem.drafts.say_orders_back import said_back

    if draft.errors:
        return
    print(f"as {view.seat} ({clean(view.names[view.seat])}):")
    for line in said_back(view, draft.lines):
        print(f"  {line}")


def receipt(
    view: View, record: Record[Orders], before: Record[Orders] | None, left: Sequence[str]
) -> None:
    """Print that the orders are sealed, who can read them, what they replace and leave open."""
    ident = record.id.hex()[:6]
    if before is not None and before.id == record.id:
        print(f"SEALED already as {ident}: these are the same orders")
    else:
        _receipt(view, record, before)
    if left:
        print(f"but they do not answer {', '.join(left)}: you are still asked")


def _receipt(view: View, record: Record[Orders], before: Record[Orders] | None) -> None:
    ident = record.id.hex()[:6]
    print(
        f"SEALED here as {ident} (revision {record.content.revision}); only {clean(view.referee)} "
        "can read them"
    )
    old = before.id.hex() if before else view.orders
    if old:
        print(f"they replace your orders {old[:6]} whole")
    print("until the next turn is made, you can submit again to replace them")


def foreseen(view: View, draft: Draft) -> list[str]:
    """What the orders do if nobody else acts, as far as this seat can know, and why no further."""
    from pbem.drafts.forecast import forecast
    from pbem.screen.tell_entries import Teller

    if draft.errors:
        return []
    seen = forecast(view, draft.lines)
    teller = Teller(view.play.ruleset, view.names)
    told = [sentence for entry in seen.entries for sentence in teller.entry(entry)]
    return [*told, seen.end or "and so on"]


def dropped(
    view: View, reader: SeatReader, before: Record[Orders] | None, draft: Draft
) -> list[str]:
    """The standing orders that the replaced orders have and the new ones do not."""
    from pbem.records.sealed_orders import unseal_orders

    old = list(unseal_orders(before.content, reader.key).texts) if before else view.texts
    new = set(draft.texts)
    return [clean(text) for text in old if text.startswith("always ") and text not in new]
