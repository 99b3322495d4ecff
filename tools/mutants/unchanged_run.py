"""The tests when nothing is changed: how long each takes, and which lines it runs.

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

from tools.mutants.folders_of_tests_by_module import ROOT

MAX_TEST_SECONDS = 2.5
"""The processor time, with line counting, of the slowest test that is asked."""
MAX_TOTAL_SECONDS = 10.0
"""The processor time of all tests together that are asked about one change, by default."""
MEMORY_FILE = ROOT / ".mutants.known"


@dataclass
class TestRun:
    """The run of one test."""

    seconds: float
    failed: bool
    """Whether it failed or was skipped."""
    lines: dict[str, set[int]] = field(default_factory=dict)
    """Lines that it ran, by module."""


@dataclass
class UnchangedRuns:
    """The runs of all tests with nothing changed."""

    seconds: dict[str, float] = field(default_factory=dict)
    """The processor time of each test."""
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    """For each module and line: the tests that run it."""
    failed: list[str] = field(default_factory=list)
    """The tests that fail or are skipped."""
    import_lines: dict[str, set[int]] = field(default_factory=dict)
    """Lines that ran before the first test: at import, or for what all tests share."""
    max_seconds: float = MAX_TOTAL_SECONDS

    def add_runs(self, runs: Mapping[str, TestRun], tests: Iterable[str]) -> None:
        """Add the runs of these tests."""
        for test in tests:
            run = runs[test]
            self.seconds[test] = run.seconds
            if run.failed:
                self.failed.append(test)
                continue
            for path, lines in run.lines.items():
                for line in lines:
                    self.lines.setdefault(path, {}).setdefault(line, set()).add(test)

    def needs_import(self, path: Path, first_line: int, last_line: int) -> bool:
        """Return whether a change in these lines may show only after a new import."""
        return not self.import_lines.get(str(path), set()).isdisjoint(
            range(first_line, last_line + 1)
        )

    def tests_of_lines(self, path: Path, first_line: int, last_line: int) -> list[str]:
        """Return the tests that run one of these lines: the nearest folder first, then the quick
        ones."""
        tests_by_line = self.lines.get(str(path), {})
        return self._quick(
            {t for n in range(first_line, last_line + 1) for t in tests_by_line.get(n, ())}
        )

    def tests_of_module(self, path: Path) -> list[str]:
        """Return the tests to ask about a new import, the quickest first: tests that run a line of
        the module, and others, which may use its constants."""
        module_tests = {t for tests in self.lines.get(str(path), {}).values() for t in tests}
        other_tests = set(self.seconds) - set(self.failed) - module_tests
        return sorted(
            self._quick(module_tests) + self._quick(other_tests), key=lambda t: self.seconds[t]
        )

    def _quick(self, tests: set[str]) -> list[str]:
        """Return as many of these tests as the time allows, without slow ones."""
        chosen_tests, seconds_left = [], self.max_seconds
        rooms = list(dict.fromkeys(folder(test) for test in self.seconds))
        for test in sorted(tests, key=lambda t: (rooms.index(folder(t)), self.seconds[t], t)):
            if self.seconds[test] < min(seconds_left, max(MAX_TEST_SECONDS, self.max_seconds / 4)):
                seconds_left -= self.seconds[test]
                chosen_tests.append(test)
        return chosen_tests


def folder(test: str) -> str:
    """Return the folder of a test."""
    return file_of(test).rpartition("/")[0]


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.partition("::")[0]


class Memory:
    """The runs of these tests that earlier calls of this tool saw, as far as they are valid."""

    def __init__(self, modules: Iterable[Path], tests: Iterable[str]) -> None:
        """Read the file of earlier calls; a file that cannot be read counts as empty."""
        self._modules = "".join(map(str, modules))
        try:
            self._runs_by_stamp: dict[str, dict[str, TestRun]] = pickle.loads(
                MEMORY_FILE.read_bytes()
            )
        except (OSError, ValueError, EOFError, AttributeError, pickle.UnpicklingError):
            self._runs_by_stamp = {}
        files = dict.fromkeys(map(file_of, tests))
        self.runs: dict[str, TestRun] = {}
        for file in files:
            self.runs |= self._runs_by_stamp.get(self._stamp(file), {})

    def add(self, runs: Mapping[str, TestRun]) -> None:
        """Remember the runs of these tests."""
        self.runs |= runs
        for test, run in runs.items():
            self._runs_by_stamp.setdefault(self._stamp(file_of(test)), {})[test] = run
        MEMORY_FILE.write_bytes(pickle.dumps(self._runs_by_stamp))

    def _stamp(self, file: str) -> str:
        test_code = (ROOT / file).read_bytes()
        sources = f"{self._modules}\0{file}\0{hash_of_shared_files()}"
        return hashlib.sha256(sources.encode() + test_code).hexdigest()


@cache
def hash_of_shared_files() -> str:
    """Return a hash of the project and of everything that tests share."""
    digest = hashlib.sha256()
    for room in ("engine", "games", "pbem", "tests"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if not path.name.startswith("test_"):
                digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()
