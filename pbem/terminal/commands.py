"""Commands to type: a line that runs in the right game folder, or names its address."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from pbem.files.folder import Place
from pbem.terminal.terminal import brief

_COMMAND_PATTERN: Final = re.compile(
    r"\bpbem (?:advance|audit|check|join|orders|play|send|show|since|status|submit|"
    r"notice key --lost --as \w+)\b(?! -C)"
)


def command_at(place: Place, command: str) -> str:
    """Return a command line that runs the command in a game folder, wherever the user is."""
    if not isinstance(place, Path):
        return at_address(place, command)
    folder = brief(place)
    quoted_folder = f'"{place}"' if " " in folder else folder
    return command if folder == "." else f"cd {quoted_folder} && {command}"


def at_address(place: Place, text: str) -> str:
    """Return a text in which each command names the game's address, so that it can be copied.

    Nothing is added for a folder, in which people stand, or if PBEM_FOLDER has the address.
    """
    if isinstance(place, Path) or os.environ.get("PBEM_FOLDER") == str(place):
        return text
    return _COMMAND_PATTERN.sub(lambda match: f"{match[0]} -C {place}", text)
