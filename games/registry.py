"""Find rulesets: those of this package, and those that other packages register as `pbem.games`."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from engine import Ruleset

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


class PackageFault(Exception):
    """Raised for a fault in somebody's package; the message names the package, the file and the
    line."""


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
    """Return all rulesets that are installed, and the faults of the packages that have one."""
    rulesets, faults = [], []
    for name in names():
        try:
            rulesets.append(ruleset(name))
        except PackageFault as fault:
            faults.append(fault)
    return rulesets, faults


foreign_packages: dict[str, str] = {}
"""The package of each foreign ruleset that this process has loaded, by the ruleset's name."""
package_sources: dict[str, bytes] = {}
"""The .py and .toml files of each foreign ruleset's package as they were when it was loaded, by the
ruleset's name. The digest of a ruleset covers them: its cards and the names of its hooks alone
would not show that a trait does something else."""


def _load_foreign_ruleset(name: str) -> Ruleset[Any]:
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINT_GROUP):
        if point.name == name:
            package = point.module.partition(".")[0]
            foreign_packages[name] = package
            try:
                loaded_ruleset = point.load()
            except Exception as error:
                sentence = fault_sentence(error) or _fault(package, f"{point.value}: {error}")
                raise PackageFault(sentence) from error
            if not isinstance(loaded_ruleset, Ruleset):
                kind = type(loaded_ruleset).__name__
                raise PackageFault(_fault(package, f"{point.value} is a {kind}, not a Ruleset"))
            if loaded_ruleset.name != name:
                problem = f'{point.value} has the name "{loaded_ruleset.name}"'
                raise PackageFault(_fault(package, f'{problem}; its entry point says "{name}"'))
            package_sources[name] = _package_source(package)
            return loaded_ruleset
    raise UnknownGame(f"no game is called {name!r}; the games are: {', '.join(names())}")


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


def _fault(package: str, problem: str) -> str:
    return f"the package {package} has a fault: {problem}"


def fault_sentence(error: BaseException) -> str | None:
    """Return a sentence with the package, the file, the line and the error, if the error arose in
    the code of a foreign ruleset's package or below it; None if none of these packages took
    part."""
    packages = set(foreign_packages.values())
    if isinstance(error, SyntaxError) and error.filename:
        for package in packages.intersection(_parts(error.filename)):
            location = _location(package, error.filename, error.lineno)
            return _fault(package, f"{location}: SyntaxError: {error.msg}")
    frames = [
        (package, frame.f_code.co_filename, line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if (package := str(frame.f_globals.get("__name__")).partition(".")[0]) in packages
    ]
    if not frames:
        return None
    package, file, line, function = frames[-1]
    scope = "" if function == "<module>" else f", in {function}"
    problem = f"{type(error).__name__}: {error}"
    return _fault(package, f"{_location(package, file, line)}{scope}: {problem}")


def _location(package: str, file: str, line: int | None) -> str:
    """Return the file, as a path that begins with the package, and the line."""
    parts = _parts(file)
    start = len(parts) - 1 - parts[::-1].index(package) if package in parts else -1
    return f"{'/'.join(parts[start:])}, line {line}"


def _parts(file: str) -> list[str]:
    return file.replace("\\", "/").split("/")
