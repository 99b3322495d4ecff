"""The command `doctor`: what is wrong with keys, clock, folder and files, and how to fix it."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from pbem import __version__
from pbem.cli.shared_options import FolderOption, JsonOption
from pbem.errors import FINDINGS, KEY, USAGE, PbemError
from pbem.files.file_errors import FileError, StorageError
from pbem.files.record_file_names import turn_path
from pbem.format.openssh_key_files import is_encrypted
from pbem.format.record_error import EXIT, WORST_FIRST, RecordError
from pbem.judge.game_view import View
from pbem.judge.read_and_make_messages import PressReader, seating_with
from pbem.judge.records_of_game_folder import NoGameError
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.person.check_seen_and_made_turns import need_seen_turns
from pbem.person.own_uncounted_orders import unlisted_orders
from pbem.person.restore_last_sealed_orders import LastOrdersNote
from pbem.person.session import Session
from pbem.records.record_header import last_turn_warning
from pbem.terminal.clean_text import clean
from pbem.terminal.json_and_progress import print_data
from pbem.text.clock import now
from pbem.wording.audit_findings_to_show import FileChoice
from pbem.wording.evidence_from_own_machine import explain_fate
from pbem.wording.game_folder_repairs import copies_kept_line, deleted_caches_line
from pbem.wording.joins import join_warnings
from pbem.wording.key_backup_loss_and_theft import lost_key_lines, watching_sentence
from pbem.wording.sealed_orders import last_orders_sentence

EARLIEST_DATE = datetime(2020, 1, 1, tzinfo=UTC)
"""An earlier time on the clock must be wrong, because no game is that old."""
CLOCK_TOLERANCE_SECONDS = 300
"""The greatest difference between the clocks of two people that needs no warning."""


class Finding(NamedTuple):
    """A line of the report. A `warning` must be fixed, a `note` is odd but harmless, a `fact` is
    only information."""

    grade: Literal["warning", "note", "fact"]
    text: str
    cure: str = ""
    """The remedy; empty if the text names it, or if nothing needs one."""
    exit: int = 0
    """The exit code of `doctor` for a warning; 0 for a note or a fact."""
    file: str = ""
    """The path of the file in the game's folder that the line is about; empty if there is none."""
    reason: str = ""
    """The code of the reason why the file does not count, or is not read; else empty."""
    sentence: str = ""
    """What is wrong with the file, without its path; empty if there is none."""

    @property
    def line(self) -> str:
        """The finding as `doctor` prints it."""
        grade = "" if self.grade == "fact" else f"{self.grade}: "
        return f"{grade}{self.text}{self.cure and f'; fix: {self.cure}'}"


def doctor(
    drop: Annotated[
        bool, typer.Option("--drop-caches", help="Delete the caches; pbem makes them again.")
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Check keys, clock, folder and stray files; say what is wrong and how to fix it.

    The exit code is that of the worst warning, or 0.
    """
    session = Session(folder)
    if drop:
        _drop_caches(session, json)
        return
    findings, choice = list[Finding](), FileChoice()
    for finding in _findings(session, is_named=folder is not None):
        findings.append(finding)
        if json:
            continue
        if not finding.file or choice.shows(finding.file, finding.reason, finding.sentence):
            print(finding.line)  # not wrapped: people copy paths and commands from here
    if json:
        rows = [{"grade": x.grade, "text": x.text, "cure": x.cure} for x in findings]
        print_data("doctor", {"dropped": 0, "findings": rows})
    else:
        for line in choice.describe_others("pbem doctor --json"):
            print(f"note: {line}")
    codes = {finding.exit for finding in findings}
    worst_first = (StorageError.exit, *WORST_FIRST, USAGE)
    raise SystemExit(next((code for code in worst_first if code in codes), 0))


def _drop_caches(session: Session, json: bool) -> None:
    """Delete the caches of all games of the home, and the copies of records from hosts; print how
    many games had any. The copies that a place cannot delete get a line."""
    session.home.drop_caches()
    game_count, kept_lines = 0, list[str]()
    for game_id in session.home.games():
        game_home = session.home.game(game_id)
        has_caches = (game_home.root / "cache").exists()
        has_caches |= bool(game_home.place and session.home.snapshots(game_home.place).exists())
        game_home.drop_caches()
        game_home.tidy()
        try:
            if game_home.place is not None:
                has_caches |= session.home.folder(game_home.place).drop_copies() > 0
        except StorageError as error:
            kept_lines.append(copies_kept_line(game_home.place, error))
        game_count += has_caches
    if json:
        print_data("doctor", {"dropped": game_count, "kept": kept_lines, "findings": []})
        return
    for line in [*kept_lines, deleted_caches_line(game_count)]:
        print(line)


def _findings(session: Session, *, is_named: bool) -> Iterator[Finding]:
    """Yield all findings about the home, the keys, the clock and the game. A folder without a game
    is a warning if the user named the folder (`is_named`), else only a fact."""
    yield from _home_findings(session)
    yield from _key_findings(session)
    yield from _clock_findings(session)
    session.folder.bypass_copies()
    try:
        yield from _game_findings(session)
    except NoGameError as error:
        text = f"folder: {clean(str(error))}"
        yield _warning(text, exit_code=error.exit) if is_named else _fact(text)
    except RecordError as error:
        subject = clean(getattr(error, "path", "") or "a record")
        yield _warning(f"{subject}: {clean(error.sentence)}", exit_code=error.exit)
    except PbemError as error:
        yield _warning(f"folder: {clean(str(error))}", exit_code=error.exit)


def _warning(text: str, cure: str = "", exit_code: int = FINDINGS) -> Finding:
    return Finding("warning", text, cure, exit_code)


def _fact(text: str) -> Finding:
    return Finding("fact", text)


def _home_findings(session: Session) -> Iterator[Finding]:
    """Yield the versions of pbem and Python, the private folder and who may read it, and the size
    of the caches."""
    home, size = session.home.root, 0
    yield _fact(f"pbem {__version__}, Python {sys.version.split()[0]}")
    yield _fact(f"your private folder: {home}")
    if _is_open_to_others(home):
        yield _warning(
            "other users of this computer can read your private folder", f"chmod 700 {home}"
        )
    for path in (*home.glob("games/*/cache/*"), *home.glob("stores/*/*")):
        with suppress(OSError):
            size += path.stat().st_size
    if size:
        yield _fact(f"caches: {size // 1024 + 1} kB; pbem doctor --drop-caches deletes them")


def _is_open_to_others(path: Path) -> bool:
    """Return whether the group or others have any rights to the file; always False on Windows."""
    try:
        return os.name != "nt" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    except OSError:
        return False


def _key_findings(session: Session) -> Iterator[Finding]:
    """Yield each profile's key file and whether others may read it; without any key, whether one
    was lost."""
    home = session.home
    for name in home.profiles():
        path = home.key_path(name)
        locked = "with" if is_encrypted(home.read_key(name)) else "without"
        yield _fact(f"key {name}: {path} ({locked} a passphrase)")
        if _is_open_to_others(path):
            yield _warning("other users of this computer can read this key", f"chmod 600 {path}")
    if home.profiles():
        yield _fact("back up these key files: if you lose them, you can no longer play your seats")
        return
    game_homes = [home.game(game_id) for game_id in home.games()]
    game_count = sum(bool(x.receipts.times() or x.signed.last_record()) for x in game_homes)
    if game_count:
        games = "a game" if game_count == 1 else f"{game_count} games"
        text = f"your key is not here, but you played or refereed {games} on this computer"
        cure = "if you have a copy of your key: pbem keys import FILE"
        yield _warning(text, f"{cure}; if you have no copy: pbem notice key --lost", KEY)
    else:
        yield _fact("there are no keys yet; pbem will make one when you first need it")


def _clock_findings(session: Session) -> Iterator[Finding]:
    """Yield the time, and a warning if it is before any game or well before the last turn."""
    clock_time, last_turn_time = now(), 0
    yield _fact(f"clock: {datetime.fromtimestamp(clock_time, UTC):%Y-%m-%d %H:%M} UTC")
    if clock_time < EARLIEST_DATE.timestamp():
        yield _warning("the clock is wrong", "set the clock, because deadlines depend on it")
    try:
        for turn in session.game_folder.turns():
            last_turn_time = turn.content.time
    except PbemError:
        return  # reported where the folder is checked
    seconds_ahead = last_turn_time - clock_time
    if seconds_ahead > CLOCK_TOLERANCE_SECONDS:
        minutes = seconds_ahead // 60
        span = f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"
        cure = (
            "if it is right, all players type pbem notice clock, and then the referee types it too"
        )
        text = f"the last turn is dated {span} later than the clock of this computer"
        yield _warning(text, f"set the clock if it is wrong; {cure}")


def _game_findings(session: Session) -> Iterator[Finding]:
    """Yield the game's title, the number of records, every problem in the folder, and the user's
    orders that do not count. Raises NoGameError, and other PbemErrors for records that stop a
    reader."""
    game_folder, listing = session.game_folder, session.listing
    player_keys = _player_keys(session)
    yield _fact(f"folder: {session.place}")
    title = clean(game_folder.charter.content.title)
    yield _fact(f"game: {title} ({game_folder.game.hex()[:6]})")
    turns = f"turns 1 to {listing.turns[-1].name.turn}" if listing.turns else "no turn yet"
    turns += f" ({len(game_folder.listing.gaps)} missing)" if game_folder.listing.gaps else ""
    yield _fact(f"records: {len(listing.records)}, {turns}")
    game_folder.all_orders(lambda _, key: key in player_keys)  # notes each fault in an order file
    yield from _message_findings(session)
    problems = [*_lost_key_findings(session), *_file_findings(session)]
    yield from problems
    if listing.turns:
        order_problems = _own_order_findings(session)
        yield from order_problems
        problems += order_problems
    else:
        need_seen_turns(session)
    if not problems:
        yield _fact("nothing is wrong here")


def _player_keys(session: Session) -> set[bytes]:
    """Return the public keys with which a player may have signed orders, also before they got a
    new key."""
    keys = {join.content.key for join in session.game_folder.joins().values()}
    with suppress(FileError):  # a turn, join or notice is wrong, which a later check reports
        if session.listing.reached:
            keys |= session.game_folder.standing.seats_of_keys().keys()
    return keys


def _message_findings(session: Session) -> Iterator[Finding]:
    """Yield the number of messages. The folder notes what is wrong with a message or a notice; its
    faults are reported later, with those of other files."""
    game_folder = session.game_folder
    if not (session.listing.press or session.listing.notices):
        return
    try:
        chain = game_folder.chain_of(game_folder.turns())
        unlisted_notices(game_folder, chain.listed_notices)
        if not session.listing.press:
            return
        reader = PressReader(game_folder, chain.heads, seating_with(game_folder.standing))
    except FileError:  # a turn or join is wrong, which a later check reports
        return
    yield _fact(f"messages: {len(reader.records())}")
    for fault in reader.faults:
        game_folder.note(fault)


def _lost_key_findings(session: Session) -> Iterator[Finding]:
    """Yield warnings about the user's joins without a seat and about lost keys; if the user has
    neither seats nor lost keys, a note that they only watch."""
    roles, key_lines = session.roles, lost_key_lines(session)
    has_turns = session.listing.reached
    join_lines = [] if roles.seats and has_turns else join_warnings(session)
    yield from (_warning(line) for line in join_lines)
    if key_lines:
        yield _warning("; ".join(key_lines), exit_code=KEY)
    elif not join_lines and has_turns and not (roles.seats or roles.referee or roles.co_dealer):
        yield Finding("note", watching_sentence(session))


def _file_findings(session: Session) -> Iterator[Finding]:
    """Yield warnings about the folder: it is read-only, lacks turns, is nearly full of turns, or
    has files that do not count; and a note on each file that is not read."""
    game_folder, listing = session.game_folder, session.listing
    if not session.folder.may_be_written():
        yield _warning(
            "you cannot write in the game folder",
            "ask the person who shares the folder to let you write in it",
        )
    for gap in game_folder.listing.gaps:
        text = f"{turn_path(gap)} is missing"
        yield _warning(
            text,
            "let the folder sync, or read the turn from an email: pbem receive FILE",
            EXIT["parent"],
        )
    last_turn_sentence = "" if listing.final else last_turn_warning(listing.reached)
    if last_turn_sentence:
        yield _warning(
            last_turn_sentence, "finish the game, or vote together to end it: pbem notice end"
        )
    for fault in game_folder.faults:
        text = f"{clean(fault.path)} does not count: {clean(fault.sentence)}"
        text = f"{text} (pbem explain {fault.reason})"
        yield Finding(
            "warning", text, "", EXIT[fault.reason], fault.path, fault.reason, fault.sentence
        )
    for stray in listing.strays:
        text = f"{clean(stray.path)} is not read: {stray.description}"
        yield Finding("note", text, file=stray.path, reason=stray.kind, sentence=stray.description)


def _own_order_findings(session: Session) -> list[Finding]:
    """Return warnings about the user's orders: sets that should count and do not, and sealed sets
    whose files were missing, which are written again. Without all turns, nothing can be said, so
    the list is empty."""
    view = _read_without_checkpoints(session)
    if view is None:
        return []
    findings = list[Finding]()
    for seat in sorted(session.roles.seats.keys() - {*view.plays}):
        for fate in unlisted_orders(session, view, seat):
            if fate.should_ask:
                cure = f"pbem audit --as {seat} says more"
                findings.append(_warning(clean(explain_fate(fate)), cure))
    notes = list[LastOrdersNote]()
    session.restore_last_orders(view.open_questions, notes.append)
    return findings + [_warning(last_orders_sentence(note)) for note in notes]


def _read_without_checkpoints(session: Session) -> View | None:
    """Read all turns again, as a stranger to both seats and caches; None if a turn is missing.
    Raises FileError for any other file that stops the reading."""
    session.readers.use_checkpoints = False
    try:
        return session.fresh_view("")
    except FileError as error:
        if error.path not in {turn_path(gap) for gap in session.game_folder.listing.gaps}:
            raise
        return None
