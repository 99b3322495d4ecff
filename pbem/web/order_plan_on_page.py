"""The user's plan of orders, a part of the page: change it by clicks, seal it, and see what became
of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape
from starlette.responses import Response

from pbem.acts.advance import waits_for_nobody
from pbem.acts.deliver_or_take_back_orders import Delivered, deliver, take_back
from pbem.acts.plan_orders_step_by_step import CHANGED_DRAFT_SENTENCE, Planning
from pbem.drafts.forecast import Forecast
from pbem.errors import CliError
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.game_view import View
from pbem.person.delivery_wait_of_sealed_orders import (
    are_kept_back,
    delivery_book,
    is_last_awaited,
    note_wait,
    were_taken_back,
)
from pbem.person.questions_left_open_by_orders import find_latest_orders
from pbem.person.situation import Situation, situation_in_view
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.game_page_head import head_values
from pbem.web.open_games import OpenGame, game_of
from pbem.web.page_rendering import page, time_tag
from pbem.web.request_fields import read_fields, shown_turn_of
from pbem.web.scene_as_html import planned_place_values
from pbem.web.seat_status_chips import Delivery, delivery_of
from pbem.wording.lesson_and_demo import lesson_text
from pbem.wording.next_step import describe_move, name_awaited_people
from pbem.wording.sealed_orders import unanswered_line
from pbem.wording.status_sections import deadline_lines

if TYPE_CHECKING:
    from starlette.requests import Request


def plan_state(game: OpenGame, situation: Situation, view: View) -> list[Markup]:
    """Return lines about the plan: whether the orders are sealed, the open questions, the time
    until which the orders may change."""
    if not view.seat or view.is_over:
        return []
    lines: list[str] = []
    has_orders = find_latest_orders(game.session, view) is not None
    questions = [*map(view.question_of, situation.open_kinds)]
    if are_kept_back(game.session, view):
        lines.append("You took your orders back before they were sent. Send when you are ready.")
    elif were_taken_back(game.session, view):
        lines.append("What you sent counts until you send again.")
    elif has_orders and view.seat in situation.sealed_seats:
        if situation.open_kinds:
            lines.append(unanswered_line(situation.open_kinds, questions) + ".")
        else:
            lines.append("Your orders are sealed.")
    lines += deadline_lines(view, situation, marked_date)
    zone = deadline_status_of(view).zone
    return [_with_times(line, zone) for line in lines]


_SENT_SENTENCES: dict[Delivery, str] = {
    "": "Sent.",
    "unsent": "Sealed, but not sent.",
    "sending": "On its way.",
    "sent": "Sent.",
}


def sent_hint(request: Request, game: OpenGame, situation: Situation) -> str:
    """Return a sentence on the user's sealed orders and on whom the game waits for; empty if it is
    the user's move, if the game is over, or if no orders of the user for this turn are sealed and
    not taken back. While they can still be taken back, it only says that all have answered."""
    view = situation.view
    if view is None or not view.seat or view.is_over or situation.is_your_move:
        return ""
    if find_latest_orders(game.session, view) is None or were_taken_back(game.session, view):
        return ""
    if delivery_book(game.session.game_home).read().seconds_left:
        return "All players have answered."
    is_waiting = bool(name_awaited_people(situation))
    wait = describe_move(situation) if is_waiting else "All players have answered"
    return f"{_SENT_SENTENCES[delivery_of(request, game, view.seat)]} {wait}."


_MARKED_DATE_PATTERN: Final = re.compile("\ue000([0-9]{1,18})\ue000")
"""Matches the seconds of a date in a line. Names cannot contain the marks: `clean` escapes such
characters."""


def marked_date(seconds: int) -> str:
    """Write a date (seconds since 1970) into a line that `_with_times` reads."""
    return f"\ue000{seconds}\ue000"


def _with_times(line: str, zone: str) -> Markup:
    """Return a line in which its dates are elements that the page shows in the reader's zone.

    `zone` is the game's zone, for browsers that do not know the reader's.
    """
    sentence = off_terminal(line)
    texts_and_dates = _MARKED_DATE_PATTERN.split(sentence[:1].upper() + sentence[1:])
    parts = [
        time_tag(int(part), zone) if number % 2 else escape(part)
        for number, part in enumerate(texts_and_dates)
    ]
    return Markup("").join(parts)


UNREAD_PLAN_SENTENCE = "nothing was sealed, because your orders have mistakes: the page marks them"


def _plan_part(request: Request, game: OpenGame, problem: str = "", status: int = 200) -> Response:
    """Return the plan as a part of the page. `problem` says why the last click did nothing."""
    view = game.view()
    planning = Planning(game.session, view)
    situation = situation_in_view(game.session, view)
    values = head_values(request, game, "table") | {
        "plan": planning,
        "view": view,
        "move": describe_move(situation),
        "sent_hint": sent_hint(request, game, situation),
        "state": plan_state(game, situation, view),
        "sealed": view.seat in situation.sealed_seats,
        "lesson": lesson_text(game.session, view),
    }
    return page(request, "plan.html", status, problem_sentence=problem, why_not="", **values)


async def show_plan(request: Request) -> Response:
    """Show the plan as it is now."""
    return _plan_part(request, game_of(request))


async def change_plan(request: Request) -> Response:
    """Carry out one click on the plan, and show the plan after it."""
    game, fields = game_of(request), await read_fields(request)
    planning = Planning(game.session, game.view())
    try:
        planning.change(fields)
    except CliError as error:
        return _plan_part(request, game, off_terminal(error.sentence), 409)
    return _plan_part(request, game)


async def show_forecast(request: Request) -> Response:
    """Show the effect of the plan if nobody else acts, in words and as the user's own place."""
    game = game_of(request)
    planning = Planning(game.session, game.view())
    view, draft = planning.view, planning.to_send
    forecast = None if draft.errors else Forecast(view, draft.lines)
    place_values = (
        planned_place_values(view, forecast.own_place) if forecast and forecast.own_place else None
    )
    return page(
        request,
        "forecast.html",
        sentences=forecast.sentences if forecast else [],
        own_place=place_values,
    )


async def seal_plan(request: Request) -> Response:
    """Read every file again and seal the plan, as `pbem submit` does; show that the orders are
    sent."""
    game, fields = game_of(request), await read_fields(request)
    game.session.refresh()
    planning = Planning(game.session, game.session.view(skip_cache=True))
    if fields.get("mark") != planning.mark:
        raise CliError(CHANGED_DRAFT_SENTENCE)
    if planning.draft.errors:
        raise CliError(UNREAD_PLAN_SENTENCE)
    session, view = game.session, planning.view
    pending_seats = situation_in_view(session, view).pending_seats
    ended_kinds = fields.get("ends", [])  # the lists that the button said it would end
    if not isinstance(ended_kinds, list) or not {*map(str, ended_kinds)} <= {*planning.open_ends}:
        raise CliError(CHANGED_DRAFT_SENTENCE)
    draft = planning.to_send if ended_kinds else planning.to_seal
    # orders that leave a question open do not end the turn
    may_end_turn = not draft.unanswered_kinds and is_last_awaited(view, pending_seats)
    sealed = planning.seal(ended_kinds, is_kept_back=may_end_turn)
    if session.folder.kept_back_paths() or waits_for_nobody(session, view):
        note_wait(session, sealed.id)
    game.refresh()
    # the page itself says until when they can be changed
    return _sent_page(request, game, Delivered(), sealed.receipt_lines(final=True))


def _sent_page(
    request: Request,
    game: OpenGame,
    delivered: Delivered,
    receipt: Sequence[str] = (),
    *,
    is_last: bool = False,
) -> Response:
    """Return the page about sealed orders. `is_last`: they have been delivered and cannot change
    any more."""
    session = game.session
    return page(
        request,
        "sent.html",
        delivered=delivered,
        receipt=receipt,
        is_last=is_last,
        by_mail=bool(game.situation().unsent_mail),
        is_referee_seat=game.view().seat in session.roles.referee_seats,
        **head_values(request, game, "table"),
    )


async def deliver_orders(request: Request) -> Response:
    """Deliver the orders whose wait is over; say that they are sent."""
    game = game_of(request)
    shown_turn_of(await read_fields(request))
    delivered = deliver(game.session)
    game.refresh()
    return _sent_page(request, game, delivered, is_last=True)


async def take_back_orders(request: Request) -> Response:
    """Open the orders again that were just sent, and say whether they still count."""
    game, fields = game_of(request), await read_fields(request)
    take_back(game.session, shown_turn_of(fields))
    game.refresh()
    is_kept_back = are_kept_back(game.session, game.view())
    return page(request, "taken_back.html", is_kept_back=is_kept_back)
