"""`notice`: what you declare to all players with your signature, beside your orders."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption

notice = typer.Typer(
    help="Concede, agree on an end, change keys or who sits where: signed, for all to check.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask whether you are sure.")]


@notice.command("concede")
def notice_concede(
    yes: YesOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Give up: the game goes on without you, and you are ranked last."""
    from pbem.cli.notices.notice_here import declare, report
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import Concede

    session = Session(folder, seat, passphrase_file)
    mine = session.need_seat()
    sure(yes, "concede: you cannot take this back")
    record = declare(session, Concede(), mine)
    report(session, record, f"seat {mine} concedes", json)


def sure(yes: bool, what: str) -> None:
    """Ask on a terminal before something that cannot be taken back. Raises CliError for no."""
    import sys

    from pbem.cli.failure import CliError

    if yes or not sys.stdin.isatty():
        if not yes:
            raise CliError(what, "add --yes if you are sure")
        return
    print(f"{what}. Type yes to go on: ", end="", flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise CliError("nothing was signed")
