"""The command `advance`."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption
from pbem.desk.advance import held_interrupt, print_outcome, reminders, step, tell
from pbem.desk.base import complain, say
from pbem.desk.notices import any_open
from pbem.desk.session import Session
from pbem.errors import NOT_YET, CliError, PbemError
from pbem.game.referee import Wishes

GoOnOption = Annotated[
    bool,
    typer.Option(
        "--go-on",
        help="If orders answer an unknown turn, list them as forked; if a turn is incomplete, set "
        "it aside.",
    ),
]
NoWaitOption = Annotated[
    bool,
    typer.Option("--no-wait", help="Do not wait for players who are asked later in the round."),
]

TakeOverOption = Annotated[
    bool, typer.Option("--take-over", help="As the deputy: be the referee from now on.")
]
TimeIsRightOption = Annotated[
    bool,
    typer.Option(
        "--time-is-right",
        help="Make the turn although it is dated long after everything else in the folder.",
    ),
]
AcceptOption = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        metavar="ID",
        help="Accept a join: one made without the invite, or the right one of several.",
    ),
]
RefuseOption = Annotated[
    list[str] | None, typer.Option("--refuse", metavar="ID", help="Refuse a join.")
]


def advance(
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep making turns until you press Ctrl-C.")
    ] = False,
    start: Annotated[bool, typer.Option("--start", help="Begin without the empty seats.")] = False,
    accept: AcceptOption = None,
    refuse: RefuseOption = None,
    go_on: GoOnOption = False,
    no_wait: NoWaitOption = False,
    take_over: TakeOverOption = False,
    time_is_right: TimeIsRightOption = False,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    now: NowOption = "",
) -> None:
    """Make the next turn, if it can be made now."""
    session = Session(folder, None, passphrase_file)
    if session.listing.reached and (accept or refuse) and not any_open(session):
        say("note: the game has begun: --accept and --refuse have no effect now")
    wishes = Wishes(start, _digits(accept), _digits(refuse), go_on, no_wait, take_over)
    wishes = replace(wishes, time_is_right=time_is_right)
    if watch:
        _watch(session, wishes, now)
    with held_interrupt() as hold:
        outcome, notes = step(session, wishes, before_writing=hold)
        if json:
            print_outcome(session, outcome, notes)
        else:
            tell(session, outcome, notes)
    if not outcome.write and not outcome.over:
        raise SystemExit(NOT_YET)


def _digits(ids: list[str] | None) -> list[str]:
    """Check typed ids, which must have six hex digits or more. Raises CliError for anything
    else."""
    ids = [ident.lower() for ident in ids or ()]
    for ident in ids:
        if not re.fullmatch("[0-9a-f]{6,64}", ident):
            hint = "type the six digits at the end of the join file's name in seats/"
            raise CliError(f"{ident!r} is not the id of a join", hint)
    return ids


def _watch(session: Session, wishes: Wishes, now: str) -> None:
    """Make turns until the game is over or the user presses Ctrl-C; each turn is reported."""
    if now:
        raise CliError(
            "--watch cannot be combined with --now, because --now stops the clock",
            "leave out one of them",
        )
    said = ""
    while True:
        with held_interrupt() as hold:
            made, said = _watched_step(session, wishes, said, hold)
        if not made:
            time.sleep(max(2, session.folder.pause))


def _watched_step(
    session: Session, wishes: Wishes, said: str, hold: Callable[[], None]
) -> tuple[bool, str]:
    """Make one step; return whether it made something, and the last report on who the game waits
    for.

    The same report is not printed twice. An error that may be temporary (exit 5) is only printed.
    Raises SystemExit when the game is over.
    """
    try:
        outcome, notes = step(session, wishes, before_writing=hold)
    except PbemError as error:
        if error.exit != NOT_YET:
            raise
        if str(error) != said:
            complain(str(error))
        return False, str(error)
    seats = (outcome.first, outcome.answered, outcome.left_open, outcome.held)
    waiting = f"{outcome.waiting} {seats}"
    waiting += f" {outcome.held_until} {reminders(session, outcome)[:1]}"
    if outcome.write or waiting != said:
        tell(session, outcome, notes)
        sys.stdout.flush()
    if outcome.over:
        raise SystemExit(0)
    return bool(outcome.write), waiting
