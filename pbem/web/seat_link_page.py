"""The page with the link to a seat: it holds the seat's key, because browsers forget what they
keep.

The link is `SITE/g/DIGITS/play#back=KEY` for a game on the page's own host, else
`SITE/#back=ADDRESS/KEY`; KEY is the secret of the seat's key (32 bytes, base64url). The part
after the `#` never leaves the browser.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import segno
from markupsafe import Markup
from starlette.responses import JSONResponse, Response

from pbem.errors import KEY, CliError
from pbem.format.openssh_key_files import write_key
from pbem.records.invite import slug
from pbem.web.call_and_seat_link_notes_in_home import note_seat_link_kept
from pbem.web.game_page_head import head_values, short_address
from pbem.web.open_games import OpenGame, game_of
from pbem.web.page_rendering import page
from pbem.web.request_fields import read_fields

if TYPE_CHECKING:
    from starlette.requests import Request


async def show_seat_link(request: Request) -> Response:
    """Show the link to the seat in this game: to copy, to share, as a QR code, as a file.

    For a game on no host there is no link, only the key.
    """
    game = game_of(request)
    key, place = game.session.keyring.key(profile_of(game)), game.session.place
    link = ""
    if place.has_secret_address:
        secret = base64.urlsafe_b64encode(key.seed).decode().rstrip("=")
        site, address = request.app.state.site, short_address(request, place)
        link = f"{site}#back={address}/{secret}"
        if "://" not in address:  # only the digits: the game is on the host of this page
            link = f"{site}g/{address}/play#back={secret}"
    title = slug(game.session.game_folder.charter.content.title)
    values = {
        "link": link,
        "code": Markup(segno.make(link, micro=False).svg_inline(scale=5, border=3)) if link else "",
        "file": f"{title}-seat.txt" if link else f"{title}-key.txt",
        "key_file": write_key(key).decode(),
        "profile": profile_of(game),
        "place": str(place),
    }
    return page(request, "keep_seat.html", **values, **head_values(request, game, "back"))


async def note_kept(request: Request) -> Response:
    """Note that the user has kept the link, so that the pages ask no more."""
    game, fields = game_of(request), await read_fields(request)
    if fields.get("kept") is True:
        note_seat_link_kept(game.session)
    return JSONResponse({"ok": True})


def profile_of(game: OpenGame) -> str:
    """Return the name of the profile whose key has the seat of this game. Raises CliError."""
    profiles = {*game.session.roles.seats.values()}
    if len(profiles) != 1:
        raise CliError("you have no seat in this game, so there is no link to keep", "", KEY)
    return profiles.pop()
