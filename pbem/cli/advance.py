"""The command `advance`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.acts.advance import AdvanceRun, make_turns
from pbem.cli.options import (
    Failed,
    FolderOption,
    FoldersArgument,
    JsonOption,
    NowOption,
    PassphraseOption,
    caught,
    named_folders,
    worst_exit_code,
)
from pbem.errors import NOT_YET, CliError, PbemError
from pbem.judge.turn_inputs import AdvanceOptions
from pbem.person.losses import standing_now
from pbem.person.session import Session
from pbem.records.charter import Join
from pbem.records.read_record import Record
from pbem.terminal.failures import complain
from pbem.terminal.interrupts import delayed_interrupt
from pbem.terminal.output import print_data
from pbem.terminal.terminal import clean, say
from pbem.wording.advance import made_lines, next_lines, session_reminders
from pbem.wording.views import GAME_BEGUN_NOTE, games_line


def advance(
    folders: FoldersArgument = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep making turns until you press Ctrl-C.")
    ] = False,
    start: Annotated[bool, typer.Option("--start", help="Begin without the empty seats.")] = False,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="Accept a join that was made without the invite, or one of several for a seat.",
        ),
    ] = None,
    refuse: Annotated[list[str] | None, typer.Option(metavar="ID", help="Refuse a join.")] = None,
    go_on: Annotated[
        bool,
        typer.Option(
            "--go-on",
            help="Make the turn although orders answer an unknown turn (pbem refuses these orders) "
            "or a turn file is incomplete (pbem renames this file).",
        ),
    ] = False,
    no_wait: Annotated[
        bool,
        typer.Option("--no-wait", help="Do not wait for players who are asked later in the round."),
    ] = False,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="If you are the deputy: be the referee from now on.")
    ] = False,
    time_is_right: Annotated[
        bool,
        typer.Option(
            "--time-is-right",
            help="Make the turn although its date seems wrong.",
        ),
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    now: NowOption = "",
) -> None:
    """Make turns until a person is asked."""
    wishes = AdvanceOptions(start, _digits(accept), _digits(refuse), go_on, no_wait, take_over)
    wishes = replace(wishes, time_is_right=time_is_right)
    several = named_folders(folders, folder)
    if len(several) > 1:
        if watch or accept or refuse:
            problem = "--watch, --accept and --refuse work with only one game"
            raise CliError(problem, "pbem advance -C FOLDER, once for each game")
        raise SystemExit(_advance_several(several, wishes, json, passphrase_file))
    _advance_one(several[0], wishes, json, passphrase_file, now if watch else None)


def _digits(ids: list[str] | None) -> list[str]:
    ids = [ident.lower() for ident in ids or ()]
    for ident in ids:
        if not re.fullmatch("[0-9a-f]{6,64}", ident):
            hint = "in the folder seats/, find the join file; type the six digits at its end"
            raise CliError(f"{ident!r} is not the id of a join", hint)
    return ids


def _advance_one(
    folder: str | None,
    wishes: AdvanceOptions,
    json: bool,
    passphrase_file: Path | None,
    watch: str | None,
) -> None:
    """Make the turns of one game; with `watch` (the typed --now), go on until Ctrl-C."""
    session = Session(folder, None, passphrase_file)
    if session.listing.reached and (wishes.accept or wishes.refuse):
        standing = standing_now(session)
        if not any(map(standing.is_open, standing.roster)):
            say(GAME_BEGUN_NOTE)
    if watch is not None:
        _watch(session, wishes, watch)
    done = list[AdvanceRun]()
    if json:
        with delayed_interrupt() as hold:
            done += make_turns(session, wishes, hold)
            print_data("advance", _outcome_data(session, done))
    else:
        for one in make_turns(session, wishes):
            done.append(one)
            print_run(one)
        _say_all(_next_lines(session, done))
    if not _is_news(done):
        raise SystemExit(NOT_YET)


def print_run(run: AdvanceRun, prefix: str = "") -> None:
    """Print the notes and the new files of one run of `advance`; each line begins with `prefix`."""
    for note in run.notes:
        say(f"{prefix}{note}")
    for line in made_lines(run.outcome):
        print(f"{prefix}{line}")


def _outcome_data(session: Session, runs: Sequence[AdvanceRun]) -> dict[str, Any]:
    """Return JSON data on the records that all runs made, and on the seats awaited now."""

    def join_data(record: Record[Join]) -> dict[str, str]:
        content = record.content
        return {"seat": content.seat, "name": content.name, "id": record.id.hex()}

    outcome = runs[-1].outcome
    made_files = [named_record for run in runs for named_record in run.outcome.new_records]
    return {
        "game": session.game_folder.game.hex(),
        "made": [{"file": name.path, "id": record.id.hex()} for name, record in made_files],
        "waiting": {seat: list(kinds) for seat, kinds in outcome.awaited_kinds.items()},
        "answered": list(outcome.answered_seats),
        "left_open": list(outcome.incomplete_seats),
        "first": list(outcome.preview_seats),
        "held": list(outcome.unheard_seats),
        "over": outcome.is_over,
        "deadline": outcome.turn.deadline if outcome.turn else 0,
        "held_until": outcome.revisable_until,
        "contested": {
            seat: list(map(join_data, records)) for seat, records in outcome.contested.items()
        },
        "doubtful": [join_data(record) | {"why": reason} for record, reason in outcome.doubtful],
        "notes": [note for run in runs for note in run.notes],
    }


def _next_lines(session: Session, runs: Sequence[AdvanceRun]) -> list[str]:
    return next_lines(session, [run.outcome for run in runs])


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)


def _is_news(done: Sequence[AdvanceRun]) -> bool:
    return any(one.outcome.new_records or one.outcome.is_over for one in done)


def _advance_several(
    folders: Sequence[str | None], wishes: AdvanceOptions, json: bool, passphrase_file: Path | None
) -> int:
    """A game that cannot go on does not stop the others."""
    failed, data, made, waiting = list[Failed](), [], 0, 0
    for folder in folders:
        done, before = list[AdvanceRun](), len(failed)
        with caught(failed, folder, quiet=json):
            session = Session(folder, None, passphrase_file)
            for one in make_turns(session, wishes):
                done.append(one)
                if not json:
                    print_run(one, f"{clean(folder or '')}: ")
            if json:
                data.append({"folder": folder, **_outcome_data(session, done)})
            else:
                lines = _next_lines(session, done)[:-1]
                _say_all(f"{clean(folder or '')}: {line}" for line in lines)
            waiting += not _is_news(done)
        made += bool(done and done[0].outcome.new_records)
        data += [{"folder": x.folder, "error": x.sentence, "exit": x.exit} for x in failed[before:]]
    if json:
        print_data("advance", data)
    else:
        print(games_line(len(folders), made, waiting, len(failed)))
    stuck = {NOT_YET} if waiting == len(folders) else set[int]()
    return worst_exit_code({one.exit for one in failed} | stuck)


def _watch(session: Session, wishes: AdvanceOptions, now: str) -> None:
    if now:
        raise CliError(
            "--watch cannot be combined with --now, because --now stops the clock",
            "leave out one of them",
        )
    said = ""
    while True:
        made, said = _watched_turns(session, wishes, said)
        if not made:
            session.folder.wait_for_news(max(2, session.folder.pause))


def _watched_turns(session: Session, wishes: AdvanceOptions, said: str) -> tuple[bool, str]:
    """Return whether there were any, and the last report on who the game waits for, which is not
    printed twice. An error that may be temporary (exit 5) is only printed."""
    done = list[AdvanceRun]()
    try:
        for one in make_turns(session, wishes):
            done.append(one)
            print_run(one)
            sys.stdout.flush()
    except PbemError as error:
        if error.exit != NOT_YET:
            raise
        if str(error) != said:
            complain(str(error))
        return False, str(error)
    outcome = done[-1].outcome
    seats = (
        outcome.preview_seats,
        outcome.answered_seats,
        outcome.incomplete_seats,
        outcome.unheard_seats,
    )
    waiting = f"{outcome.awaited_kinds} {seats}"
    waiting += f" {outcome.revisable_until} {session_reminders(session, outcome)[:1]}"
    made = bool(done[0].outcome.new_records)
    if made or waiting != said:
        _say_all(_next_lines(session, done))
        sys.stdout.flush()
    if outcome.is_over:
        raise SystemExit(0)
    return made, waiting
