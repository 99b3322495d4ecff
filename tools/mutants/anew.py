"""Changes that need a new import: each in a fork made before the project was loaded."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from tools.mutants.asking import FAILED, SURVIVED, WORKED, calm, forked, verdict
from tools.mutants.changes import Change
from tools.mutants.known import file_of

ARGS = ["-qq", "-s", "-x", "--no-summary", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
ARGS += [arg for plugin in ("cacheprovider", "xdist") for arg in ("-p", f"no:{plugin}")]
ARGS += ["-m", "not browser and not post and not store"]  # the long tests too, as in make test-all


QUICK = 200
"""The most tests in a file that is quick to collect."""


class Chosen:
    """A pytest plugin: only these tests, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.order = {name: n for n, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out all other tests."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order),
            key=lambda item: self.order[item.nodeid],
        )
        calm(items)


def ask(path: Path, change: Change, tests: Sequence[str]) -> str:
    """The result of a change when the module is imported with it.

    One file of tests first: collecting all of them takes longer than running them.
    """
    sizes = Counter(map(file_of, tests))
    first = max(sizes, key=lambda file: sizes[file] if sizes[file] <= QUICK else 0)
    for some in (
        [t for t in tests if file_of(t) == first],
        [t for t in tests if file_of(t) != first],
    ):
        word = verdict(forked(partial(_changed, path, change, some))) if some else SURVIVED
        if word != SURVIVED:
            break
    return word


def _changed(path: Path, change: Change, tests: Sequence[str]) -> int:
    given = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> Any:
        if self.path == str(path):
            return compile(change.text, str(path), "exec", dont_inherit=True)
        return given(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    files = list(dict.fromkeys(map(file_of, tests)))
    code = pytest.main([*ARGS, *files], plugins=[Chosen(tests)])
    sys.stdout.flush()
    return WORKED if code == 0 else FAILED
