"""The end of a game on its page: your result, how ties fell, and whether the game was fair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from pbem.acts.check_game_made_by_host import read_dealt_charter
from pbem.acts.join import split_invite
from pbem.acts.rematch_invites import (
    check_rematch,
    checked_invites,
    host_form,
    invites_by_old_seat,
    invites_from_host,
    is_own_first,
    names_of_people,
    note_rematch,
    rematch_notebook,
    rematch_offers,
    send_invites,
)
from pbem.acts.remembered_audit import audit_once, remembered_audit
from pbem.errors import CliError, PbemError
from pbem.files.host_store import read_dealt_game
from pbem.judge.game_view import View
from pbem.person.known_joins import own_seat
from pbem.person.session import Session
from pbem.records.invite import parse_invite
from pbem.terminal.terminal import clean
from pbem.text.numbers_and_lists import counted, join_words
from pbem.web.open_games import (
    SHORT_ID_DIGITS,
    OpenGame,
    field_of,
    game_of,
    games_of,
    head_values,
    read_fields,
    short_address,
)
from pbem.web.rendering import in_tab, page
from pbem.wording.scores import (
    departures_of,
    end_sentence,
    ranks_by_seat,
    scores_of,
    tie_lines,
)

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def result_values(view: View) -> dict[str, Any]:
    """Return the result of the game as values of a page: the user's own result, a sentence on the
    end, the lead of the winner, everybody's points by their parts."""
    ranks, departures = ranks_by_seat(view), departures_of(view)
    scores = sorted(scores_of(view), key=lambda score: (ranks[score.seat], score.rank))
    parts = list(dict.fromkeys(name for score in scores for name in score.parts))
    staying_scores = [score for score in scores if score.seat not in departures]
    lead = staying_scores[0].total - staying_scores[1].total if len(staying_scores) > 1 else 0
    second_scores = [
        score for score in staying_scores[1:] if score.total == staying_scores[1].total
    ]
    margin = f"{counted(lead, 'point')} ahead of "
    margin += join_words(clean(view.names[score.seat]) for score in second_scores)
    seats = sorted(view.names)
    rows = [
        {
            "seat": score.seat,
            "name": view.names[score.seat],
            "at": seats.index(score.seat) % 8,
            "rank": ranks[score.seat] or "–",
            "total": score.total,
            "parts": [score.parts.get(name, 0) for name in parts],
            "out": departures.get(score.seat, ""),
            "mine": score.seat == view.seat,
        }
        for score in scores
    ]
    return {
        "own_result": own_result_line(view),
        "said": end_sentence(view),
        "ties": tie_lines(view),
        "margin": margin if lead > 0 and ranks[staying_scores[0].seat] == 1 else "",
        "parts": parts,
        "rows": rows,
        "most": max([1, *(sum(n for n in score.parts.values() if n > 0) for score in scores)]),
    }


_RANK_WORDS: Final = ("won", "came second", "came third", "came fourth", "came fifth", "came sixth")
_OWN_RESULT: Final = "You {outcome} of {players}, with {points}"
_OWN_WIN: Final = "You {outcome}, with {points}"
_SHARED_WIN: Final = "shared the win"
_OWN_POINTS: Final = "You have {points}"


def own_result_line(view: View) -> str:
    """Return the user's own rank and points in a game that is over; empty for a spectator. Only
    points, if the end has no order or the user has left."""
    score = next((score for score in scores_of(view) if score.seat == view.seat), None)
    if score is None:
        return ""
    ranks, points = ranks_by_seat(view), counted(score.total, "point")
    rank = ranks[view.seat]
    if not rank or view.seat in departures_of(view):
        return _OWN_POINTS.format(points=points)
    is_shared = rank == 1 and list(ranks.values()).count(1) > 1
    if rank == 1:
        return _OWN_WIN.format(outcome=_SHARED_WIN if is_shared else _RANK_WORDS[0], points=points)
    return _OWN_RESULT.format(outcome=_RANK_WORDS[rank - 1], players=len(ranks), points=points)


# ---- Whether the game was fair


def end_values(request: Request, game: OpenGame, view: View) -> dict[str, Any]:
    """Return what the page of a game that is over says below its result. `proof` is the result of
    the last audit, None if the page must ask for one."""
    return {
        "proof": remembered_audit(game.session),
        "rematch": rematch_values(request, game, view),
    }


async def show_proof(request: Request) -> Response:
    """Audit a game that is over, unless that was done since its files changed; show the result."""
    game = game_of(request)
    notes = await run_in_threadpool(audit_once, game.session)
    return page(request, "proof.html", proof=notes, **head_values(request, game, "table"))


# ---- The next game with the same people


def rematch_values(request: Request, game: OpenGame, view: View) -> dict[str, Any]:
    """Return what the page says about the next game: the games that were started, the one that all
    follow first; or the `form` for the host, empty if this page cannot start one."""
    session = game.session
    offers, notes = rematch_offers(session, view), rematch_notebook(session).read()
    started_games = [
        _started_game(request, offer.invitation, offer.title, offer.name) for offer in offers
    ]
    if notes.own_invitation:
        own_game = _started_game(request, notes.own_invitation, notes.title, "")
        own_index = 0 if is_own_first(session, offers) else len(started_games)
        started_games.insert(own_index, own_game)
    return {
        "title": notes.title,
        "unsent": bool(notes.unsent),
        "games": started_games,
        "form": _rematch_form(request, session, view),
    }


def _started_game(request: Request, invitation: str, title: str, by: str) -> dict[str, str]:
    """Return a game that was started, as values of a page. It has a `name` if the user has a seat
    in it; `by` is whoever started it, empty for the user."""
    games = games_of(request)
    name = parse_invite(split_invite(invitation)[0]).game.hex()[:SHORT_ID_DIGITS]
    try:
        has_seat = own_seat(games.game(name).session) is not None
    except PbemError:  # the game is not here
        has_seat = False
    return {
        "name": name if has_seat else "",
        "title": title,
        "invitation": invitation,
        "by": by,
    }


def _rematch_form(request: Request, session: Session, view: View) -> dict[str, str]:
    """Return the fields with which the host of this game makes the next one; empty if it does not
    deal this one, the user does not play, or this page cannot reach it."""
    place = session.place
    is_elsewhere = in_tab(request) and "://" in short_address(request, place)
    if not (session.charter.automaton and place.rematch_page and session.seat) or is_elsewhere:
        return {}
    return host_form(session.charter, names_of_people(session.charter, view))


async def start_rematch(request: Request) -> Response:
    """Start the next game on the host of this one, and write everybody their invite to it.

    A browser tab, which has no network while it answers, sends what the host has answered. If the
    game is started already, only the invites are written that are still missing.
    """
    game, fields = game_of(request), await read_fields(request)
    session = game.session
    session.refresh()
    view = session.view(skip_cache=True)
    notebook = rematch_notebook(session)
    if not notebook.read().title:
        check_rematch(session, view)
        form = _rematch_form(request, session, view)
        if not form:
            raise CliError(_NO_HOST_DEALS)
        if in_tab(request):
            invites = _invites_in_answer(session, form, fields)
        else:
            invites = await run_in_threadpool(invites_from_host, session, form)
        note_rematch(session, form["title"], invites_by_old_seat(session.charter, invites))
    send_invites(session, view)
    game.refresh()
    return JSONResponse({"ok": True, "invitation": notebook.read().own_invitation})


_NO_HOST_DEALS: Final = "no host deals this game, so this page cannot start the next one"


def _invites_in_answer(session: Session, form: dict[str, str], fields: dict[str, Any]) -> list[str]:
    """Return the invites in a host's answer about a new game, which the page has sent here with the
    game's charter. Raises CliError, StorageError."""
    game = read_dealt_game(field_of(fields, "answer").encode(), session.place.host)
    charter = read_dealt_charter(str(fields.get("charter", "")).encode())
    return checked_invites(session.charter, form, game, charter)
