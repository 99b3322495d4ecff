"""Seal a person's orders: who may give orders now, what a draft would do, and the receipt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from engine.value_classes import Value
from pbem.acts.read_order_file_or_write_draft import MAX_ORDER_BYTES, decode_orders
from pbem.drafts.checked_rows import UNENDED, Draft, MissingEnd, missing_ends, with_ends
from pbem.drafts.forecast import Forecast
from pbem.drafts.order_file_toml import with_lines
from pbem.drafts.read_order_file import read_draft
from pbem.errors import STALE, CliError
from pbem.files.disk import read_file as bytes_of
from pbem.files.file_errors import MISSING_TURN_SENTENCE, FileError
from pbem.files.home import note_if_writable
from pbem.files.record_file_names import turn_path
from pbem.judge.game_view import View
from pbem.judge.make_signed_records import answered_turn_and_head, make_orders
from pbem.judge.orders_in_force import by_rank
from pbem.judge.read_and_check_record_file import file_name
from pbem.person.delivery_wait_of_sealed_orders import forget_wait
from pbem.person.next_step import next_step
from pbem.person.questions_left_open_by_orders import (
    final_answer_sentence,
    find_latest_orders,
    note_unanswered_kinds,
)
from pbem.person.restore_last_sealed_orders import last_sealed_orders, sealing_lock
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record
from pbem.text.clock import now
from pbem.text.terminal_and_page_wording import to_type
from pbem.wording.next_step import say_step
from pbem.wording.sealed_orders import (
    UNTIL_NEXT_TURN_SENTENCE,
    dropped_order_lines,
    orders_in_force_clause,
    repeated_seal_line,
    seal_lines,
    unanswered_line,
)

if TYPE_CHECKING:
    from pbem.judge.seat_turn_reader import SeatReader

# ---- Lists of steps without their ends


def ended_draft(view: View, draft: Draft) -> tuple[Draft, list[MissingEnd], list[MissingEnd]]:
    """Return the draft with the ends that sealing adds, these ends, and the ends that only the
    player can add. A draft with errors stays as it is."""
    list_ends = missing_ends(view, draft, view.play.ruleset.kinds)
    added = [list_end for list_end in list_ends if list_end.is_added and not draft.errors]
    player_ends = [list_end for list_end in list_ends if not list_end.is_added]
    if added:
        draft = with_ends(view, draft, added)
    for list_end in player_ends:  # a line of its own says it
        for row in draft.rows_of(list_end.kind, False):
            row.notes = [note for note in row.notes if note.code != UNENDED]
    return draft, added, player_ends


def keep_ends(session: Session, view: View, added: Iterable[MissingEnd]) -> None:
    """Write the added ends into the draft, so that it says the same as the sealed orders."""
    path = session.draft_of(view)
    text = decode_orders(bytes_of(path, MAX_ORDER_BYTES), str(path))
    for list_end in added:
        rows = read_draft(text, view).rows_of(list_end.kind, False)
        text = with_lines(text, list_end.kind, False, [*(row.text for row in rows), list_end.end])
    session.game_home.write_draft(view.turn, view.seat, text)


# ---- Seal a draft that has no errors, for the command `submit` and for the page of `pbem table`


class SealedDraft(Value):
    """The sealed orders of a draft, and the questions that they leave open."""

    id: str
    receipt: Sequence[str]
    """Sentences to tell the player who gave the orders."""
    unanswered_kinds: Sequence[str]
    """The kinds of decision that must be made now but that the orders do not answer."""

    def receipt_lines(self, *, final: bool) -> list[str]:
        """Return the sentences of the receipt; `final` if the next turn is made at once."""
        return [line for line in self.receipt if not (final and line == UNTIL_NEXT_TURN_SENTENCE)]


def seal_draft(
    session: Session, view: View, draft: Draft, *, is_kept_back: bool = False
) -> SealedDraft:
    """Seal the lines of a draft that has no errors; return the sealed draft with its receipt.

    The file is written (see `seal_and_write_orders`). The home notes the questions that are left
    open and the time of the sealing, and forgets that earlier orders waited to be delivered. The
    session then reads the folder again. With `is_kept_back`, the orders are delivered later. Raises
    CliError if a turn has come since the view was made."""
    reader = session.readers.seat_now(view.seat)
    if (reader.chain.turn, reader.preview) != (view.turn, view.preview):
        problem = f"turn {reader.chain.turn} has just arrived, so nothing was sealed"
        raise CliError(problem, to_type("pbem status"), STALE)
    previous_orders = find_latest_orders(session, view)
    previous_texts = reader.own_texts(previous_orders.content) if previous_orders else view.texts
    record = seal_and_write_orders(
        session, reader, view.seat, draft.texts, is_kept_back=is_kept_back
    )
    note_unanswered_kinds(session, view, record.id, draft.unanswered_kinds)
    note_if_writable(
        session.game_home.receipts.note, record.id.hex(), now(), file_name(record).path
    )
    lines = receipt(view, record, previous_orders, draft.unanswered_kinds)
    dropped_texts = [
        text for text in previous_texts if text.startswith("always ") and text not in draft.texts
    ]
    lines += dropped_order_lines(dropped_texts)
    forget_wait(session)
    session.refresh()
    return SealedDraft(record.id.hex(), lines, draft.unanswered_kinds)


# ---- Seal orders and put them into the folder, in the same way for people, bots and demos

MAX_REVISION = 99


def seal_and_write_orders(
    session: Session,
    reader: SeatReader,
    seat: str,
    texts: Sequence[str],
    *,
    is_kept_back: bool = False,
) -> Record[Orders]:
    """Seal the lines as the seat's next revision of its orders, and return the record.

    The file is written into the folder; with `is_kept_back`, the folder keeps it back if it can.
    The home gets copies, from which a lost file is written again. If the lines are the same as in
    the last revision, return that revision; its file is written only if it is not there.
    """
    # a seat that the referee plays may answer a turn that its reader has not read yet
    is_early = seat in session.roles.referee_seats and not reader.preview
    with sealing_lock(session.game_home):
        last_record = find_last_revision(
            session, reader, seat, answered_turn_and_head(reader, is_early=is_early)[0]
        )
        if last_record and reader.own_texts(last_record.content) == list(texts):
            record = last_record
        else:
            revision = last_record.content.revision + 1 if last_record else 1
            if revision > MAX_REVISION:
                problem = f"you have already sealed orders {MAX_REVISION} times for this turn"
                raise CliError(f"{problem}, so you cannot replace your last orders any more")
            record = make_orders(reader, session.seat_key(seat), texts, revision, is_early=is_early)
        name = file_name(record)
        if is_kept_back:
            session.folder.keep_back(name, record.file)
        else:
            session.folder.create(name, record.file)
        note_if_writable(session.game_home.last_orders.keep, name, record.file)
        if seat in session.roles.held_seats:
            note_if_writable(session.game_home.held_orders.keep, name.path, record.file)
    return record


def find_last_revision(
    session: Session, reader: SeatReader, seat: str, turn: int
) -> Record[Orders] | None:
    """Return the orders of a seat in force for this turn, from the folder and from the last sealed
    on this machine: a drive may hold files back, and return them later."""
    roster = reader.chain.standing.roster
    key = roster[seat].key if seat in roster else session.seat_key(seat).public
    records_here = session.game_folder.orders_of(seat, key, turn)
    candidates = [*islice((record for record in records_here if record.content.turn == turn), 1)]
    record = last_sealed_orders(session.game_home, seat, key)
    candidates += [record] if record and record.content.turn == turn else []
    return next(iter(by_rank(candidates)), None)


# ---- The receipt: what orders replace, and which questions they leave open


def receipt(
    view: View,
    record: Record[Orders],
    previous_orders: Record[Orders] | None,
    unanswered_kinds: Sequence[str],
) -> list[str]:
    """Return the receipt: the orders are sealed for the referee, the orders that they replace, the
    questions without an answer."""
    replaced_id = previous_orders.id.hex() if previous_orders else view.orders
    if previous_orders is not None and previous_orders.id == record.id:
        lines = [repeated_seal_line(replaced_id)]
    else:
        revision, replaces_all = record.content.revision, previous_orders is not None
        lines = seal_lines(
            record.id.hex(), revision, view.referee, replaced_id, replaces_all=replaces_all
        )
    if unanswered_kinds:
        lines.append(unanswered_line(unanswered_kinds, [*map(view.question_of, unanswered_kinds)]))
    return lines


# ---- Find the view for which orders are written, or raise an error that says why there is none


def need_seated(session: Session, view: View) -> View:
    """Return the view if its seat can still give orders. Raises FileError, CliError."""
    if session.gaps:
        turn_path_missing = turn_path(session.gaps[0])
        raise FileError(
            "parent",
            turn_path_missing,
            MISSING_TURN_SENTENCE,
        )
    if not view.seat:
        session.need_seat()
    if view.is_over:
        raise CliError(
            "the game is over; no more orders are accepted", to_type("pbem audit"), STALE
        )
    if view.seat in view.conceded:
        problem = "you have conceded: orders of your seat no longer count"
        raise CliError(problem, to_type("pbem status"), STALE)
    if view.seat in view.removed:
        problem = "your seat was removed from the game, because it was silent for too long"
        raise CliError(f"{problem}: its orders no longer count", to_type("pbem status"), STALE)
    return view


def need_open(session: Session, view: View) -> View:
    """Return the view if orders can be given now. Raises CliError if the answer is final."""
    if sentence := final_answer_sentence(session, view):
        situation = situation_of(session)
        raise CliError(sentence, say_step(next_step(situation), situation), STALE)
    return view


# ---- The orders that count, and what a draft would do


def describe_orders_in_force(session: Session, view: View) -> str:
    """Say which orders of the seat count as long as no others are sealed."""
    latest_orders = find_latest_orders(session, view)
    ident = latest_orders.id.hex() if latest_orders else view.orders
    revision = latest_orders.content.revision if latest_orders else view.revision
    return orders_in_force_clause(ident, revision)


def describe_forecast(view: View, draft: Draft) -> list[str]:
    """Say what the orders would do if nobody else acts, as far as this seat knows, and why the
    forecast ends there."""
    return [] if draft.errors else Forecast(view, draft.lines).sentences
