"""The page on which a person chooses how the host calls them when it is their move.

The page signs a call request with the key of the seat (protocol §14), and its script sends that to
the host: the program itself has no network.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import JSONResponse, Response

from pbem.errors import KEY, CliError
from pbem.records.player_call_request import MAX_CLOCK_SECONDS, CallRequest, make_call_request
from pbem.text.clock import now
from pbem.web.call_and_seat_link_notes_in_home import CallNotes, call_notebook
from pbem.web.game_page_head import head_values, short_address
from pbem.web.open_games import OpenGame, game_of
from pbem.web.page_rendering import page
from pbem.web.request_fields import field_of, read_fields
from pbem.web.seat_link_page import profile_of

if TYPE_CHECKING:
    from starlette.requests import Request

NO_HOST_SENTENCE: Final = (
    "the host of this page does not keep this game, so it cannot tell you when it is your move"
)


async def show_calls(request: Request) -> Response:
    """Show how the host calls the person, with buttons to change it."""
    game = game_of(request)
    notebook = call_notebook(game.session)
    notes = notebook.change(lambda notes: CallNotes(**vars(notes) | {"is_answered": True}))
    values = head_values(request, game, "calls")
    path = _request_path(request, game)
    return page(request, "calls.html", notes=notes, request_path=path, **values)


async def change_calls(request: Request) -> Response:
    """Sign a request for the host, or note that the host has taken it (`kept`) or must get it later
    (`wish`)."""
    game, fields = game_of(request), await read_fields(request)
    way, is_on = field_of(fields, "way"), fields.get("on") is True
    address = field_of(fields, "address")
    if way not in ("push", "mail"):
        raise CliError("this page asks for a kind of call that pbem does not know: reload the page")
    notebook = call_notebook(game.session)
    if fields.get("wish") is True:
        notebook.change(lambda notes: CallNotes(**vars(notes) | {"wished_mail": address}))
        return JSONResponse({"ok": True})
    if fields.get("kept") is True:
        notebook.change(lambda notes: _noted_change(notes, way, address, is_on=is_on))
        return JSONResponse({"ok": True})
    time = notebook.change(
        lambda notes: CallNotes(**vars(notes) | {"time": next_time(notes.time)})
    ).time
    session = game.session
    content = CallRequest(
        game=session.game_folder.game, host=request.app.state.site.rstrip("/"),
        seat=_seat_of(game), time=time, way=way, on=is_on, address=address,
        p256dh=_bytes_of(fields, "p256dh"), auth=_bytes_of(fields, "auth"),
    )  # fmt: skip
    data = make_call_request(content, session.keyring.key(profile_of(game)))
    return JSONResponse({"file": data.decode(), "path": _request_path(request, game)})


def next_time(last_time: int) -> int:
    """Return the time of a request after one of `last_time`: later, unless the clock of this device
    was so far ahead then that no host has taken that one."""
    is_near = last_time <= now() + MAX_CLOCK_SECONDS
    return max(now(), last_time + 1) if is_near else now()


def _noted_change(notes: CallNotes, way: str, address: str, *, is_on: bool) -> CallNotes:
    """Return the notes after the host has taken a request. One to stop may be about an address that
    another has replaced."""
    values = vars(notes) | ({"wished_mail": ""} if way == "mail" else {})
    if is_on:
        values[way] = address
    elif values[way] == address:
        values[way] = ""
    return CallNotes(**values)


def _request_path(request: Request, game: OpenGame) -> str:
    """Return the path at which the host of this page takes call requests. Raises CliError if the
    game is elsewhere."""
    digits = short_address(request, game.session.place)
    if "/" in digits or not game.session.place.has_secret_address:
        raise CliError(NO_HOST_SENTENCE)
    return f"{request.scope['root_path']}/g/{digits}/call"


def _seat_of(game: OpenGame) -> str:
    """Return the letter of the person's seat. Raises CliError if they have none."""
    if not game.session.roles.seats:
        raise CliError("you have no seat in this game, so nobody calls you", "", KEY)
    return next(iter(game.session.roles.seats))


def _bytes_of(fields: dict[str, Any], name: str) -> bytes:
    """Return the bytes in a field in base64url, as browsers write keys. Raises CliError."""
    try:
        return base64.urlsafe_b64decode(field_of(fields, name) + "==")
    except (binascii.Error, ValueError):
        raise CliError(
            "your browser gave a key that pbem cannot read: reload the page, and try again"
        ) from None
