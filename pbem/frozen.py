"""Frozen dataclasses that cost little to define.

``dataclass(frozen=True)`` writes and compiles five methods for each class. That was a quarter of
the time of a command that reads a new turn. These classes share their methods, and are dataclasses
otherwise: ``fields``, ``replace`` and ``asdict`` work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(kind: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = ...) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T] | None = None, /, *, kw_only: bool = False) -> Any:
    """Make a class a dataclass whose values cannot be changed and can be compared and hashed."""

    def make(kind: type[T]) -> type[T]:
        made = dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(kind)
        for method in _METHODS:
            if method.__name__ not in vars(kind):
                setattr(made, method.__name__, method)
        return made

    return make if kind is None else make(kind)


class _Shape:
    """What the shared methods know about a class; found out when its first value is made."""

    def __init__(self, kind: type) -> None:
        all_fields = fields(kind)
        given = [one for one in all_fields if one.init]
        self.kind = kind.__name__
        self.names = dict.fromkeys(one.name for one in given).keys()
        self.in_order = tuple(one.name for one in given if not one.kw_only)
        self.defaults = {one.name: one.default for one in given if one.default is not MISSING}
        self.makers = {
            one.name: one.default_factory for one in given if one.default_factory is not MISSING
        }
        self.compared = tuple(one.name for one in all_fields if one.compare)
        self.shown = tuple(one.name for one in all_fields if one.repr)
        self.then = hasattr(kind, "__post_init__")

    def named(self, values: tuple[Any, ...], others: dict[str, Any]) -> dict[str, Any]:
        """Return the values that were given without names, and the others, by their names."""
        if len(values) > len(self.in_order):
            raise TypeError(f"{self.kind} takes {len(self.in_order)} values without names")
        found = dict(zip(self.in_order, values, strict=False))
        if others and (twice := found.keys() & others.keys()):
            raise TypeError(f"{self.kind} got two values for {', '.join(sorted(twice))}")
        return found | others if others else found

    def completed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values with the defaults of those that were not given."""
        whole = self.defaults | values
        for name, make in self.makers.items():
            if name not in values:
                whole[name] = make()
        if whole.keys() != self.names:
            raise self._mistake(whole)
        return whole

    def _mistake(self, values: dict[str, Any]) -> TypeError:
        if strange := values.keys() - self.names:
            return TypeError(f"{self.kind} has no field {', '.join(sorted(strange))}")
        missing = [name for name in self.names if name not in values]
        return TypeError(f"{self.kind} needs a value for {', '.join(missing)}")


class _Shapes(dict[type, _Shape]):
    """The shape of each class, made when it is first asked for."""

    def __missing__(self, kind: type) -> _Shape:
        shape = self[kind] = _Shape(kind)
        return shape


_SHAPES = _Shapes()


def __init__(self: Any, *args: Any, **values: Any) -> None:  # noqa: N807
    shape = _SHAPES[type(self)]
    if args:
        values = shape.named(args, values)
    if values.keys() != shape.names:
        values = shape.completed(values)
    self.__dict__.update(values)
    if shape.then:
        self.__post_init__()


def __repr__(self: Any) -> str:  # noqa: N807
    shape = _SHAPES[type(self)]
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in shape.shown)
    return f"{type(self).__qualname__}({shown})"


def __eq__(self: Any, other: object) -> bool:  # noqa: N807
    if type(self) is not type(other):
        return NotImplemented
    mine, theirs = vars(self), vars(other)
    return all(mine[name] == theirs[name] for name in _SHAPES[type(self)].compared)


def __hash__(self: Any) -> int:  # noqa: N807
    mine = vars(self)
    return hash(tuple(mine[name] for name in _SHAPES[type(self)].compared))


def __setattr__(self: Any, name: str, value: object) -> NoReturn:  # noqa: N807
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def __delattr__(self: Any, name: str) -> NoReturn:  # noqa: N807
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_METHODS = (__init__, __repr__, __eq__, __hash__, __setattr__, __delattr__)
