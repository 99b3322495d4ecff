"""Open the draft in your editor, or in the first common editor that is installed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from pbem.cli.failure import CliError
from pbem.storage.syscalls import which


def edit_file(path: Path) -> None:
    """Open the file in the editor and wait until the editor closes. Raises CliError."""
    words = _editor()
    program = which(words[0]) or words[0]
    try:
        done = subprocess.run([program, *words[1:], str(path)], check=False)
    except OSError as error:
        told = f"the editor {program} could not be started: {error.strerror}; your draft is {path}"
        raise CliError(told, _cure()) from None
    if done.returncode:
        raise CliError(f"{' '.join(words)} ended with code {done.returncode}; your draft is {path}")


def _editor() -> list[str]:
    """Return the editor in VISUAL or EDITOR, else the first common editor that is installed."""
    said = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    windows = sys.platform == "win32"
    if said.strip():
        try:
            words = shlex.split(said, posix=not windows)
        except ValueError:
            words = []
        if not words:
            raise CliError(f"pbem cannot read the value of EDITOR: {said}", _cure())
        return [word.strip('"') for word in words] if windows else words
    usual = ("notepad",) if windows else ("sensible-editor", "nano", "vi")
    found = next((name for name in usual if which(name)), "")
    if not found:
        raise CliError(f"no editor was found; pbem looked for {', '.join(usual)}", _cure())
    return [found]


def _cure() -> str:
    if sys.platform == "win32":
        return (
            "say which editor to use: set EDITOR=C:\\path\\to\\editor.exe, then pbem orders --edit"
        )
    return "say which editor to use: export EDITOR=/path/to/editor, then pbem orders --edit"
