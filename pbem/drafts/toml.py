"""TOML as people write it: read by the standard library, its complaints put for people."""

from __future__ import annotations

import re
import tomllib
from typing import Any

_QUOTES = "“”„‟«»‘’"
_HINTS = (
    ("Cannot overwrite", "the same name stands twice: put all its lines into one list"),
    ("Cannot declare", "the same table stands twice: put all its lines into one"),
    ("Unclosed array", "a comma is missing between two lines, or the ] after the last"),
    ("Illegal character", "the closing quote of this line is missing"),
    ("Unterminated string", "the closing quote is missing"),
    ("Expected '='", 'a line of orders stands in a list: feed = ["…"]; a remark begins with #'),
    ("Invalid value", "a line of orders stands in quotes, each followed by a comma"),
    ("Expected newline", "one thing for each line; a remark begins with #"),
)


class Broken(ValueError):
    """A text that is no TOML: what, how to mend it, and line and column if they are known."""

    def __init__(self, what: str, hint: str, place: tuple[int, int] | None) -> None:
        super().__init__(what)
        self.what, self.hint, self.place = what, hint, place


def parse(text: str) -> dict[str, Any]:
    """The text as plain data. Raises Broken."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Broken(
            "not readable: nested too deeply", "lists of strings are enough", None
        ) from None
    except ValueError as error:
        raise _broken(text, str(error)) from None


def _broken(text: str, said: str) -> Broken:
    found = re.search(r"\(at line (\d+), column (\d+)\)", said)
    place = (int(found[1]), int(found[2])) if found else None
    what = re.sub(r" \(at .*\)", "", said)
    if place and (line := text.split("\n")[place[0] - 1]) and any(q in line for q in _QUOTES):
        column = 1 + next(n for n, character in enumerate(line) if character in _QUOTES)
        told = "typographic quotes, as word processors make them"
        return Broken(f"not readable: {told}", 'use straight ones: "…"', (place[0], column))
    hint = next((hint for sign, hint in _HINTS if said.startswith(sign)), "")
    return Broken(f"not readable as TOML: {what[:1].lower()}{what[1:]}", hint, place)
