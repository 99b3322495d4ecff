"""Guess the document behind canonical bytes, several times as fast as a TOML parser.

The guess may be wrong if the bytes are not canonical, so the caller must emit it again and compare.
`emit` writes TOML for exactly the document it is given, so if the guess gives the same bytes,
`tomllib` would have read the same document.
"""

import re
from typing import Any

Document = dict[str, Any]

_ESCAPE = re.compile(r'\\(?:(["\\])|u(....)|U(........))')


def guess(text: str) -> Document | None:
    """Return the document that this text probably is; None if it is certainly not canonical."""
    root: Document = {}
    try:
        _fill(root, text)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return None
    return root


def _fill(root: Document, text: str) -> None:
    table: Document = root
    items: list[Any] = []
    for line in text.split("\n"):
        if line[:3] == '  "':
            items.append(_string(line[2:-1]))
        elif line[:1] == "[":
            table = _enter(root, line)
        elif line[:2] == "  ":
            items.append(_plain(line[2:-1]))
        elif line not in ("", "]"):
            key, _, value = line.partition(" = ")
            if value[:1] == '"':
                table[key] = _string(value)
            elif value == "[" or value == "[]":
                table[key] = items = []
            else:
                table[key] = _plain(value)


def _string(value: str) -> str:
    inside = value[1:-1]
    return _ESCAPE.sub(_char, inside) if "\\" in inside else inside


def _char(match: re.Match[str]) -> str:
    same, short, long = match.groups()
    return same or chr(int(short or long, 16))


def _plain(value: str) -> int | bool:
    return value == "true" if value in ("true", "false") else int(value)


def _enter(root: Document, line: str) -> Document:
    """Return the table that a header line opens."""
    rows = line.startswith("[[")
    *above, name = line.strip("[]").split(".")
    table = root
    for key in above:
        inner = table[key]
        table = inner[-1] if type(inner) is list else inner
    new: Document = {}
    if rows:
        table.setdefault(name, []).append(new)
    elif name in table:
        raise ValueError
    else:
        table[name] = new
    return new
