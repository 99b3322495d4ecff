"""Check the hooks of a package that somebody else wrote: their arguments, and the values they give.

A wrong value makes an error only later, in code that is not to blame.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, get_args, get_origin, get_type_hints

from engine import Hooks
from engine.value_classes import Value


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


def _type_name(annotation: Any) -> str:
    """Return a type in words, such as `list of str`, or `int or None`."""
    if annotation in (None, type(None)):
        return "None"
    inner_types = get_args(annotation)
    if not inner_types:
        return annotation.__name__ if isinstance(annotation, type) else repr(annotation)
    names = " or ".join(map(_type_name, inner_types))
    origin: Any = get_origin(annotation)
    return f"{origin.__name__} of {names}" if _is_iterable(annotation) else names


def _is_iterable(annotation: Any) -> bool:
    """Return whether this is the type of a collection, such as `list[str]`."""
    origin = get_origin(annotation)
    return isinstance(origin, type) and hasattr(origin, "__iter__")


def _classes(result: Any) -> tuple[type, ...]:
    """Return the classes that a value of this type may have. Return none for the type None, because
    nobody uses such a result, and for a type that no class stands for."""
    if result in (None, type(None)):
        return ()
    parts = (result,) if _is_iterable(result) or not get_args(result) else get_args(result)
    classes = [get_origin(part) or part for part in parts]
    return tuple(classes) if all(isinstance(part, type) for part in classes) else ()


def arguments_fault(function: Any, types: HookTypes) -> str:
    """Say what is wrong if a hook cannot be called with its arguments; empty if nothing is."""
    signature = inspect.signature(function)
    try:
        signature.bind(*types.arguments)
    except TypeError:
        return (
            f"pbem calls it with ({', '.join(types.arguments)}), but its arguments are "
            f"({', '.join(signature.parameters)})"
        )
    return ""


def value_fault(value: object, types: HookTypes) -> str:
    """Say what is wrong if a hook returned a value of another type than it should; empty if nothing
    is. `value` is no iterator, which looking at its sentences would use up."""
    classes = types.result_classes
    if not classes:
        return ""
    if types.has_sentences and isinstance(value, Iterable) and not isinstance(value, str):
        for sentence in value:
            if not isinstance(sentence, str):
                return f"it returned {sentence!r:.40}, which is not a sentence"
        return ""
    if isinstance(value, classes) and not types.has_sentences:
        return ""
    return f"it returned {value!r:.40}, which is not {types.result}"
