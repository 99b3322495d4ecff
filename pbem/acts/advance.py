"""Make and publish turns: bots answer first, and the report says who is waited for next."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from random import Random
from typing import Final, NamedTuple

from engine.bots import make_bot
from pbem.acts.notices import put_notice
from pbem.acts.orders import send
from pbem.errors import NOT_YET, CliError, PbemError
from pbem.files.disk import FileError, StorageError
from pbem.files.folder import Name, RecordFile, parse_name
from pbem.files.machine_memory import Signed
from pbem.format.canonical import RecordError
from pbem.judge.bot_orders import bot_lines, bot_round_lines
from pbem.judge.joins import is_named
from pbem.judge.record_files import file_name
from pbem.judge.seat_reader import SeatReader
from pbem.judge.sign import join_by_referee
from pbem.judge.turn_inputs import AdvanceOptions, Outcome
from pbem.judge.view import View
from pbem.person.books import MailBook
from pbem.person.clock_doubt import find_clock_doubt
from pbem.person.own_joins import keep_joins
from pbem.person.own_orders import changed_draft
from pbem.person.refereeing import keep_wishes, wishes_of, with_full_ids
from pbem.person.seen import is_last_record_gone, note_heads
from pbem.person.session import Session
from pbem.person.situation import pending_after
from pbem.records.charter import FinalRecord, Join
from pbem.records.read_record import Record, read, read_as
from pbem.records.turn import Turn
from pbem.terminal.failures import sentence_of
from pbem.terminal.terminal import clean
from pbem.wording.clock_doubt import clock_error
from pbem.wording.game_status import file_notes
from pbem.wording.repairs import (
    changed_draft_note,
    not_the_record_note,
    put_back_note,
    renamed_note,
    rewritten_note,
    set_aside_note,
    two_records_note,
)

# ---- Delay Ctrl-C while a command writes something that it has not reported yet


@contextmanager
def delayed_interrupt() -> Iterator[Callable[[], None]]:
    """Yield a function; once the block has called it, Ctrl-C waits for the end of the block.

    Before that call, Ctrl-C acts immediately; after it, a second Ctrl-C does. If the block raises
    an error, that error is raised and the delayed Ctrl-C is dropped: the command ends anyway. In a
    thread, and where Ctrl-C is ignored, nothing changes.
    """
    usual_handler, was_interrupted = signal.getsignal(signal.SIGINT), False
    may_delay = threading.current_thread() is threading.main_thread()
    may_delay = may_delay and usual_handler is signal.default_int_handler

    def note_interrupt(_number: int, _frame: object) -> None:
        nonlocal was_interrupted
        was_interrupted = True
        signal.signal(signal.SIGINT, usual_handler)

    def hold() -> None:
        if may_delay:
            signal.signal(signal.SIGINT, note_interrupt)

    try:
        yield hold
    finally:
        if may_delay:
            signal.signal(signal.SIGINT, usual_handler)
    if was_interrupted:
        raise KeyboardInterrupt


# ---- Make turns until a person is asked

MAX_TURNS: Final = 500
"""The most turns of one game that are made without a pause, because bots could go on for ever."""


class AdvanceRun(NamedTuple):
    """The result of one run of `advance`."""

    outcome: Outcome
    notes: list[str]


def make_turns(
    session: Session, wishes: AdvanceOptions | None = None, hold: Callable[[], None] | None = None
) -> Iterator[AdvanceRun]:
    """Make turns until a person is asked, or nothing more can be made; yield each step once it is
    written.

    The wishes count for the first step only, except what they say about the clock. Ctrl-C waits
    until the caller has reported a step, or, if the caller has a `hold` of its own, until it has
    reported all.
    """
    for _ in range(MAX_TURNS):
        with nullcontext(hold) if hold else delayed_interrupt() as delay:
            run = step(session, wishes, before_writing=delay)
            yield run
        outcome = run.outcome
        if not outcome.new_records or outcome.is_over or pending_after(session, outcome):
            return
        trusts_clock = bool(wishes and wishes.time_is_right)
        wishes = AdvanceOptions(time_is_right=True) if trusts_clock else None


def make_turns_at_once(
    session: Session,
    hold: Callable[[], None] | None = None,
    on_run: Callable[[AdvanceRun], None] = lambda run: None,
) -> tuple[list[AdvanceRun], str]:
    """Make the turns that waited only for orders just sealed by a referee who plays.

    `hold` is called before the first turn is written (see make_turns), and `on_run` after each
    run. Return the runs, and the sentence of the error that ended them: the orders stay sealed,
    and the turns can be made later.
    """
    runs = list[AdvanceRun]()
    try:
        for run in make_turns(session, hold=hold):
            runs.append(run)
            on_run(run)
    except PbemError as error:
        return runs, clean(sentence_of(error) or "")
    return runs, ""


def waits_for_nobody(session: Session, view: View) -> bool:
    """Return whether the referee who plays has just given the last answer that was missing.

    Then the next turn can be made at once: nobody else is awaited, nobody may still change their
    mind, and the turn makes no choice for a player who may still answer.
    """
    if view.seat not in session.roles.held_seats:
        return False
    try:
        outcome = session.refereeing.outlook
    except PbemError:
        return False  # pbem advance says what is wrong
    turns = [
        record.content for _, record in outcome.new_records if isinstance(record.content, Turn)
    ]
    if outcome.preview and session.charter.bots.keys() >= {*outcome.preview_seats}:
        turns.append(outcome.preview.content)
    long_absent_seats = {
        seat for seat, reason in view.absence_reasons.items() if reason != "absent"
    }
    return bool(turns) and not set(turns[0].silent) - long_absent_seats


def step(
    session: Session,
    wishes: AdvanceOptions | None = None,
    now: int | None = None,
    before_writing: Callable[[], None] = lambda: None,
) -> AdvanceRun:
    """Let bots answer, then make and write all turns that can be made now.

    `before_writing` is called once it is clear what will be written.
    """
    with session.game_home.lock("advance") as has_lock:
        if not has_lock:
            problem = "another `pbem advance` is running for this game"
            raise CliError(problem, "wait until that one has finished", NOT_YET)
        session.refresh()
        session.game_home.remember_place(session.place)
        notes = [
            *_restore_turn_names(session),
            *_restore_held_records(session),
            *_restore_last_record(session),
        ]
        notes += _restore_last_orders(session)
        # orders that come until the place is reached would not be in a turn that is signed now
        session.folder.check_reached()
        is_before_turn_1 = not session.listing.reached
        wishes = (
            with_full_ids(session.game_folder, wishes) if is_before_turn_1 and wishes else wishes
        )
        outcome = session.refereeing.advance(wishes, now)
        if is_before_turn_1:
            keep_wishes(session.game_home, wishes, bool(outcome.preview_seats))
        bots = session.charter.bots
        while answering := [seat for seat in outcome.preview_seats if seat in bots]:
            for seat in answering:  # before other players see the turn
                seat_reader = session.readers.seat_now(seat)
                send(session, seat_reader, seat, bot_texts(seat_reader, bots[seat]))
            session.refresh()
            outcome = session.refereeing.advance(wishes, now)
        trusts_clock = now is not None or (wishes and wishes.time_is_right)
        if not trusts_clock and (doubt := find_clock_doubt(session, outcome)):
            session.refereeing.progress = None  # its last turn is not written
            raise clock_error(doubt)
        reader = session.readers.read_new_turn(outcome)
        notes += _changed_draft_notes(session, outcome)
        before_writing()
        for _, notice in outcome.notices if outcome.new_records else ():
            notes += put_notice(session, notice)
        for name, record in outcome.new_records:
            notes += publish(session, name, record)
        note_heads(session.game_home, session.refereeing.heads)
        if reader:
            session.readers.table_reader = reader  # it goes on from here
    notes += file_notes(session, {name.path for name, _ in outcome.new_records})
    if outcome.new_records:
        session.refresh()
    return AdvanceRun(outcome, notes)


def _changed_draft_notes(session: Session, outcome: Outcome) -> list[str]:
    turns = (
        record.content for _, record in outcome.new_records if isinstance(record.content, Turn)
    )
    return [
        changed_draft_note(turn.turn, order.hex()[:6], draft)
        for turn in turns
        for order in turn.own
        if (draft := changed_draft(session, order.hex()))
    ]


# ---- Write turns and final records, but never two different ones for one place (protocol §1)


def publish(session: Session, name: Name, record: Record[Turn] | Record[FinalRecord]) -> list[str]:
    """Write a turn or the final record; return notes on files that were moved out of the way.

    Before writing, note on this machine that it signed the record. Raises FileError `fork` if it
    has signed a different body for that place.
    """
    notes = _make_room(session, name.path)
    session.game_home.signed.sign(
        Signed(record.content.turn, name.path, record.id.hex(), record.file)
    )
    session.folder.create(name, record.file)
    return notes


def _make_room(session: Session, path: str) -> list[str]:
    final = session.listing.final
    for record_file in (*session.game_folder.stray_files, *([final] if final else ())):
        if record_file.path == path:
            aside_path = session.folder.set_aside(record_file)
            return [not_the_record_note(path, aside_path, is_final=record_file == final)]
    return []


def _restore_turn_names(session: Session) -> list[str]:
    """Put each turn that counts under its standard name: a sync program may have given the name to
    a turn of the deputy, or of the referee, for the same place. Return notes."""
    notes = []
    for misplaced in (
        session.game_folder.deputy_turns.misplaced_turns() if session.roles.referee else ()
    ):
        name = Name("turn", misplaced.turn_number)
        turn_files = [turn_file for turn_file in session.names.turns if turn_file.name == name]
        notes += [
            set_aside_note(name.path, session.folder.set_aside(turn_file))
            for turn_file in turn_files
        ]
        session.folder.create(name, misplaced.record.file)
        notes.append(renamed_note(name.path, misplaced.path))
    if notes:
        session.refresh()
    return notes


def _restore_held_records(session: Session) -> list[str]:
    """Write the joins and orders of held seats that are missing or damaged again, from the key or
    from copies in the home."""
    session.refereeing.key()
    own_files = session.game_home.held_orders.files()
    files = [(path, file, "") for path, file in (*_own_joins(session), *own_files)]
    files += _players_joins(session)
    files_by_name = {record_file.name: record_file for record_file in session.names.records}
    notes = []
    for path, file, joiner in files:
        name = parse_name(path)
        record_file = files_by_name.get(name) if name else None
        if name is None or (record_file and _has_contents(session, record_file, file)):
            continue
        aside_path = session.folder.set_aside(record_file) if record_file else ""
        session.folder.create(name, file)
        notes.append(rewritten_note(path, joiner, aside_path))
    if notes:
        session.refresh()
    return notes


def _restore_last_orders(session: Session) -> list[str]:
    """Put the last orders of seats that you have with another key than the referee's back before a
    turn is made without them."""
    notes, seats = list[str](), session.roles.seats.keys() - session.roles.held_seats
    if session.listing.reached and any(map(session.game_home.last_orders.name, seats)):
        chain = session.game_folder.chain_of(session.game_folder.turns())
        session.look_after_orders(chain.open_questions, notes.append)
    return [f"note: {note}" for note in notes]


def _players_joins(session: Session) -> list[tuple[str, bytes, str]]:
    """Return the path, file and name of each player's join that was seen earlier and is gone:
    somebody with an invite may have put their own join in the place of its player's."""
    if session.listing.reached:
        return []
    keep_joins(session)
    refused, joins = wishes_of(session.game_home, None).refuse, list[tuple[str, bytes, str]]()
    for path, file in session.game_home.joined.files():
        with suppress(RecordError):  # a damaged copy is worth nothing
            record = read_as(Join, file)
            if not is_named(record, refused):
                joins.append((path, file, record.content.name))
    return joins


def _has_contents(session: Session, record_file: RecordFile, file: bytes) -> bool:
    try:
        return session.folder.read(record_file) == file
    except FileError:
        return False
    except StorageError as error:
        if error.is_missing:
            return False
        raise


def _own_joins(session: Session) -> Iterator[tuple[str, bytes]]:
    game_folder, first_ids = session.game_folder, session.first_joins
    joins_by_id, ids_by_seat = game_folder.joins(), first_ids or {}
    for seat in sorted(game_folder.charter.content.held_seats):
        if seat in ids_by_seat and ids_by_seat[seat] in joins_by_id:
            continue
        address = MailBook(session.game_home).first_address(seat)
        record = join_by_referee(game_folder.charter, session.refereeing.key(), seat, address)
        if first_ids is None or record.id == ids_by_seat.get(seat):
            yield file_name(record).path, record.file


def _restore_last_record(session: Session) -> list[str]:
    """Write the last record that this machine signed again, if it is missing, as after a crash:
    signing a different one in its place would look like cheating. Raises FileError `parent` if
    earlier turns are missing too."""
    last_record = session.game_home.signed.last_record()
    if last_record is None:
        return []
    if not is_last_record_gone(session.listing, last_record):
        return _other_record_notes(session, last_record)
    notes = _make_room(session, last_record.path)
    session.folder.create(last_record.path, last_record.file)
    session.refresh()
    return [*notes, put_back_note(last_record.path)]


def _other_record_notes(session: Session, last_record: Signed) -> list[str]:
    """Return a note if the folder has a different record from the one that was signed here, as the
    referee's second computer may make one: players who get both have proof of cheating."""
    record_file = next(file for file in session.listing.records if file.path == last_record.path)
    try:
        other_record = read(session.folder.read(record_file))
    except RecordError:
        return []  # the commands that read the game say what is wrong with it
    keys = session.charter.referee_keys
    if other_record.id.hex() == last_record.id or other_record.signed.key not in keys:
        return []
    return [two_records_note(last_record.path, other_record.id.hex()[:6], last_record.id[:6])]


def bot_texts(reader: SeatReader, bot: str, is_for_round: bool = False) -> list[str]:
    """Return the order lines of a bot; its random choices depend only on the position, so they can
    be repeated.

    With `whole`, the lines also answer what may be asked later in the round.
    """
    chance = Random(f"{reader.game.hex()} {reader.seat} {reader.chain.turn}")
    bot_player = make_bot(reader.public.game.ruleset, bot, chance)
    return bot_round_lines(reader, bot_player) if is_for_round else bot_lines(reader, bot_player)
