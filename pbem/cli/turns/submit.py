"""The command `submit`: check, seal, sign and hand in your orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import STALE, CliError, say
from pbem.cli.options import (
    FolderOption,
    JsonOption,
    NoAdvanceOption,
    PassphraseOption,
    SeatOption,
)
from pbem.cli.orders.check import MEND, FileArgument, finish, mending, print_check
from pbem.cli.orders.check_report import echo, report
from pbem.cli.orders.order_file import read_file
from pbem.cli.orders.seal_draft import seal_draft
from pbem.cli.orders.view_for_orders import need_open, need_view
from pbem.cli.turns.advance_report import MadeAtOnce
from pbem.cli.turns.held_interrupt import held_interrupt
from pbem.cli.turns.make_turns import waits_for_nobody

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.session.session import Session
    from pbem.drafts.read.read_draft import Draft
    from pbem.play.view import View

EditOption = Annotated[
    bool, Option("--edit", help="First open your draft in your editor, as pbem orders does.")
]


def submit(
    file: FileArgument = None,
    strict: Annotated[bool, Option("--strict", help="Treat warnings as errors.")] = False,
    edit: EditOption = False,
    no_advance: NoAdvanceOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check, seal, sign and hand in your orders; another submit replaces them."""
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    view = need_open(session, need_view(session, fresh=True))
    if edit:
        view = _edited(session, view, file)
    draft, name = read_file(session, view, file)
    if not json:
        report(session, view, draft, name, strict=strict)
    if draft.errors or (strict and draft.notes):
        if json:
            print_check(draft)
        else:
            say(f"next: {mending(draft, file)}")
        finish(draft, strict)
    _seal(session, view, draft, json=json, may_advance=not no_advance)


def _edited(session: Session, view: View, file: str | None) -> View:
    """Open the draft in the editor; return the view as it is when the editor is closed.

    Raises CliError if a new turn came in the meantime.
    """
    from pbem.cli.orders.editor import edit_file
    from pbem.cli.orders.open_draft import open_draft
    from pbem.drafts.read.read_draft import position

    if file is not None:
        raise CliError("--edit opens your draft, so it takes no file", "leave out one of them")
    path, notes = open_draft(session, view)
    for note in notes:
        say(note)
    edit_file(path)
    session.refresh()
    now = need_open(session, need_view(session, fresh=True))
    if position(now) != position(view):
        told = f"turn {now.turn} arrived while you were writing, so nothing was sealed"
        raise CliError(f"{told}; your draft is kept in {path}", "pbem orders --edit", STALE)
    return now


def _seal(session: Session, view: View, draft: Draft, *, json: bool, may_advance: bool) -> None:
    """Seal orders that have no errors; print the receipt and the next command.

    If the game waited only for the referee who plays, the next turns are made too.
    """
    done = seal_draft(session, view, draft)
    session.refresh()
    ready = may_advance and waits_for_nobody(session, view)
    if not json:
        echo(view, draft)
        print("\n".join(done.told(final=ready)))
    if json:
        with held_interrupt() as hold:
            made = MadeAtOnce(session, hold).files() if ready else []
            print_check(draft, done.id, made)
    elif ready:
        turns = MadeAtOnce(session)
        turns.tell_made()
        for line in turns.next_lines():
            say(line)
    else:
        _say_next(session, view, done.left)


def _say_next(session: Session, view: View, left: Sequence[str]) -> None:
    """Print the next step, if any: answer the questions in `left`, send mail, or make the turn."""
    from pbem.cli.session.mail_hints import sending_hint
    from pbem.cli.status.game_status import read_status

    if view.seat in session.roles.held:
        print(f"next: {read_status(session).next}")
    elif left:
        print(f"next: {MEND}")
    else:
        sending_hint(session)
