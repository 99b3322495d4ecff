"""Libraries that are not installed: the error that says so, and the command that installs them."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import CliError


def install_command_for(*libraries: str) -> str:
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
def needing_libraries(packages: Collection[str], problem: str, *libraries: str) -> Iterator[None]:
    """Run a block that imports packages. Raises CliError, with the command that installs the
    libraries, if one of the packages is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in packages:
            raise
        raise CliError(problem, install_command_for(*(libraries or packages))) from None
