"""The pages of one game for messages and notices: reading them, and writing new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.acts.plan_orders_step_by_step import UNKNOWN_REQUEST_SENTENCE
from pbem.acts.read_typed_absences_and_delays import typed_absence, typed_deadline, typed_delay
from pbem.acts.send_message import format_person, note_message_reported, send_message
from pbem.acts.sign_notice import declare, note_notice_reported
from pbem.errors import CliError
from pbem.judge.notice_kinds import Concede, Leave, NoticeKind, Vote
from pbem.person.due_mail import seats_by_mail
from pbem.person.readable_messages import MessagesHere, by_turn
from pbem.person.session import Session
from pbem.records.press_message import REFEREE
from pbem.terminal.message_prose import is_from_reader, safe_message_text, writer_of
from pbem.web.game_page_head import head_values
from pbem.web.open_games import OpenGame, game_of
from pbem.web.page_rendering import page, time_tag
from pbem.web.request_fields import field_of, read_fields
from pbem.wording.deadlines_and_absences import away_lines, calendar_lines
from pbem.wording.game_story import notices_of
from pbem.wording.notices import lines_on_waits, what_you_declared
from pbem.wording.votes_and_vouching import lines_on_agreements

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.judge.read_and_make_messages import Message


RECENT_TURNS = 10
"""The number of turns whose messages the page shows, unless you ask for all."""
SURE_SENTENCE = "your decision is final: tick the box if you are sure"


async def messages(request: Request) -> Response:
    """Show the messages that the user may read, and a form for a new one."""
    game = game_of(request)
    if not game.session.listing.turns:
        return page(request, "messages.html", begun=False, **head_values(request, game, "messages"))
    view, roles = game.view(), game.session.roles
    visible_messages = MessagesHere(game.session, view)
    first_turn = 0 if "all" in request.query_params else max(0, view.published - RECENT_TURNS + 1)
    turns = range(first_turn, view.published + 1)
    groups = by_turn(visible_messages.read(turns))
    people = [(seat, view.names[seat]) for seat in sorted({*view.names} - {view.seat, *view.bots})]
    values: dict[str, Any] = {
        "groups": [
            (turn, [shown_message(message, {*visible_messages.roles}) for message in groups[turn]])
            for turn in sorted(groups, reverse=True)
        ],
        "older": bool(
            first_turn and any(f.name.turn < first_turn for f in game.session.listing.press)
        ),
        "people": people if roles.referee else [*people, (REFEREE, view.referee)],
        "may_write": bool(visible_messages.roles) and not roles.deputy,
        "both": len(visible_messages.roles) > 1,
        "begun": True,
    }
    visible_messages.note_shown(turns)
    return page(
        request, "messages.html", view=view, **values, **head_values(request, game, "messages")
    )


def shown_message(message: Message, own_roles: set[str]) -> dict[str, Any]:
    """Return the values of a message for a page. `own_roles` are the user's seats, or `referee`."""
    return {
        "writer": writer_of(message),
        "who": message.writer,
        "to": message.recipient_name,
        "own": is_from_reader(message, own_roles),
        "time": time_tag(message.time),
        "text": "\n".join(safe_message_text(line) for line in message.lines),
    }


async def write_message(request: Request) -> Response:
    """Write a message as `pbem tell` does."""
    game, fields = game_of(request), await read_fields(request)
    game.session.refresh()
    view = game.session.view(skip_cache=True)
    text = fields.get("text", "")
    text, as_referee = text if isinstance(text, str) else "", field_of(fields, "as") == "referee"
    sent_message = send_message(game.session, view, text, field_of(fields, "to"), as_referee)
    note_message_reported(game.session, sent_message.record)
    game.refresh()
    values: dict[str, Any] = {
        "to": format_person(view, sent_message.recipient),
        "again": sent_message.is_repeat,
        "by_mail": _uses_mail(game),
    }
    return page(request, "message_sent.html", **values, **head_values(request, game, "messages"))


def _uses_mail(game: OpenGame) -> bool:
    """Return whether records of this game go by mail: to somebody, or to the referee."""
    from pbem.person.mail_notebooks import MailHistory

    session = game.session
    return bool(seats_by_mail(session)) or MailHistory(session.game_home).with_referee


async def notices(request: Request) -> Response:
    """Show the notices so far, and forms for the notices that the user may write."""
    game = game_of(request)
    if not game.session.listing.turns:
        return page(request, "notices.html", begun=False, **head_values(request, game, "notices"))
    view = game.view()
    is_playing = bool(view.seat) and view.seat not in view.conceded
    phases = [(phase.name, phase.doc) for phase in view.play.ruleset.phases]
    lines = [*away_lines(view, ()), *calendar_lines(view)]
    lines += lines_on_agreements(game.session, view)
    lines += lines_on_waits(game.session, view)
    values: dict[str, Any] = {
        "begun": True,
        "now": lines,
        "listed": [
            (turn, sentence)
            for turn, _, _, sentence in reversed(notices_of(view, range(view.turn + 1)))
        ],
        "proposed_deadlines": sorted(view.proposed_deadlines.items()),
        "phases": phases,
        "player": bool(view.seat) and not view.is_over,
        "votes": not view.is_over and (is_playing or game.session.roles.referee),
        "deadlines": not view.is_over and bool(view.seat or game.session.roles.referee),
    }
    return page(
        request, "notices.html", view=view, **values, **head_values(request, game, "notices")
    )


async def sign_notice(request: Request) -> Response:
    """Sign a notice as `pbem notice` does."""
    game, fields = game_of(request), await read_fields(request)
    game.session.refresh()
    declaration, how_read = _declaration_of(game.session, fields)
    declared = declare(game.session, declaration)
    record = declared.record
    note_notice_reported(game.session, record)
    game.refresh()
    values = {
        "declaration": what_you_declared(game.session, record) + how_read,
        "by_mail": _uses_mail(game),
        "again": declared.is_repeat,
        "makes": game.session.game_folder.maker().name,
    }
    return page(request, "notice_signed.html", **values, **head_values(request, game, "notices"))


def _declaration_of(session: Session, fields: dict[str, Any]) -> tuple[NoticeKind, str]:
    """Return what a form declares, and a clause about how a deadline in words was read. Raises
    CliError."""
    request = field_of(fields, "about")
    if request in ("concede", "leave"):
        if fields.get("sure") is not True:
            raise CliError(SURE_SENTENCE)
        return (Concede() if request == "concede" else Leave()), ""
    if request == "away":
        return typed_absence(f"{field_of(fields, 'from')}..{field_of(fields, 'to')}"), ""
    if request == "back":
        return typed_absence("", back=True), ""
    if request == "delay":
        return typed_delay(field_of(fields, "time")), ""
    if request == "deadline":
        rule = field_of(fields, "rule")
        return typed_deadline(session, rule, field_of(fields, "phase"), no=not rule)
    if request == "end":
        return Vote(field_of(fields, "result")), ""
    raise CliError(UNKNOWN_REQUEST_SENTENCE)
