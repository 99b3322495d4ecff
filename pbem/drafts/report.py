"""Problems of an order file for people and for programs."""

from __future__ import annotations

from typing import Any

from pbem.drafts.reading import Note
from pbem.screen.style import clean


def note_lines(note: Note, name: str) -> list[str]:
    """`file:12:3: error[CODE]: what`, the line with a caret, and the hint."""
    where = f"{name}:{note.spot.line}:{note.spot.column}" if note.spot else name
    lines = [f"{where}: {note.level}[{note.code}]: {clean(note.what)}"]
    if note.spot and note.spot.source.strip():
        source = clean(note.spot.source.replace("\t", " "))
        lines.append(f"  {note.spot.line:3} | {source}")
        lines.append(f"      | {' ' * (note.spot.column - 1)}{'^' * max(1, note.spot.width)}")
    if note.hint:
        lines.append(f"hint: {clean(note.hint)}")
    return lines


def note_data(note: Note) -> dict[str, Any]:
    """The same for `--json`."""
    spot = note.spot
    return {
        "code": note.code,
        "level": note.level,
        "what": note.what,
        "hint": note.hint,
        "line": spot.line if spot else 0,
        "column": spot.column if spot else 0,
    }
