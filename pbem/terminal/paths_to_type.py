"""Paths as people type them: short, with `~`, quoted for a shell."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

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
