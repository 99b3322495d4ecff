"""The command `receive`: read what came by mail."""

from __future__ import annotations

from typing import Annotated

from pbem.cli.command_line.declarations import Argument
from pbem.cli.options import FolderOption


def receive(
    files: Annotated[
        list[str],
        Argument(
            metavar="FILE…",
            help="The files that you were sent, unchanged. Use - to paste the text of an email "
            "instead.",
        ),
    ],
    folder: FolderOption = None,
) -> None:
    """Read what came by mail: find the game's files in it, check them, and put them in place."""
    from pbem.cli.mail.take_mail import fetch

    if code := fetch(files, folder):
        raise SystemExit(code)
