"""Libraries that are not installed: the error that says so, and the command that installs them."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import CliError


def to_install(*libraries: str) -> str:
    """Return the command that installs libraries where this pbem is installed."""
    folders = Path(sys.prefix).parts
    if "pipx" in folders:
        tool = "pipx inject pbem"
    elif folders[-3:-1] == ("uv", "tools"):  # it has no pip
        tool = f'uv pip install --python "{sys.prefix}"'
    else:
        tool = f'"{sys.executable}" -m pip install'
    return " ".join([tool, *libraries])


@contextmanager
def extra(packages: Collection[str], problem: str, *libraries: str) -> Iterator[None]:
    """Raise CliError if the block imports one of the packages and it is not installed.

    The error has the command that installs the libraries.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in packages:
            raise
        raise CliError(problem, to_install(*(libraries or packages))) from None
