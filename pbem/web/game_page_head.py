"""The head of each page of a game: its title, its links, and what waits for the user."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from pbem.files.game_folder_on_host import HostFolder
from pbem.files.game_folder_places import Place
from pbem.files.home import LessonHome
from pbem.person.announced_acts_against_user import announced_losses
from pbem.person.delivery_wait_of_sealed_orders import delivery_book
from pbem.person.own_and_pending_joins import own_joins
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.web.call_and_seat_link_notes_in_home import CallNotes, call_notebook, seat_link_notebook
from pbem.web.open_games import SHORT_ID_DIGITS, OpenGame, games_of
from pbem.web.page_rendering import in_tab
from pbem.wording.announced_acts import describe_loss


def _rematch_address(request: Request, session: Session) -> str:
    """Return the address on which to start another game with the same people: at the host, unless
    the user is the referee."""
    if isinstance(session.home, LessonHome):
        return f"{request.scope['root_path']}/new"
    if session.place.rematch_page and not session.roles.referee:
        return session.place.rematch_page
    name = session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    return f"{request.scope['root_path']}/new?like={name}"


def short_address(request: Request, place: Place) -> str:
    """Return a game's address as it stands in links of this tab: only the digits if the game is on
    the tab's own host."""
    return str(place).removeprefix(f"{request.app.state.site.rstrip('/')}/g/")


def is_sending(request: Request, session: Session) -> bool:
    """Return whether something that was written in a browser tab still waits to be sent to the
    host."""
    folder = session.folder
    return in_tab(request) and isinstance(folder, HostFolder) and bool(folder.waiting_paths())


def head_values(request: Request, game: OpenGame, current_page: str) -> dict[str, Any]:
    """Return the values for the head of a page, which `game_base.html` reads. `current_page` is the
    name of the page."""
    session = game.session
    charter = session.charter
    name = session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    address = f"{request.scope['root_path']}/game/{name}"
    seat_query = f"?as={session.requested_seat}" if session.requested_seat else ""
    has_begun = session.listing.press and session.listing.turns
    unread_count = len(MessagesHere(session, game.view()).unread()) if has_begun else 0
    pages = [
        ("table", "", "Table"),
        ("history", "/history", "History"),
        ("messages", "/messages", f"Messages ({unread_count})" if unread_count else "Messages"),
        ("notices", "/notices", "Notices"),
        ("mail", "/mail", "Mail"),
        ("audit", "/audit", "Audit"),
        ("rules", "/rules", "How to play"),
    ]
    if session.roles.referee:
        pages.append(("referee", "/referee", "Referee"))
    if session.roles.co_dealer:
        pages.append(("deal", "/deal", "Deal"))
    on_host = session.place.has_secret_address
    losses = announced_losses(session, game.view()) if session.listing.notices else []
    roles = session.roles
    has_no_part = not (roles.seats or roles.referee or roles.co_dealer or own_joins(session))
    has_invite = name in games_of(request).invites
    may_have_link = in_tab(request) and on_host and has_no_part and not has_invite
    plays_in_tab = in_tab(request) and not isinstance(session.home, LessonHome)
    bookmark = short_address(request, session.place) if on_host and in_tab(request) else ""
    may_be_called = plays_in_tab and bool(session.roles.seats) and bool(bookmark)
    may_be_called &= "/" not in bookmark
    calls = call_notebook(session).read() if may_be_called else CallNotes()
    if may_be_called:
        pages.append(("calls", "/calls", "Tell me"))
    return {
        "title": charter.title,
        "unread": unread_count,
        "ruleset": charter.ruleset,
        "name": name,
        "address": address,
        "seat_query": seat_query,
        "current_page": current_page,
        "on_host": on_host,
        "bookmark": bookmark,
        "pushed": calls.push,
        "mail_wish": calls.wished_mail,
        "ask_calls": may_be_called and not calls.is_answered,
        "is_sending": is_sending(request, session),
        "losses": [(describe_loss(loss), loss.announced_act.disputed) for loss in losses],
        "play_again": _rematch_address(request, session),
        "may_paste_seat_link": may_have_link and current_page not in ("take", "move"),
        "asks_to_keep_seat": plays_in_tab
        and bool(session.roles.seats)
        and not seat_link_notebook(session).read().kept,
        "links": [(key, f"{address}{path}{seat_query}", label) for key, path, label in pages],
        "stamp": game.stamp,
        "reached": session.listing.reached,
        "seconds_left": delivery_book(session.game_home).read().seconds_left,
        "late_delivery": getattr(request.state, "late_delivery", None),
    }
