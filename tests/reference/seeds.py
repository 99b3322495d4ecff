"""Seeds of random tables, and what a failure says so that somebody can repeat it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import tomlkit

from tests.kit.selection import LONGEST, long

ONE = os.environ.get("PBEM_SEED", "")
"""The only seed to test, for somebody who repeats a failure."""


def seeds(short: int, most: int, longest: int = 0) -> list[Any]:
    """Return the seeds of `make test`, and those of the long run, for `parametrize`.

    Those of the long run are cut into four, so that all processors have some to the end. They end
    at `most`; in `make test-long` at `longest`, for games that take seconds each.
    """
    if ONE:
        return [range(int(ONE), int(ONE) + 1)]
    most = longest if LONGEST and longest else most
    cuts = [short + (most - short) * n // 4 for n in range(5)]
    return [range(short), *long([range(*both) for both in pairwise(cuts)])]


def is_short(seeds: range) -> bool:
    """Whether these are the seeds of `make test`, which together lead to every kind of answer.

    One seed does not, and a quarter of the long run may lack a rare one.
    """
    return not ONE and seeds.start == 0


@contextmanager
def repeatable(seed: int, table: Callable[[], object]) -> Iterator[None]:
    """Add the seed and the table to whatever fails inside."""
    try:
        yield
    except Exception as error:
        error.add_note(f"{table()}\nTo run seed {seed} alone, set PBEM_SEED={seed}.")
        raise


def as_case(data: Mapping[str, Any], said: Sequence[str]) -> str:
    """Return a table and its answers so far, written as in a rule case (docs/rule-cases.md)."""
    return f"{tomlkit.dumps(data)}\nanswers so far:\n" + "\n".join(said)
