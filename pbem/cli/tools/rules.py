"""The command `rules test`: check the rules, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pbem.cli.command_line.declarations import Argument, Group
from pbem.cli.options import JsonOption

rules = Group(
    help="Check the rules, case by case.",
)


@rules.command("test")
def rules_test(
    files: Annotated[list[Path], Argument(help="The files with the rule cases.")],
    json: JsonOption = False,
) -> None:
    """Run rule cases: check that pbem plays as each case says (docs/rule-cases.md)."""
    from pbem.rulecases import main

    raise SystemExit(main(files, json=json))
