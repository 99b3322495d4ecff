"""`audit`: is all of it right?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.options import JsonOption


def audit(
    folder: Annotated[
        Path | None,
        typer.Argument(help="The game's folder (default: here)."),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="WORDS", help="The 12 words of a head you were told."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check every signature, card, die, move and line of a game; needs no key."""
    from pbem.cli.certificate import print_report
    from pbem.cli.data import print_data
    from pbem.cli.failure import CliError
    from pbem.format.errors import RecordError
    from pbem.play.audit import audit as examine
    from pbem.records.chain import parse_words
    from pbem.storage.folder import Folder

    try:
        spoken = None if head is None else parse_words(head)
    except RecordError as error:
        raise CliError(f"--head: {error.sentence}", "the words of a player's pbem status") from None
    if folder is not None and folder.is_file():
        told = f"{folder} is a file; an audit is of a folder"
        raise CliError(told, "unpack it if it is a zip, and name the folder that has game.toml")
    report = examine(Folder((folder or Path(".")).absolute()), head=spoken)
    if json:
        print_data("audit", report.to_json())
    else:
        print_report(report)
    raise typer.Exit(report.exit)
