"""The command `submit`: check, seal, sign and hand in your orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import say
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption
from pbem.cli.orders.check import MEND, FileArgument, finish, mending, print_check
from pbem.cli.orders.check_report import echo, report
from pbem.cli.orders.order_file import read_file
from pbem.cli.orders.seal_draft import seal_draft
from pbem.cli.orders.view_for_orders import need_open, need_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.session.session import Session
    from pbem.drafts.read.read_draft import Draft
    from pbem.play.view import View


def submit(
    file: FileArgument = None,
    strict: Annotated[bool, Option("--strict", help="Treat warnings as errors.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check, seal, sign and hand in your orders; another submit replaces them."""
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    view = need_open(session, need_view(session, fresh=True))
    draft, name = read_file(session, view, file)
    if not json:
        report(session, view, draft, name, strict=strict)
    if draft.errors or (strict and draft.notes):
        if json:
            print_check(draft)
        else:
            say(f"next: {mending(draft, file)}")
        finish(draft, strict)
    _seal(session, view, draft, json=json)


def _seal(session: Session, view: View, draft: Draft, *, json: bool) -> None:
    """Seal orders that have no errors; print the receipt and the next command."""
    done = seal_draft(session, view, draft)
    if json:
        print_check(draft, done.id)
        return
    echo(view, draft)
    print("\n".join(done.receipt))
    _say_next(session, view, done.left)


def _say_next(session: Session, view: View, left: Sequence[str]) -> None:
    """Print the next step, if any: answer the questions in `left`, send mail, or make the turn."""
    from pbem.cli.session.mail_hints import sending_hint
    from pbem.cli.status.game_status import read_status

    if view.seat in session.roles.held:
        session.refresh()
        print(f"next: {read_status(session).next}")
    elif left:
        print(f"next: {MEND}")
    else:
        sending_hint(session)
