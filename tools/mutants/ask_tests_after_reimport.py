"""Try changes outside functions: each needs a new import, in a fork made before the first one."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from tools.mutants.ask_tests import (
    FAILED_CODE,
    PASSED_CODE,
    SURVIVED,
    forked,
    shrink_nothing,
    verdict,
)
from tools.mutants.changes import Change
from tools.mutants.unchanged_run import file_of

PYTEST_ARGS = ["-qq", "-s", "-x", "--no-summary", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
PYTEST_ARGS += [arg for plugin in ("cacheprovider", "xdist") for arg in ("-p", f"no:{plugin}")]
# the long tests too, as in make test-all
PYTEST_ARGS += ["-m", "not browser and not post and not store"]


MAX_QUICK_TESTS = 200
"""The greatest number of tests in a file that is quick to collect."""


class ChosenTests:
    """A pytest plugin: only these tests, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.order = {name: n for n, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out all other tests."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order),
            key=lambda item: self.order[item.nodeid],
        )
        shrink_nothing(items)


def ask(path: Path, change: Change, tests: Sequence[str]) -> str:
    """Return the verdict on a change when the module is imported with it.

    One file of tests is asked first: to collect all of them takes longer than to run them.
    """
    sizes = Counter(map(file_of, tests))
    first_file = max(sizes, key=lambda file: sizes[file] if sizes[file] <= MAX_QUICK_TESTS else 0)
    for tests_in_turn in (
        [t for t in tests if file_of(t) == first_file],
        [t for t in tests if file_of(t) != first_file],
    ):
        if not tests_in_turn:
            word = SURVIVED
            continue
        word = verdict(forked(partial(_changed, path, change, tests_in_turn)))
        if word != SURVIVED:
            break
    return word


def _changed(path: Path, change: Change, tests: Sequence[str]) -> int:
    """Run the tests with the changed module; return the exit code for `verdict`."""
    original_get_code = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> Any:
        if self.path == str(path):
            return compile(change.text, str(path), "exec", dont_inherit=True)
        return original_get_code(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    files = list(dict.fromkeys(map(file_of, tests)))
    code = pytest.main([*PYTEST_ARGS, *files], plugins=[ChosenTests(tests)])
    sys.stdout.flush()
    return PASSED_CODE if code == 0 else FAILED_CODE
