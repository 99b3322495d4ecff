"""Notes on wrong orders, as text for people and as data for programs."""

from __future__ import annotations

from typing import Any

from pbem.drafts.checked_rows import Note
from pbem.terminal.clean_text import clean

MAX_PREFIX_CHARACTERS = 60
MAX_MARKED_CHARACTERS = 80


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
