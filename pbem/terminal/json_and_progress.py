"""Output besides lines: JSON for programs, and a progress bar."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# ---- The common envelope of all `--json` output: `{"pbem": 1, "command": …, "data": …}` on one
# line
#
# `log` and `since` add the key `messages`, which is beside `data` because messages are not part of
# the game.


def print_data(command: str, data: Any, **other_keys: Any) -> None:
    """Print data for programs; `other_keys` are further keys, which are printed after `data`."""
    print(json.dumps({"pbem": 1, "command": command, "data": data} | other_keys, sort_keys=True))


# ---- Show a progress bar on standard error, if standard error is a terminal


@contextmanager
def progress(total: int, done_count: int = 0) -> Iterator[Callable[[int], None]]:
    """Show a bar with `done_count` of `total` steps done; yield a function that you call with the
    number of steps done.

    The bar disappears at the end.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done_count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done_count)
        yield lambda done_count: bar.update(task, completed=done_count)
