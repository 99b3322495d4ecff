"""The command `check`: check your orders as the referee will; nothing is sealed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.failure import FINDINGS, STALE
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption
from pbem.cli.orders.check_report import echo, foreseen, report
from pbem.cli.orders.order_file import read_file
from pbem.cli.orders.view_for_orders import need_view

if TYPE_CHECKING:
    from pbem.drafts.read.read_draft import Draft

MEND = "pbem orders --edit, then pbem submit"
FileArgument = Annotated[
    str | None,
    Argument(
        metavar="[FILE]", help="Your order file (default: your draft). Use - to type the orders."
    ),
]


def check(
    file: FileArgument = None,
    strict: Annotated[bool, Option("--strict", help="Treat warnings as errors.")] = False,
    ahead: Annotated[
        bool, Option("--forecast", help="Also say what the orders do if nobody else acts.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check your orders as the referee will; nothing is sealed."""
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    view = need_view(session)
    draft, name = read_file(session, view, file)
    told = foreseen(view, draft) if ahead else []
    if json:
        print_check(draft, forecast=told)
    else:
        report(session, view, draft, name, strict=strict)
        echo(view, draft)
        if told:
            print("\n  ".join(["if nobody else acts:", *told]))
    finish(draft, strict)


def mending(draft: "Draft", file: str | None) -> str:
    """Return the command with which the user can correct orders that were not sealed."""
    from pbem.screen.terminal import typed

    if draft.stale:
        return "pbem orders writes a draft for the current turn"
    if file is None:
        return MEND
    what = "your lines" if file == "-" else typed(file)
    return f"fix {what}, then pbem submit {file if file == '-' else typed(file)}"


def finish(draft: "Draft", strict: bool) -> None:
    """Exit with 3 if the orders are for a different turn, with 1 if there are errors; otherwise
    return."""
    if draft.stale:
        raise SystemExit(STALE)
    if draft.errors or (strict and draft.notes):
        raise SystemExit(FINDINGS)


def print_check(
    draft: "Draft", sealed: str = "", made: Sequence[str] = (), forecast: Sequence[str] = ()
) -> None:
    """Print the result of a check as JSON; ``sealed`` is the id of the sealed orders, ``made``
    names the turns that were made at once."""
    from pbem.cli.json_output import print_data
    from pbem.drafts.read.problem_report import note_data

    print_data(
        "check",
        {
            "lines": draft.texts,
            "notes": [note_data(note) for note in draft.notes],
            "ok": not draft.errors,
            "sealed": sealed,
            "forecast": list(forecast),
            **({"made": list(made)} if sealed else {}),
        },
    )
