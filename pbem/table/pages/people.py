"""The pages of messages between people, and of notices, which are signed for the whole game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pbem.cli.failure import CliError
from pbem.table.pages.frame import frame
from pbem.table.render import page
from pbem.table.requests import field_of, game_of, words_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.cli.notices.typed_notices import Typed
    from pbem.cli.session.session import Session
    from pbem.play.view import View
    from pbem.table.open_games import OpenGame

RECENT = 10
"""The number of turns whose messages the page shows, unless you ask for all."""
_TO_TYPE = re.compile(r"( \(to agree|, or type)?: pbem notice .*$")
SURE = "you cannot take this back: tick the box if you are sure"


# ------------------------------------------------------------------ messages
async def messages(request: Request) -> Response:
    """Show the messages that you may read, and a form for a new one."""
    from pbem.cli.press.messages_here import MessagesHere

    game = game_of(request)
    if not game.session.listing.turns:
        return page(request, "messages.html", begun=False, **frame(request, game, "messages"))
    view = game.view()
    here = MessagesHere(game.session, view)
    first = 0 if "all" in request.query_params else max(0, view.published - RECENT + 1)
    turns = range(first, view.published + 1)
    values: dict[str, Any] = {
        "groups": _by_turn(game, here.read(turns)),
        "older": bool(first and any(f.name.turn < first for f in game.session.listing.press)),
        "people": _people(game, view),
        "may_write": bool(here.mine) and not game.session.roles.deputy,
        "both": len(here.mine) > 1,
        "begun": True,
    }
    here.note_told(turns)
    return page(request, "messages.html", view=view, **values, **frame(request, game, "messages"))


def _by_turn(game: OpenGame, found: list[Any]) -> list[tuple[int, list[dict[str, Any]]]]:
    """Return the messages, newest turn first, as plain data for the page."""
    from pbem.cli.press.print_messages import by_turn
    from pbem.records.press.message_record import REFEREE
    from pbem.screen.tell_messages import is_own, safe, writer_of
    from pbem.text.dates import local_date

    view, roles = game.view(), game.session.roles
    mine = {view.seat, *([REFEREE] if roles.referee else [])} - {""}
    groups = by_turn(found)
    return [
        (
            turn,
            [
                {
                    "writer": writer_of(one),
                    "who": one.writer,
                    "to": one.to_name,
                    "own": is_own(one, mine),
                    "time": local_date(one.time),
                    "text": "\n".join(safe(line) for line in one.lines),
                }
                for one in groups[turn]
            ],
        )
        for turn in sorted(groups, reverse=True)
    ]


def _people(game: OpenGame, view: View) -> list[tuple[str, str]]:
    """Return the people to whom you can write: seat or `referee`, and name."""
    from pbem.records.press.message_record import REFEREE

    seats = [(seat, name) for seat, name in sorted(view.names.items()) if seat not in view.bots]
    seats = [one for one in seats if one[0] != view.seat]
    return seats if game.session.roles.referee else [*seats, (REFEREE, view.referee)]


async def tell(request: Request) -> Response:
    """Write a message as `pbem tell` does."""
    from pbem.cli.press.addressee import name_of
    from pbem.cli.press.send_message import note_told, send_message

    game, said = game_of(request), await words_of(request)
    game.session.refresh()
    view = game.session.view(fresh=True)
    text = said.get("text", "")
    as_referee = field_of(said, "as") == "referee"
    sent = send_message(
        game.session, view, text if isinstance(text, str) else "", field_of(said, "to"), as_referee
    )
    note_told(game.session, sent.record)
    game.look()
    values: dict[str, Any] = {"id": sent.record.id.hex()[:6], "to": name_of(view, sent.receiver)}
    values |= {"again": sent.again, "by_mail": _by_mail(game)}
    return page(request, "message_sent.html", **values, **frame(request, game, "messages"))


def _by_mail(game: OpenGame) -> bool:
    """Return whether a message or notice must also be sent by mail."""
    from pbem.cli.session.mail_hints import seats_by_mail
    from pbem.mail.sent_mail import SentMail

    session = game.session
    return bool(seats_by_mail(session)) or SentMail(session.mine).with_referee


# ------------------------------------------------------------------ notices
async def notices(request: Request) -> Response:
    """Show the notices so far, and forms for those that you may write."""
    game = game_of(request)
    if not game.session.listing.turns:
        return page(request, "notices.html", begun=False, **frame(request, game, "notices"))
    view = game.view()
    playing = bool(view.seat) and view.seat not in view.conceded
    phases = [(phase.name, phase.doc) for phase in view.play.ruleset.phases]
    values: dict[str, Any] = {
        "begun": True,
        "now": _as_things_are(game.session, view),
        "listed": [(turn, told) for turn, _, _, told in reversed(view.notices)],
        "wanted": sorted(view.wanted.items()),
        "phases": phases,
        "player": bool(view.seat) and not view.over,
        "votes": not view.over and (playing or game.session.roles.referee),
        "deadlines": not view.over and bool(view.seat or game.session.roles.referee),
    }
    return page(request, "notices.html", view=view, **values, **frame(request, game, "notices"))


def _as_things_are(session: Session, view: View) -> list[str]:
    """Return lines on who is away, what is proposed, and which notices wait for the next turn."""
    from pbem.cli.deadlines.away import away_lines, calendar_lines
    from pbem.cli.notices.notice_here import waiting_lines
    from pbem.cli.notices.open_votes import agreement_lines

    lines = [*away_lines(view, ()), *calendar_lines(view)]
    lines += [*agreement_lines(session, view), *waiting_lines(session, view)]
    return [_TO_TYPE.sub("", line) for line in lines]


async def declare(request: Request) -> Response:
    """Sign a notice as `pbem notice` does."""
    from pbem.cli.notices.notice_here import declare as sign
    from pbem.cli.notices.notice_here import note_told

    game, said = game_of(request), await words_of(request)
    game.session.refresh()
    typed = _typed(game.session, said)
    record, again = sign(game.session, typed.saying, typed.writer)
    note_told(game.session, record)
    game.look()
    values = {"id": record.id.hex()[:6], "told": typed.told, "by_mail": _by_mail(game)}
    values["again"] = again
    referee = game.session.game_folder.maker().name
    values |= {"makes": referee, **frame(request, game, "notices")}
    return page(request, "notice_signed.html", **values)


def _typed(session: Session, said: dict[str, Any]) -> Typed:
    """Return the notice that a form describes. Raises CliError."""
    from pbem.cli.notices import typed_notices as typed

    about = field_of(said, "about")
    if about in ("concede", "leave"):
        if said.get("sure") is not True:
            raise CliError(SURE)
        return typed.typed_concede() if about == "concede" else typed.typed_leave()
    if about == "away":
        days = f"{field_of(said, 'from')}..{field_of(said, 'to')}"
        return typed.typed_away(days)
    if about == "back":
        return typed.typed_away("", back=True)
    if about == "delay":
        return typed.typed_delay(field_of(said, "time"))
    if about == "deadline":
        rule = field_of(said, "rule")
        return typed.typed_deadline(session, rule, field_of(said, "phase"), no=not rule)
    if about == "end":
        result = field_of(said, "result")
        return typed.typed_vote(session, result)
    from pbem.cli.planning.planning import NOT_UNDERSTOOD

    raise CliError(NOT_UNDERSTOOD)
