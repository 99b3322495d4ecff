"""What the tests do when nothing is changed: how long each takes, and which lines it runs.

This is remembered from run to run: a test file runs again only if the file, something that tests
share, or anything in the project has changed.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tools.mutants.table import ROOT

TOO_SLOW = 2.5
"""Seconds of processor time, with line counting; a test that takes longer is not asked."""
ENOUGH = 10.0
"""The same for all tests together that are asked about one change, by default."""
KEPT = ROOT / ".mutants.known"


@dataclass
class Tried:
    """What one test did."""

    seconds: float
    failed: bool
    """Whether it failed or was skipped."""
    lines: dict[str, set[int]] = field(default_factory=dict)
    """Lines that it ran, by module."""


@dataclass
class Known:
    """What the tests do when nothing is changed: how long each takes, and which run a line."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    before: dict[str, set[int]] = field(default_factory=dict)
    """Lines that ran before the first test: at import, or for what all tests share."""
    enough: float = ENOUGH

    def take(self, tried: Mapping[str, Tried], tests: Iterable[str]) -> None:
        """Add what these tests did."""
        for test in tests:
            one = tried[test]
            self.seconds[test] = one.seconds
            if one.failed:
                self.failed.append(test)
                continue
            for path, lines in one.lines.items():
                for line in lines:
                    self.lines.setdefault(path, {}).setdefault(line, set()).add(test)

    def again(self, path: Path, first: int, last: int) -> bool:
        """Whether a change here may show only after a new import."""
        return not self.before.get(str(path), set()).isdisjoint(range(first, last + 1))

    def asked(self, path: Path, first: int, last: int) -> list[str]:
        """The tests that run one of these lines: the nearest folder first, then the quick ones."""
        found = self.lines.get(str(path), {})
        return self._quick({t for n in range(first, last + 1) for t in found.get(n, ())})

    def anywhere(self, path: Path) -> list[str]:
        """The tests that run any line of the module, then others: they may use its constants."""
        found = {t for tests in self.lines.get(str(path), {}).values() for t in tests}
        rest = set(self.seconds) - set(self.failed) - found
        return sorted(self._quick(found) + self._quick(rest), key=lambda t: self.seconds[t])

    def _quick(self, tests: set[str]) -> list[str]:
        some, left = [], self.enough
        rooms = list(dict.fromkeys(folder(test) for test in self.seconds))
        for test in sorted(tests, key=lambda t: (rooms.index(folder(t)), self.seconds[t], t)):
            if self.seconds[test] < min(left, max(TOO_SLOW, self.enough / 4)):
                left -= self.seconds[test]
                some.append(test)
        return some


def folder(test: str) -> str:
    """The folder of a test."""
    return file_of(test).rpartition("/")[0]


def file_of(test: str) -> str:
    """The file of a test."""
    return test.partition("::")[0]


class Memory:
    """What earlier runs learned about these tests and modules, as far as it is still valid."""

    def __init__(self, modules: Iterable[Path], tests: Iterable[str]) -> None:
        self._about = "".join(map(str, modules))
        try:
            self._kept: dict[str, dict[str, Tried]] = pickle.loads(KEPT.read_bytes())
        except (OSError, ValueError, EOFError, AttributeError, pickle.UnpicklingError):
            self._kept = {}
        files = dict.fromkeys(map(file_of, tests))
        self.known: dict[str, Tried] = {}
        for file in files:
            self.known |= self._kept.get(self._stamp(file), {})

    def add(self, tried: Mapping[str, Tried]) -> None:
        """Remember what these tests did."""
        self.known |= tried
        for test, one in tried.items():
            self._kept.setdefault(self._stamp(file_of(test)), {})[test] = one
        KEPT.write_bytes(pickle.dumps(self._kept))

    def _stamp(self, file: str) -> str:
        own = (ROOT / file).read_bytes()
        return hashlib.sha256(f"{self._about}\0{file}\0{shared()}".encode() + own).hexdigest()


@cache
def shared() -> str:
    """A hash of the project and of everything that tests share."""
    found = hashlib.sha256()
    for room in ("engine", "games", "pbem", "tests"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if not path.name.startswith("test_"):
                found.update(f"{path}\0".encode() + path.read_bytes())
    return found.hexdigest()
