"""Open a draft in your editor, or in the first common editor that is installed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from pbem.errors import CliError
from pbem.files.syscalls import find_program

ON_WINDOWS = sys.platform == "win32"
_SET_EDITOR = r"set EDITOR=C:\path\to\editor.exe" if ON_WINDOWS else "export EDITOR=/path/to/editor"
EDITOR_HINT = f"say which editor to use: {_SET_EDITOR}, then pbem orders --edit"
COMMON_EDITORS = ("notepad",) if ON_WINDOWS else ("sensible-editor", "nano", "vi")


def edit_file(path: Path) -> None:
    """Open the file in the editor and wait until the editor closes. Raises CliError if no editor
    can be started, or if it ends with an error."""
    words = _editor_command()
    program = find_program(words[0]) or words[0]
    try:
        process = subprocess.run([program, *words[1:], str(path)], check=False)
    except OSError as error:
        problem = f"pbem could not start the editor {program}: {error.strerror}"
        raise CliError(f"{problem}; your draft is {path}", EDITOR_HINT) from None
    if process.returncode:
        problem = f"the editor {' '.join(words)} reported an error (code {process.returncode})"
        raise CliError(f"{problem}; your draft is {path}", "pbem orders --edit")


def _editor_command() -> list[str]:
    """Return the program and arguments in VISUAL or EDITOR; if neither is set, the first common
    editor that is installed. Raises CliError."""
    setting = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if setting.strip():
        try:
            words = shlex.split(setting, posix=not ON_WINDOWS)
        except ValueError:
            words = []
        if not words:
            raise CliError(f"pbem cannot read the value of EDITOR: {setting}", EDITOR_HINT)
        return [word.strip('"') for word in words] if ON_WINDOWS else words
    editor = next((name for name in COMMON_EDITORS if find_program(name)), "")
    if not editor:
        names = ", ".join(COMMON_EDITORS)
        raise CliError(f"pbem found no editor; it looked for {names}", EDITOR_HINT)
    return [editor]
