"""The command `audit`: check a whole game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from pbem.cli.command_line.declarations import Option
from pbem.cli.options import JobsOption, JsonOption, PassphraseOption
from pbem.cli.places.several_games import FoldersArgument

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.auditing.report import Report
    from pbem.play.auditing.witness import Witness


def audit(
    folders: FoldersArgument = None,
    head: Annotated[
        str | None,
        Option("--head", metavar="WORDS", help="The twelve words that a player told you."),
    ] = None,
    seat: Annotated[
        str | None,
        Option("--as", metavar="SEAT", help="Also check from your own seat's viewpoint."),
    ] = None,
    attacks: Annotated[
        bool, Option("--attacks", help="List known attacks, who notices each, and when.")
    ] = False,
    jobs: JobsOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check every signature, card, die, move and line of a game; you need no key."""
    if attacks:
        _print_attacks(json)
        return
    if folders and len(folders) > 1:
        _audit_many(folders, jobs, json, of_one=head is not None or bool(seat))
    from pbem.cli.json_output import print_data
    from pbem.cli.viewing.audit_many import folder_to_audit
    from pbem.cli.viewing.audit_report import print_report
    from pbem.play.auditing.audit import audit as examine

    folder = folders[0] if folders else None
    mine = _witness(folder, seat, passphrase_file) if seat else None
    report = examine(folder_to_audit(folder), head=_told(head), witness=mine)
    _note_heads(report)
    if json:
        print_data("audit", report.to_json())
    else:
        print_report(report)
    raise SystemExit(report.exit)


def _note_heads(report: Report) -> None:
    """Remember the last turn, if the audit found nothing wrong and the home knows the game."""
    from pbem.cli.session.seen_on_this_machine import note_heads
    from pbem.storage.private.home import Home

    home, game = Home.find(), report.game.hex()
    if not report.exit and game in home.games():
        note_heads(home.game(game), report.heads)


def _audit_many(folders: list[str], jobs: int | None, json: bool, of_one: bool) -> NoReturn:
    """Audit several games, then exit. Raises CliError for options that work only on one game."""
    from pbem.cli.failure import CliError
    from pbem.cli.viewing.audit_many import audit_many

    if of_one:
        told = "--head and --as work with only one game, but you gave several folders"
        raise CliError(told, "pbem audit FOLDER, once for each of them")
    raise SystemExit(audit_many(folders, jobs, json))


def _print_attacks(json: bool) -> None:
    """Print, by group, the attacks that were tried against the audit."""
    from pbem.cli.json_output import print_data
    from pbem.play.auditing.threats import threats
    from pbem.screen.terminal import print_folded

    if json:
        print_data("attacks", {g: [row._asdict() for row in rows] for g, rows in threats().items()})
        return
    for group, rows in threats().items():
        print(f"{group}:")
        for row in rows:
            print_folded(f"  - {row.attack} ({row.who}): {row.caught}; {row.when}", 4)


def _told(words: str | None) -> bytes | None:
    """Decode the twelve words to the beginning of a head. Raises CliError for wrong words."""
    from pbem.cli.failure import CliError
    from pbem.format.errors import RecordError
    from pbem.records.chain import parse_words

    try:
        return None if words is None else parse_words(words)
    except RecordError as error:
        raise CliError(
            f"--head: {error.sentence}", "type the twelve words that a player's `pbem status` shows"
        ) from None


def _witness(folder: str | None, seat: str, passphrase_file: Path | None) -> Witness:
    """Return the user's seat with its key and with what this machine remembers. Raises CliError for
    other seats."""
    from pbem.cli.session.session import Session
    from pbem.play.auditing.witness import Witness

    session = Session(folder, seat, passphrase_file)
    profile = _only_joined(session)
    who = session.wish if profile else session.need_seat()
    key = session.keyring.key(profile) if profile else session.seat_key(who)
    sealed, odd = session.mine.receipts.times(), session.mine.sightings.odd()
    since = 1 if profile or not session.listing.reached else session.here.since(who)
    return Witness(who, key.seed, sealed, not profile, odd, since)


def _only_joined(session: Session) -> str:
    """Return the profile whose key joined for the chosen seat but did not get it; else empty."""
    if session.wish in session.roles.seats:
        return ""
    joins = session.game_folder.joins().values()
    wanted = {record.content.key for record in joins if record.content.seat == session.wish}
    return next((name for name, public in session.keyring.publics.items() if public in wanted), "")
