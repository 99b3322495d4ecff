"""Your own way back to a seat: a link that holds its key, because browsers forget what they keep.

The link is `SITE/#back=ADDRESS/KEY`. ADDRESS is that of the game, only its digits if the game is on
the same host; KEY is the secret of the seat's key (32 bytes, base64url). What follows the # never
leaves the browser.

Anybody can send such a link, with a key of their own, so a link never becomes a key for something
new. It opens a seat only if this key has the seat already, and only after the person said so on a
page. A seat that somebody takes always gets a fresh key (`start_pages._seated`).
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

import segno
from markupsafe import Markup
from starlette.responses import JSONResponse, RedirectResponse, Response

from pbem.errors import CliError
from pbem.files.folder import is_on_host
from pbem.format.keys import SigningKey, write_key
from pbem.records.charter import slug
from pbem.screen.terminal import clean
from pbem.table.games import (
    SHORT,
    OpenGame,
    frame,
    game_of,
    games_of,
    new_profile,
    sent_data,
)
from pbem.table.guard import page

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.desk.session import Session

WHOLE: Final = "this link is not whole: copy all of it from the place where you kept it"
OTHER_SEAT: Final = (
    "this browser has a seat of this game already, with a different key; open the link in another "
    "browser"
)
NO_SEAT: Final = "nobody has joined this game with the key in this link, so it opens no seat"
REPLACED: Final = "the key in this link was replaced, so it opens no seat any more"
OWN_LINK: Final = "open the link that you kept yourself, and no link that somebody sent you"


async def show(request: Request) -> Response:
    """Show the link back to the seat in this game: to copy, to share, as a QR code, as a file.

    To a game on no host, no link can lead: there is only the key."""
    game = game_of(request)
    key, place = game.session.keyring.key(profile_of(game)), game.session.place
    link = ""
    if is_on_host(place):
        site = request.app.state.site
        at = str(place).removeprefix(f"{site.rstrip('/')}/g/")
        link = f"{site}#back={at}/{base64.urlsafe_b64encode(key.seed).decode().rstrip('=')}"
    title = slug(game.session.game_folder.charter.content.title)
    values = {
        "link": link,
        "code": Markup(segno.make(link, micro=False).svg_inline(scale=5, border=3)) if link else "",
        "file": f"{title}-way-back.txt" if link else f"{title}-key.txt",
        "key_file": write_key(key).decode(),
        "profile": profile_of(game),
        "place": str(place),
    }
    return page(request, "way_back.html", **values, **frame(request, game, "back"))


async def note(request: Request) -> Response:
    """Note that the person has kept the link, so that the pages ask no more."""
    game, said = game_of(request), await sent_data(request)
    if said.get("kept") is True:
        game.session.mine.way_back.write({"kept": True})
    return JSONResponse({"ok": True})


def profile_of(game: OpenGame) -> str:
    """Return the name of the profile whose key has the seat of this game. Raises CliError."""
    profiles = {*game.session.roles.seats.values()}
    if len(profiles) != 1:
        raise CliError("you have no seat in this game, so there is no way back to keep")
    return profiles.pop()


async def show_return(request: Request) -> Response:
    """Show which seat the link opens, before its key is kept in this browser."""
    game = game_of(request)
    name = game.session.game_folder.game.hex()[:SHORT]
    key = games_of(request).seat_links.get(name)
    if key is None or key.public in _publics_of_seats(game.session):
        return RedirectResponse(f"{request.scope['root_path']}/game/{name}", 303)
    seat = seat_of_key(game.session, key.public)
    _check_no_other_seat(game.session, key)
    player = clean(game.session.name_of(seat))
    return page(request, "return.html", seat=seat, player=player, **frame(request, game, "return"))


async def accept_return(request: Request) -> Response:
    """Keep the key of the link in this browser: the person said that the seat is theirs."""
    games, game = games_of(request), game_of(request)
    name = game.session.game_folder.game.hex()[:SHORT]
    if key := games.seat_links.get(name):
        seat_of_key(game.session, key.public)
        _check_no_other_seat(game.session, key)
        if key.public not in game.session.keyring.publics.values():
            games.home.write_key(new_profile(games.home, name), write_key(key))
        game.session.mine.way_back.write({"kept": True})  # the person has just used it
        games.seat_links.pop(name)
        games.forget()
        vars(games.keyring).pop("publics", None)
    address = f"{request.scope['root_path']}/game/{name}"
    return page(request, "returned.html", address=address)


def key_of(secret: str) -> SigningKey:
    """Return the key in a link. Raises CliError."""
    try:
        seed = base64.urlsafe_b64decode(f"{secret}=")
    except ValueError:
        seed = b""
    if len(secret) != 43 or len(seed) != 32:
        raise CliError(WHOLE)
    return SigningKey(seed)


def seat_of_key(session: Session, public: bytes) -> str:
    """Return the seat that a key has in the game: in the present roster, before turn 1 by a join.
    Raises CliError if it has none."""
    if session.listing.reached:
        seats = [seat for seat, join in session.roster.items() if join.key == public]
        former = session.game_folder.standing.former
        if not seats and any(keys.signing == public for all_ in former.values() for keys in all_):
            raise CliError(REPLACED, OWN_LINK)
    else:
        joins = session.game_folder.joins().values()
        seats = [join.content.seat for join in joins if join.content.key == public]
    if not seats:
        raise CliError(NO_SEAT, OWN_LINK)
    return seats[0]


def _check_no_other_seat(session: Session, key: SigningKey) -> None:
    """Raise CliError if this browser has a seat of the game already, with a different key."""
    if _publics_of_seats(session) - {key.public}:
        raise CliError(OTHER_SEAT)


def _publics_of_seats(session: Session) -> set[bytes]:
    return {session.keyring.publics[profile] for profile in session.roles.seats.values()}
