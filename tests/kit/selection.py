"""Which tests run when: the long ones, and those that need the course material in `../shared`.

For example:

    @needs_shared("rulebooks")
    @pytest.mark.parametrize("seed", [1, 2, *long(range(3, 50))])
    def test_a_game_ends(seed: int) -> None: ...
"""

import os
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


SHARED = ROOT.parent / "shared"
LONGEST = bool(os.environ.get("PBEM_LONGEST"))
"""Whether `make test-long` runs."""


def needs_shared(path: str) -> pytest.MarkDecorator:
    """Skip the test where `../shared/<path>` is absent; the reason is counted in the summary."""
    missing = not (SHARED / path).exists()
    return pytest.mark.skipif(missing, reason=f"needs ../shared/{path}")


def long(parameters: Iterable[Any]) -> list[Any]:
    """The parameters that `make test-all` tests, and `make test` does not."""
    each = (one if isinstance(one, tuple) else (one,) for one in parameters)
    return [pytest.param(*one, marks=pytest.mark.long) for one in each]


def before_release(parameters: Iterable[Any]) -> list[Any]:
    """The parameters that only `make test-long` tests."""
    return long(parameters) if LONGEST else []


def pairs(ones: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Each of these with each of those: every second pair, and the rest for the long run."""
    found = list(product(enumerate(ones), enumerate(others)))
    short = [(one, other) for (i, one), (j, other) in found if (i + j) % 2 == 0]
    rest = [(one, other) for (i, one), (j, other) in found if (i + j) % 2]
    return [*short, *long(rest)]
