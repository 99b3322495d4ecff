"""The command `orders`: write a draft of your orders, and edit it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.order_files import open_draft, read
from pbem.acts.seal_orders import need_open, need_seated
from pbem.cli.open_editor import edit_file
from pbem.cli.options import FolderOption, PassphraseOption, SeatOption
from pbem.cli.read_and_print_orders import exit_if_unusable, print_orders, print_problems
from pbem.person.session import Session
from pbem.terminal.commands_to_type import at_address
from pbem.terminal.paths_to_type import brief
from pbem.terminal.printing import say
from pbem.wording.drafts import EDIT_STEP, next_command_line, not_written_line


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
        say(EDIT_STEP)


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
