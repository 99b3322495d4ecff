"""TOML as people write it: read by the standard library, its complaints put for people."""

from __future__ import annotations

import re
from typing import Any

from pbem.text.handwritten_toml import Overlong, loads
from pbem.text.odd_characters import strange

_QUOTES = "“”„‟«»‘’"
_LINE = 'a line of orders stands in a list: feed = ["…"]; a remark begins with #'
_PLAIN = (
    (
        "Cannot overwrite",
        "the same name stands twice",
        "put all its lines into one list",
    ),
    ("Cannot declare", "the same table stands twice", "put all its lines into one"),
    (
        "Unclosed array",
        "this list goes wrong here",
        "a comma is missing between two lines, or the ] after the last",
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
    ("Expected '='", "here an = is expected", _LINE),
    (
        "Invalid value",
        "here something in quotes is expected",
        "a line of orders stands in quotes, each followed by a comma",
    ),
    ("Expected newline", "here the line should end", "one thing for each line; no ; at its end"),
    ("Invalid statement", "here a word and an = are expected", _LINE),
)


class Broken(ValueError):
    """A text that is no TOML: what, how to mend it, and line and column if they are known."""

    def __init__(self, what: str, hint: str, place: tuple[int, int] | None) -> None:
        super().__init__(what)
        self.what, self.hint, self.place = what, hint, place


def parse(text: str) -> dict[str, Any]:
    """The text as plain data. Raises Broken."""
    try:
        return loads(text)
    except Overlong as error:
        raise _overlong(text, error) from None
    except ValueError as error:
        raise _broken(text, str(error)) from None


def _overlong(text: str, error: Overlong) -> Broken:
    line = text.split("\n")[error.place[0] - 1] if error.place else ""
    if error.place and (name := strange(line[error.place[1] - 1 : error.place[1]])):
        told = f"not readable: here stands {name}"
        return Broken(told, "delete it, and type a plain one", error.place)
    return Broken(f"not readable: {error.what}", "lists of strings are enough", error.place)


def _broken(text: str, said: str) -> Broken:
    found = re.search(r"\(at line (\d+), column (\d+)\)", said)
    place = (int(found[1]), int(found[2])) if found else None
    line = text.split("\n")[place[0] - 1] if place else ""
    if place and any(quote in line for quote in _QUOTES):
        column = 1 + next(n for n, character in enumerate(line) if character in _QUOTES)
        told = "typographic quotes, as word processors make them"
        return Broken(f"not readable: {told}", 'use straight ones: "…"', (place[0], column))
    if place and (name := strange(line[place[1] - 1 : place[1]])):
        return Broken(f"not readable: here stands {name}", "delete it, and type a plain one", place)
    what = re.sub(r" \(at .*\)", "", said)
    for sign, plain, hint in _PLAIN:
        if said.startswith(sign):
            return Broken(f"not readable: {plain}", hint, place)
    return Broken(f"not readable as TOML: {what[:1].lower()}{what[1:]}", "", place)
