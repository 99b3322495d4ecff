"""The pages for mail: read what came, and show the bundles to send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.responses import JSONResponse

from pbem.cli.failure import CliError
from pbem.table.guard import read_body
from pbem.table.open_games import SHORT
from pbem.table.pages.frame import frame
from pbem.table.pages.starting import new_folders
from pbem.table.render import page
from pbem.table.requests import field_of, game_of, games_of, words_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.cli.mail.write_bundle import Parcel
    from pbem.mail.receive import Delivery, Receiving
    from pbem.table.open_games import OpenGame, OpenGames

LONGEST_NAME = 120


async def receive(request: Request) -> Response:
    """Read one file or one pasted email, as `pbem receive` does."""
    from pbem.mail.find_folder import Places
    from pbem.mail.opening.size_limits import MAX_POST
    from pbem.mail.receive import Receiving
    from pbem.table.taken_replies import TakenReplies

    data = await read_body(request.receive, MAX_POST)
    if data is None:
        raise CliError(
            f"this is longer than {MAX_POST >> 20} MB", "save only the emails of this game"
        )
    games = games_of(request)
    name = unquote(request.headers.get("x-name", ""))[:LONGEST_NAME] or "what you pasted"
    replies = TakenReplies(games)
    intake = Receiving(Places(games.home, new_folders(games)))
    if not replies.take(data, name):
        intake.open(data, name)
    intake.deliver()
    came = _came(games, intake)
    told = {"replies": replies.told, "refused_replies": replies.refused}
    return page(request, "received.html", **came, **told)


def _came(games: OpenGames, intake: Receiving) -> dict[str, Any]:
    return {
        "delivered": [_delivered(games, one) for one in intake.deliveries],
        "refused": [one for one in intake.refusals if one.reason != "parent"],
        "waiting": [one for one in intake.refusals if one.reason == "parent"],
        "repaired": sorted(set(intake.repaired)),
        "kept": [str(path) for path in intake.kept],
    }


def _delivered(games: OpenGames, delivery: Delivery) -> dict[str, Any]:
    from pbem.cli.mail.take_mail import what_came

    said = what_came(games.session(delivery.root), delivery)
    return {"said": said, "name": delivery.game.hex()[:SHORT]}


# ------------------------------------------------------------------ sending
async def show(request: Request) -> Response:
    """Show the bundles to send: for all who play by mail, or for the seat in the address."""
    game = game_of(request)
    to, everything = request.query_params.get("to", ""), "all" in request.query_params
    parcels, why = _parcels(game, to, everything)
    values: dict[str, Any] = {"parcels": parcels, "why": why, "to": to, "everything": everything}
    return page(
        request, "mail.html", others=_others(game), **values, **frame(request, game, "mail")
    )


def _parcels(game: OpenGame, to: str, everything: bool) -> tuple[list[Parcel], str]:
    """Return the bundles to send, or the reason why there are none."""
    from pbem.cli.mail.write_bundle import BundleWriter

    try:
        return BundleWriter(game.session, everything).parcels([to] if to else []), ""
    except CliError as error:
        return [], str(error)


def _others(game: OpenGame) -> list[tuple[str, str]]:
    """Return the other players to whom you can send the game: seat and name."""
    from pbem.cli.mail.write_bundle import BundleWriter

    names, charter = BundleWriter(game.session).names, game.session.game_folder.charter.content
    own = {*charter.plays, *game.session.roles.seats}
    return [(seat, name) for seat, name in sorted(names.items()) if seat not in own]


async def note(request: Request) -> Response:
    """Remember that you saved or copied a bundle, as `pbem send` does."""
    from pbem.cli.mail.write_bundle import BundleWriter

    game, said = game_of(request), await words_of(request)
    writer = BundleWriter(game.session)
    to, everything = field_of(said, "to"), said.get("all") is True
    for parcel in _parcels(game, to, everything)[0]:
        if parcel.stem == said.get("stem"):
            writer.note_sent(parcel)
            return JSONResponse({"ok": True})
    raise CliError("this bundle is no longer the newest: reload the page")
