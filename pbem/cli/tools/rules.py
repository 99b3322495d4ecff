"""The command `rules test`: check the rules, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.options import JsonOption

rules = typer.Typer(
    help="Check the rules, case by case.", no_args_is_help=True, rich_markup_mode=None
)


@rules.command("test")
def rules_test(
    files: Annotated[list[Path], typer.Argument(help="The files with the rule cases.")],
    json: JsonOption = False,
) -> None:
    """Run rule cases: check that pbem plays as each case says (docs/rule-cases.md)."""
    from pbem.rulecases import main

    raise typer.Exit(main(files, json=json))
