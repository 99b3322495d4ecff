"""The sections of `status` on a game that has begun: turn, seats, questions, dealers, deadline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.counts_and_lists_in_prose import join_words
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.game_view import View
from pbem.person.situation import Situation
from pbem.records.twelve_words import words_of
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import Teller
from pbem.text.clock import now
from pbem.text.dates import DateWriter, local_date, moment
from pbem.text.least_harmful_choice import LEAST_HARMFUL_CHOICE
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.deadlines_and_absences import describe_deadline, reminder_lines
from pbem.wording.next_step import describe_referee, name_awaited_dealers, name_seats

# ---- The turn, and each seat

_NOT_BEGUN_GAME: Final = "{title} ({ruleset}): not begun yet"
_TURN: Final = "{title} ({ruleset}), turn {turn}"
_GAME_OVER: Final = "{title} ({ruleset}), turn {turn}: the game is over"
_FIRST_TURN_ASKS: Final = "{title} ({ruleset}), turn {turn} has questions for you"
_FIRST_TURN_READY: Final = "{title} ({ruleset}): you can publish turn {turn}"
_TURN_ASKS: Final = (
    "{title} ({ruleset}), turn {previous_turn} is published; turn {turn} has questions for you"
)
_TURN_READY: Final = (
    "{title} ({ruleset}), turn {previous_turn} is published; you can make and publish turn {turn}"
)
_HEAD: Final = "head {turn}:{digits}  {words}"
_SEAT: Final = "{seat} {name}{remarks}: {word}"
_SEAT_ASKED: Final = "{seat} {name}{remarks}: {word} for {kinds}"
_SEAT_ANSWERED: Final = "{seat} {name}{remarks}: {word}, asked for {kinds}"


def not_begun_title(title: str, ruleset: str) -> str:
    """Return the first line about a game that has not begun."""
    return _NOT_BEGUN_GAME.format(title=clean(title), ruleset=ruleset)


def turn_title(view: View, situation: Situation) -> str:
    """Return the first line about a game that has begun."""
    template = _TURN
    if view.is_over:
        template = _GAME_OVER
    elif view.preview:
        is_asked = view.seat in view.awaited and view.seat not in situation.sealed_seats
        if view.turn > 1:
            template = _TURN_ASKS if is_asked else _TURN_READY
        else:
            template = _FIRST_TURN_ASKS if is_asked else _FIRST_TURN_READY
    return template.format(
        title=clean(view.title), ruleset=view.ruleset, turn=view.turn, previous_turn=view.turn - 1
    )


def head_line(view: View) -> str:
    """Return the head of the last published turn, with its twelve words."""
    words = " ".join(words_of(bytes.fromhex(view.published_head)))
    return _HEAD.format(turn=view.published, digits=view.published_head[:6], words=words)


def seat_lines(view: View, situation: Situation) -> list[str]:
    """Return a line for each seat: its player, and whether they have answered."""
    return [_seat_line(view, situation, seat) for seat in sorted(view.names)]


def _seat_line(view: View, situation: Situation, seat: str) -> str:
    """Return a seat's line in `status`: player, remarks, the word for the seat's state, and the
    open questions."""
    word, kinds = situation.words[seat], view.awaited.get(seat, [])
    template = _SEAT
    if kinds and word != "-":
        template = _SEAT_ASKED if word == "ASKED" else _SEAT_ANSWERED
    remarks = " (you)" if seat == view.seat else ""
    remarks += " (by email)" if seat in view.by_mail else ""
    name = clean(view.names[seat])
    return template.format(seat=seat, name=name, remarks=remarks, word=word, kinds=", ".join(kinds))


# ---- The user's orders

_QUESTIONS_LINE: Final = "you are asked for: {questions}"
_QUESTIONS_AND_MORE_KINDS: Final = "you are asked for: {questions}; you may add: {optional_kinds}"
ANSWERED_SENTENCE: Final = (
    "your earlier orders already answer this turn: send new orders only if you want something else"
)
_STILL_UNANSWERED: Final = "your sealed orders do not answer {kinds}, so you still have to answer"
_EARLY_ORDERS_READY: Final = TerminalText(
    "you have answered turn {turn}[[; now pbem advance can publish it]]"
)
_EARLY_ORDERS_WAIT: Final = TerminalText(
    "you have answered turn {turn}, but you cannot publish it yet[[: pbem advance says what is "
    "missing]]"
)
_YOUR_ROUND: Final = (
    "you have not been asked yet, but the game is waiting for your orders for this round"
)
_YOUR_ROUND_AND_OTHERS: Final = (
    "you have not been asked yet, but the game is waiting for your orders for this round, and for "
    "orders from {people}"
)
_ROUND_OF_OTHERS: Final = (
    "the game is also waiting for orders for this round from players who have not been asked yet: "
    "{people}"
)


def question_lines(view: View, situation: Situation, optional_kinds: Sequence[str]) -> list[str]:
    """Return lines on the questions to the user; `optional_kinds` may be answered too."""
    asked_kinds = view.awaited.get(view.seat, [])
    if not asked_kinds:
        return []
    questions = ", ".join(f"{kind} ({view.question_of(kind)})" for kind in asked_kinds)
    template = _QUESTIONS_AND_MORE_KINDS if optional_kinds else _QUESTIONS_LINE
    lines = [template.format(questions=questions, optional_kinds=", ".join(optional_kinds))]
    if view.seat in situation.answered_seats:
        lines.append(ANSWERED_SENTENCE)
    if situation.open_kinds:
        lines.append(_STILL_UNANSWERED.format(kinds=", ".join(situation.open_kinds)))
    return lines


def early_orders_line(turn: int, *, is_ready: bool) -> str:
    """Return the line on orders for a turn that is not published yet."""
    return (_EARLY_ORDERS_READY if is_ready else _EARLY_ORDERS_WAIT).format(turn=turn)


def whole_round_lines(view: View, situation: Situation) -> list[str]:
    """Return a line if the game waits for orders for the round from seats that are not asked."""
    seats = situation.unheard_seats
    if not seats:
        return []
    people = join_words(clean(view.names[seat]) for seat in seats if seat != view.seat)
    if view.seat not in seats:
        template = _ROUND_OF_OTHERS
    else:
        template = _YOUR_ROUND_AND_OTHERS if people else _YOUR_ROUND
    return [template.format(people=people)]


# ---- The deadline, and what happens then

_DEADLINE: Final = "deadline: {deadline}; {state}"
_NO_DEADLINE: Final = "there is no deadline: the game is waiting for {people}"
_BEFORE_DEADLINE: Final = (
    f"deadline: {{deadline}}; if nothing changes, {LEAST_HARMFUL_CHOICE} is then made for "
    "{people}"
)
_AFTER_DEADLINE: Final = TerminalText(
    "the deadline has passed: {deadline}; {maker} can make the next turn now[[ with pbem "
    f"advance]]. In that turn, {LEAST_HARMFUL_CHOICE} is made for {{people}}"
)
_AFTER_DEADLINE_WITH_YOU: Final = TerminalText(
    "the deadline has passed: {deadline}; {maker} can make the next turn now[[ with pbem "
    "advance]]. Your orders still count if they come before that turn. In that turn, "
    f"{LEAST_HARMFUL_CHOICE} is made for {{people}}"
)
_CHOICE_FOR_YOU: Final = "{sentence} (for you: {orders})"


_DEALERS_OWE: Final = (
    "nobody is asked anything now: the game is waiting for {people} to deal, and there is no "
    "deadline until then"
)


_SECRET_WAITS: Final = TerminalText(
    "this computer first saw the end of the game on {seen_at}. It keeps your secret closed until "
    "{ends_at}: if the game still went on elsewhere, a referee could read hands with the secret[[. "
    "pbem run opens the secret then. To open the secret now, ask two players for the twelve words "
    'above, then type: pbem advance --compared "WORDS"]]'
)
_SECRET_NEEDS_WORDS: Final = TerminalText(
    "this computer first saw the end of the game on {seen_at}. The game does not show that "
    "{people} took part to its end, so somebody may have ended a copy of the game in private. This "
    "computer keeps your secret closed until {ends_at}[[. To open the secret earlier, ask {people} "
    'for the twelve words above, then type: pbem advance --compared "WORDS"]]'
)


def describe_secret_wait(situation: Situation) -> str:
    """Say since when and until when your machine keeps your secret as a co-dealer; empty if it does
    not."""
    if not situation.secret_wait:
        return ""
    wait = situation.secret_wait
    seen_at, ends_at = (moment(time, now()) for time in (wait.seen_at, wait.ends_at))
    if not wait.missing_seats:
        return _SECRET_WAITS.format(seen_at=seen_at, ends_at=ends_at)
    people = name_seats(situation, wait.missing_seats)
    return _SECRET_NEEDS_WORDS.format(seen_at=seen_at, ends_at=ends_at, people=people)


def dealer_lines(situation: Situation) -> list[str]:
    """Return a line if the game waits for co-dealers to deal; after its end, a line for a co-dealer
    whose secret waits."""
    if wait_sentence := describe_secret_wait(situation):
        return [wait_sentence]
    people = name_awaited_dealers(situation)
    return [_DEALERS_OWE.format(people=people)] if people else []


def deadline_lines(
    view: View, situation: Situation, date_writer: DateWriter = local_date
) -> list[str]:
    """Return the deadline, and what will happen then if nothing changes. `date_writer` writes the
    dates."""
    if view.is_over or not view.awaited:
        return []
    if view.preview:
        return [_unpublished_turn(view, situation)]
    status, pending_seats = deadline_status_of(view), situation.pending_seats
    deadline = describe_deadline(status, date_writer)
    people = name_seats(situation, pending_seats, situation.uncertain_seats)
    if not people:
        state = _all_sealed(view, situation, date_writer)
        return [_DEADLINE.format(deadline=deadline, state=state) if status else state]
    if not status:
        return [_NO_DEADLINE.format(people=people)]
    template = _BEFORE_DEADLINE
    if status.is_over(now()):
        template = _AFTER_DEADLINE_WITH_YOU if view.seat in pending_seats else _AFTER_DEADLINE
    maker = "you" if situation.is_referee else describe_referee(situation)
    sentence = template.format(deadline=deadline, people=people, maker=maker)
    orders = _default_orders(view) if view.seat in pending_seats else ""
    return [_CHOICE_FOR_YOU.format(sentence=sentence, orders=orders) if orders else sentence]


def _default_orders(view: View) -> str:
    """Return the orders that the default gives for the user, in prose; empty if it gives none."""
    teller = Teller(view.play.ruleset, view.names)
    defaults = [
        decision.default
        for _, decision in view.table.pending
        if decision.seat == view.seat and decision.default
    ]
    return "; ".join(teller.order(default()) for default in defaults)


_WAITS_FOR_ROUND: Final = (
    "everyone who was asked has answered; the next turn is waiting for {people}"
)
_TURN_CERTAIN: Final = TerminalText("all orders are here[[: pbem advance makes the next turn]]")
_MAY_BE_CHANGED: Final = TerminalText(
    "all orders are here, and may be changed until {moment}[[; then pbem advance makes "
    "the next turn]]"
)
_YOU_MAKE_TURN: Final = (
    "all orders are here; if they answer every question, you can make the next turn"
)
_REFEREE_MAKES_TURN: Final = (
    "all orders are here; if they answer every question, {referee} makes the next turn"
)
_CHANGE_OF_MIND: Final = (
    "{name} waits {span} after the last orders, and until then you may change your orders"
)


def _all_sealed(view: View, situation: Situation, date_writer: DateWriter) -> str:
    """Say what happens next when all who were asked have answered: others are awaited for the
    round, or who makes the next turn, and when."""
    if situation.unheard_seats and situation.next_turn != "certain":
        return _WAITS_FOR_ROUND.format(people=name_seats(situation, situation.unheard_seats))
    if situation.next_turn == "certain":
        return _TURN_CERTAIN
    if situation.revisable_until:
        revisable_until = moment(situation.revisable_until, now(), date_writer)
        return _MAY_BE_CHANGED.format(moment=revisable_until)
    template = _YOU_MAKE_TURN if situation.is_referee else _REFEREE_MAKES_TURN
    sentence = template.format(referee=describe_referee(situation))
    if not view.policies.change_of_mind:
        return sentence
    span = view.policies["change_of_mind"]
    return f"{sentence}; {_CHANGE_OF_MIND.format(name=clean(view.referee), span=span)}"


_AFTER_YOUR_ANSWER: Final = (
    "turn {turn} will be published as soon as you have answered; nobody else sees it yet"
)
_AFTER_ONE_ANSWER: Final = (
    "turn {turn} will be published as soon as {people} has answered; nobody else sees it yet"
)
_AFTER_ANSWERS: Final = (
    "turn {turn} will be published as soon as {people} have answered; nobody else sees it yet"
)
_NO_QUESTIONS: Final = TerminalText(
    "turn {turn} needs no answer from anybody[[; to publish the turn: pbem advance]]"
)


def _unpublished_turn(view: View, situation: Situation) -> str:
    """Say when a turn will be published that only the referee has: seats that they play come
    first."""
    seats = situation.pending_seats
    if seats == (view.seat,):
        template = _AFTER_YOUR_ANSWER
    elif seats:
        template = _AFTER_ANSWERS if len(seats) > 1 else _AFTER_ONE_ANSWER
    else:
        is_sealed = view.seat in situation.sealed_seats
        template = _EARLY_ORDERS_READY if is_sealed else _NO_QUESTIONS
    return template.format(turn=view.turn, people=name_seats(situation, seats))


def reminders(view: View, situation: Situation) -> list[str]:
    """Return lines for the referee that say who to remind; empty if it is too early."""
    if not situation.is_referee or view.preview or view.is_over:
        return []
    kinds_by_seat = {seat: view.awaited[seat] for seat in situation.silent_seats}
    status = deadline_status_of(view)
    return reminder_lines(status, view.title, view.turn, kinds_by_seat, view.names)
