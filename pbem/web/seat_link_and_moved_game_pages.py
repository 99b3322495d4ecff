"""Links that a person opens in a browser tab. Opening one only shows a page.

A link may come from anybody, so it gives this browser no key, and a game that is here no other
address: only the button of its page does. A key in a link counts only for the seat that has it
already; a person who takes a seat with an invite gets a fresh key (`pbem/web/join_pages.py`).
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starlette.routing import Route

from pbem.errors import KEY, CliError
from pbem.files.game_folder_places import Place
from pbem.format.secret_and_public_keys import SigningKey
from pbem.person.own_and_pending_joins import join_of_key, own_seat
from pbem.person.session import Session
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.call_and_seat_link_notes_in_home import note_seat_link_kept
from pbem.web.game_page_head import head_values
from pbem.web.join_pages import second_seat_error
from pbem.web.open_games import SHORT_ID_DIGITS, OpenGames, game_of, games_of, new_profile
from pbem.web.page_rendering import page
from pbem.web.request_fields import field_of, read_fields

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.records.join import Join
    from pbem.web.open_games import OpenGame

INCOMPLETE_LINK_SENTENCE: Final = (
    "a part of this link is missing: copy the whole link from the place where you kept it"
)
LINK_GONE_SENTENCE: Final = (
    "this page has lost your link, or another link was opened since: open your link again"
)


class Link(NamedTuple):
    """A link to a game: its kind is `join`, `back` or `game`; `secret` is an invite or a key."""

    kind: str
    address: Place
    secret: str

    @property
    def mark(self) -> str:
        """A fingerprint of this link for its page. It does not give the secret away."""
        return hashlib.sha256("\n".join(map(str, self)).encode()).hexdigest()[:32]


def routes() -> list[Route]:
    """Return the routes of the pages of links."""
    take, move = "/game/{name}/take", "/game/{name}/move"
    return [
        Route(take, ask_to_take),
        Route(take, take_seat, methods=["POST"]),
        Route(move, ask_to_move),
        Route(move, move_game, methods=["POST"]),
    ]


def open_link(app: Starlette, link: Link) -> str:
    """Return the path of the page that a link leads to. The files of its game must be here. Raises
    CliError and others."""
    games: OpenGames = app.state.games
    session = games.session(link.address)
    name, known_place = session.game_folder.game.hex()[:SHORT_ID_DIGITS], session.game_home.place
    if known_place and known_place != session.place and not known_place.is_gone():
        app.state.links[name] = link
        return f"/game/{name}/move"
    session.game_home.remember_place(session.place)
    return _page_of(app, session, link)


def _page_of(app: Starlette, session: Session, link: Link) -> str:
    """Return the path of the page that a link leads to, in a game whose address is settled."""
    games: OpenGames = app.state.games
    name = session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    path = f"/game/{name}"
    if link.kind == "join":
        games.invites[name] = link.secret
        return f"{path}/invite"
    if link.kind == "back":
        if key_in(link.secret).public not in games.keyring.publics.values():
            app.state.links[name] = link
            return f"{path}/take"
        note_seat_link_kept(session)  # the person has just used it
    return path


def key_in(secret: str) -> SigningKey:
    """Return the key in a link to a seat. Raises CliError."""
    try:
        seed = base64.urlsafe_b64decode(f"{secret}=")
    except ValueError:
        seed = b""
    if len(secret) != 43 or len(seed) != 32:
        raise CliError(INCOMPLETE_LINK_SENTENCE)
    return SigningKey(seed)


def _last_opened_link(request: Request, fields: dict[str, Any] | None = None) -> Link:
    """Return the link that was opened last in the game of a request.

    With the `fields` of a form, check that the form stands on the page of this link. Raises
    CliError.
    """
    link: Link | None = request.app.state.links.get(request.path_params["name"])
    if link is None or (fields is not None and field_of(fields, "mark") != link.mark):
        raise CliError(LINK_GONE_SENTENCE, "", KEY)
    return link


# ---- The link to a seat


async def ask_to_take(request: Request) -> Response:
    """Show the seat that a link with a key is for, with a button that takes it into this
    browser."""
    game, link = game_of(request), _last_opened_link(request)
    try:
        join, reason = _join_of_link(game, link), ""
    except CliError as error:
        join, reason = None, off_terminal(error.sentence)
    values = {"join": join, "reason": reason, "mark": link.mark}
    return page(request, "take.html", **values, **head_values(request, game, "take"))


async def take_seat(request: Request) -> Response:
    """Keep the key of a link in this browser, for the seat that has the key."""
    game, fields = game_of(request), await read_fields(request)
    games, link = games_of(request), _last_opened_link(request, fields)
    _join_of_link(game, link)
    name = game.session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    games.keyring.keep(new_profile(games.home, name), key_in(link.secret))
    note_seat_link_kept(game.session)  # the person has just used it
    del request.app.state.links[name]
    games.forget()
    return page(request, "followed.html", path=f"/game/{name}")


def _join_of_link(game: OpenGame, link: Link) -> Join:
    """Return the join of the seat that has the key in a link. Raises CliError."""
    session = game.session
    if own_join := own_seat(session):
        raise second_seat_error(own_join)
    key = key_in(link.secret).public if link.kind == "back" else b""
    if join := join_of_key(session, key):
        return join
    former = session.game_folder.standing.former_keys if session.listing.reached else {}
    if any(keys.signing == key for seat_keys in former.values() for keys in seat_keys):
        sentence = "this link no longer opens a seat, because the seat has a new key"
        raise CliError(f"{sentence}: open your newest link")
    raise CliError("the key in this link has no seat in this game: ask the referee for help")


# ---- A game that is here, at another address


async def ask_to_move(request: Request) -> Response:
    """Show that a link leads to another copy of a game that this browser has, with a button that
    moves the game there."""
    game, link = game_of(request), _last_opened_link(request)
    values = {
        "current_address": str(game.session.place),
        "linked_address": str(link.address),
        "mark": link.mark,
    }
    return page(request, "move.html", **values, **head_values(request, game, "move"))


async def move_game(request: Request) -> Response:
    """Use the address in a link for its game from now on."""
    game, fields = game_of(request), await read_fields(request)
    games, link = games_of(request), _last_opened_link(request, fields)
    session = games.session(link.address)
    if session.game_folder.game != game.session.game_folder.game:
        raise CliError(LINK_GONE_SENTENCE, "", KEY)
    session.game_home.remember_place(link.address)
    del request.app.state.links[request.path_params["name"]]
    games.forget()
    return page(request, "followed.html", path=_page_of(request.app, session, link))
