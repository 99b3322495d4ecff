"""Read the orders that a command names; print the problems in them, and the orders in prose."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

import typer

from pbem.acts.read_order_file_or_write_draft import (
    MAX_ORDER_BYTES,
    TYPED_NAME,
    read_file,
    read_typed,
)
from pbem.acts.seal_orders import describe_orders_in_force
from pbem.drafts.checked_rows import Draft, MissingEnd, Note
from pbem.drafts.describe_orders import describe_orders
from pbem.errors import FINDINGS, STALE
from pbem.judge.game_view import View
from pbem.person.session import Session
from pbem.terminal.clean_text import clean
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import say
from pbem.wording.draft_notes_and_next_commands import hidden_problems_line
from pbem.wording.sealed_orders import nothing_sealed_line

FileArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE]", help="Your order file (default: your draft). Use - to type the orders."
    ),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")]

MAX_PREFIX_CHARACTERS: Final = 60
"""The most characters of a source line that are shown before the marked text."""
MAX_MARKED_CHARACTERS: Final = 80
"""The most characters of the marked text that are shown, and of what follows it."""


def read_orders(session: Session, view: View, file: str | None) -> tuple[Draft, str]:
    """Read the order file that was named; standard input for `-`, the draft for None. Return the
    orders, and the name of their file in messages."""
    if file != "-":
        return read_file(session, view, file)
    data = sys.stdin.buffer.read(MAX_ORDER_BYTES + 1)
    return read_typed(data, view), TYPED_NAME


MAX_NOTES: Final = 20
"""The most problems that are shown for one order file; errors come before warnings."""


def print_problems(
    session: Session, view: View, draft: Draft, name: str, *, strict: bool = False
) -> None:
    """Print each problem with its line and the legal choices, in the order of the file. If the
    orders cannot be sealed, also say which orders still count. With `strict`, warnings prevent that
    too."""
    errors_first = sorted(draft.notes, key=lambda note: note.level != "error")
    shown_notes = errors_first[:MAX_NOTES]
    for note in draft.notes:
        if note in shown_notes:
            say("\n".join(note_lines(note, name)))
    hidden_levels = [note.level for note in errors_first[MAX_NOTES:]]
    if hidden_levels:
        say(hidden_problems_line(hidden_levels))
    error_count = len(draft.errors)
    warning_count = len(draft.notes) - error_count if strict else 0
    if error_count or warning_count:
        say(
            nothing_sealed_line(error_count, warning_count, describe_orders_in_force(session, view))
        )


def warn_of_ends(missing_ends: Iterable[MissingEnd]) -> None:
    """Warn of lists whose ends only the player can add."""
    for missing_end in missing_ends:
        say(f"warning: {missing_end.consequence}")


def print_orders(view: View, draft: Draft) -> None:
    """Print the orders in prose, and whose they are."""
    if draft.errors:
        return
    print(f"as {view.seat} ({clean(view.names[view.seat])}):")
    for line in describe_orders(view, draft.lines):
        print(f"  {line}")


def exit_if_unusable(draft: Draft, strict: bool, missing_ends: Sequence[MissingEnd] = ()) -> None:
    """Exit with 3 if the orders are for a different turn, with 1 if there are errors; otherwise
    return. With `strict`, warnings are errors, also those about `missing_ends`."""
    if draft.stale:
        raise SystemExit(STALE)
    if draft.errors or (strict and (draft.notes or missing_ends)):
        raise SystemExit(FINDINGS)


def print_check(
    draft: Draft,
    order_id: str = "",
    turn_paths: Sequence[str] = (),
    forecast: Sequence[str] = (),
    ended_kinds: Sequence[str] = (),
) -> None:
    """Print the result of a check as JSON.

    If the orders were sealed, `order_id` is their id, and `turn_paths` has the files of the turns
    that were made at once. `ended_kinds` are the kinds whose lists get an end when sealed.
    """
    print_data(
        "check",
        {
            "lines": draft.texts,
            "notes": [note_data(note) for note in draft.notes],
            "ok": not draft.errors,
            "sealed": order_id,
            "forecast": list(forecast),
            "added": list(ended_kinds),
            **({"made": list(turn_paths)} if order_id else {}),
        },
    )


def note_lines(note: Note, name: str) -> list[str]:
    """Write a problem as lines of text: `file:12:3: error[CODE]: what`, the source line, a hint."""
    location = f"{name}:{note.spot.line}:{note.spot.column}" if note.spot else name
    lines = [f"{location}: {note.level}[{note.code}]: {clean(note.sentence)}"]
    if note.spot and note.spot.source.strip():
        source, begin = note.spot.source, note.spot.column - 1
        end = begin + note.spot.width
        prefix, marked_text, suffix = (
            clean(part.replace("\t", " "))
            for part in (source[:begin], source[begin:end], source[end:])
        )
        if len(prefix) > MAX_PREFIX_CHARACTERS:
            prefix = f"…{prefix[-MAX_PREFIX_CHARACTERS:]}"
        if len(marked_text) > MAX_MARKED_CHARACTERS:
            marked_text, suffix = marked_text[:MAX_MARKED_CHARACTERS], "…"
        if len(suffix) > MAX_MARKED_CHARACTERS:
            suffix = f"{suffix[:MAX_MARKED_CHARACTERS]}…"
        lines += [
            f"  {note.spot.line:3} | {prefix}{marked_text}{suffix}".rstrip(),
            f"      | {' ' * len(prefix)}{'^' * max(1, len(marked_text))}",
        ]
    if note.hint:
        lines.append(f"hint: {clean(note.hint)}")
    return lines


def note_data(note: Note) -> dict[str, Any]:
    """Return a problem as data for `--json`."""
    spot = note.spot
    return {
        "code": note.code,
        "level": note.level,
        "what": note.sentence,
        "hint": note.hint,
        "line": spot.line if spot else 0,
        "column": spot.column if spot else 0,
    }
