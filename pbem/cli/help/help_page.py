"""Print `pbem --help` from a stored page, because importing Typer takes far longer than printing.

`python -m pbem.cli.manual --help-page > pbem/cli/help/help_page.txt` writes the page
again; a test compares the stored page with the one that Typer prints.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

COLUMNS = 80
"""The page is the same on every screen that is this wide or wider."""
COMPLETING = "_PBEM_COMPLETE"
"""The variable that is set if a shell asks for completions."""


def stored_page(typed: Sequence[str]) -> str:
    """The help page if these arguments ask for nothing else, or an empty text if Typer must answer.

    Typer must also answer on a narrow screen, where it breaks the lines differently.
    """
    if list(typed) not in (["--help"], ["-h"]) or COMPLETING in os.environ:
        return ""
    return _read() if _wide() else ""


def _wide() -> bool:
    """Whether Typer would use its full width here: it asks `COLUMNS`, then the terminal."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said) >= COLUMNS
    try:
        return (os.get_terminal_size(1).columns or COLUMNS) >= COLUMNS
    except OSError:  # not a terminal, and Typer takes 80 columns
        return True


def _read() -> str:
    path = os.path.join(os.path.dirname(__file__), "help_page.txt")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
