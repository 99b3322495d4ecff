"""Check the hooks of a package that somebody else wrote: their arguments, and the values they give.

A wrong value makes an error only later, in code that is not to blame.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, get_args, get_origin, get_type_hints

from engine import Hooks
from engine.values import Value


class HookTypes(Value):
    """The types of a hook, from the annotation of its kit."""

    arguments: tuple[str, ...]
    """The name of each argument's type."""
    result: str
    """The result's type, as Python writes it."""
    result_classes: tuple[type, ...]
    """The classes that a result may have; empty if nobody uses the result."""

    @property
    def has_sentences(self) -> bool:
        """Whether the result is any number of sentences, which players are offered."""
        return self.result == "Iterable of str"


def hook_types(kind: type[Hooks]) -> dict[str, HookTypes]:
    """Return the types of a kit's hooks, by name; those whose types cannot be found are left
    out."""
    try:
        annotations = get_type_hints(kind)
    except NameError:  # a name that only type checkers import
        return {}
    found_types = {}
    for hook, annotation in annotations.items():
        parts = get_args(annotation)
        signature = get_args(parts[0]) if parts else ()
        if len(signature) == 2 and isinstance(signature[0], list):
            arguments, result = signature
            names = tuple(map(_type_name, arguments))
            found_types[hook] = HookTypes(names, _type_name(result), _classes(result))
    return found_types


def _type_name(part: Any) -> str:
    if part in (None, type(None)):
        return "None"
    inner_parts = get_args(part)
    if not inner_parts:
        return part.__name__ if isinstance(part, type) else repr(part)
    names = " or ".join(map(_type_name, inner_parts))
    origin: Any = get_origin(part)
    return f"{origin.__name__} of {names}" if _is_iterable(part) else names


def _is_iterable(part: Any) -> bool:
    origin = get_origin(part)
    return isinstance(origin, type) and hasattr(origin, "__iter__")


def _classes(result: Any) -> tuple[type, ...]:
    """Return the classes of a type; none for None alone, because its result is not used."""
    if result in (None, type(None)):
        return ()
    parts = (result,) if _is_iterable(result) or not get_args(result) else get_args(result)
    classes = [get_origin(part) or part for part in parts]
    return tuple(classes) if all(isinstance(one, type) for one in classes) else ()


def arguments_fault(function: Any, types: HookTypes) -> str:
    """Say what is wrong if a hook cannot be called with its arguments; empty if nothing is."""
    signature = inspect.signature(function)
    try:
        signature.bind(*types.arguments)
    except TypeError:
        expected = f"it is called with {len(types.arguments)}: {', '.join(types.arguments)}"
        return f"its arguments are {_without_types(signature)}, but {expected}"
    return ""


def _without_types(signature: inspect.Signature) -> str:
    return f"({', '.join(signature.parameters)})"


def value_fault(value: object, types: HookTypes) -> str:
    """Say what is wrong if a hook gave a value of another type than it should; empty if nothing
    is."""
    classes = types.result_classes
    if not classes:
        return ""
    if types.has_sentences and isinstance(value, Iterable) and not isinstance(value, str):
        others = [part for part in value if not isinstance(part, str)]
        return f"it returned {others[0]!r:.40}, which is not a sentence" if others else ""
    if isinstance(value, classes) and not types.has_sentences:
        return ""
    return f"it returned {value!r:.40}, which is not {types.result}"
