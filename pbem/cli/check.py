"""The command `check`: check orders as the referee will, and seal nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.acts.seal_orders import describe_forecast, ended_draft, need_seated
from pbem.cli.read_and_print_orders import (
    FileArgument,
    StrictOption,
    exit_if_unusable,
    print_check,
    print_orders,
    print_problems,
    read_orders,
    warn_of_ends,
)
from pbem.cli.shared_options import FolderOption, JsonOption, PassphraseOption, SeatOption
from pbem.person.session import Session
from pbem.wording.draft_notes_and_next_commands import forecast_lines
from pbem.wording.sealed_orders import end_to_add_note


def check(
    file: FileArgument = None,
    strict: StrictOption = False,
    with_forecast: Annotated[
        bool, typer.Option("--forecast", help="Also say what the orders do if nobody else acts.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check your orders as the referee will; nothing is sealed."""
    session = Session(folder, seat, passphrase_file)
    view = need_seated(session, session.view())
    draft, name = read_orders(session, view, file)
    draft, added_ends, missing_ends = ended_draft(view, draft)
    events = describe_forecast(view, draft) if with_forecast else []
    if json:
        print_check(draft, forecast=events, ended_kinds=[end.kind for end in added_ends])
    else:
        warn_of_ends(missing_ends)
        print_problems(session, view, draft, name, strict=strict)
        for end in added_ends:
            print(end_to_add_note(end.kind, end.end))
        print_orders(view, draft)
        for line in forecast_lines(events):
            print(line)
    exit_if_unusable(draft, strict, missing_ends)
