"""Print `pbem --help` from a stored page, because importing Typer takes far longer than printing.

`python -m pbem.cli.manual --help-page > pbem/cli/help/help_page.txt` writes the page
again; a test compares the stored page with the one that Typer prints.
"""

from __future__ import annotations

import os

COLUMNS = 80
"""A screen must have at least this many columns to show the stored page."""


def stored_page() -> str:
    """Return the stored page; empty if Typer must answer.

    Typer must answer on a narrow screen, because the lines are broken differently there.
    """
    return _read() if _wide() else ""


def _wide() -> bool:
    """Return whether Typer would print at its full width; it looks at `COLUMNS`, then at the
    terminal."""
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
