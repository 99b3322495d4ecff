"""How long a command takes to start, against a Python that does nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from bench.measure import Row, Task, take_turns

ROUNDS = 15
PBEM = str(Path(sys.executable).with_name("pbem"))


def command(*words: str) -> Task:
    """The command, once."""

    def run(number: int) -> int:
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
        return 1

    return run


def against_pass(words: Sequence[str], name: str, aim: float) -> Row:
    """A command of ours against ``python -c pass``."""
    tasks = {"ours": command(*words), "pass": command(sys.executable, "-c", "pass")}
    took = take_turns(tasks, ROUNDS)
    return Row(name, took["ours"], took["pass"], "python -c pass", aim)


def rows() -> Iterator[Row]:
    """The help page."""
    if find_spec("pbem.cli") is None or not Path(PBEM).exists():
        yield Row("pbem --help", missing="not there yet: there are no commands")
        return
    yield against_pass([PBEM, "--help"], "pbem --help", aim=6.5)
