"""Commands as tasks: each run is a process of its own, and its processor time counts."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.tasks_and_rows import Task

PBEM = str(Path(sys.executable).with_name("pbem"))


def children() -> float:
    """Return the processor time of all child processes that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def command(*words: str, home: Path | None = None, ends: Sequence[int] = (0,)) -> Task:
    """Return a task that runs the command once. It raises CalledProcessError for an exit code that
    is not among `ends`."""
    environment = {**os.environ, **({"PBEM_HOME": str(home)} if home else {})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed pbem is compiled

    def run(number: int) -> int:
        finished = subprocess.run(words, env=environment, capture_output=True)
        if finished.returncode not in ends:
            finished.check_returncode()
        return 1

    return run
