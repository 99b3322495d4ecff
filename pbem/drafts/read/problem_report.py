"""Report the problems in an order file, as text for people or as JSON for programs."""

from __future__ import annotations

from typing import Any

from pbem.drafts.read.line_numbers import Spot
from pbem.drafts.read.read_draft import Note
from pbem.screen.terminal import clean

MOST_BEFORE = 60
MOST_MARKED = 80


def note_lines(note: Note, name: str) -> list[str]:
    """Write a problem as lines of text: `file:12:3: error[CODE]: what`, the source line, a hint."""
    where = f"{name}:{note.spot.line}:{note.spot.column}" if note.spot else name
    lines = [f"{where}: {note.level}[{note.code}]: {clean(note.what)}"]
    if note.spot and note.spot.source.strip():
        lines += _shown(note.spot)
    if note.hint:
        lines.append(f"hint: {clean(note.hint)}")
    return lines


def _shown(spot: Spot) -> list[str]:
    """Show the line, with a caret below the problem.

    If the line is long, only the part around the problem is shown.
    """
    begin = spot.column - 1
    before, marked = spot.source[:begin], spot.source[begin : begin + spot.width]
    after = spot.source[begin + spot.width :]
    before, marked, after = (clean(part.replace("\t", " ")) for part in (before, marked, after))
    if len(before) > MOST_BEFORE:
        before = f"…{before[-MOST_BEFORE:]}"
    if len(marked) > MOST_MARKED:
        marked, after = marked[:MOST_MARKED], "…"
    if len(after) > MOST_MARKED:
        after = f"{after[:MOST_MARKED]}…"
    return [
        f"  {spot.line:3} | {before}{marked}{after}".rstrip(),
        f"      | {' ' * len(before)}{'^' * max(1, len(marked))}",
    ]


def note_data(note: Note) -> dict[str, Any]:
    """Return a problem as data for `--json`."""
    spot = note.spot
    return {
        "code": note.code,
        "level": note.level,
        "what": note.what,
        "hint": note.hint,
        "line": spot.line if spot else 0,
        "column": spot.column if spot else 0,
    }
