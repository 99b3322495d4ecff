"""Find rulesets: those of this package, and those that other packages register as `pbem.games`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from engine import Ruleset
from games.package_faults import (
    PackageFault,
    fault_in,
    fault_of_function,
    fault_sentence,
    foreign_packages,
    package_of,
)

ENTRY_POINT_GROUP = "pbem.games"
"""The entry-point group under which other packages offer a ruleset."""
BUILT_IN_GAMES = {
    "evolution": "games.evolution.rules:EVOLUTION",
    "digital": "games.digital.rules:DIGITAL",
    "climate": "games.climate.rules:CLIMATE",
    "origin": "games.origin.rules:ORIGIN",
    "classroom": "games.classroom.rules:CLASSROOM",
}
"""The rulesets of this package: ``module:attribute``, by name; the first is the default."""


class UnknownGame(LookupError):
    """Raised if no ruleset with that name is installed."""


@cache
def ruleset(name: str) -> Ruleset[Any]:
    """Return the ruleset with that name, importing only that ruleset's module. Raises
    UnknownGame, and PackageFault if the package of the ruleset cannot be imported."""
    if path := BUILT_IN_GAMES.get(name):
        module, _, attribute = path.partition(":")
        loaded_ruleset: Ruleset[Any] = getattr(import_module(module), attribute)
    else:
        loaded_ruleset = _load_foreign_ruleset(name)
    return loaded_ruleset


def default_name() -> str:
    """Return the name of the default ruleset, used if no name is given."""
    return next(iter(BUILT_IN_GAMES))


def names() -> list[str]:
    """Return the names of all rulesets that are installed, those of this package first."""
    from importlib.metadata import entry_points

    foreign_names = sorted(point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    return [*BUILT_IN_GAMES, *(name for name in foreign_names if name not in BUILT_IN_GAMES)]


def working_rulesets() -> tuple[list[Ruleset[Any]], list[PackageFault]]:
    """Return the installed rulesets that load, and the fault of each package whose ruleset does
    not."""
    rulesets, faults = [], []
    for name in names():
        try:
            rulesets.append(ruleset(name))
        except PackageFault as fault:
            faults.append(fault)
    return rulesets, faults


package_sources: dict[str, bytes] = {}
"""The .py and .toml files of each foreign ruleset's package as they were when it was loaded, by the
ruleset's name. The digest of a ruleset covers them: its cards and the names of its hooks alone
would not show that a trait does something else."""


def _load_foreign_ruleset(name: str) -> Ruleset[Any]:
    """Return the ruleset that another package offers under a name as an entry point. Raises
    PackageFault if the object cannot be loaded or is no ruleset of this name, UnknownGame if no
    package offers the name."""
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINT_GROUP):
        if point.name == name:
            package = point.module.partition(".")[0]
            foreign_packages[name] = package
            try:
                loaded_ruleset = point.load()
            except Exception as error:
                sentence = fault_sentence(error) or fault_in(package, f"{point.value}: {error}")
                raise PackageFault(sentence) from error
            if not isinstance(loaded_ruleset, Ruleset):
                kind = type(loaded_ruleset).__name__
                raise PackageFault(fault_in(package, f"{point.value} is a {kind}, not a Ruleset"))
            if loaded_ruleset.name != name:
                problem = f'{point.value} has the name "{loaded_ruleset.name}"'
                raise PackageFault(
                    fault_in(
                        package,
                        f'{problem}; its entry point says "{name}": give both the same name',
                    )
                )
            package_sources[name] = _package_source(package)
            return _with_checked_hooks(loaded_ruleset, package)
    raise UnknownGame(f"no game is called {name!r}; the games are: {', '.join(names())}")


def _with_checked_hooks(foreign_ruleset: Ruleset[Any], package: str) -> Ruleset[Any]:
    """Return the ruleset with a check of each value that a hook of this package gives. Raises
    PackageFault for a hook that takes other arguments than it is called with."""
    kits = foreign_ruleset.kits
    traits = kits.traits.values() if kits else ()
    if kits is None or not any(package_of(trait) == package for trait in traits):
        return foreign_ruleset
    from games.hook_argument_and_value_checks import arguments_fault, hook_types, value_fault

    types_by_hook = hook_types(kits.kind)

    def checked(trait: str, hook: str, function: Any) -> Any:
        """Return a hook with checks: of the number of arguments now, and of the value at each call.
        A function of another package stays as it is."""
        if package_of(function) != package or hook not in types_by_hook:
            return function
        types = types_by_hook[hook]
        if fault := arguments_fault(function, types):
            raise PackageFault(fault_of_function(package, function, fault))

        def checked_hook(*arguments: Any) -> Any:
            value = function(*arguments)
            if types.has_sentences and isinstance(value, Iterator):  # check its sentences too
                value = tuple(value)
            if fault := value_fault(value, types):
                raise PackageFault(fault_of_function(package, function, fault))
            return value

        return checked_hook

    return replace(foreign_ruleset, kits=kits.rewired(checked))


def _package_source(package: str) -> bytes:
    """Return the paths and contents of a package's .py and .toml files; of its one file if it is a
    module. How lines end makes no difference."""
    from importlib.resources import files

    module: Any = import_module(package)
    if hasattr(module, "__path__"):
        paths = sorted(_source_paths(files(package), ""))
        contents = {path: files(package).joinpath(path).read_bytes() for path in paths}
    else:
        contents = {f"{package}.py": module.__loader__.get_data(module.__file__)}
    parts = list[bytes]()
    for path, content in contents.items():
        lines = content.replace(b"\r\n", b"\n")
        parts += [f"{path} {len(lines)}\n".encode(), lines]
    return b"".join(parts)


def _source_paths(folder: Any, path: str) -> Iterator[str]:
    """Yield the path of each source file in a package, which may be in a zip archive."""
    for file in folder.iterdir():
        if file.is_dir():
            yield from _source_paths(file, f"{path}{file.name}/")
        elif file.name.endswith((".py", ".toml")):
            yield f"{path}{file.name}"


def is_inherited(how_to_play: object) -> bool:
    """Return whether a ruleset has this page of rules from one of this package's rulesets."""
    return any(ruleset(name).how_to_play is how_to_play for name in BUILT_IN_GAMES)
