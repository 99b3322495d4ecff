"""A change that must be imported anew: one fork, made before the project was loaded, per change."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from tools.mutants.asking import FAILED, WORKED, calm, forked, verdict
from tools.mutants.changes import Change

ARGS = ["-qq", "-s", "-x", "--no-summary", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
ARGS += [arg for plugin in ("cacheprovider", "xdist") for arg in ("-p", f"no:{plugin}")]


class Chosen:
    """A pytest plugin: only these tests, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.order = {name: n for n, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave the others out."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order),
            key=lambda item: self.order[item.nodeid],
        )
        calm(items)


def ask(path: Path, change: Change, tests: Sequence[str]) -> str:
    """What becomes of a change when the module is imported with it: quick tests first."""
    return verdict(forked(lambda: _changed(path, change, tests)))


def _changed(path: Path, change: Change, tests: Sequence[str]) -> int:
    given = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> Any:
        if self.path == str(path):
            return compile(change.text, str(path), "exec", dont_inherit=True)
        return given(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    files = list(dict.fromkeys(name.partition("::")[0] for name in tests))
    code = pytest.main([*ARGS, *files], plugins=[Chosen(tests)])
    sys.stdout.flush()
    return WORKED if code == 0 else FAILED
