"""The command `advance`: make the next turn."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import NOT_YET, CliError, say
from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption
from pbem.cli.turns.advance_report import print_outcome, reminders, tell
from pbem.cli.turns.held_interrupt import held_interrupt
from pbem.storage.errors import AwayError, FileError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.cli.session.session import Session
    from pbem.play.making.outcome import Outcome, Wishes

GoOnOption = Annotated[
    bool,
    Option(
        "--go-on",
        help="If orders answer an unknown turn, list them as forked; if a turn is incomplete, set "
        "it aside.",
    ),
]
NoWaitOption = Annotated[
    bool,
    Option("--no-wait", help="Do not wait for players who are asked later in the round."),
]

TakeOverOption = Annotated[
    bool, Option("--take-over", help="As the deputy: be the referee from now on.")
]
TimeIsRightOption = Annotated[
    bool,
    Option(
        "--time-is-right",
        help="Make the turn although its date is far from everything else, or from the clock.",
    ),
]
AcceptOption = Annotated[
    list[str] | None,
    Option(
        "--accept",
        metavar="ID",
        help="Accept a join: one made without the invite, or the right one of several.",
    ),
]
RefuseOption = Annotated[list[str] | None, Option("--refuse", metavar="ID", help="Refuse a join.")]


class Step(NamedTuple):
    """What one run of `advance` did."""

    outcome: Outcome
    notes: list[str]
    """Notes on files that the run set aside, put back or ignored."""


def advance(
    watch: Annotated[
        bool, Option("--watch", help="Keep making turns until you press Ctrl-C.")
    ] = False,
    start: Annotated[bool, Option("--start", help="Begin without the empty seats.")] = False,
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
    from pbem.cli.notices.open_seats import any_open
    from pbem.cli.session.session import Session
    from pbem.play.making.outcome import Wishes

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


def step(
    session: Session,
    wishes: Wishes | None = None,
    now: int | None = None,
    before_writing: Callable[[], None] = lambda: None,
) -> Step:
    """Let bots answer, then make and write all turns that can be made now.

    `before_writing` is called once it is clear what will be written.
    """
    from pbem.cli.notices.notice_here import put_notice
    from pbem.cli.session.seen_on_this_machine import note_heads
    from pbem.cli.session.start_wishes import exact, keep_wishes
    from pbem.cli.status.ignored_files import notes
    from pbem.cli.turns.bot_players import bots_answer
    from pbem.cli.turns.publish_turn import publish, put_back, put_right, restore

    with session.mine.lock("advance") as alone:
        if not alone:
            told = "another `pbem advance` is running for this game"
            raise CliError(told, "wait until that one has finished", NOT_YET)
        session.refresh()
        session.mine.remember_place(session.place)
        again = [*put_right(session), *put_back(session), *restore(session)]
        early = not session.listing.reached
        wishes = exact(session.game_folder, wishes) if early and wishes else wishes
        outcome = session.refereeing.advance(wishes, now)
        if early:
            keep_wishes(session.mine, wishes, bool(outcome.first))
        while outcome.first and bots_answer(session, outcome):
            session.refresh()
            outcome = session.refereeing.advance(wishes, now)
        if now is None and not (wishes and wishes.time_is_right):
            session.refereeing.check_clock(outcome)
        reader = session.reading.check_new(outcome)
        before_writing()
        for _, notice in outcome.notices if outcome.write else ():
            again += put_notice(session, notice)
        for name, record in outcome.write:
            again += publish(session, name, record)
        note_heads(session.mine, session.refereeing.heads)
        if reader:
            session.reading.readers.table = reader  # it goes on from here
    again += notes(session, {name.path for name, _ in outcome.write})
    if outcome.write:
        session.refresh()
    return Step(outcome, again)


def _watch(session: Session, wishes: Wishes, now: str) -> None:
    """Make turns until the game is over or the user presses Ctrl-C; each turn is reported."""
    import time

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
    from pbem.cli.failure import complain

    try:
        outcome, notes = step(session, wishes, before_writing=hold)
    except (CliError, FileError, AwayError) as error:
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
