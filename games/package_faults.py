"""Faults in the packages with rulesets of other people: where each is, as a sentence."""

from __future__ import annotations

import traceback
from typing import Any

from engine.hooks import UnknownHookError


class PackageFault(Exception):
    """Raised for a fault in somebody's package; the message names the package, the file and the
    line."""


foreign_packages: dict[str, str] = {}
"""The package of each foreign ruleset that this process has loaded, by the ruleset's name."""


def package_of(thing: Any) -> str:
    """Return the package with the code of an object's class, or of a class or function."""
    return str(getattr(thing, "__module__", "")).partition(".")[0]


def fault_of_function(package: str, function: Any, fault: str) -> str:
    """Return a sentence on a function of a package: where it is, its class and name, the fault."""
    name = getattr(function, "__qualname__", repr(function))
    if code := getattr(function, "__code__", None):
        name = f"{_location(package, code.co_filename, code.co_firstlineno)}, in {name}"
    return fault_in(package, f"{name}: {fault}")


def fault_in(package: str, problem: str) -> str:
    """Return the sentence that a package has this fault."""
    return f"the package {package} has a fault: {problem}"


def fault_sentence(error: BaseException) -> str | None:
    """Return a sentence with the package, the file, the line and the error, if the error arose in
    the code of a foreign ruleset's package or below it; None if none of these packages took
    part."""
    packages = set(foreign_packages.values())
    if isinstance(error, PackageFault):
        return str(error)
    if isinstance(error, UnknownHookError):
        name, method = next(iter(error.methods.items()))
        if (package := package_of(method)) in packages:
            from games.rule_case_differences import hint

            fault = f"there is no hook called {name}; {hint(name, error.hooks)}"
            return fault_of_function(package, method, fault)
    if isinstance(error, SyntaxError) and error.filename:
        for package in packages.intersection(_parts(error.filename)):
            location = _location(package, error.filename, error.lineno)
            return fault_in(package, f"{location}: SyntaxError: {error.msg}")
    frames = [
        (package, frame.f_code.co_filename, line, frame.f_code.co_qualname)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if (package := str(frame.f_globals.get("__name__")).partition(".")[0]) in packages
    ]
    if not frames:
        return None
    package, file, line, function = frames[-1]
    scope = "" if function == "<module>" else f", in {function}"
    problem = f"{type(error).__name__}: {error}"
    return fault_in(package, f"{_location(package, file, line)}{scope}: {problem}")


def _location(package: str, file: str, line: int | None) -> str:
    """Return the file, as a path that begins with the package, and the line."""
    parts = _parts(file)
    start = len(parts) - 1 - parts[::-1].index(package) if package in parts else -1
    return f"{'/'.join(parts[start:])}, line {line}"


def _parts(file: str) -> list[str]:
    return file.replace("\\", "/").split("/")
