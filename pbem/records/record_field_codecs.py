"""Turn documents into records and back, by the codecs of their fields (protocol §5)."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, field, fields
from itertools import pairwise
from typing import Any, Final, Generic, TypeVar

from engine.counts_and_lists_in_prose import counted
from engine.value_classes import Value
from pbem.format.canonical_toml import MAX_INT, Document, Scalar, emit
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import parse_public_line, public_line
from pbem.format.usable_public_keys import check_x25519

T = TypeVar("T")


class FieldError(Exception):
    """A value that a field cannot have; `path` names the fields that lead to it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.path: list[str] = []

    @classmethod
    def wrong_value(cls, value: Any, demand: str) -> FieldError:
        """Return the error about a value that does not meet a demand."""
        return cls(f"the value is {_in_words(value)}; it must be {demand}")

    def error(self) -> RecordError:
        """Return this error as a RecordError `field`, with the path to the value."""
        path = ".".join(self.path).replace(".[", "[")
        return RecordError("field", f"field {path}: {self}" if path else str(self))


class Codec(Value, Generic[T]):
    """A pair of functions: `read` a field's value from a document (raises FieldError), `write` one.

    Unknown fields are refused, and so is a field with its default value: each record has only one
    form.
    """

    read: Callable[[Any], T]
    write: Callable[[T], Any]
    hint: str = ""
    """The values that the codec accepts, for messages and the field tables in docs/protocol.md."""


def wire(codec: Codec[T], default: Any = MISSING) -> Any:
    """Declare a dataclass field with its codec; one with a default may be missing from a file."""
    return field(default=default, metadata={"codec": codec})


def to_doc(record: Any) -> Document:
    """Return the document of a dataclass whose fields are declared by `wire`."""
    doc: Document = {}
    for name, codec, default in _wired(type(record)):
        value = getattr(record, name)
        if default is MISSING or value != default:
            doc[name] = codec.write(value)
    return doc


def from_doc(kind: type[T], doc: Mapping[str, Any]) -> T:
    """Return the dataclass that this document describes. Raises RecordError `field`, saying
    where."""
    try:
        return _read_table(kind, doc)
    except FieldError as error:
        raise error.error() from None


def as_bytes(record: Any) -> bytes:
    """Return the canonical bytes of a record."""
    return emit(to_doc(record))


_WIRED: dict[type[Any], list[tuple[str, Codec[Any], Any]]] = {}
"""For each dataclass, its fields that `wire` declares: name, codec, default (or MISSING)."""


def _wired(kind: type[Any]) -> list[tuple[str, Codec[Any], Any]]:
    if kind not in _WIRED:
        wired = (f for f in fields(kind) if "codec" in f.metadata)
        _WIRED[kind] = [(f.name, f.metadata["codec"], f.default) for f in wired]
    return _WIRED[kind]


def _read_table(kind: type[T], doc: Any) -> T:
    """Read a dataclass whose fields are declared by `wire`, and let its `check` look at them
    together. Raises FieldError, with the path to the field, for a field that is missing, unknown or
    wrong, or that has its default value."""
    if type(doc) is not dict:
        raise FieldError.wrong_value(doc, "a table (lines below a heading in brackets)")
    values: dict[str, Any] = {}
    for name, codec, default in _wired(kind):
        if name in doc:
            values[name] = value = _read_at(name, codec.read, doc[name])
            if default is not MISSING and value == default:
                raise left_out_if_empty(name)
        elif default is MISSING:
            raise _with_path(name, FieldError("this field is missing"))
    if len(values) != len(doc):
        unknown = sorted(doc.keys() - values.keys())[0]
        raise _with_path(unknown, FieldError("a file of this kind has no such field"))
    record = kind(**values)
    if check := getattr(record, "check", None):
        check()
    return record


def _read_at(name: str, read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read(value)
    except FieldError as error:
        raise _with_path(name, error) from None


def _with_path(name: str, error: FieldError) -> FieldError:
    error.path.insert(0, name)
    return error


def left_out_if_empty(name: str) -> FieldError:
    """Return the error that a record has a field which is empty."""
    return _with_path(name, FieldError("this field is empty, so it must be left out"))


_MAX_QUOTED_CHARACTERS: Final = 40


def _in_words(value: Any) -> str:
    """Describe a value of a document: a short one as it is, a long one by its length."""
    if type(value) is str:
        is_short = len(value) <= _MAX_QUOTED_CHARACTERS
        return repr(value) if is_short else f"a text of {len(value)} characters"
    if type(value) is bool:
        return "true" if value else "false"
    if isinstance(value, list | dict):
        entries = counted(len(value), "entry", "entries")
        return f"a {'list' if isinstance(value, list) else 'table'} of {entries}"
    return f"{value}"


# ---- codecs
_INVISIBLE: Final = (
    "\x00-\x1f\x7f-\xa0\xad\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\uffff\U000e0000-\U000e0fff"
)
"""Control, bidi and filler characters, odd spaces.

The list is fixed, because Python versions differ in their Unicode tables.
"""


def text(min_length: int, max_length: int, pattern: str = "", description: str = "") -> Codec[str]:
    """Make the codec of a string of `min_length` to `max_length` characters.

    The string matches `pattern`; if that is empty, it has no character of `_INVISIBLE`.
    `description` says in words what the string may be.
    """
    match = re.compile(pattern or f"[^{_INVISIBLE}]*").fullmatch
    length = f"{min_length} to {max_length} characters"
    hint = f"{length}, none of them invisible"
    if description:
        has_length = max_length == 1 or length in description
        hint = description if has_length else f"{description}; {length}"

    def read(value: Any) -> str:
        if type(value) is not str or not min_length <= len(value) <= max_length or not match(value):
            raise FieldError.wrong_value(value, hint)
        return value

    return Codec(read, str, hint)


def visible_text(max_length: int) -> Codec[str]:
    """Make the codec of a name or title of visible characters, with spaces only inside."""
    description = f"1 to {max_length} characters, none of them invisible"
    description += ", without spaces at either end"
    return text(1, max_length, rf"(?! )[^{_INVISIBLE}]+(?<! )", description)


def number(minimum: int, maximum: int = MAX_INT) -> Codec[int]:
    """Make the codec of an integer from `minimum` to `maximum`."""
    hint = f"an integer, {minimum} or more"
    if maximum < MAX_INT:
        hint = f"an integer from {minimum} to {maximum}"

    def read(value: Any) -> int:
        if type(value) is not int or not minimum <= value <= maximum:
            raise FieldError.wrong_value(value, hint)
        return value

    return Codec(read, int, hint)


def one_of_words(values: Iterable[str]) -> str:
    """Return the demand for one of these words."""
    return f"one of: {', '.join(values)}"


def one_of(*values: str) -> Codec[str]:
    """Make the codec of a string that is one of these words."""
    hint = one_of_words(values)
    allowed = frozenset(values)

    def read(value: Any) -> str:
        if type(value) is not str or value not in allowed:
            raise FieldError.wrong_value(value, hint)
        return value

    return Codec(read, str, hint)


def _read_flag(value: Any) -> bool:
    if type(value) is not bool:
        raise FieldError.wrong_value(value, "true or false")
    return value


flag: Final = Codec(_read_flag, bool, "true or false")


def _read_scalar(value: Any) -> Scalar:
    if not isinstance(value, str | int | bool) or (type(value) is str and len(value) > 400):
        raise FieldError.wrong_value(
            value, "an integer, true or false, or a text of at most 400 characters"
        )
    return value


scalar: Final = Codec(_read_scalar, lambda value: value, "a text, an integer, or true or false")


def hexed(size: int, *, empty: bool = False) -> Codec[bytes]:
    """Make the codec of `size` bytes in lower-case hex; with `empty`, also of an empty string."""
    digits = re.compile(f"[0-9a-f]{{{2 * size}}}").fullmatch
    hint = f"{2 * size} hex digits" + (" or empty" if empty else "")

    def read(value: Any) -> bytes:
        if type(value) is str and (digits(value) or (empty and not value)):
            return bytes.fromhex(value)
        raise FieldError.wrong_value(value, hint)

    return Codec(read, bytes.hex, hint)


hash32: Final = hexed(32)


def _read_x25519(value: Any) -> bytes:
    key = hash32.read(value)
    check_x25519(key)
    return key


x25519: Final = Codec(_read_x25519, bytes.hex, "an X25519 public key, 64 hex digits")


def _read_signing_key(value: Any) -> bytes:
    if type(value) is not str:
        raise FieldError.wrong_value(value, "a public key")
    return parse_public_line(value)


signing: Final = Codec(_read_signing_key, public_line, "`ssh-ed25519 AAAA…`")


def boxed(fits: Callable[[int], bool], hint: str) -> Codec[bytes]:
    """Make the codec of a box as base64 (RFC 4648 §4, padded); its length must pass `fits`."""

    def read(value: Any) -> bytes:
        try:
            box = base64.b64decode(value) if type(value) is str else b""
        except ValueError:
            box = b""
        if not fits(len(box)) or _b64(box) != value:
            raise FieldError.wrong_value(value, hint)
        return box

    return Codec(read, _b64, hint)


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def array(codec: Codec[T], min_count: int, max_count: int) -> Codec[tuple[T, ...]]:
    """Make the codec of a list of `min_count` to `max_count` items."""
    hint = f"{min_count} to {max_count} {codec.hint}" if codec.hint == "tables" else ""
    hint = hint or f"a list of {min_count} to {max_count} entries; each {codec.hint}"
    read_item, write_item = codec.read, codec.write

    def read(value: Any) -> tuple[T, ...]:
        if type(value) is not list or not min_count <= len(value) <= max_count:
            raise FieldError.wrong_value(value, f"a list of {min_count} to {max_count} entries")
        try:
            return tuple([read_item(x) for x in value])
        except FieldError:  # now find out which item is wrong
            return tuple([_read_at(f"[{i}]", read_item, x) for i, x in enumerate(value)])

    return Codec(read, lambda items: [write_item(x) for x in items], hint)


def rows(kind: type[T], max_count: int) -> Codec[tuple[T, ...]]:
    """Make the codec of 1 to `max_count` tables, each a dataclass declared by `wire`. If there are
    none, the field is left out."""
    table: Codec[T] = Codec(lambda value: _read_table(kind, value), to_doc, "tables")
    return array(table, 1, max_count)


def one_table(kind: type[T]) -> Codec[T | None]:
    """Make the codec of one table, a dataclass declared by `wire`."""
    return Codec(lambda value: _read_table(kind, value), to_doc, "a table")


def mapping(
    key_pattern: str, codec: Codec[T], max_count: int, key_noun: str = "a possible name of a field"
) -> Codec[Mapping[str, T]]:
    """Make the codec of a table of up to `max_count` entries whose keys match `key_pattern`;
    `key_noun` says in errors what a key should be, and `codec` is that of the values."""
    match = re.compile(key_pattern).fullmatch

    def read(value: Any) -> Mapping[str, T]:
        if type(value) is not dict or len(value) > max_count:
            raise FieldError.wrong_value(value, f"a table of at most {max_count} entries")
        for name in value:
            if not match(name):
                raise _with_path(name[:64], FieldError(f"this is not {key_noun}"))
        return {name: _read_at(name, codec.read, x) for name, x in value.items()}

    hint = f"a table of at most {max_count} entries; each {codec.hint}"
    return Codec(read, lambda items: {k: codec.write(x) for k, x in items.items()}, hint)


def rising(name: str, keys: list[Any]) -> None:
    """Raise FieldError unless the keys are in ascending order, the only valid order of a set."""
    if any(a >= b for a, b in pairwise(keys)):
        error = FieldError("the list is not in ascending order, or has an entry twice")
        error.path.append(name)
        raise error
