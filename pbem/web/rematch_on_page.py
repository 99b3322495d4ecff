"""The next game with the same people, on the page of a game that is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from pbem.acts.check_game_made_by_host import read_dealt_charter
from pbem.acts.join import split_invite
from pbem.acts.rematch_invites import (
    check_rematch,
    checked_invites,
    host_form,
    invites_by_old_seat,
    invites_from_host,
    is_own_first,
    names_of_people,
    note_rematch,
    rematch_notebook,
    rematch_offers,
    send_invites,
)
from pbem.errors import CliError, PbemError
from pbem.files.host_answer_about_new_game import read_dealt_game
from pbem.judge.game_view import View
from pbem.person.own_and_pending_joins import own_seat
from pbem.person.session import Session
from pbem.records.invite import parse_invite
from pbem.web.game_page_head import short_address
from pbem.web.open_games import SHORT_ID_DIGITS, OpenGame, game_of, games_of
from pbem.web.page_rendering import in_tab
from pbem.web.request_fields import field_of, read_fields

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def rematch_values(request: Request, game: OpenGame, view: View) -> dict[str, Any]:
    """Return what the page says about the next game: the games that were started, the one that all
    follow first; or the `form` for the host, empty if this page cannot start one."""
    session = game.session
    offers, notes = rematch_offers(session, view), rematch_notebook(session).read()
    started_games = [
        _started_game(request, offer.invitation, offer.title, offer.name) for offer in offers
    ]
    if notes.own_invitation:
        own_game = _started_game(request, notes.own_invitation, notes.title, "")
        own_index = 0 if is_own_first(session, offers) else len(started_games)
        started_games.insert(own_index, own_game)
    return {
        "title": notes.title,
        "unsent": bool(notes.unsent),
        "games": started_games,
        "form": _rematch_form(request, session, view),
    }


def _started_game(request: Request, invitation: str, title: str, by: str) -> dict[str, str]:
    """Return a game that was started, as values of a page. It has a `name` if the user has a seat
    in it; `by` is whoever started it, empty for the user."""
    games = games_of(request)
    name = parse_invite(split_invite(invitation)[0]).game.hex()[:SHORT_ID_DIGITS]
    try:
        has_seat = own_seat(games.game(name).session) is not None
    except PbemError:  # the game is not here
        has_seat = False
    return {
        "name": name if has_seat else "",
        "title": title,
        "invitation": invitation,
        "by": by,
    }


def _rematch_form(request: Request, session: Session, view: View) -> dict[str, str]:
    """Return the fields with which the host of this game makes the next one; empty if it does not
    deal this one, the user does not play, or this page cannot reach it."""
    place = session.place
    is_elsewhere = in_tab(request) and "://" in short_address(request, place)
    if not (session.charter.automaton and place.rematch_page and session.seat) or is_elsewhere:
        return {}
    return host_form(session.charter, names_of_people(session.charter, view))


async def start_rematch(request: Request) -> Response:
    """Start the next game on the host of this one, and write everybody their invite to it.

    A browser tab, which has no network while it answers, sends what the host has answered. If the
    game is started already, only the invites are written that are still missing.
    """
    game, fields = game_of(request), await read_fields(request)
    session = game.session
    session.refresh()
    view = session.view(skip_cache=True)
    notebook = rematch_notebook(session)
    if not notebook.read().title:
        check_rematch(session, view)
        form = _rematch_form(request, session, view)
        if not form:
            raise CliError(_NO_HOST_DEALS)
        if in_tab(request):
            invites = _invites_in_answer(session, form, fields)
        else:
            invites = await run_in_threadpool(invites_from_host, session, form)
        note_rematch(session, form["title"], invites_by_old_seat(session.charter, invites))
    send_invites(session, view)
    game.refresh()
    return JSONResponse({"ok": True, "invitation": notebook.read().own_invitation})


_NO_HOST_DEALS: Final = "no host deals this game, so this page cannot start the next game"


def _invites_in_answer(session: Session, form: dict[str, str], fields: dict[str, Any]) -> list[str]:
    """Return the invites in a host's answer about a new game, which the page has sent here with the
    game's charter. Raises CliError, StorageError."""
    game = read_dealt_game(field_of(fields, "answer").encode(), session.place.host)
    charter = read_dealt_charter(str(fields.get("charter", "")).encode())
    return checked_invites(session.charter, form, game, charter)
