"""The examples at the end of every command's help and in the man page, from `examples.txt`.

In that file, each block has a command's name, then two examples: what is typed, and below it what
it does. `{game}` stands for the name of the first ruleset.
"""

from __future__ import annotations

from functools import cache

from games.data import package_data
from games.registry import first


@cache
def all_examples() -> dict[str, dict[str, str]]:
    """Return, for each command, the lines that people may type, and what each of them does."""
    text = package_data("pbem.cli", "examples.txt").replace("{game}", first())
    blocks = text.strip().split("\n\n")
    rows = ([line.strip() for line in block.splitlines()] for block in blocks)
    return {name: dict(zip(rest[::2], rest[1::2], strict=True)) for name, *rest in rows}


def epilog(command: str) -> str:
    """Return the examples of a command as the end of its help; empty if there are no examples."""
    examples = all_examples().get(command, {}).items()
    lines = [line for typed, does in examples for line in (f"  {typed}", f"      {does}")]
    return "\n".join(["\b", "Examples:", *lines]) if lines else ""
