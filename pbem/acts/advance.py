"""Make turns until a person is asked: bots answer first, and each turn is published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from random import Random
from typing import Final, NamedTuple

from engine.make_and_ask_bots import make_bot
from pbem.acts.publish_and_restore_records import publish, restore_records
from pbem.acts.seal_orders import seal_and_write_orders
from pbem.acts.sign_notice import put_notice
from pbem.errors import NOT_YET, CliError, PbemError
from pbem.judge.bot_order_lines import bot_lines, bot_round_lines
from pbem.judge.game_view import View
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions, Outcome
from pbem.person.check_seen_and_made_turns import note_heads
from pbem.person.new_turn_date_doubt import find_clock_doubt
from pbem.person.questions_left_open_by_orders import changed_draft
from pbem.person.referees_next_turn_and_options import remember_options, with_full_ids
from pbem.person.session import Session
from pbem.person.situation import pending_after
from pbem.records.turn import Turn
from pbem.terminal.clean_text import clean
from pbem.terminal.command_failures import sentence_of
from pbem.terminal.delayed_interrupt import delayed_interrupt
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.draft_notes_and_next_commands import changed_draft_note
from pbem.wording.game_status import file_notes
from pbem.wording.status_warnings import clock_error

# ---- Make turns until a person is asked

MAX_TURNS: Final = 500
"""The most turns of one game that are made without a pause, because bots could go on for ever."""


class AdvanceRun(NamedTuple):
    """The result of one run of `advance`."""

    outcome: Outcome
    notes: list[str]


def make_turns(
    session: Session,
    options: AdvanceOptions | None = None,
    delay_interrupts: Callable[[], None] | None = None,
) -> Iterator[AdvanceRun]:
    """Make turns until a person is asked, or nothing more can be made; yield each run once its
    turn is written.

    The options count for the first run only, except what they say about the clock. Ctrl-C waits
    until the caller has reported a run, or, if the caller gives its own `delay_interrupts`, until
    it has reported all.
    """
    for _ in range(MAX_TURNS):
        delay = nullcontext(delay_interrupts) if delay_interrupts else delayed_interrupt()
        with delay as before_writing:
            run = make_next_turn(session, options, before_writing=before_writing)
            yield run
        outcome = run.outcome
        if not outcome.new_records or outcome.is_over or pending_after(session, outcome):
            return
        trusts_clock = bool(options and options.time_is_right)
        options = AdvanceOptions(time_is_right=True) if trusts_clock else None


def make_turns_at_once(
    session: Session,
    delay_interrupts: Callable[[], None] | None = None,
    on_run: Callable[[AdvanceRun], None] = lambda run: None,
) -> tuple[list[AdvanceRun], str]:
    """Make the turns that waited only for orders just sealed by a referee who plays.

    `delay_interrupts` is called before the first turn is written (see make_turns), and `on_run`
    after each run. Return the runs, and the sentence of the error that ended them: the orders stay
    sealed, and the turns can be made later.
    """
    runs = list[AdvanceRun]()
    try:
        for run in make_turns(session, delay_interrupts=delay_interrupts):
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
    if view.seat not in session.roles.referee_seats:
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


def make_next_turn(
    session: Session,
    options: AdvanceOptions | None = None,
    now: int | None = None,
    before_writing: Callable[[], None] = lambda: None,
) -> AdvanceRun:
    """Let bots answer, then make and write the next turn if it can be made now; with the last turn,
    the final record too.

    Before that, lost records are written again and the new turn is checked as a player checks it.
    `before_writing` is called once it is clear what will be written.
    """
    with session.game_home.lock("advance") as has_lock:
        if not has_lock:
            problem = TerminalText("another [[`pbem advance`||program]] is running for this game")
            hint = "wait until that command has finished[[, or stop it with Ctrl-C]], and try again"
            raise CliError(problem, TerminalText(hint), NOT_YET)
        session.refresh()
        session.game_home.remember_place(session.place)
        notes = restore_records(session)
        # orders that come until the place is reached would not be in a turn that is signed now
        session.folder.check_reached()
        is_before_turn_1 = not session.listing.reached
        options = (
            with_full_ids(session.game_folder, options) if is_before_turn_1 and options else options
        )
        outcome = session.refereeing.try_next_turn(options, now)
        if is_before_turn_1:
            remember_options(session.game_home, options, bool(outcome.preview_seats))
        bots = session.charter.bots
        while answering := [seat for seat in outcome.preview_seats if seat in bots]:
            for seat in answering:  # before other players see the turn
                seat_reader = session.readers.seat_now(seat)
                seal_and_write_orders(
                    session, seat_reader, seat, bot_texts(seat_reader, bots[seat])
                )
            session.refresh()
            outcome = session.refereeing.try_next_turn(options, now)
        trusts_clock = now is not None or (options and options.time_is_right)
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
    """Return a note for each set of orders that the new turns used although the user changed the
    draft after sealing it."""
    turns = (
        record.content for _, record in outcome.new_records if isinstance(record.content, Turn)
    )
    return [
        changed_draft_note(turn.turn, order.hex()[:6], draft)
        for turn in turns
        for order in turn.own
        if (draft := changed_draft(session, order.hex()))
    ]


def bot_texts(reader: SeatReader, bot: str, is_for_round: bool = False) -> list[str]:
    """Return the order lines of a bot. The bot's random choices depend only on the position, so the
    same position gives the same lines.

    With `is_for_round`, the lines also answer what may be asked later in the round.
    """
    chance = Random(f"{reader.game.hex()} {reader.seat} {reader.chain.turn}")
    bot_player = make_bot(reader.public.game.ruleset, bot, chance)
    return bot_round_lines(reader, bot_player) if is_for_round else bot_lines(reader, bot_player)
