"""The command `rules test`: check the rules, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.shared_options import JsonOption
from pbem.rulecases.run_cases import main

rules = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@rules.command("test")
def rules_test(
    files: Annotated[list[Path], typer.Argument(help="The files with the rule cases.")],
    json: JsonOption = False,
) -> None:
    """Run rule cases: check that pbem plays as each case says (docs/rule-cases.md)."""
    raise SystemExit(main(files, json=json))
