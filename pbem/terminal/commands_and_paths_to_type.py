"""Commands and paths as people type them: a line that runs in the right game folder, or names its
address; paths that are short, with `~`, quoted for a shell."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pbem.files.game_folder_places import Place


END_TYPING: Final = "press Enter and Ctrl-D (Windows: Enter, Ctrl-Z, Enter)"
"""The keys to press at the end of a typed or pasted text."""
MIN_HOME_CHARACTERS = 2
"""The fewest characters of a home folder that is written as `~`; that of a service may be `/`."""


def brief(path: Path) -> str:
    """Return the path in short form: relative if it goes up at most one folder, else with `~` for
    the home folder."""
    try:
        relative_path = os.path.relpath(path)
    except ValueError:  # a relative path cannot lead to another drive
        return str(path)
    if not relative_path.startswith(os.path.join(os.pardir, os.pardir)):
        return relative_path
    home = os.path.expanduser("~")
    text = str(path)
    return "~" + text[len(home) :] if text.startswith(home + os.sep) else text


def with_tilde(text: str) -> str:
    """Return the text with `~` for the home folder in each path, as people type it.

    A quoted path stays as it is: a shell reads no `~` in quotes.
    """
    home = os.path.expanduser("~").rstrip(os.sep)
    if len(home) < MIN_HOME_CHARACTERS or home not in text:
        return text
    return re.sub(rf"(?<![\w./'\"~-]){re.escape(home)}(?=[{re.escape(os.sep)}\s]|$)", "~", text)


def shell_quote(path: object) -> str:
    """Return the path as it must be typed in a shell: quoted if necessary."""
    return shlex.quote(str(path))


# ---- Commands

_COMMAND_PATTERN: Final = re.compile(
    r"\bpbem (?:advance|audit|check|doctor|join|log|orders|play|send|show|since|status|submit|tell|"
    r"notice key --lost --as \w+|notice \w+)\b(?! -C)"
)
"""The beginning of each command that works on one game; `run` and `list` work on all of them."""


class WayTo(NamedTuple):
    """The way of a command line to a game, from the user's current folder."""

    location: str
    """The folder, in short form, or the address; a dot for the current folder."""
    step: str
    """The step into the folder, typed before the command; empty if none is needed."""
    option: str
    """The option with the address, typed after the command's name; empty for a folder."""


def way_to(place: Place) -> WayTo:
    """Return the way of a command line to the game at a place."""
    if place.path is None:
        return WayTo(str(place), "", f" -C {place}")
    location = brief(place.path)
    quoted_folder = f'"{place}"' if " " in location else location
    return WayTo(location, "" if location == "." else f"cd {quoted_folder} && ", "")


def command_at(place: Place, command: str) -> str:
    """Return a command line that runs the command in a game folder, wherever the user is."""
    return way_to(place).step + at_address(place, command)


def at_address(place: Place, text: str) -> str:
    """Return a text in which each command names the game's address, so that it can be copied.

    Nothing is added for a folder, in which people stand, or if PBEM_FOLDER has the address.
    """
    if not place.is_remote or os.environ.get("PBEM_FOLDER") == str(place):
        return text
    option = way_to(place).option
    return _COMMAND_PATTERN.sub(lambda match: match[0] + option, text)
