"""Canonical TOML, the only form that is signed: read and write it (protocol §2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from pbem.format.record_error import RecordError

# ---- a guess at the document, several times as fast as a TOML parser

Document = dict[str, Any]

_ESCAPE = re.compile(r'\\(?:(["\\])|u(....)|U(........))')


def guess(text: str) -> Document | None:
    """Return the document that this text probably is; None if it is certainly not canonical.

    The guess may be wrong. But if `emit` writes the same bytes for it, `tomllib` would have read
    the same.
    """
    root: Document = {}
    try:
        _fill_table(root, text)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return None
    return root


def _fill_table(root: Document, text: str) -> None:
    """Fill an empty document from a text, as if the text were canonical: one key, header, row or
    bracket a line. Raises one of the errors in `guess` for many other texts, and misreads
    others."""
    table: Document = root
    row_values: list[Any] = []
    for line in text.split("\n"):
        if line[:3] == '  "':
            row_values.append(_parse_string(line[2:-1]))
        elif line[:1] == "[":
            table = _enter_table(root, line)
        elif line[:2] == "  ":
            row_values.append(_parse_scalar(line[2:-1]))
        elif line not in ("", "]"):
            key, _, value = line.partition(" = ")
            if value[:1] == '"':
                table[key] = _parse_string(value)
            elif value == "[" or value == "[]":
                table[key] = row_values = []
            else:
                table[key] = _parse_scalar(value)


def _parse_string(value: str) -> str:
    escaped = value[1:-1]
    if "\\" not in escaped:
        return escaped
    return _ESCAPE.sub(lambda m: m[1] or chr(int(m[2] or m[3], 16)), escaped)


def _parse_scalar(value: str) -> int | bool:
    return value == "true" if value in ("true", "false") else int(value)


def _enter_table(root: Document, line: str) -> Document:
    """Add the table of a header, `[a.b]` or `[[a.b]]`, to the document; return it, empty. Raises
    an error in `guess` if a parent is missing, or the table is there already."""
    is_array = line.startswith("[[")
    *parent_names, name = line.strip("[]").split(".")
    table = root
    for key in parent_names:
        child = table[key]
        table = child[-1] if type(child) is list else child
    new_table: Document = {}
    if is_array:
        table.setdefault(name, []).append(new_table)
    elif name in table:
        raise ValueError
    else:
        table[name] = new_table
    return new_table


MAX_BYTES: Final = 1 << 20
"""The most bytes of a record file, with its signature: 1 MiB."""


# ---- reading and writing

Scalar = str | int | bool

MAX_DEPTH: Final = 6
"""The most names that a table header may have: tables can be nested this deep."""
MAX_INT: Final = (1 << 53) - 1
"""The largest integer in a record, also below 0: every language can represent it exactly."""
MAX_KEY: Final = 64
"""The most characters of a key."""
_MAX_TABLES: Final = 1 << 15
"""More tables than a record of 1 MiB can have."""
_MAX_SLOW: Final = 1 << 17
"""The most bytes of a bad body in which `parse` looks for the wrong line: 1 MiB takes seconds."""

_KEY = rf"[a-z0-9_-]{{1,{MAX_KEY}}}"
_PLAIN_TEXT = r"[ !#-\[\]-~]*"
_STRING = rf'"{_PLAIN_TEXT}(?:\\(?:["\\]|u[0-9A-F]{{4}}|U[0-9A-F]{{8}}){_PLAIN_TEXT})*"'
_VALUE = rf"(?:{_STRING}|-?[0-9]{{1,16}}|true|false)"
_PATH = rf"{_KEY}(?:\.{_KEY}){{0,{MAX_DEPTH - 1}}}"
_LINE = rf"(?:{_KEY} = (?:{_VALUE}|\[\]|\[)|  {_VALUE},|\]|\[{_PATH}\]|\[\[{_PATH}\]\]|)"
_is_key = re.compile(_KEY).fullmatch
_needs_no_escape = re.compile(_PLAIN_TEXT).fullmatch
_escaped_character = re.compile(r"[^ !#-\[\]-~]")


def too_long(size: int, file_kind: str = "a record", max_size: int = MAX_BYTES) -> str:
    """Say that a file has more bytes than a file of its kind may have."""
    return f"this file has {size} bytes; {file_kind} has at most {max_size}"


def emit(doc: Mapping[str, Any]) -> bytes:
    """Write the canonical bytes of a document: there is exactly one way, so `emit(parse(body)) ==
    body`.

    Raises RecordError `canonical` for anything that a document cannot have: other types, keys not
    in `[a-z0-9_-]{1,64}`, lists of lists, |n| ≥ 2^53, lone surrogates, over 6 levels, over 1 MiB.
    """
    lines: list[str] = []
    _emit_table(doc, "", 0, lines.append)
    text = "".join(lines)
    if len(text) > MAX_BYTES:
        raise RecordError("canonical", too_long(len(text)))
    return text.encode("ascii")


def _emit_table(
    table: Mapping[str, Any], path: str, depth: int, write: Callable[[str], object]
) -> None:
    """Write a table line by line: first plain values, then tables, then lists of tables, each group
    sorted by key. `path` is the prefix of the names of inner tables, with a point at its end;
    `depth` is the number of names in `path`. Raises what `emit` raises."""
    tables: list[str] = []
    arrays: list[str] = []
    for key in sorted(table):
        value = table[key]
        kind = type(value)
        if not _is_key(key):
            sentence = (
                f"the name of a field is {key[:80]!r}; it must have 1 to {MAX_KEY} characters, "
                "each of a-z 0-9 _ -"
            )
            raise RecordError("canonical", sentence)
        if kind is str and _needs_no_escape(value):
            write(f'{key} = "{value}"\n')
        elif kind is dict:
            tables.append(key)
        elif kind is list and value and type(value[0]) is dict:
            arrays.append(key)
        elif kind is list:
            rows = "".join(f"  {_scalar(v)},\n" for v in value)
            write(f"{key} = [\n{rows}]\n" if value else f"{key} = []\n")
        else:
            write(f"{key} = {_scalar(value)}\n")
    if (tables or arrays) and depth == MAX_DEPTH:
        sentence = f"tables are nested more than {MAX_DEPTH} deep; no record has tables so deep"
        raise RecordError("canonical", sentence)
    for key in tables:
        write(f"\n[{path}{key}]\n")
        _emit_table(table[key], f"{path}{key}.", depth + 1, write)
    for key in arrays:
        _emit_table_list(table[key], f"{path}{key}", depth + 1, write)


def _emit_table_list(
    rows: Sequence[Any], path: str, depth: int, write: Callable[[str], object]
) -> None:
    """Write a list of tables, each under the header `[[path]]`. Raises what `emit` raises."""
    header, prefix = f"\n[[{path}]]\n", f"{path}."
    for row in rows:
        if type(row) is not dict:
            sentence = (
                f"the list {path} has both tables and plain values; it may have only one kind"
            )
            raise RecordError("canonical", sentence)
        write(header)
        _emit_table(row, prefix, depth, write)


def _scalar(value: Any) -> str:
    """Return a text, boolean or integer as TOML. Raises RecordError `canonical` for others."""
    kind = type(value)
    if kind is str:
        return f'"{value if _needs_no_escape(value) else _escaped_character.sub(_escape, value)}"'
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        if abs(value) > MAX_INT:
            sentence = "a number is larger than 2^53 - 1, the largest that a record may have"
            raise RecordError("canonical", sentence)
        return str(value)
    raise RecordError("canonical", f"a value has the type {kind.__name__}, which no record has")


def _escape(match: re.Match[str]) -> str:
    """Return the escape sequence for a character of a string. Raises RecordError `canonical` for
    half of a surrogate pair."""
    char = match[0]
    code = ord(char)
    if char in '"\\':
        return "\\" + char
    if 0xD800 <= code <= 0xDFFF:
        raise RecordError(
            "canonical", "a text contains half of a character (one half of a surrogate pair)"
        )
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def parse(body: bytes) -> Document:
    """Read the document that has these canonical bytes. Raises RecordError `size`, `grammar` (with
    the line's number), or `canonical` for TOML in another form."""
    if len(body) > MAX_BYTES:
        raise RecordError("size", too_long(len(body)))
    if not body.isascii():
        raise RecordError("grammar", "the text contains a byte that is not ASCII")
    text = body.decode("ascii")
    if text.count("\n[") > _MAX_TABLES:
        sentence = f"the text has more than {_MAX_TABLES} tables; no record has so many"
        raise RecordError("canonical", sentence)
    doc = guess(text)
    with suppress(RecordError):
        if doc is not None and emit(doc) == body:
            return doc
    return parse_slowly(text)


def parse_slowly(text: str) -> Document:
    """Read a document in the protocol's steps: check the line grammar, use `tomllib`, emit again.

    It does what `parse` does, and finds out why a body is not canonical: it raises RecordError
    `grammar` or `canonical`, with the number of the first wrong line. The line grammar rejects text
    that `tomllib` would need seconds to read; in a long text, the wrong line is not looked for.
    """
    import tomllib

    lines = text.split("\n")
    if lines.pop():
        raise RecordError("grammar", "the last line was cut off: it has no newline at its end")
    is_line = re.compile(_LINE).fullmatch
    for line_number, line in enumerate(lines, 1):
        if not is_line(line):
            sentence = f"line {line_number} is not a line that a record can have: {line[:60]!r}"
            raise RecordError("grammar", sentence)
    if len(text) > _MAX_SLOW:
        raise RecordError("canonical", "the text is not written exactly as pbem writes it")
    try:
        doc = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError("grammar", f"the text is not TOML: {error}") from None
    canonical_body, body = emit(doc), text.encode("ascii")
    if canonical_body != body:
        pairs = zip(body.split(b"\n"), canonical_body.split(b"\n"), strict=False)
        last_line = canonical_body.count(b"\n") + 1
        line_number = next((n for n, (a, b) in enumerate(pairs, 1) if a != b), last_line)
        sentence = f"line {line_number} is not written exactly as pbem writes it"
        raise RecordError("canonical", sentence)
    return doc
