"""The referee's page: who is missing, the next turn, the invites, and the mail to send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.failure import CliError
from pbem.table.pages.frame import frame
from pbem.table.render import page
from pbem.table.requests import game_of, words_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.play.making.outcome import Outcome
    from pbem.table.open_games import OpenGame


async def show(request: Request) -> Response:
    """Show what the next turn waits for; nothing is written."""
    game = game_of(request)
    game.session.referee_key()
    outcome = game.session.refereeing.outlook
    return page(
        request, "referee.html", **frame(request, game, "referee"), **_values(game, outcome)
    )


def _values(game: OpenGame, outcome: Outcome) -> dict[str, Any]:
    from pbem.cli.session.mail_hints import seats_by_mail
    from pbem.cli.turns.advance_report import waiting_lines
    from pbem.play.checking.charter_rules import ruleset_of

    session = game.session
    begun = bool(session.listing.turns)
    joining = ("join",) in outcome.waiting.values()
    charter = session.game_folder.charter.content
    here = len(charter.seats) - len(outcome.waiting)
    bots = {plan.seat for plan in charter.seats if plan.bot}
    first = [seat for seat in outcome.first if seat not in bots]
    return {
        "ready": bool(outcome.write) or (bool(outcome.first) and not first),
        "over": outcome.over,
        "begun": begun,
        "lines": [line for line in waiting_lines(session, outcome) if not _is_told(line)],
        "invites": _invites(game, outcome) if joining else [],
        "may_start": joining and not outcome.contested and here in ruleset_of(charter).players,
        "contested": _contested(outcome),
        "by_mail": [(seat, session.here.name_of(seat)) for seat in seats_by_mail(session)],
        "held": bool(outcome.held),
        "folder": session.place,
        "first": first,
    }


def _is_told(line: str) -> bool:
    """Return whether the page shows this line in another form: invites, and who answers first."""
    from pbem.cli.turns.advance_report import OWN_FIRST, YOUR_MOVE

    return "pbem join --invite" in line or line.startswith(
        ("send each player", OWN_FIRST, YOUR_MOVE)
    )


def _invites(game: OpenGame, outcome: Outcome) -> list[dict[str, str]]:
    """Return the invite for each empty seat."""
    from pbem.play.making.sign import invite_to

    session = game.session
    charter, key = session.game_folder.charter, session.referee_key()
    return [
        {"name": plan.name, "seat": plan.seat, "line": invite_to(charter, key, plan.seat).line()}
        for plan in charter.content.seats
        if plan.seat in outcome.waiting
    ]


def _contested(outcome: Outcome) -> list[dict[str, str]]:
    return [
        {"seat": seat, "name": record.content.name, "id": record.id.hex()[:6]}
        for seat, records in outcome.contested.items()
        for record in records
    ]


async def advance(request: Request) -> Response:
    """Make the next turn, as `pbem advance` does."""
    from pbem.cli.turns.advance_report import made_lines
    from pbem.cli.turns.make_turns import make_turns
    from pbem.play.making.outcome import Wishes

    game, said = game_of(request), await words_of(request)
    accept = said.get("accept")
    wishes = Wishes(
        said.get("start") is True,
        [str(accept)] if accept else [],
        [],
        said.get("go_on") is True,
        said.get("no_wait") is True,
    )
    done = list(make_turns(game.session, wishes))
    game.look()
    if not done[0].outcome.write:
        told = _values(game, done[0].outcome)["lines"] or ["no turn could be made"]
        raise CliError("; ".join(told))
    made = [line for one in done for line in (*one.notes, *made_lines(one.outcome))]
    return page(request, "made.html", made=made, **frame(request, game, "referee"))
