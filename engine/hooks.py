"""Hooks: a trait is a small class, and each of its public methods is a hook that the rules call.

A game lists its hooks as the annotations of one subclass of `Hooks` (a *kit*), each a tuple of
functions. Each set of traits is compiled to a kit only once; after that, calling a hook of three
traits costs three calls and no look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

Hook = Callable[..., Any]
Wrap = Callable[[str, str, Hook], "Hook | None"]
"""A function from trait, hook and function to the function to use instead, or None for none."""


class Hooks:
    """The behaviour of a set of traits: for each hook, an annotated attribute, a tuple of
    functions."""

    names: frozenset[str]
    """The names of the traits."""

    def __init__(self, names: frozenset[str], functions: Mapping[str, tuple[Hook, ...]]) -> None:
        """Set every hook; one without functions becomes ``()``."""
        self.names = names
        for hook in hooks_in(type(self)):
            setattr(self, hook, functions.get(hook, ()))


def hooks_in(kind: type[Hooks]) -> tuple[str, ...]:
    """Return the names of a kit's hooks: what its class and the classes above it annotate."""
    classes = (base for base in reversed(kind.__mro__) if base is not object)
    return tuple(name for base in classes for name in base.__annotations__ if name != "names")


K = TypeVar("K", bound=Hooks)


def hooks_of(trait: object) -> list[str]:
    """Return the names of the hooks that a trait has."""
    return [
        name for name in dir(trait) if not name.startswith("_") and callable(getattr(trait, name))
    ]


class UnknownHookError(TypeError):
    """Raised if a trait has public methods that are not hooks."""

    def __init__(self, trait: str, methods: Mapping[str, Hook], hooks: Sequence[str]) -> None:
        """Say which trait has these methods, by name; `hooks` are the names of all hooks."""
        super().__init__(f"{trait}: no such hook: {', '.join(methods)}")
        self.methods, self.hooks = methods, hooks


class Kits(Generic[K]):
    """Compiles sets of trait names to kits of hooks.

    ``kind`` is the class of the kits, which annotates the hooks. ``traits`` has the object of each
    trait, by name. ``order`` lists, for a hook, the traits whose order matters, as the rulebook
    orders them; the order of all other traits makes no difference. ``wrap`` may replace each
    function. Raises UnknownHookError for a method that is not a hook: a misspelt hook fails at
    import.
    """

    def __init__(
        self,
        kind: type[K],
        traits: Mapping[str, object],
        order: Mapping[str, Sequence[str]] | None = None,
        wrap: Wrap | None = None,
    ) -> None:
        """Find the hooks of each trait. Kits are compiled when they are first asked for."""
        self.kind, self.traits, self.order, self._wrap = kind, traits, order or {}, wrap
        self.hooks = hooks_in(kind)
        self._functions = {name: self._functions_of(name) for name in traits}
        """For each trait, its hooks: the hook's name and the function to call."""
        self._kits_by_names: dict[frozenset[str], K] = {}
        self._kits_by_trait: dict[str, K] = {}
        self._traits_by_hook: dict[str, tuple[str, ...]] = {}

    def __call__(self, names: Iterable[str]) -> K:
        """Return the kit of something that has these traits; unknown names do nothing."""
        key = frozenset(names)
        kit = self._kits_by_names.get(key)
        if kit is None:
            kit = self._kits_by_names[key] = self._compile(key.intersection(self.traits))
        return kit

    def kit_of(self, trait: str) -> K:
        """Return the kit of one trait alone."""
        kit = self._kits_by_trait.get(trait)
        if kit is None:
            kit = self._kits_by_trait[trait] = self((trait,))
        return kit

    def traits_with(self, hook: str) -> tuple[str, ...]:
        """Return the traits that have a hook: first those that ``order`` lists, in its order."""
        if hook not in self._traits_by_hook:
            first = self.order.get(hook, ())
            names = [name for name in self.traits if getattr(self.kit_of(name), hook)]
            others = [name for name in names if name not in first]
            self._traits_by_hook[hook] = (*(name for name in first if name in names), *others)
        return self._traits_by_hook[hook]

    def rewired(self, wrap: Wrap) -> Kits[K]:
        """Return the same traits with replaced functions, so that tests can count hooks or leave
        one out."""
        return Kits(self.kind, self.traits, self.order, wrap)

    def _compile(self, known_names: frozenset[str]) -> K:
        """Make the kit of these traits: each hook's functions by trait name, or as ``order`` lists
        the traits; traits that it does not list come last."""
        table: dict[str, list[tuple[str, Hook]]] = {}
        for name in sorted(known_names):
            for hook, function in self._functions[name]:
                table.setdefault(hook, []).append((name, function))
        for hook in table.keys() & self.order.keys():
            ranks = {name: rank for rank, name in enumerate(self.order[hook])}
            table[hook].sort(key=lambda row: ranks.get(row[0], len(ranks)))
        functions = {hook: tuple(f for _, f in rows) for hook, rows in table.items()}
        return self.kind(known_names, functions)

    def _functions_of(self, name: str) -> list[tuple[str, Hook]]:
        """Return a trait's hooks, each as its name and the function that ``wrap`` leaves or
        gives. Raises UnknownHookError for a method that is not a hook."""
        trait, functions = self.traits[name], []
        hooks = hooks_of(trait)
        if unknown_hooks := sorted(set(hooks) - set(self.hooks)):
            methods = {hook: getattr(trait, hook) for hook in unknown_hooks}
            raise UnknownHookError(name, methods, self.hooks)
        for hook in hooks:
            function = getattr(trait, hook)
            if self._wrap is not None:
                function = self._wrap(name, hook, function)
            if function is not None:
                functions.append((hook, function))
        return functions
