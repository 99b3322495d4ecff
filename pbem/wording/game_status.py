"""The report of `status`: each seat, warnings, your orders, deadlines, the next step."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from pbem.drafts.questions_and_choices import may_come
from pbem.judge.absent_seats import phase_of
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.game_view import View
from pbem.judge.order_fates import (
    OrdersHeader,
    fate_of,
)
from pbem.judge.standing_order_reports import standing_report
from pbem.person.due_mail import due_letters
from pbem.person.mail_notebooks import MailBook
from pbem.person.next_step import next_step
from pbem.person.own_and_pending_joins import invited_joins, own_joins
from pbem.person.own_uncounted_orders import MAX_ORDERS_NAMED, order_history, unlisted_orders
from pbem.person.questions_left_open_by_orders import (
    changed_draft,
    final_answer_sentence,
    find_latest_orders,
)
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.person.situation import Situation, read_final
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record
from pbem.records.record_header import last_turn_warning
from pbem.records.twelve_words import words_of
from pbem.terminal.clean_text import clean
from pbem.text.clock import now
from pbem.text.dates import DAY, local_date
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.announced_acts import announced_acts_data
from pbem.wording.audit_findings_to_show import FileChoice
from pbem.wording.co_dealing import co_dealer_words_lines
from pbem.wording.deadlines_and_absences import away_lines, calendar_lines
from pbem.wording.deputy import deputy_lines, takeover_lines
from pbem.wording.due_and_written_mail import due_letter_lines
from pbem.wording.evidence_from_own_machine import explain_fate, explain_implausible_date
from pbem.wording.game_story import events_as_rows
from pbem.wording.joins import MAX_JOINS, describe_seat, join_warnings, join_words_line
from pbem.wording.key_backup_loss_and_theft import lines_on_theft, lost_key_lines, watching_sentence
from pbem.wording.lesson_and_demo import lesson_lines
from pbem.wording.next_step import next_line, play_again, say_step
from pbem.wording.notices import lines_on_waits
from pbem.wording.open_seats import open_seat_lines
from pbem.wording.results import score_lines
from pbem.wording.sealed_orders import last_orders_sentence, standing_order_lines
from pbem.wording.status_sections import (
    deadline_lines,
    dealer_lines,
    early_orders_line,
    head_line,
    not_begun_title,
    question_lines,
    reminders,
    seat_lines,
    turn_title,
    whole_round_lines,
)
from pbem.wording.status_warnings import (
    answers_by_mail_line,
    changed_draft_sentence,
    doubt_sentence,
    early_final_sentence,
    excluded_orders_sentence,
    fault_sentence,
    future_turn_sentence,
    left_open_note,
    missing_turn_sentence,
    new_messages_note,
    refused_line_sentence,
    unread_file_sentence,
    waiting_mail_note,
)
from pbem.wording.votes_and_vouching import lines_on_agreements
from pbem.wording.who_sees_hands import dealers_in, dealers_of, hand_lines

# ---- What `status` prints, as lines and as data


def status_lines(session: Session, situation: Situation) -> list[str]:
    """Return the lines that `status` prints."""
    if situation.view is None:
        charter = session.charter
        title = not_begun_title(charter.title, charter.ruleset)
        lines = [title, *joining_lines(session), *dealer_rows(session, situation)]
        lines += joining_warnings(session)
        return [*lines, next_line(situation, session.place)]
    return _playing_lines(session, situation, situation.view)


def status_data(session: Session, situation: Situation) -> dict[str, Any]:
    """Return the data that `status --json` prints."""
    if situation.view is None:
        data, problems = _joining_data(session), joining_warnings(session)
    else:
        data = _playing_data(session, situation, situation.view)
        problems = warnings(session, situation, situation.view)
    notes = [*map(last_orders_sentence, session.order_notes), *file_notes(session)]
    return data | {"warnings": problems, "notes": notes}


def _playing_data(session: Session, situation: Situation, view: View) -> dict[str, Any]:
    """Return the data of `status --json` for a game that has begun."""
    return {
        "game": view.game,
        "title": view.title,
        "ruleset": view.ruleset,
        "turn": view.turn,
        "published": view.published,
        "head": view.published_head,
        "words": words_of(bytes.fromhex(view.published_head)),
        "seat": view.seat,
        "over": view.is_over,
        "deadline": view.deadline,
        "grace": deadline_status_of(view).grace_seconds,
        "held_until": situation.revisable_until,
        "dealers_awaited": list(situation.awaited_dealers),
        "seats": {
            seat: {
                "name": name,
                "ready": situation.words[seat],
                "asked": view.awaited.get(seat, []),
                "away": view.absence_reasons.get(seat, ""),
            }
            for seat, name in sorted(view.names.items())
        },
        "standing": standing_data(view),
        "ended": view.ended,
        "waits": announced_acts_data(session, view),
        "notices": events_as_rows(view, range(1, view.turn + 1)),
        "new_messages": new_message_count(session, view),
        "next": say_step(next_step(situation), situation),
    }


# ---- A game that has begun


def _playing_lines(session: Session, situation: Situation, view: View) -> list[str]:
    """Return the turn, each seat, warnings, your questions, the deadline, and the next command."""
    lines = [turn_title(view, situation), *([head_line(view)] if view.published else [])]
    rows = score_lines(view) if view.is_over else seat_lines(view, situation)
    lines += [f"  {row}" for row in rows]
    lines += hand_lines(dealers_in(view, session.charter))
    lines += [*warnings(session, situation, view), *standing_order_lines(view)]
    lines += [*_questions(session, situation, view), *_early_orders(session, situation, view)]
    lines += [*whole_round_lines(view, situation), *deadline_lines(view, situation)]
    lines += dealer_lines(situation)
    lines += [*away_lines(view, situation.sealed_seats), *calendar_lines(view)]
    lines += lines_on_agreements(session, view)
    lines += [left_open_note(seat, view.names[seat]) for seat in situation.left_open_seats]
    lines += lines_on_waits(session, view)
    lines += [*takeover_lines(session, view), *open_seat_lines(session, view)]
    letters = due_letter_lines(due_letters(session), session)
    lines += [*reminders(view, situation), *letters, *mail_lines(session)]
    if message_count := new_message_count(session, view):
        lines.append(new_messages_note(message_count))
    if view.is_over:
        lines.append(play_again(session.place))
    return [*lines, *lesson_lines(session, view), next_line(situation, session.place)]


def _questions(session: Session, situation: Situation, view: View) -> list[str]:
    asked_kinds = view.awaited.get(view.seat, [])
    if asked_kinds and (sentence := final_answer_sentence(session, view)):
        return [sentence]
    kinds = [kind for kind in view.play.ruleset.kinds if kind not in asked_kinds]
    optional_kinds = [kind for kind in kinds if may_come(view, kind)] if asked_kinds else []
    return question_lines(view, situation, optional_kinds)


def _early_orders(session: Session, situation: Situation, view: View) -> list[str]:
    if view.seat not in session.roles.referee_seats or view.preview or view.is_over:
        return []
    record = find_latest_orders(session, view)
    if record is None or record.content.turn <= view.turn:
        return []
    return [early_orders_line(record.content.turn, is_ready=situation.is_ready)]


def mail_lines(session: Session) -> list[str]:
    """Tell the referee how the players by plain email answer, and who wrote without an answer that
    counts; never what they wrote."""
    book, lines = MailBook(session.game_home), list[str]()
    seats = sorted(session.roles.mail_seats) if session.listing.reached else ()
    for seat in seats:
        view = Session(session.place, seat, home=session.home, keyring=session.keyring).view()
        name = view.names[seat]
        replied_at = book.unclear_reply(f"{seat}{view.asking_turn}")[0]
        if replied_at and seat in view.awaited:
            lines.append(waiting_mail_note(name, local_date(int(replied_at))))
        if ways := book.ways(seat):
            lines.append(answers_by_mail_line(name, ways))
    return lines


# ---- What standing orders did


def standing_data(view: View) -> dict[str, Any] | None:
    """Return the data on your standing orders that `status --json` prints."""
    report = standing_report(view)
    if report is None:
        return None
    lines = [
        {"kind": order_line.kind, "line": order_line.text, "fates": order_line.fates}
        for order_line in report.lines
    ]
    return {"round": report.round, "lines": lines, "stopped": report.stopped}


# ---- A game that has not begun: who has joined each seat


def joining_warnings(session: Session) -> list[str]:
    """Return a sentence for each thing that is wrong with your keys and joins."""
    return [*lost_key_lines(session), *join_warnings(session)]


def joining_lines(session: Session) -> list[str]:
    """Return lines on the joins of a game that has not begun."""
    charter, lines = session.charter, list[str]()
    user_keys = set(session.keyring.publics.values())
    for plan in charter.seats:
        state = describe_seat(charter, plan.seat, invited_joins(session, plan.seat), user_keys)
        lines.append(f"  {plan.seat} {clean(plan.name)}: " + state)
        lines += ["    " + join_words_line(record) for record in _to_compare(session, plan.seat)]
    if session.roles.referee:
        lines += deputy_lines(charter)
    return lines


_HAS_DEALT: Final = "  {name}, co-dealer: has given a key for the cards"
_HAS_NOT_DEALT: Final = "  {name}, co-dealer: has not given a key for the cards yet"


def dealer_rows(session: Session, situation: Situation) -> list[str]:
    """Return lines on the co-dealers of a game that has not begun, and on the people who could see
    each hand."""
    charter = session.charter
    rows = [
        (_HAS_NOT_DEALT if name in situation.awaited_dealers else _HAS_DEALT).format(
            name=clean(name)
        )
        for name in dealers_of(charter).co_dealers
    ]
    words_lines = co_dealer_words_lines(charter, session.keyring.publics.values())
    return [*rows, *hand_lines(dealers_of(charter)), *words_lines]


def _to_compare(session: Session, seat: str) -> list[Record[Join]]:
    if session.roles.referee:
        charter = session.charter
        is_held_seat = seat in charter.held_seats
        return [] if is_held_seat else invited_joins(session, seat)[:MAX_JOINS]
    own_records = own_joins(session).values()
    return [record for record in own_records if record.content.seat == seat]


def _joining_data(session: Session) -> dict[str, Any]:
    """Return the data of `status --json` for a game without turns: each seat and the joins for
    it."""
    own_keys = set(session.keyring.publics.values())
    seats = {
        plan.seat: {
            "name": plan.name,
            "joins": [
                {
                    "name": r.content.name,
                    "id": r.id.hex(),
                    "words": words_of(r.id),
                    "yours": r.content.key in own_keys,
                }
                for r in invited_joins(session, plan.seat)
            ],
        }
        for plan in session.charter.seats
    }
    game = session.game_folder.game.hex()
    return {"game": game, "title": session.charter.title, "turn": 0, "seats": seats}


# ---- Warnings about a game that has begun: ignored orders or joins, lost keys, odd dates


def new_message_count(session: Session, view: View) -> int:
    """Return the number of messages of others that you have not seen yet."""
    return len(MessagesHere(session, view).unread())


def warnings(session: Session, situation: Situation, view: View) -> list[str]:
    """Return a sentence for each thing that is wrong."""
    roles = session.roles
    lines = [
        refused_line_sentence(order, line, reason) for order, line, reason in view.rule_refusals
    ]
    if view.seat not in view.plays:  # only older revisions of a referee who plays are late
        lines += _excluded_order_lines(session, view)
    lines += [*_opened_early(session, view), *_odd_times(session, view)]
    # a turn that only lists notices keeps the deadline of the turn before
    if len(view.log_lengths) < 2 or view.log_lengths[-1] != view.log_lengths[-2]:
        phase = phase_of(view.table.pending)
        lines += view.policies.rule(phase).zone_data_warnings(view.deadline, view.times[-1])
    lines += _unsealed(session, view)
    if roles.referee and (doubt := situation.doubt):
        lines.append(doubt_sentence(doubt))
    if not view.is_over and (limit_warning := last_turn_warning(view.turn)):
        lines.append(limit_warning)
    lines += lines_on_theft(session, view)
    # a person who has played already knows which of their joins was accepted
    if view.seat not in view.accepted and (join_lines := join_warnings(session)):
        return lines + join_lines
    key_lines = lost_key_lines(session)
    if key_lines or view.is_over or view.seat or situation.has_role:
        return lines + key_lines
    return [*lines, watching_sentence(session)]


def _excluded_order_lines(session: Session, view: View) -> list[str]:
    """Return a sentence on each set of the seat's orders that does not count: first those that
    turns refused, then those that no turn lists."""
    sealing_times, turns, lines = (
        session.game_home.receipts.times(),
        order_history(session, view),
        list[str](),
    )
    for order_id, reason in view.excluded_orders[:MAX_ORDERS_NAMED]:
        known_set = next(turns.sets([order_id]), OrdersHeader(view.seat, view.turn, 0, order_id))
        fate = fate_of(known_set, turns, sealing_times)
        if fate.fate == "replaced":
            continue
        if fate.fate == "late" and fate.sealed_at is not None and fate.should_ask:
            lines.append(clean(explain_fate(fate)))
            continue
        lines.append(excluded_orders_sentence(order_id, reason, view.turn))
    if view.seat and not view.is_over:
        lines += [clean(explain_fate(fate)) for fate in unlisted_orders(session, view, view.seat)]
    return lines


def _unsealed(session: Session, view: View) -> list[str]:
    if not view.seat or view.is_over or view.seat not in view.awaited:
        return []
    record = find_latest_orders(session, view)
    draft = changed_draft(session, record.id.hex()) if record else ""
    if record is None or not draft or final_answer_sentence(session, view):
        return []
    return [changed_draft_sentence(draft, record.id.hex())]


def _opened_early(session: Session, view: View) -> list[str]:
    final = None if view.is_over else read_final(session)
    if final is None:
        return []
    is_half_synced = final.content.turn > view.turn + 1
    referee = view.referee
    return [early_final_sentence(view.turn + 1, is_half_synced=is_half_synced, referee=referee)]


def _odd_times(session: Session, view: View) -> list[str]:
    """Return sentences on recent turns whose dates do not match this computer's clock, and on a
    last turn that is dated a day or more ahead. The dates matter only in a game with deadlines."""
    times = session.game_home.sightings.implausible_turns() if view.deadline or view.silent else []
    seconds_ahead = (0 if view.is_over else view.times[-1]) - now()
    is_far_ahead = seconds_ahead >= DAY
    lines = [
        explain_implausible_date(
            implausible_time, clean(session.game_folder.maker(implausible_time.turn).name)
        )
        for implausible_time in times
        if implausible_time.turn >= view.turn - 1
        and not session.roles.referee
        and not (is_far_ahead and implausible_time.turn == view.turn)
    ]
    if is_far_ahead:
        lines.append(future_turn_sentence(view.turn, seconds_ahead))
    return lines


# ---- Notes on files in the folder that pbem ignores; commands still run

NAMED_STRAY_KINDS = ("copy", "case", "link")
"""Kinds of stray files in which there may be a record that somebody needs."""


_FILE_NOTE: Final = TerminalText("[[note: ]]{sentence}")


def file_notes(session: Session, new_paths: Collection[str] = ()) -> list[str]:
    """Return a note on each damaged file, misplaced file and conflict copy.

    `new_paths` are paths that were written since the listing: they get no note.
    """
    choice, ignored = FileChoice(), list[str]()
    for fault in session.game_folder.faults:
        if fault.path not in new_paths and choice.shows(fault.path, fault.reason, fault.sentence):
            ignored.append(fault_sentence(fault.path, fault.sentence))
    for stray in session.listing.strays:
        if stray.kind in NAMED_STRAY_KINDS and choice.shows(
            stray.path, stray.kind, stray.description
        ):
            ignored.append(unread_file_sentence(stray.path, stray.description))
    gap_sentences = [missing_turn_sentence(gap) for gap in session.gaps[:1]]
    other_sentences = choice.describe_others("pbem doctor --json")
    return [
        _FILE_NOTE.format(sentence=clean(text))
        for text in (*gap_sentences, *ignored, *other_sentences)
    ]
