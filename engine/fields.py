"""Classes with fields, for values that every command makes when it starts.

A dataclass would work too, but Python writes and compiles its methods again at each start. For the
rules of one game, that takes a twentieth of the time of ``pbem check``.
"""

from __future__ import annotations

from typing import Any, NoReturn, Self, dataclass_transform


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class Fields:
    """A value whose annotated attributes are set by keyword, once.

    A field is optional if the class gives it a value, its default. Raises TypeError for a field
    that is missing or unknown.
    """

    def __init__(self, **values: Any) -> None:
        """Set each field to its value, or to its default."""
        kind = type(self)
        known = fields_in(kind)
        if strange := values.keys() - set(known):
            raise TypeError(f"no such field: {', '.join(sorted(strange))}")
        for name in known:
            if name not in values and not hasattr(kind, name):
                raise TypeError(f"the field {name} is missing")
            # copy defaults too: a function that is found in the class would become a method
            vars(self)[name] = values[name] if name in values else getattr(kind, name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} cannot be changed; make a copy with other values")

    def copy(self, **changes: Any) -> Self:
        """Return a copy with some fields changed. Raises TypeError for an unknown field."""
        same = {name: vars(self)[name] for name in fields_in(type(self))}
        return type(self)(**(same | changes))


def fields_in(kind: type) -> list[str]:
    """Return the names of the annotated attributes of a class and of the classes above it."""
    above = [base for base in reversed(kind.__mro__) if base is not object]
    return [name for base in above for name in base.__annotations__]
