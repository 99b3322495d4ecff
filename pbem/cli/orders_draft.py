"""The command `orders`: write a draft of your orders, and edit it in your editor, or in the first
common editor that is installed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.read_order_file_or_write_draft import open_draft, read
from pbem.acts.seal_orders import need_open, need_seated
from pbem.cli.read_and_print_orders import exit_if_unusable, print_orders, print_problems
from pbem.cli.shared_options import FolderOption, PassphraseOption, SeatOption
from pbem.errors import CliError
from pbem.files.syscalls import find_program
from pbem.person.session import Session
from pbem.terminal.commands_and_paths_to_type import at_address, brief
from pbem.terminal.printing import say
from pbem.wording.draft_notes_and_next_commands import (
    EDIT_STEP,
    next_command_line,
    not_written_line,
)


def orders(
    edit: Annotated[bool, typer.Option("--edit", help="Open the draft in your editor.")] = False,
    start_anew: Annotated[
        bool, typer.Option("--new", help="Write a new draft; the old one is kept.")
    ] = False,
    only_path: Annotated[
        bool, typer.Option("--where", help="Only print where the draft is; write nothing.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Write a draft of your orders, with every legal choice as a comment."""
    session = Session(folder, seat, passphrase_file)
    if only_path:
        _print_draft_path(session)
        return
    view = need_open(session, need_seated(session, session.view()))
    path, notes = open_draft(session, view, starts_anew=start_anew)
    for note in notes:
        say(note)
    if edit:
        edit_file(path)
        draft = read(path, view)
        print_problems(session, view, draft, f"drafts/{path.name}")
        print_orders(view, draft)
        step = "pbem orders --edit" if draft.errors else "pbem submit"
        say(next_command_line(at_address(session.place, step)))
        exit_if_unusable(draft, strict=False)
    else:
        _print_path(path)
        say(at_address(session.place, EDIT_STEP))


def _print_draft_path(session: Session) -> None:
    """Print where the draft for this turn is, and what to type if it is not written yet. Raises
    CliError if the user has no seat."""
    view = session.view()
    if not view.seat:
        session.need_seat()
    path = session.draft_of(view)
    _print_path(path)
    if not path.exists():
        say(not_written_line(at_address(session.place, "pbem orders")))


def _print_path(path: Path) -> None:
    """Print a path: in a terminal short, as a person opens it; for a program, whole."""
    print(brief(path) if sys.stdout.isatty() else path)


# ---- The editor

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
