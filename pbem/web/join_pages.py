"""Join a game: the page of an invite, and taking its seat."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from engine.counts_and_lists_in_prose import join_words
from pbem.acts.join import check_open, profile_of_invite, split_invite, take_seat
from pbem.errors import CliError
from pbem.format.record_error import RecordError
from pbem.person.keyring import DEFAULT_PROFILE
from pbem.person.own_and_pending_joins import invited_joins, own_seat
from pbem.person.session import Session
from pbem.person.situation import empty_seats
from pbem.records.invite import parse_invite
from pbem.records.join import Join
from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.game_page_head import head_values
from pbem.web.open_games import SHORT_ID_DIGITS, OpenGame, OpenGames, game_of, games_of, new_profile
from pbem.web.page_rendering import in_tab, page
from pbem.web.request_fields import field_of, read_fields
from pbem.web.typed_folders import session_of_typed
from pbem.wording.deadlines_and_absences import deadline_line
from pbem.wording.game_to_join import describe_charter, invitation_line, seat_of_invite_line
from pbem.wording.how_to_play import first_parts_of
from pbem.wording.key_backup_loss_and_theft import BACK_UP_REASON

UNKNOWN_GAME_SENTENCE = "the game of this invite is not on this computer yet"
UNKNOWN_GAME_HINT = (
    "drop the email that contains the game onto this page, or say in which folder the "
    "others share the game"
)


async def show_invite(request: Request) -> Response:
    """Show the game that an invite is for, before the user takes the seat."""
    game = game_of(request)
    name = game.session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    invite = games_of(request).invites.get(name, "")
    own_join = own_seat(game.session)
    seat = parse_invite(invite).seat if invite else ""
    if not seat or (own_join and own_join.seat == seat) or game.session.roles.referee:
        return RedirectResponse(f"{request.scope['root_path']}/game/{name}", 303)
    charter = game.session.game_folder.charter.content
    plan = next((plan for plan in charter.seats if plan.seat == seat), None)
    has_begun, closed_reason = bool(game.session.listing.turns), ""
    try:
        check_open(game.session, seat, "somebody")
    except CliError as error:
        closed_reason = off_terminal(error.sentence)
    values = {
        "charter": charter,
        "closed": closed_reason,
        "other_seat": second_seat_error(own_join).sentence if own_join else "",
        "taken": not has_begun and bool(invited_joins(game.session, seat)),
        "invite": invite,
        "seat": seat,
        "invitation": invitation_line(charter, seat),
        "called": plan.name if plan else "",
        "seat_line": seat_of_invite_line(plan) if plan else "",
        "chapters": first_parts_of(charter),
        "lines": [*describe_charter(charter), deadline_line(charter.policies)],
        "begun": has_begun,
    }
    return page(request, "invite.html", **values, **head_values(request, game, "table"))


async def join_game(request: Request) -> Response:
    """Take the seat of an invite in the game that the invite names."""
    games, fields = games_of(request), await read_fields(request)
    game_id = _session_of_invite(games, fields).game_folder.game
    return _take_seat(request, games.game(game_id.hex()[:SHORT_ID_DIGITS]), fields)


async def join_here(request: Request) -> Response:
    """Take the seat of an invite in the game of this page."""
    return _take_seat(request, game_of(request), await read_fields(request))


def _take_seat(request: Request, game: OpenGame, fields: dict[str, Any]) -> Response:
    """Take the seat of the invite in a form, and show what happens next. Raises CliError."""
    games, name = games_of(request), game.session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    invite, _ = _pasted_invite(fields)
    profile = DEFAULT_PROFILE
    if in_tab(request):
        # The link back to a seat holds its key, which must open no other seat: each seat gets a
        # fresh key. Only the same join again is signed with the same key.
        profile = profile_of_invite(game.session, invite)
        if not profile and (own_join := own_seat(game.session)):
            raise second_seat_error(own_join)
        profile = profile or new_profile(games.home, name)
    record = take_seat(
        game.session, invite, field_of(fields, "name"), "", profile,
        makes_key=in_tab(request),
    )  # fmt: skip
    games.invites.pop(name, None)
    game.refresh()
    key = game.session.home.key_path(profile)
    values = head_values(request, game, "table") | {"key": key, "why": BACK_UP_REASON}
    charter, empty = game.session.charter, empty_seats(game.session)
    progress = {
        "begun": bool(game.session.listing.reached),
        "waits_for": join_words(clean(plan.name) for plan in charter.seats if plan.seat in empty),
        "referee": charter.referee,
    }
    return page(request, "joined.html", join=record.content, **progress, **values)


def second_seat_error(own_join: Join) -> CliError:
    """Return the error for somebody who wants a second seat in a browser tab."""
    sentence = (
        f"this browser plays seat {own_join.seat} in this game already, as {clean(own_join.name)}"
    )
    return CliError(f"{sentence}; open the link in another browser")


def _pasted_invite(fields: dict[str, Any]) -> tuple[str, str | None]:
    """Return the invite in a form, and the game's location if it was pasted with the invite."""
    pasted = field_of(fields, "invite")
    return split_invite("" if pasted.strip() == "-" else pasted)


def _session_of_invite(games: OpenGames, fields: dict[str, Any]) -> Session:
    """Return a session for the game that the invite in a form is for. Raises CliError."""
    invite, pasted_place = _pasted_invite(fields)
    try:
        game_id = parse_invite(invite).game.hex()
    except RecordError as error:
        raise CliError(error.sentence) from None
    if folder := field_of(fields, "folder") or pasted_place:
        return session_of_typed(games, folder)
    place = games.home.game(game_id).place if game_id in games.home.games() else None
    if place is None or place.is_gone():
        raise CliError(UNKNOWN_GAME_SENTENCE, UNKNOWN_GAME_HINT)
    return games.session(place)
