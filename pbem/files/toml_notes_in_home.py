"""Notebooks: small typed files of notes in the home, one TOML document each.

Two commands may run at once on one home. So a book is never replaced with what a command read some
time ago: `Notebook.change` reads, edits and replaces it under one lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar, get_args, get_type_hints

from engine.value_classes import Value
from pbem.files.disk import read_if_there, replace
from pbem.files.file_errors import FileError, StorageError
from pbem.files.process_locks import changing
from pbem.format.canonical_toml import MAX_BYTES, emit
from pbem.text.handwritten_toml_within_limits import decoded

DAMAGE_SENTENCE: Final = "is damaged; remove this file, and pbem will work without it"


class Notes(Value):
    """The schema of a book: its file, and the fields in it, each with a type and a default.

    A type is bool, int, str, a NamedTuple or Value (a table), `tuple[type, ...]` (a list) or
    `Mapping[str, type]` (a table with any keys).
    """

    file: ClassVar[str]
    """The name of the book's file."""
    damage: ClassVar[str] = ""
    """The sentence about a damaged file, which is an error. If empty, such a file counts as
    empty."""

    def check(self) -> None:
        """Raise ValueError if the fields of a file do not fit together."""


AnyNotes = TypeVar("AnyNotes", bound=Notes)


class Notebook(Generic[AnyNotes]):
    """A book in the home. A file that is not there counts as empty."""

    schema: type[AnyNotes]

    def __init__(self, folder: Path, schema: type[AnyNotes] | None = None) -> None:
        """A class for one book says its schema itself."""
        self.schema = schema or self.schema
        self.path = folder / self.schema.file
        self._parsed_data: bytes | None = None
        self._parsed_notes = self.schema()

    def read(self) -> AnyNotes:
        """Return the notes. If the schema has a sentence about damage, raises StorageError and
        FileError; otherwise a file that is damaged or cannot be read counts as empty."""
        try:
            return self._read()
        except StorageError:
            if self.schema.damage:
                raise
            return self.schema()

    def change(self, edit: Callable[[AnyNotes], AnyNotes]) -> AnyNotes:
        """Let `edit` change the notes; write the new notes if they differ, and return them. Raises
        StorageError, and FileError as `read` does.

        `edit` may be called twice, and what it raises leaves the file as it is.
        """
        notes = self._read()
        if edit(notes) == notes:
            return notes
        with changing(self.path.parent):
            notes = self._read()
            new_notes = edit(notes)
            if new_notes != notes:
                replace(self.path, emit(_to_data(new_notes)))
            return new_notes

    def _read(self) -> AnyNotes:
        """Return the notes as `read` does. Raises StorageError for a file that cannot be read."""
        try:
            data = read_if_there(self.path)
            if data is None:
                return self.schema()
            if data != self._parsed_data:
                notes = _from_data(self.schema, decoded(data, MAX_BYTES))
                notes.check()
                self._parsed_data, self._parsed_notes = data, notes
        except FileError:
            if self.schema.damage:
                raise
            return self.schema()
        except (ValueError, TypeError):
            if self.schema.damage:
                raise StorageError(self.path, self.schema.damage) from None
            return self.schema()
        return self._parsed_notes


# ---- Between notes and the data of a TOML document


@cache
def _types_by_field(kind: Any) -> dict[str, Any]:
    names = kind._fields if issubclass(kind, tuple) else [field.name for field in fields(kind)]
    hints = get_type_hints(kind)
    return {name: hints[name] for name in names}


def _from_data(kind: Any, data: Any) -> Any:
    """Return the value of this type. Raises ValueError or TypeError for data of another type."""
    parts = get_args(kind)  # (type, ...) of a tuple, (str, type) of a Mapping
    if parts and parts[1] is ... and type(data) is list:
        return tuple(_from_data(parts[0], item) for item in data)
    if parts and parts[1] is not ... and type(data) is dict:
        return {key: _from_data(parts[1], item) for key, item in data.items()}
    if type(data) is kind:
        return data
    if not parts and issubclass(kind, (Value, tuple)) and type(data) is dict:
        types = _types_by_field(kind)
        return kind(**{name: _from_data(types.get(name), item) for name, item in data.items()})
    raise ValueError("pbem did not write these lines")


def _to_data(value: Any) -> Any:
    """Return the data of a TOML document for a value: a class with fields as a table, a tuple as a
    list."""
    kind: Any = type(value)
    if isinstance(value, Value) or hasattr(kind, "_fields"):
        return {name: _to_data(getattr(value, name)) for name in _types_by_field(kind)}
    if isinstance(value, tuple):
        return [_to_data(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _to_data(item) for key, item in value.items()}
    return value
