"""Seeds of random tables, and what a failure says so that somebody can repeat it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.shared import long

ONE = os.environ.get("PBEM_SEED", "")
"""The only seed to test, for somebody who repeats a failure."""


def seeds(short: int, most: int) -> list[Any]:
    """Return the seeds of `make test`, and those of the long run, for `parametrize`."""
    if ONE:
        return [range(int(ONE), int(ONE) + 1)]
    return [range(short), *long([range(short, most)])]


@contextmanager
def repeatable(seed: int, table: Callable[[], object]) -> Iterator[None]:
    """Add the seed and the table to whatever fails inside."""
    try:
        yield
    except Exception as error:
        error.add_note(f"seed {seed}: {table()}\nRun this seed alone with PBEM_SEED={seed}.")
        raise
