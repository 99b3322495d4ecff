"""The two kinds of classes with fields: `Value`, which cannot change, and `Mutable`.

Both are dataclasses in all but how they are made: ``field``, ``replace``, ``fields`` and ``asdict``
of the standard library work. But ``@dataclass`` writes and compiles methods for each class, at each
start; these classes share theirs, and cost next to nothing until the first value is made. In
microseconds, for a class with four fields (Python 3.11):

                        to define the class   to make a value
    Value, Mutable                       10               1.5
    dataclass                           360               0.3
    dataclass(frozen=True)              640               0.8
    NamedTuple                          143               0.4
    msgspec.Struct                       16               0.1, and 15,000 to import msgspec

A command defines up to two hundred classes and makes few values of most. The one other kind is
Python's NamedTuple: for values that are made by the ten thousand, such as log entries and
questions, and for small ones that somebody takes apart, sorts or compares as tuples.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, ClassVar, NoReturn, dataclass_transform


class _FieldsOnDemand:
    """A descriptor with the standard library's facts about a class's fields, computed at first
    use."""

    def __get__(self, value: object, kind: type[_Fields]) -> Any:
        # `Value` and `Mutable` themselves: the standard library asks every class above a new one
        if kind.__module__ == __name__:
            raise AttributeError("this class has no fields of its own")
        dataclass(init=False, repr=False, eq=False, kw_only=kind._by_name)(kind)
        return vars(kind)["__dataclass_fields__"]


class _Shape:
    """The facts about a class that the shared methods need, computed for its first value."""

    def __init__(self, kind: type[Any]) -> None:
        """Collect the facts about the fields of the class `kind`."""
        every_field = fields(kind)
        self.kind = kind.__name__
        self.names = dict.fromkeys(f.name for f in every_field).keys()
        self.positional_names = tuple(f.name for f in every_field if not f.kw_only)
        self.defaults = {f.name: f.default for f in every_field if f.default is not MISSING}
        factories = {f.name: f.default_factory for f in every_field}
        self.makers = {name: make for name, make in factories.items() if make is not MISSING}
        """For each field with ``default_factory``, the function that makes the default."""
        self.compared = tuple(f.name for f in every_field if f.compare)
        """The names of the fields that are compared and shown."""
        self.has_post_init = hasattr(kind, "__post_init__")

    def values_by_field(
        self, values: tuple[Any, ...], values_by_name: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the values that were given without names, and the others, by their names. Raises
        TypeError if there are too many, or two for one field."""
        value_by_name = dict(zip(self.positional_names, values, strict=False)) | values_by_name
        if len(value_by_name) < len(values) + len(values_by_name):
            raise TypeError(f"{self.kind} got too many values, or two for one field")
        return value_by_name

    def completed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values, by field, with the defaults of those that were not given. Raises
        TypeError if a field has neither, or a name is not a field."""
        complete_values = self.defaults | values
        for name, make in self.makers.items():
            if name not in values:
                complete_values[name] = make()
        if complete_values.keys() != self.names:
            unknown_names = complete_values.keys() - self.names
            missing_names = self.names - complete_values.keys()
            problem = "has no field" if unknown_names else "needs a value for"
            names = ", ".join(sorted(unknown_names or missing_names))
            raise TypeError(f"{self.kind} {problem} {names}")
        return complete_values


class _Shapes(dict[type, _Shape]):
    """The shape of each class, made at first use."""

    def __missing__(self, kind: type) -> _Shape:
        shape = self[kind] = _Shape(kind)
        return shape


_SHAPES = _Shapes()


class _Fields:
    """The methods of both kinds."""

    __dataclass_fields__: ClassVar[Any]
    _by_name: ClassVar[bool]

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        super().__init_subclass__()
        cls._by_name = kw_only
        cls.__dataclass_fields__ = _FieldsOnDemand()

    def __init__(self, *args: Any, **values: Any) -> None:
        """Set the fields by position or by name; a field that is not given has its default."""
        shape = _SHAPES[type(self)]
        if args:
            values = shape.values_by_field(args, values)
        if values.keys() != shape.names:
            values = shape.completed(values)
        self.__dict__.update(values)
        if shape.has_post_init:
            self.__post_init__()  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._compared() == other._compared()

    def __repr__(self) -> str:
        fields_text = ", ".join(f"{name}={value!r}" for name, value in self._compared().items())
        return f"{type(self).__qualname__}({fields_text})"

    def _compared(self) -> dict[str, Any]:
        """Return the values that are compared and shown, by name."""
        raise NotImplementedError


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(_Fields):
    """A class whose values cannot change, can be compared, and hashed if their fields can.

    A field with ``compare=False`` is neither compared nor shown.
    """

    def _compared(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in _SHAPES[type(self)].compared}

    def __hash__(self) -> int:
        return hash(tuple(self._compared().values()))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


@dataclass_transform(field_specifiers=(field,))
class Mutable(_Fields):
    """A class whose values can change and be compared. One with its own ``__init__`` is compared
    and shown by all attributes that this has set."""

    shared_attributes: ClassVar[frozenset[str]] = frozenset()
    """The attributes that all copies share; they are neither compared nor shown."""

    def _compared(self) -> dict[str, Any]:
        return {
            name: value for name, value in vars(self).items() if name not in self.shared_attributes
        }
