"""Values as plain data for JSON, with tags for bytes, sets and tables, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PlainData = dict[str, Any]


def to_data(value: Any) -> Any:
    """Return a value as data for JSON, with tags for bytes, sets and tables.

    >>> to_data({"a": (b"\\x01", {2})})
    {'table': [['a', [{'bytes': '01'}, {'set': [2]}]]]}
    """
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, set | frozenset):
        return {"set": [to_data(x) for x in sorted(value)]}
    if isinstance(value, Mapping):
        return {"table": [[to_data(key), to_data(x)] for key, x in value.items()]}
    return [to_data(x) for x in value] if isinstance(value, list | tuple) else value


def from_data(value: Any) -> Any:
    """Return the value from which `to_data` made this data. Each list becomes a tuple, each set a
    frozenset.

    >>> from_data(to_data({"a": [b"\\x01", {2}]}))
    {'a': (b'\\x01', frozenset({2}))}
    """
    match value:
        case {"bytes": text}:
            return bytes.fromhex(text)
        case {"set": items}:
            return frozenset(map(from_data, items))
        case {"table": rows}:
            return {from_data(key): from_data(x) for key, x in rows}
        case list():
            return tuple(map(from_data, value))
    return value
