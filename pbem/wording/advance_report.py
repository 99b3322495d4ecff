"""The report of `advance`: what it made, and whom the next turn waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from engine.counts_and_lists_in_prose import counted, join_words
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.turn_inputs_and_outcome import Outcome
from pbem.person.due_mail import due_mail
from pbem.person.next_step import next_step
from pbem.person.referees_next_turn_and_options import remembered_options
from pbem.person.session import Session
from pbem.person.situation import Situation, situation_after
from pbem.records.deal_record import Deal
from pbem.records.read_and_sign_record import Record
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import at_address
from pbem.text.clock import now
from pbem.text.dates import moment
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.deadlines_and_absences import describe_deadline, reminder_lines
from pbem.wording.due_and_written_mail import due_mail_lines
from pbem.wording.joins import contested_seat_lines, doubtful_join_lines
from pbem.wording.new_game import SEND_INVITES, invite_lines
from pbem.wording.next_step import play_again, say_step_after_advance
from pbem.wording.results import end_sentence
from pbem.wording.status_warnings import left_open_note

NameOf = Callable[[str], str]
"""A function that returns the name of a seat's player."""

# ---- What it made

_MADE_TURN: Final = TerminalText("[[made {path} ({digits})||turn {turn} is made]]")
_MADE_FINAL: Final = TerminalText(
    "[[made final.toml ({digits})||the game is over]]: now everybody can audit the game"
)
_STOPPED: Final = "pbem could not make the next turn: {reason}"


def made_lines(outcome: Outcome) -> list[str]:
    """Return a line for each record that was made."""
    return [
        (_MADE_FINAL if name.kind == "final" else _MADE_TURN).format(
            path=name.path, digits=record.id.hex()[:6], turn=name.turn
        )
        for name, record in outcome.new_records
    ]


_DEALT: Final = TerminalText("your part of the deal after turn {turn} is written[[: {path}]]")
_KEY_GIVEN: Final = TerminalText("your key for the cards is written[[: {path}]]")
_SECRET_OPENED: Final = TerminalText(
    "[[{path} opens your secret as a co-dealer||your secret as a co-dealer is open]]: now "
    "everybody can check how you dealt"
)


def dealt_line(deal: Record[Deal]) -> str:
    """Return the line on what a co-dealer has written."""
    content = deal.content
    template = _SECRET_OPENED if content.secret else _DEALT if content.turn else _KEY_GIVEN
    return template.format(turn=content.turn, path=file_name(deal).path)


def run_lines(notes: Iterable[str], outcome: Outcome) -> list[str]:
    """Return the notes of a run, and a line for each record that it made."""
    return [*notes, *made_lines(outcome)]


def stopped_line(reason: str) -> str:
    """Say that no further turn could be made, and why."""
    return _STOPPED.format(reason=reason)


# ---- Whom the next turn waits for

_WAITING_FOR_JOINS: Final = "waiting for players to join: {people}"
_WAITING_FOR_ROUND: Final = (
    "this game needs the orders of every player for the whole round; waiting for: {people}"
)
_WAITING_FOR_DEALERS: Final = "waiting for a co-dealer to deal: {people}"
_WAITING_FOR_SEVERAL_DEALERS: Final = "waiting for co-dealers to deal: {people}"
_MAY_CHANGE: Final = "all players have answered; until {moment}, they may change their orders"
ALL_ANSWERED_SENTENCE: Final = "all have answered"
_WAITING_FOR_ORDERS: Final = "waiting for: {people}"
_WAITING_FOR_OTHER_ORDERS: Final = "waiting for: {people}; answered: {answered_people}"
_DEADLINE: Final = "deadline: {deadline}"
_GAME_OVER: Final = "the game is over: {end}"
ACCEPT_STEP: Final = TerminalText("[[then type: pbem advance --accept DIGITS]]")
SEND_INVITES_SENTENCE: Final = f"{SEND_INVITES}:"


def game_over_line(end: str) -> str:
    """Say that the game is over, and who won."""
    return _GAME_OVER.format(end=end)


def waiting_lines(outcome: Outcome, situation: Situation, title: str, name_of: NameOf) -> list[str]:
    """Return lines on whom a game that goes on waits for: players to join, or their orders."""
    if situation.stage == "joining":
        lines = doubtful_join_lines(outcome.doubtful)
        people = _people(situation.empty_seats, name_of)
        if not outcome.contested:
            lines.append(_WAITING_FOR_JOINS.format(people=people))
        return lines + _dealer_lines(situation.awaited_dealers)
    if situation.awaited_dealers:
        return _dealer_lines(situation.awaited_dealers)
    if situation.unheard_seats:
        people = _people(situation.unheard_seats, name_of)
        return [_WAITING_FOR_ROUND.format(people=people)]
    if situation.revisable_until:
        return [_MAY_CHANGE.format(moment=moment(situation.revisable_until, now()))]
    if not situation.pending_seats:
        return [ALL_ANSWERED_SENTENCE]
    return _pending_lines(outcome, situation, title, name_of)


def _dealer_lines(names: Sequence[str]) -> list[str]:
    """Return a line on the co-dealers with these names that the game waits for, if there are
    any."""
    template = _WAITING_FOR_DEALERS if len(names) == 1 else _WAITING_FOR_SEVERAL_DEALERS
    return [template.format(people=", ".join(map(clean, names)))] if names else []


def _pending_lines(
    outcome: Outcome, situation: Situation, title: str, name_of: NameOf
) -> list[str]:
    """Return lines on the pending seats with their open kinds, on the answered seats, on the
    deadline, and on who to remind."""
    kinds_by_seat, status = outcome.awaited_kinds, deadline_status_of(outcome)
    people = ", ".join(
        f"{_person(seat, name_of)} ({', '.join(kinds_by_seat[seat])})"
        for seat in situation.pending_seats
    )
    template = _WAITING_FOR_OTHER_ORDERS if outcome.answered_seats else _WAITING_FOR_ORDERS
    answered_people = _people(outcome.answered_seats, name_of)
    lines = [template.format(people=people, answered_people=answered_people)]
    lines += [left_open_note(seat, name_of(seat)) for seat in situation.left_open_seats]
    if status:
        lines.append(_DEADLINE.format(deadline=describe_deadline(status)))
    return lines + reminders_after(outcome, situation, title, name_of)


def reminders_after(
    outcome: Outcome, situation: Situation, title: str, name_of: NameOf
) -> list[str]:
    """Return lines that say who to remind, once half of the time is over."""
    status = deadline_status_of(outcome)
    if not status or outcome.turn is None or outcome.revisable_until:
        return []
    kinds_by_seat = {seat: outcome.awaited_kinds[seat] for seat in situation.silent_seats}
    names = {seat: name_of(seat) for seat in kinds_by_seat}
    return reminder_lines(status, title, outcome.turn.turn, kinds_by_seat, names)


def _people(seats: Iterable[str], name_of: NameOf) -> str:
    return ", ".join(_person(seat, name_of) for seat in seats)


def _person(seat: str, name_of: NameOf) -> str:
    return f"{seat} {clean(name_of(seat))}"


def next_lines(session: Session, outcomes: Sequence[Outcome], stop_reason: str = "") -> list[str]:
    """Return the last lines of the report: whom the game waits for, and the next step.

    `stop_reason` is the error that ended the runs.
    """
    if stop_reason:
        command = at_address(session.place, "pbem advance")
        return [stopped_line(stop_reason), f"next: {command}"]
    outcome = outcomes[-1]
    has_written = any(outcome.new_records for outcome in outcomes)
    lines = due_mail_lines(due_mail(session), session) if has_written else []
    situation = situation_after(session, outcome)
    lines += awaited_lines(session, outcome, situation)
    lines += lines_shown_apart(session, outcome, situation)
    command = say_step_after_advance(next_step(situation), situation)
    return [*lines, f"next: {at_address(session.place, command)}"]


def awaited_lines(session: Session, outcome: Outcome, situation: Situation) -> list[str]:
    """Return lines on whom the next turn waits for, and which seats are contested."""
    contested = _contested_lines(session, outcome) if outcome.contested else []
    if situation.is_your_move:
        return contested
    if situation.stage == "over":
        return [game_over_line(end_sentence(session.fresh_view(""))), play_again(session.place)]
    title, name_of = session.charter.title, session.name_of
    return [*waiting_lines(outcome, situation, title, name_of), *contested]


def lines_shown_apart(session: Session, outcome: Outcome, situation: Situation) -> list[str]:
    """Return lines that the referee's page shows in another form: that it is your move, and the
    invites."""
    if situation.is_your_move:
        return [_own_move_line(session, outcome)]
    if situation.stage != "joining" or situation.contested_seats:
        return []
    charter, key = session.game_folder.charter, session.refereeing.key()
    invites = invite_lines(charter, key, [*situation.empty_seats], session.folder)
    return [SEND_INVITES_SENTENCE, *invites]


def session_reminders(session: Session, outcome: Outcome) -> list[str]:
    """Return lines that say who to remind, once half of the time is over."""
    situation = situation_after(session, outcome)
    return reminders_after(outcome, situation, session.charter.title, session.name_of)


def referee_notes(session: Session, outcome: Outcome) -> list[str]:
    """Return lines on all that only the referee can put right: `pbem run` prints them, and
    continues."""
    lines = doubtful_join_lines(outcome.doubtful)
    if outcome.contested:
        lines += [*_contested_lines(session, outcome), ACCEPT_STEP]
    if outcome.preview_seats:
        lines.append(_own_move_line(session, outcome))
    return lines + [
        left_open_note(seat, session.name_of(seat)) for seat in outcome.incomplete_seats
    ]


def _contested_lines(session: Session, outcome: Outcome) -> list[str]:
    return contested_seat_lines(
        outcome.contested,
        {seat: session.name_of(seat) for seat in outcome.contested},
        has_begun=bool(outcome.turn),
        has_accepted=bool(remembered_options(session.game_home, None).accept),
    )


# ---- The referee's own move

_YOUR_MOVE: Final = "your move: you are asked for {kinds}"
_YOU_ANSWER_FIRST: Final = (
    "seal your own orders first, for seat {seats}: the other players see the next turn only after "
    "that"
)
_YOUR_SEATS_ANSWER_FIRST: Final = (
    "seal your own orders first, for seats {seats}: the other players see the next turn only after "
    "that"
)


def your_move_line(outcome: Outcome, *, plays_alone: bool) -> str:
    """Say what the referee must answer; with `plays_alone`, all others are bots."""
    seats = outcome.preview_seats
    if plays_alone:
        kinds = {kind for seat in seats for kind in outcome.awaited_kinds.get(seat, ())}
        return _YOUR_MOVE.format(kinds=", ".join(sorted(kinds)))
    template = _YOUR_SEATS_ANSWER_FIRST if len(seats) > 1 else _YOU_ANSWER_FIRST
    return template.format(seats=join_words(seats))


def _own_move_line(session: Session, outcome: Outcome) -> str:
    plans = session.charter.seats
    plays_alone = all(plan.bot for plan in plans if plan.seat not in outcome.preview_seats)
    return your_move_line(outcome, plays_alone=plays_alone)


# ---- Notes on a run, and on runs in several games

WORDS_COMPARED_NOTE: Final = (
    "the words are right: from now on, this computer deals as the co-dealer of this game"
)
GAME_BEGUN_NOTE: Final = "note: the game has begun, so --accept and --refuse have no effect now"
_ALL_GAMES: Final = "{games}: {made} advanced, {waiting} must wait"
_GAMES_WITH_ERRORS: Final = f"{_ALL_GAMES}, {{failed}} failed"


def games_line(game_count: int, made_count: int, waiting_count: int, error_count: int) -> str:
    """Say what `advance` did in several games."""
    template = _GAMES_WITH_ERRORS if error_count else _ALL_GAMES
    return template.format(
        games=counted(game_count, "game"),
        made=made_count,
        waiting=waiting_count,
        failed=error_count,
    )
