"""The pages about mail: what came is read here, and bundles to send are saved or copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.responses import JSONResponse

from pbem.errors import CliError
from pbem.terminal.commands_and_paths_to_type import brief
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.access_guard import read_body
from pbem.web.game_page_head import head_values
from pbem.web.open_games import SHORT_ID_DIGITS, OpenGame, game_of, games_of
from pbem.web.page_rendering import page
from pbem.web.request_fields import field_of, read_fields
from pbem.web.typed_folders import folder_for_games

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.acts.players_email_replies import ReplyResult
    from pbem.acts.write_bundles_and_emails import Bundle, BundleWriter


MAX_NAME_CHARACTERS = 120


async def receive(request: Request) -> Response:
    """Read one file or one pasted email, as `pbem receive` does."""
    from pbem.acts.receive_mail import Arrived, take_in
    from pbem.mail.find_game_by_id import Places
    from pbem.mail.unpack_mail import MAX_POST
    from pbem.wording.received_mail import delivery_lines

    data = await read_body(request.receive, MAX_POST)
    if data is None:
        raise CliError(
            f"the email or file is longer than {MAX_POST >> 20} MB",
            "save only the emails of this game",
        )
    games = games_of(request)
    name = unquote(request.headers.get("x-name", ""))[:MAX_NAME_CHARACTERS] or "what you pasted"
    places = Places(games.home, folder_for_games(games))
    received = take_in([Arrived(data, name)], places, games.keyring)
    delivered = [
        {
            "said": delivery_lines(filer, late_records),
            "name": filer.game_folder.game.hex()[:SHORT_ID_DIGITS],
        }
        for _, filer, late_records in received.deliveries
    ]
    values = {
        "delivered": delivered,
        "refused": [refusal for refusal in received.refusals if refusal.reason != "parent"],
        "waiting_records": [refusal for refusal in received.refusals if refusal.reason == "parent"],
        "repaired": sorted(set(received.repaired_files)),
        "kept": [str(path) for path in received.kept_paths],
        "replies": [_reply_sentence(result) for result in received.replies if result.seat],
        "refused_replies": [
            f"{result.reply.source}: {result.sentence}"
            for result in received.replies
            if not result.seat
        ],
    }
    return page(request, "received.html", **values)


def _reply_sentence(result: ReplyResult) -> str:
    """Return a sentence about a reply from a player without pbem, and about the answer to send."""
    sentence = f"{result.seat.view.title}: {result.sentence}" if result.seat else result.sentence
    if result.letter and result.path:
        sentence += f"; now mail the answer in {brief(result.path)} to {result.letter.address}"
    return sentence


async def show_mail(request: Request) -> Response:
    """Show the bundles to send: for all who play by mail, or for the seat in the address."""
    game = game_of(request)
    recipient, sends_all = request.query_params.get("to", ""), "all" in request.query_params
    bundles, reason = _bundles_to(game, recipient, sends_all)
    own_seats = {*game.session.charter.plays, *game.session.roles.seats}
    names = _bundle_writer(game).names
    other_people = [(seat, name) for seat, name in sorted(names.items()) if seat not in own_seats]
    values: dict[str, Any] = {
        "parcels": bundles,
        "why": reason,
        "to": recipient,
        "sends_all": sends_all,
    }
    return page(
        request,
        "mail.html",
        other_people=other_people,
        **values,
        **head_values(request, game, "mail"),
    )


def _bundle_writer(game: OpenGame, sends_all: bool = False) -> BundleWriter:
    """Return the writer of a game's bundles. `sends_all`: they have all records, not only new
    ones."""
    from pbem.acts.write_bundles_and_emails import (
        BundleWriter,  # a third of the time in which the pages are imported
    )

    return BundleWriter(game.session, sends_all)


def _bundles_to(game: OpenGame, recipient: str, sends_all: bool) -> tuple[list[Bundle], str]:
    """Return the bundles for a seat, or for all who play by mail if it is empty; and the reason if
    there are none."""
    try:
        return _bundle_writer(game, sends_all).bundles([recipient] if recipient else []), ""
    except CliError as error:
        return [], off_terminal(error.sentence)


async def note_sent(request: Request) -> Response:
    """Remember that the user saved or copied a bundle, as `pbem send` does."""
    game, fields = game_of(request), await read_fields(request)
    writer = _bundle_writer(game)
    recipient, sends_all = field_of(fields, "to"), fields.get("all") is True
    for bundle in _bundles_to(game, recipient, sends_all)[0]:
        if bundle.stem == fields.get("stem"):
            writer.note_sent(bundle)
            return JSONResponse({"ok": True})
    raise CliError("this bundle is no longer the newest: reload the page")
