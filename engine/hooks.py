"""Hooks: a trait is a small class whose public methods are hooks of its game.

A game lists its hooks as the fields of one frozen dataclass (a *kit*), each a tuple of functions.
The kit of a creature is compiled once for each set of traits; calling a fold over three traits
then costs three calls and no look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Generic, TypeVar, cast

K = TypeVar("K")
Wrap = Callable[[str, str, Callable[..., Any]], "Callable[..., Any] | None"]
"""Gets trait, hook and function; returns the function to use instead, or None for none."""


def hooks_of(trait: object) -> list[str]:
    """The names of the hooks that a trait has."""
    return [
        name for name in dir(trait) if not name.startswith("_") and callable(getattr(trait, name))
    ]


class Kits(Generic[K]):
    """Compiles sets of trait names to kits.

    ``order`` lists, for a hook, the traits whose order matters, in the rulebook's order; all others
    commute. Raises TypeError for a method that is not a hook: a misspelt hook fails at import.
    """

    def __init__(
        self,
        kind: type[K],
        traits: Mapping[str, object],
        order: Mapping[str, Sequence[str]] | None = None,
        wrap: Wrap | None = None,
    ) -> None:
        self.kind, self.traits, self.order, self._wrap = kind, traits, order or {}, wrap
        names = (f.name for f in fields(cast(Any, kind)))
        self.hooks = tuple(name for name in names if name != "names")
        self._made: dict[tuple[str, ...], K] = {}
        self._check()

    def __call__(self, names: Iterable[str]) -> K:
        """The kit of something that has these traits; unknown names do nothing."""
        key = tuple(names)
        kit = self._made.get(key)
        if kit is None:
            kit = self._made[key] = self._compile(key)
        return kit

    def rewired(self, wrap: Wrap) -> Kits[K]:
        """The same traits with other functions, so that tests can count hooks or leave one out."""
        return Kits(self.kind, self.traits, self.order, wrap)

    def _compile(self, names: tuple[str, ...]) -> K:
        known = sorted(name for name in set(names) if name in self.traits)
        table = {hook: tuple(self._functions(hook, known)) for hook in self.hooks}
        return cast(Any, self.kind)(names=frozenset(known), **table)  # type: ignore[no-any-return]

    def _functions(self, hook: str, known: list[str]) -> Iterable[Callable[..., Any]]:
        listed = list(self.order.get(hook, ()))
        for name in sorted(known, key=lambda n: listed.index(n) if n in listed else len(listed)):
            function = getattr(self.traits[name], hook, None)
            if function is not None and self._wrap is not None:
                function = self._wrap(name, hook, function)
            if function is not None:
                yield function

    def _check(self) -> None:
        for name, trait in self.traits.items():
            if strange := set(hooks_of(trait)) - set(self.hooks):
                raise TypeError(f"{name}: no such hook: {', '.join(sorted(strange))}")
