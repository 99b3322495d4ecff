"""Read TOML that people write, and say in plain words what is wrong with it."""

from __future__ import annotations

import re
from typing import Any

from pbem.text.handwritten_toml import Overlong, loads

_QUOTES = "“”„‟«»‘’"
_LINE = 'orders go in a list: feed = ["…"]; a comment begins with #'
_PLAIN = (
    (
        "Cannot overwrite",
        "this name is in the file twice",
        "put all its lines into one list",
    ),
    ("Cannot declare", "this table is in the file twice", "put all its lines into one"),
    (
        "Unclosed array",
        "there is a mistake in this list",
        "a comma is missing between two lines, or the ] after the last one",
    ),
    (
        "Illegal character '\\n'",
        "the closing quote of this line is missing",
        'a line of orders begins and ends with a quote: "…"',
    ),
    (
        "Unterminated string",
        "the closing quote is missing",
        'a line of orders begins and ends with a quote: "…"',
    ),
    ("Expected '='", "an = is missing here", _LINE),
    (
        "Invalid value",
        "text in quotes is missing here",
        "put each line of orders in quotes, with a comma after it",
    ),
    ("Expected newline", "the line should end here", "do not put a ; at the end of a line"),
    ("Invalid statement", "a word and an = are missing here", _LINE),
)


class Broken(ValueError):
    """A text that is not TOML: says what is wrong, how to fix it, and the line and column if
    known."""

    def __init__(self, what: str, hint: str, place: tuple[int, int] | None) -> None:
        super().__init__(what)
        self.what, self.hint, self.place = what, hint, place


def parse(text: str) -> dict[str, Any]:
    """Parse the text into plain data. Raises Broken."""
    try:
        return loads(text)
    except Overlong as error:
        raise _overlong(text, error) from None
    except ValueError as error:
        raise _broken(text, str(error)) from None


def _overlong(text: str, error: Overlong) -> Broken:
    from pbem.text.odd_characters import strange

    line = text.split("\n")[error.place[0] - 1] if error.place else ""
    if error.place and (name := strange(line[error.place[1] - 1 : error.place[1]])):
        told = f"not readable: there is {name} here"
        return Broken(told, "replace it with a plain character", error.place)
    return Broken(f"not readable: {error.what}", "write only lists of strings", error.place)


def _broken(text: str, said: str) -> Broken:
    from pbem.text.odd_characters import strange

    found = re.search(r"\(at line (\d+), column (\d+)\)", said)
    place = (int(found[1]), int(found[2])) if found else None
    line = text.split("\n")[place[0] - 1] if place else ""
    if place and any(quote in line for quote in _QUOTES):
        column = 1 + next(n for n, character in enumerate(line) if character in _QUOTES)
        told = "these are curly quotes, as word processors make them"
        return Broken(f"not readable: {told}", 'use straight quotes: "…"', (place[0], column))
    if place and (name := strange(line[place[1] - 1 : place[1]])):
        told = f"not readable: there is {name} here"
        return Broken(told, "replace it with a plain character", place)
    what = re.sub(r" \(at .*\)", "", said)
    for sign, plain, hint in _PLAIN:
        if said.startswith(sign):
            return Broken(f"not readable: {plain}", hint, place)
    return Broken(f"not readable as TOML: {what[:1].lower()}{what[1:]}", "", place)
