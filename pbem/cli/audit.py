"""The command `audit`, for one game or for several."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import Annotated, Any

import typer

from pbem.cli.options import (
    FolderOption,
    JobsOption,
    JsonOption,
    PassphraseOption,
)
from pbem.cli.several_games import (
    FoldersArgument,
    named_folders,
    worst_exit_code,
)
from pbem.errors import BUG, NOT_YET, RULES, CliError, PbemError
from pbem.files.folder import SharedFolder
from pbem.files.home import Home
from pbem.files.open_place import open_place
from pbem.format.canonical import RecordError
from pbem.judge.audit import audit as examine
from pbem.judge.audit_report import Report
from pbem.judge.threat_list import threats
from pbem.judge.witness import Witness
from pbem.person.seen import note_heads
from pbem.person.session import Session
from pbem.person.user_game import chosen_place
from pbem.records.words import parse_words
from pbem.terminal.failures import bug_sentence, sentence_of
from pbem.terminal.output import print_data, progress
from pbem.terminal.terminal import clean, print_folded
from pbem.wording.certificate import headline, report_as_json
from pbem.wording.findings import finding_line, print_report


def audit(
    folders: FoldersArgument = None,
    head: Annotated[
        str | None, typer.Option(metavar="WORDS", help="The twelve words that a player told you.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="Also check from your own seat's viewpoint."),
    ] = None,
    attacks: Annotated[
        bool, typer.Option("--attacks", help="List known attacks, who notices each, and when.")
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
    several = named_folders(folders, folder)
    if folders and len(folders) > 1:
        if head is not None or seat:
            told = "--head and --as work with only one game, but you gave several folders"
            raise CliError(told, "pbem audit FOLDER, once for each of them")
        raise SystemExit(audit_many(folders, jobs, json))
    place = several[0]
    mine = _witness(Session(place, seat, passphrase_file)) if seat else None
    report = examine(folder_to_audit(place), head=_typed_head(head), witness=mine)
    home, game = Home.find(), report.game.hex()
    if not report.exit and game in home.games():
        note_heads(home.game(game), report.heads)
    if json:
        print_data("audit", report_as_json(report))
    else:
        print_report(report)
    raise SystemExit(report.exit)


def _print_attacks(json: bool) -> None:
    if json:
        print_data("attacks", {g: [row._asdict() for row in rows] for g, rows in threats().items()})
        return
    for group, rows in threats().items():
        print(f"{group}:")
        for row in rows:
            print_folded(f"  - {row.attack} ({row.who}): {row.caught}; {row.when}", 4)


def _typed_head(words: str | None) -> bytes | None:
    try:
        return None if words is None else parse_words(words)
    except RecordError as error:
        hint = "type the twelve words that a player's `pbem status` shows"
        raise CliError(f"--head: {error.sentence}", hint) from None


def _witness(session: Session) -> Witness:
    """A key that joined for the seat but did not get it is a witness too."""
    home = session.game_home
    sealed, odd = home.receipts.times(), home.sightings.implausible_turns()
    paths, saw = home.receipts.paths(), home.heads.last_position()
    if session.requested_seat not in session.roles.seats:
        joins = [record.content for record in session.game_folder.joins().values()]
        wanted = {join.key for join in joins if join.seat == session.requested_seat}
        for profile, public in session.keyring.publics.items():
            if public in wanted:
                key = session.keyring.key(profile)
                return Witness(session.requested_seat, key.seed, sealed, False, odd, 1, paths, saw)
    who = session.need_seat()
    key = session.seat_key(who)
    since = session.key_valid_from(who) if session.listing.reached else 1
    return Witness(who, key.seed, sealed, True, odd, since, paths, saw)


def folder_to_audit(folder: str | None) -> SharedFolder:
    """Return the folder to audit. Raises CliError if it is a file, StorageError for a wrong
    address."""
    place = chosen_place(folder)
    if place.path and os.path.isfile(place.path):  # False for any path that cannot be looked up
        hint = "if the file is a zip, unpack it; then give the path of the folder that "
        raise CliError(f"{folder} is a file; an audit needs a folder", f"{hint}contains game.toml")
    return open_place(place)  # without local copies: an audit reads the files in their place


# ---- Audit several folders: one verdict for each, in their order, and the worst exit code

NOT_AUDITED = "not audited"
KINDS = ("PROVEN", "RIGHT SO FAR", "DAMAGED", NOT_AUDITED)

Audited = Report | CliError
"""The audit of one folder: its report, or the reason why there is none."""


def _kind(one: Audited) -> str:
    return NOT_AUDITED if isinstance(one, CliError) else one.verdict


def _lines(folder: str, one: Audited) -> Iterator[str]:
    if isinstance(one, CliError):
        yield f"{clean(folder)}: not audited: {clean(one.sentence)}"
        if one.hint:
            yield f"  try: {clean(one.hint)}"
        return
    yield f"{clean(folder)}: {clean(headline(one))}"
    for finding in sorted(one.broken, key=lambda found: found.path):
        yield f"  {finding_line(finding)}"


def _row(folder: str, one: Audited) -> dict[str, Any]:
    if isinstance(one, CliError):
        return {"folder": folder, "error": one.sentence, "next": one.hint, "exit": one.exit}
    return {"folder": folder, **report_as_json(one)}


def audit_many(folders: Sequence[str], jobs: int | None, json: bool) -> int:
    """Audit the folders, print the verdicts, and return the worst exit code."""
    audited: list[Audited] = []
    with progress(len(folders)) as show, closing(_in_order(folders, jobs)) as results:
        for folder, one in zip(folders, results, strict=True):
            audited.append(one)
            for line in () if json else _lines(folder, one):
                print(line, flush=True)
            show(len(audited))
    if json:
        print_data("audit", list(map(_row, folders, audited)))
    else:
        number = Counter(map(_kind, audited))
        kinds = [f"{number[kind]} {kind}" for kind in KINDS if number[kind]]
        print(f"{len(audited)} folders: {', '.join(kinds)}.")
    return worst_exit_code({one.exit for one in audited})


def _in_order(folders: Sequence[str], jobs: int | None) -> Generator[Audited]:
    from pbem.workers.crew import Lost, Processes, ThisProcess, cores, spread

    lost = "the processes that audited this game died; the computer may have run out of memory"
    number = min(jobs or cores(), len(folders))
    early: dict[int, Audited] = {}
    turn = 0
    crew = Processes(number) if number > 1 else ThisProcess()
    with closing(spread(audit_one, [*enumerate(folders)], crew)) as results:
        for (place, _), done in results:
            early[place] = CliError(lost, "", NOT_YET) if isinstance(done, Lost) else done
            while turn in early:
                yield early.pop(turn)
                turn += 1


def audit_one(task: tuple[int, str]) -> Audited:
    """Audit one folder. Every error becomes a sentence, so that the next folder can be audited."""
    try:
        return examine(folder_to_audit(task[1]))
    except PbemError as error:
        hint = error.hint if isinstance(error, CliError) else ""
        return CliError(str(error), hint, error.exit)
    except Exception as error:  # noqa: BLE001 - a bug in one audit must not end the others
        sentence = sentence_of(error)
        return CliError(sentence or bug_sentence(error), "", RULES if sentence else BUG)
