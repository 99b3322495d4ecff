"""A new ruleset in words: what was written, and the next steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

_MADE: Final = "The ruleset {name}, made from {base}, is in the folder {folder}. Next:"


def new_ruleset_lines(name: str, base: str, folder: str, commands: Sequence[str]) -> Iterator[str]:
    """Yield what was written, and the commands that install, test and study the ruleset."""
    yield _MADE.format(name=name, base=base, folder=folder)
    yield from (f"    {command}" for command in commands)
