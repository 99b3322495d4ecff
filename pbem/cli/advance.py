"""The command `advance`: make the turns of one game or of several, or watch one game."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from pbem.acts.advance import AdvanceRun, make_turns
from pbem.acts.deal_as_co_dealer import deal_own_part, take_dealers_place
from pbem.cli.failures_by_game import Failure, collect_failure, worst_exit_code
from pbem.cli.shared_options import (
    FolderOption,
    FoldersArgument,
    JsonOption,
    NowOption,
    PassphraseOption,
    named_folders,
)
from pbem.errors import KEY, NOT_YET, CliError, PbemError
from pbem.format.record_error import RecordError
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions
from pbem.person.session import Session
from pbem.person.situation import Situation, situation_after, situation_of
from pbem.person.standing_with_unlisted_notices import standing_now
from pbem.records.deal_record import Deal
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record
from pbem.terminal.clean_text import clean
from pbem.terminal.command_failures import complain
from pbem.terminal.delayed_interrupt import delayed_interrupt
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import say
from pbem.text.clock import now as clock_now
from pbem.wording.advance_report import (
    GAME_BEGUN_NOTE,
    WORDS_COMPARED_NOTE,
    dealt_line,
    games_line,
    made_lines,
    next_lines,
    session_reminders,
)
from pbem.wording.deputy import taken_place_line
from pbem.wording.next_step import next_line


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
            help="Accept this join, even if it was made without the invite or others want the "
            "same seat.",
        ),
    ] = None,
    refuse: Annotated[list[str] | None, typer.Option(metavar="ID", help="Refuse a join.")] = None,
    go_on: Annotated[
        bool,
        typer.Option(
            "--go-on",
            help="Make the turn even if a file is wrong: orders answer a turn that is not here "
            "(the new turn refuses them), or a turn file is incomplete (pbem renames it). If you "
            "are a co-dealer: deal even if the turn leaves out something that a player signed.",
        ),
    ] = False,
    no_wait: Annotated[
        bool,
        typer.Option(
            "--no-wait", help="Do not wait for players who may get a question later in the round."
        ),
    ] = False,
    take_over: Annotated[
        bool,
        typer.Option(
            "--take-over",
            help="If you are a deputy: from now on, make the turns in place of the referee, or "
            "deal in place of the co-dealer.",
        ),
    ] = False,
    time_is_right: Annotated[
        bool,
        typer.Option(
            "--time-is-right",
            help="Make the turn even if its date seems wrong.",
        ),
    ] = False,
    compared: Annotated[
        str,
        typer.Option(
            "--compared",
            metavar="WORDS",
            help="If you are a co-dealer: the twelve words of the last turn, as somebody else "
            "reads them out to you. With these words you can deal on a computer that has not dealt "
            "in this game yet. They also let pbem open your secret as soon as the game is over.",
        ),
    ] = "",
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    now: NowOption = "",
) -> None:
    """Make turns until a person is asked; as a co-dealer, deal."""
    options = AdvanceOptions(
        start, _join_digits(accept), _join_digits(refuse), go_on, no_wait, take_over
    )
    options = replace(options, time_is_right=time_is_right)
    game_folders = named_folders(folders, folder)
    if len(game_folders) > 1:
        if watch or accept or refuse or compared:
            problem = "--watch, --accept, --refuse and --compared work with only one game"
            raise CliError(problem, "pbem advance -C FOLDER, once for each game")
        raise SystemExit(_advance_several(game_folders, options, json, passphrase_file))
    session = Session(game_folders[0], None, passphrase_file)
    _note_settled_joins(session, options)
    if watch:
        if compared:
            raise CliError("--watch cannot be combined with --compared", "leave out one of them")
        if now:
            problem = "--watch cannot be combined with --now, because --now stops the clock"
            raise CliError(problem, "leave out one of them")
        _watch(session, options)
    _advance_one(session, options, json, compared)


def _join_digits(ids: list[str] | None) -> list[str]:
    """Return the ids of joins in lower case, each with 6 to 64 hex digits. Raises CliError for what
    is no id."""
    lower_ids = [join_id.lower() for join_id in ids or ()]
    for join_id in lower_ids:
        if not re.fullmatch("[0-9a-f]{6,64}", join_id):
            hint = "find the file of the join in seats/, and type the last six digits of its name"
            raise CliError(f"{join_id!r} is not the id of a join", hint)
    return lower_ids


def _note_settled_joins(session: Session, options: AdvanceOptions) -> None:
    """Say so if joins are accepted or refused in a game in which no seat is open any more."""
    if session.listing.reached and (options.accept or options.refuse):
        standing = standing_now(session)
        if not any(map(standing.is_open, standing.roster)):
            say(GAME_BEGUN_NOTE)


def _advance_one(
    session: Session, options: AdvanceOptions, json: bool, compared_words: str
) -> None:
    """Make the turns of one game and print them. Raises SystemExit if no turn could be made, except
    if the game is over."""
    if options.take_over and session.roles.dealers_deputy:
        _take_dealers_place(session, compared_words, json)
        return
    if compared_words and not session.roles.co_dealer:
        problem = "--compared is for co-dealers, and you are not a co-dealer in this game"
        raise CliError(problem, "leave out --compared", KEY)
    deal = deal_own_part(session, compared_words, go_on=options.go_on)
    if compared_words:
        say(WORDS_COMPARED_NOTE)
    if _only_deals(session):
        _report_deal(session, deal, json, has_compared=bool(compared_words))
        return
    runs = list[AdvanceRun]()
    if json:
        with delayed_interrupt() as delay_interrupts:
            runs += make_turns(session, options, delay_interrupts)
            print_data("advance", _outcome_data(session, runs))
    else:
        for run in make_turns(session, options):
            runs.append(run)
            print_run(run)
        _say_all(_next_lines(session, runs))
    if not _has_news(runs):
        raise SystemExit(NOT_YET)


def _take_dealers_place(session: Session, compared_words: str, json: bool) -> None:
    """Take the place of a silent co-dealer as its deputy, and print the notice that does it."""
    key = session.keyring.key(session.roles.dealers_deputy)
    notice = take_dealers_place(session, key, clock_now(), compared_words)
    path = file_name(notice).path
    if json:
        made = [{"file": path, "id": notice.id.hex()}]
        print_data("advance", {"game": session.game_folder.game.hex(), "made": made})
        return
    dealers = session.charter.dealers
    dealer = next(dealer.name for dealer in dealers if dealer.deputy_key == key.public)
    print(taken_place_line(dealer, session.game_folder.maker().name, path))


def _only_deals(session: Session) -> bool:
    """Return whether you are a co-dealer here, and do not make the turns."""
    return bool(session.roles.co_dealer and not session.roles.referee)


def _report_deal(
    session: Session, deal: Record[Deal] | None, json: bool, *, has_compared: bool
) -> None:
    """Print what a co-dealer has written, and the next step. Raises SystemExit if it was nothing,
    except if the game is over, or if the co-dealer has compared words."""
    session.refresh()
    situation = situation_of(session)
    if json:
        print_data("advance", _deal_data(session, deal, situation))
    else:
        if deal:
            print(dealt_line(deal))
        say(next_line(situation, session.place))
    is_done = deal or has_compared or (situation.stage == "over" and not situation.secret_wait)
    if not is_done:
        raise SystemExit(NOT_YET)


def _report_deal_in(
    session: Session, deal: Record[Deal] | None, folder: str | None, json: bool
) -> dict[str, Any]:
    """Print what a co-dealer has written in one of several games, unless it is asked for as JSON;
    return JSON data on it."""
    session.refresh()
    if deal and not json:
        print(f"{clean(folder or '')}: {dealt_line(deal)}")
    return {"folder": folder, **_deal_data(session, deal, situation_of(session))}


def _deal_data(session: Session, deal: Record[Deal] | None, situation: Situation) -> dict[str, Any]:
    """Return JSON data on what a co-dealer has written."""
    made = [{"file": file_name(deal).path, "id": deal.id.hex()}] if deal else []
    return {
        "game": session.game_folder.game.hex(),
        "made": made,
        "over": situation.stage == "over",
        "dealers_awaited": list(situation.awaited_dealers),
    }


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
        "dealers_awaited": list(situation_after(session, outcome).awaited_dealers),
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
    """Return lines on what the game waits for after these runs; the last is the next step."""
    return next_lines(session, [run.outcome for run in runs])


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)


def _has_news(runs: Sequence[AdvanceRun]) -> bool:
    """Return whether a run made a record, or found that the game is over."""
    return any(run.outcome.new_records or run.outcome.is_over for run in runs)


def _advance_several(
    folders: Sequence[str | None],
    options: AdvanceOptions,
    json: bool,
    passphrase_file: Path | None,
) -> int:
    """Make the turns of several games and print them; return the exit code for all games.

    A game that cannot go on does not stop the others.
    """
    failures, data = list[Failure](), list[dict[str, Any]]()
    advanced_count = waiting_count = 0
    for folder in folders:
        runs, failure_count = list[AdvanceRun](), len(failures)
        with collect_failure(failures, folder, is_quiet=json):
            session = Session(folder, None, passphrase_file)
            deal = deal_own_part(session, go_on=options.go_on)
            if _only_deals(session):
                deal_data = _report_deal_in(session, deal, folder, json)
                data += [deal_data]
                advanced_count += bool(deal)
                waiting_count += not (deal or deal_data["over"])
                continue
            for run in make_turns(session, options):
                runs.append(run)
                if not json:
                    print_run(run, f"{clean(folder or '')}: ")
            if json:
                data.append({"folder": folder, **_outcome_data(session, runs)})
            else:
                lines = _next_lines(session, runs)[:-1]
                _say_all(f"{clean(folder or '')}: {line}" for line in lines)
            waiting_count += not _has_news(runs)
        advanced_count += bool(runs and runs[0].outcome.new_records)
        for failure in failures[failure_count:]:
            error_data = {"error": failure.sentence, "exit": failure.exit}
            data.append({"folder": failure.folder, **error_data})
    if json:
        print_data("advance", data)
    else:
        print(games_line(len(folders), advanced_count, waiting_count, len(failures)))
    codes = {failure.exit for failure in failures}
    if waiting_count == len(folders):
        codes.add(NOT_YET)
    return worst_exit_code(codes)


def _watch(session: Session, options: AdvanceOptions) -> NoReturn:
    """Make turns whenever the folder changes, until Ctrl-C or the end of the game."""
    if _only_deals(session):
        _watch_as_co_dealer(session)
    report = ""
    while True:
        has_new_turn, report = _make_watched_turns(session, options, report)
        if not has_new_turn:
            session.folder.wait_for_news(max(2, session.folder.pause))


def _watch_as_co_dealer(session: Session) -> NoReturn:
    """Deal your part whenever it is owed, until Ctrl-C or until you have opened your secret after
    the game. What the game waits for is printed only when it changes, and so is an error that may
    be temporary, and the reason for which this co-dealer does not deal yet. Other errors are
    raised."""
    printed_line = ""
    while True:
        try:
            deal = deal_own_part(session)
            session.refresh()
            situation = situation_of(session)
            line = next_line(situation, session.place)
        except PbemError as error:
            is_refusal = isinstance(error, RecordError) and error.reason == "state"
            if error.exit != NOT_YET and not is_refusal:
                raise
            deal, situation, line = None, None, str(error)
        if deal:
            print(dealt_line(deal), flush=True)
        if line != printed_line:
            say(line)
            printed_line = line
        is_done = situation and situation.has_final and not situation.owes_deal
        if situation and situation.stage == "over" and is_done:
            raise SystemExit(0)
        session.folder.wait_for_news(max(2, session.folder.pause))
        session.refresh()


def _make_watched_turns(
    session: Session, options: AdvanceOptions, previous_report: str
) -> tuple[bool, str]:
    """Make the turns that can be made now, and print them; return whether there were any, and the
    report on what the game waits for: a text to compare, not to print.

    What the game waits for is printed only if it differs from the previous report. So is an error
    that may be temporary (exit code 5); other errors are raised. Raises SystemExit when the game is
    over.
    """
    runs = list[AdvanceRun]()
    try:
        for run in make_turns(session, options):
            runs.append(run)
            print_run(run)
            sys.stdout.flush()
    except PbemError as error:
        if error.exit != NOT_YET:
            raise
        if str(error) != previous_report:
            complain(str(error))
        return False, str(error)
    outcome = runs[-1].outcome
    seats = (
        outcome.preview_seats,
        outcome.answered_seats,
        outcome.incomplete_seats,
        outcome.unheard_seats,
    )
    report = f"{outcome.awaited_kinds} {seats}"
    report += f" {outcome.revisable_until} {session_reminders(session, outcome)[:1]}"
    has_new_turn = bool(runs[0].outcome.new_records)
    if has_new_turn or report != previous_report:
        _say_all(_next_lines(session, runs))
        sys.stdout.flush()
    if outcome.is_over:
        raise SystemExit(0)
    return has_new_turn, report
