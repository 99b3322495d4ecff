"""``python -m bench [NAME …]``: all benchmarks, or those named."""

from __future__ import annotations

import platform
import sys
from importlib import import_module

BENCHMARKS = (
    "startup",
    "commands_late_in_game",
    "list_many_games",
    "pass_of_run",
    "table_pages",
    "sizes",
    "memory",
    "audit",
    "mixing",
    "dealers",
    "time_per_decision",
    "games_per_second",
    "question_waves_and_early_orders",
    "host",
    "host_that_deals",
    "co_dealing_host",
    "page_updates_on_phone",
    "browser_tab",
)
"""The modules, in the order in which they run. Each has ``rows()``."""


def main(names: list[str]) -> int:
    """Run the benchmarks and print their rows; return the exit code, 2 for an unknown name."""
    if unknown := [name for name in names if name not in BENCHMARKS]:
        print(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
        return 2
    print(f"Python {platform.python_version()}, {platform.machine()}; ratio: below 1 is faster")
    for name in names or BENCHMARKS:
        for row in import_module(f"bench.{name}").rows():
            print(row.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
