"""The command `audit`, for one game or for several."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import Annotated, Any

import typer

from pbem.cli.failures_by_game import worst_exit_code
from pbem.cli.shared_options import (
    FolderOption,
    FoldersArgument,
    JobsOption,
    JsonOption,
    PassphraseOption,
    named_folders,
)
from pbem.errors import BUG, NOT_YET, RULES, CliError, PbemError
from pbem.files.game_folder import SharedFolder
from pbem.files.home import Home
from pbem.files.open_game_folder import open_place
from pbem.format.record_error import RecordError
from pbem.judge.audit import audit as examine
from pbem.judge.audit_report import Report
from pbem.judge.evidence_from_own_machine import Witness
from pbem.judge.security_threats import threats
from pbem.person.check_seen_and_made_turns import note_heads
from pbem.person.missing_seats_and_keys import not_your_seat_error
from pbem.person.session import Session
from pbem.person.user_game import chosen_place
from pbem.records.twelve_words import parse_words
from pbem.terminal.clean_text import clean
from pbem.terminal.command_failures import bug_sentence, sentence_of
from pbem.terminal.json_and_progress import print_data, progress
from pbem.terminal.printing import print_folded
from pbem.wording.audit_certificate import headline, report_as_json
from pbem.wording.audit_findings_to_show import finding_line, print_report


def audit(
    folders: FoldersArgument = None,
    head: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Compare this game with the twelve words that a player told you.",
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="Also check what only you can see, as the player of this seat.",
        ),
    ] = None,
    attacks: Annotated[
        bool,
        typer.Option(
            "--attacks", help="List the known attacks, and say who notices each of them, and when."
        ),
    ] = False,
    jobs: JobsOption = None,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check every signature, card, die, move and line of a game; you need no key."""
    if attacks:
        _print_attacks(json)
        return
    game_folders = named_folders(folders, folder)
    if folders and len(folders) > 1:
        if head is not None or seat:
            problem = "--head and --as work with only one game, but you gave several folders"
            raise CliError(problem, "pbem audit FOLDER, once for each folder")
        raise SystemExit(audit_many(folders, jobs, json))
    game_folder = game_folders[0]
    witness = _make_witness(Session(game_folder, seat, passphrase_file)) if seat else None
    expected_head = None if head is None else _parse_head(head)
    report = examine(folder_to_audit(game_folder), head=expected_head, witness=witness)
    home, game_id = Home.find(), report.game.hex()
    if not report.exit and game_id in home.games():
        note_heads(home.game(game_id), report.heads)
    if json:
        print_data("audit", report_as_json(report))
    else:
        print_report(report)
    raise SystemExit(report.exit)


def _print_attacks(json: bool) -> None:
    """Print the known attacks, in groups: who can try each, who catches it, and when."""
    if json:
        data = {
            group: [attack._asdict() for attack in attacks] for group, attacks in threats().items()
        }
        print_data("attacks", data)
        return
    for group, attacks in threats().items():
        print(f"{group}:")
        for row in attacks:
            print_folded(f"  - {row.attack} ({row.who}): {row.caught}; {row.when}", 4)


def _parse_head(words: str) -> bytes:
    """Return the beginning of a head that twelve words stand for. Raises CliError."""
    try:
        return parse_words(words)
    except RecordError as error:
        hint = "type the twelve words that a player's `pbem status` shows"
        raise CliError(f"--head: {error.sentence}", hint) from None


def _make_witness(session: Session) -> Witness:
    """Return the user as a witness for the requested seat, with what this machine remembers.

    A key that joined for the seat but did not get it is a witness too. Raises CliError if the user
    has no key for the seat.
    """
    home, seat = session.game_home, session.requested_seat
    is_holder = seat in session.roles.seats.keys() | session.roles.mail_seats
    if is_holder:
        key = session.seat_key(seat)
        # before turn 1 no key has changed: all keys will count from turn 1 on
        valid_from = session.key_valid_from(seat) if session.listing.reached else 1
    elif profile := _joined_profile(session, seat):
        key = session.keyring.key(profile)
        valid_from = 1
    else:
        raise not_your_seat_error(session, seat, session.user_seats)
    return Witness(
        seat=seat,
        seed=key.seed,
        sealing_times=home.receipts.times(),
        sits=is_holder,
        implausible_dates=home.sightings.implausible_turns(),
        valid_from=valid_from,
        paths=home.receipts.paths(),
        last_seen_head=home.heads.last_position(),
    )


def _joined_profile(session: Session, seat: str) -> str | None:
    """Return the first profile whose key signed a join for the seat; None if there is none."""
    joins = [record.content for record in session.game_folder.joins().values()]
    joined_keys = {join.key for join in joins if join.seat == seat}
    for profile, public_key in session.keyring.publics.items():
        if public_key in joined_keys:
            return profile
    return None


def folder_to_audit(folder: str | None) -> SharedFolder:
    """Return the folder to audit. Raises CliError if it is a file, StorageError for a wrong
    address."""
    place = chosen_place(folder)
    if place.path and os.path.isfile(place.path):  # False for any path that cannot be looked up
        hint = "give the folder that contains game.toml; if the file is a zip, unpack it first"
        raise CliError(f"{folder} is a file; an audit needs a folder", hint)
    return open_place(place)  # without local copies: an audit reads the files in their place


# ---- Audit several folders: one verdict for each, in their order, and the worst exit code

NOT_AUDITED = "not audited"
VERDICTS = ("PROVEN", "RIGHT SO FAR", "DAMAGED", NOT_AUDITED)
"""The verdicts on a folder, in the order of the summary."""

AuditResult = Report | CliError
"""The audit of one folder: its report, or the reason why there is none."""


def _result_lines(folder: str, result: AuditResult) -> Iterator[str]:
    """Yield the verdict on a folder and each serious finding; if there is no report, the reason
    and a hint."""
    if isinstance(result, CliError):
        yield f"{clean(folder)}: not audited: {clean(result.sentence)}"
        if result.hint:
            yield f"  try: {clean(result.hint)}"
        return
    yield f"{clean(folder)}: {clean(headline(result))}"
    for finding in sorted(result.broken, key=lambda finding: finding.path):
        yield f"  {finding_line(finding)}"


def _result_data(folder: str, result: AuditResult) -> dict[str, Any]:
    if isinstance(result, CliError):
        error = {"error": result.sentence, "next": result.hint, "exit": result.exit}
        return {"folder": folder, **error}
    return {"folder": folder, **report_as_json(result)}


def audit_many(folders: Sequence[str], jobs: int | None, json: bool) -> int:
    """Audit the folders, print the verdicts, and return the worst exit code. `jobs` is the number
    of processes; None means one for each core."""
    results: list[AuditResult] = []
    with progress(len(folders)) as show, closing(_audits_in_order(folders, jobs)) as audits:
        for folder, result in zip(folders, audits, strict=True):
            results.append(result)
            if not json:
                for line in _result_lines(folder, result):
                    print(line, flush=True)
            show(len(results))
    if json:
        print_data("audit", list(map(_result_data, folders, results)))
    else:
        counts = Counter(
            NOT_AUDITED if isinstance(result, CliError) else result.verdict for result in results
        )
        quantities = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]]
        print(f"{len(results)} folders: {', '.join(quantities)}.")
    return worst_exit_code({result.exit for result in results})


def _audits_in_order(folders: Sequence[str], jobs: int | None) -> Generator[AuditResult]:
    """Audit the folders in several processes, and yield the results in the order of the folders.
    The audit of a process that died is an error."""
    from pbem.workers.worker_pool import Lost, Processes, ThisProcess, cores, run_tasks

    lost_sentence = "the audit of this game broke off; the computer may have run out of memory"
    fewer_at_once_hint = "audit fewer games at the same time: --jobs 1"
    process_count = min(jobs or cores(), len(folders))
    crew = Processes(process_count) if process_count > 1 else ThisProcess()
    early_results: dict[int, AuditResult] = {}
    """Results that came before the result of an earlier folder, by the folder's index."""
    next_index = 0
    with closing(run_tasks(audit_one, [*enumerate(folders)], crew)) as results:
        for (index, _), result in results:
            if isinstance(result, Lost):
                early_results[index] = CliError(lost_sentence, fewer_at_once_hint, NOT_YET)
            else:
                early_results[index] = result
            while next_index in early_results:
                yield early_results.pop(next_index)
                next_index += 1


def audit_one(task: tuple[int, str]) -> AuditResult:
    """Audit one folder; `task` is its index and the folder. Every error becomes a sentence, so
    that the next folder can be audited."""
    try:
        return examine(folder_to_audit(task[1]))
    except PbemError as error:
        hint = error.hint if isinstance(error, CliError) else ""
        return CliError(str(error), hint, error.exit)
    except Exception as error:  # noqa: BLE001 - a bug in one audit must not end the others
        sentence = sentence_of(error)
        return CliError(sentence or bug_sentence(error), "", RULES if sentence else BUG)
