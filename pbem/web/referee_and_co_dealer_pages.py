"""The pages of those who deal: whom the next turn waits for, and the button that makes it; what the
game waits for from a co-dealer, and the button that deals this part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.acts.advance import make_turns
from pbem.acts.deal_as_co_dealer import deal_own_part
from pbem.errors import KEY, CliError
from pbem.judge.make_signed_records import invite_to
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions, Outcome
from pbem.person.due_mail import seats_by_mail
from pbem.person.situation import situation_after
from pbem.records.twelve_words import words_of
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.game_page_head import head_values
from pbem.web.open_games import OpenGame, game_of
from pbem.web.page_rendering import page
from pbem.web.request_fields import field_of, read_fields
from pbem.wording.advance_report import awaited_lines, dealt_line, run_lines
from pbem.wording.co_dealing import NO_CO_DEALER_SENTENCE, describe_owed_part

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


async def show_referee(request: Request) -> Response:
    """Show the people and answers that the next turn waits for. Writes nothing."""
    game = game_of(request)
    game.session.refereeing.key()
    values = _referee_values(game, game.session.refereeing.outlook)
    return page(request, "referee.html", **head_values(request, game, "referee"), **values)


def _referee_values(game: OpenGame, outcome: Outcome) -> dict[str, Any]:
    """Return the values of the referee's page after a try to make the next turn."""
    session = game.session
    charter = session.game_folder.charter
    seats = charter.content.seats
    # the referee's own seats must answer before the others see the next turn
    bots = charter.content.bots
    own_seats_to_answer = [seat for seat in outcome.preview_seats if seat not in bots]
    situation, key = situation_after(session, outcome), session.refereeing.key()
    invites = []
    for plan in (plan for plan in seats if plan.seat in situation.empty_seats):
        line = invite_to(charter, key, plan.seat).line()
        link = session.folder.link("join", line)
        invites.append({"name": plan.name, "seat": plan.seat, "line": line, "link": link})
    has_begun = bool(session.listing.turns)
    lines = awaited_lines(session, outcome, situation)
    if situation.stage == "over":  # a button starts the next game
        lines = lines[:1]
    if outcome.new_records:  # the lines are about the turn that comes then
        line = "the next turn can be made" if has_begun else "everybody is here: the game can begin"
        lines = [line]
    only_bots_answer = bool(outcome.preview_seats) and not own_seats_to_answer
    return {
        "ready": bool(outcome.new_records) or only_bots_answer,
        "over": situation.stage == "over",
        "begun": has_begun,
        "lines": lines,
        "invites": invites,
        "may_start": situation.may_start and not situation.contested_seats,
        "contested": [
            {
                "seat": seat,
                "name": record.content.name,
                "id": record.id.hex(),
                "words": " ".join(words_of(record.id)),
            }
            for seat, records in outcome.contested.items()
            for record in records
        ],
        "by_mail": [(seat, session.name_of(seat)) for seat in seats_by_mail(session)],
        "has_unheard_seats": bool(outcome.unheard_seats),
        "folder": session.place,
        "watch": session.folder.link("game"),
        "first": own_seats_to_answer,
    }


async def advance(request: Request) -> Response:
    """Make the next turn, as `pbem advance` does."""
    game, fields = game_of(request), await read_fields(request)
    start, go_on, no_wait = (fields.get(key) is True for key in ("start", "go_on", "no_wait"))
    accept = [str(fields["accept"])] if fields.get("accept") else []
    options = AdvanceOptions(start, accept, [], go_on, no_wait)
    runs = list(make_turns(game.session, options))
    game.refresh()
    if not runs[0].outcome.new_records:
        lines = _referee_values(game, runs[0].outcome)["lines"] or ["no turn could be made"]
        raise CliError("; ".join(lines))
    result_lines = [line for run in runs for line in run_lines(run.notes, run.outcome)]
    return page(
        request, "made.html", result_lines=result_lines, **head_values(request, game, "referee")
    )


# ---- The co-dealer's page


async def show_co_dealer(request: Request) -> Response:
    """Show what the game waits for, and whether that is your part. Writes nothing."""
    game = _dealt_game_of(request)
    situation = game.situation()
    return page(
        request,
        "co_dealer.html",
        **head_values(request, game, "deal"),
        owed_sentence=off_terminal(describe_owed_part(situation)),
        turn=game.session.listing.reached,
        is_owed=situation.owes_deal,
        may_deal=situation.may_deal,
        is_over=situation.stage == "over",
    )


async def deal_part(request: Request) -> Response:
    """Deal your part, as `pbem advance` does."""
    game, fields = _dealt_game_of(request), await read_fields(request)
    deal = deal_own_part(game.session, field_of(fields, "compared"))
    game.refresh()
    if deal is None:
        raise CliError(describe_owed_part(game.situation()))
    return page(
        request,
        "dealt.html",
        **head_values(request, game, "deal"),
        dealt_line=dealt_line(deal),
    )


def _dealt_game_of(request: Request) -> OpenGame:
    """Return the game of a request if you are a co-dealer in it. Raises CliError if not."""
    game = game_of(request)
    if not game.session.roles.co_dealer:
        raise CliError(NO_CO_DEALER_SENTENCE, "", KEY)
    return game
