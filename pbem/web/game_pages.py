"""The pages of one game: the table, the plan, what happened, any moment before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, JSONResponse, Response

from engine import UNKNOWN, Place, Scene
from pbem.acts.advance import waits_for_nobody
from pbem.acts.delivery import Delivered, deliver, take_back
from pbem.acts.orders import CHANGED_DRAFT_SENTENCE, UNKNOWN_REQUEST_SENTENCE, Planning
from pbem.acts.replay import messages_for, page_text, view_to_show
from pbem.drafts.choices import about_card, phase_of
from pbem.drafts.write import Forecast
from pbem.drawing.page_parts import card_html, fact_html, piece_html, track_html
from pbem.drawing.table import icons_of, marked, middle, sprite
from pbem.errors import CliError
from pbem.files.disk import StorageError
from pbem.files.host_folder import HostFolder
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.record_files import file_name
from pbem.judge.view import View
from pbem.person.delivery import are_kept_back, is_last_awaited, note_wait, were_taken_back
from pbem.person.due_mail import mail_method
from pbem.person.mail_books import SentMail
from pbem.person.messages import TABLE_VIEWER, MessagesHere
from pbem.person.own_orders import find_latest_orders
from pbem.person.session import Session
from pbem.person.situation import Situation, in_view
from pbem.records.charter import slug
from pbem.records.press import REFEREE
from pbem.replay.page import Steps, changes, player_bar, player_script, styles
from pbem.terminal.terminal import clean
from pbem.text.dates import local_date
from pbem.text.names import counted, join_words
from pbem.web.games import OpenGame, frame, game_of, is_sending, number_of, sent_data, time_tag
from pbem.web.guard import page
from pbem.web.people_pages import shown_message
from pbem.web.wording import Delivery, chip_of
from pbem.wording.explain import find
from pbem.wording.game_status import file_notes, joining_lines, joining_warnings, warnings
from pbem.wording.lesson import lesson_text
from pbem.wording.next_step import describe_move, name_awaited_players
from pbem.wording.scores import (
    departures_of,
    end_sentence,
    points_of,
    ranks_by_seat,
    scores_of,
    tie_lines,
)
from pbem.wording.status import deadline_lines

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.replay.page import History

# ---- The table as parts of a page, each with its name

# A server shows the same pieces and cards again and again, so their markup is cached.
_icons_of = lru_cache(16)(icons_of)
_piece_html = lru_cache(2048)(piece_html)
_card_html = lru_cache(2048)(card_html)
_sprite = lru_cache(16)(sprite)


def picture(view: View, scene: Scene, changed: Sequence[str] = ()) -> dict[str, Any]:
    """Return a scene as parts of a page: the middle, you, and then the players clockwise; `changed`
    are the keys of the parts to mark."""
    icons = _icons_of(view.play.ruleset)
    flags: dict[str, list[str]] = {}
    for label, value in scene.facts:
        flags.setdefault(value, []).append(label)

    def safe(part: str) -> Markup:  # the texts in a part were escaped when it was made
        return Markup(marked(part, changed))

    def drawn(place: Place, at: int) -> dict[str, Any]:
        cards = place.hand if any(card != UNKNOWN for card in place.hand) else ()
        return _lies(view, place._replace(hand=cards), at, safe) | {
            "seat": place.seat,
            "name": view.names.get(place.seat, ""),
            "at": at % 8,  # gives the colour
            "mine": place.seat == view.seat,
            "flags": flags.get(place.seat, ()),
            "backs": 0 if cards else len(place.hand),  # cards that this viewpoint does not know
        }

    others, mine = scene.around(view.seat)
    found = middle(scene, icons)
    return {
        "sprite": Markup(_sprite(icons)),
        "tracks": [safe(track_html(*fact, icons)) for fact in found.tracks],
        "facts": [safe(fact_html(*fact, icons, f"fact:{fact[0]}")) for fact in found.chips],
        "tiles": [safe(fact_html(*fact, icons, f"fact:{fact[0]}")) for fact in found.tiles],
        "words": found.words,
        "places": [drawn(scene.places[n], n) for n in (*mine, *others)],
    }


def _lies(view: View, place: Place, at: int, safe: Callable[[str], Markup]) -> dict[str, Any]:
    icons, key = _icons_of(view.play.ruleset), f"seat:{place.seat}"
    hand = [_card_html(card, icons, f"{key}:hand:{n}") for n, card in enumerate(place.hand)]
    return {
        "facts": [safe(fact_html(*fact, icons, f"{key}:{fact[0]}")) for fact in place.facts],
        "pieces": [(p.name, safe(_piece_html(p, icons, at)), "") for p in place.pieces],
        "hand": [(card, safe(html), "") for card, html in zip(place.hand, hand, strict=True)],
    }


def planned(view: View, after: Place) -> dict[str, Any]:
    """Return your own place as your plan makes it: what changes is marked, each used card says so,
    and what dies out lies there last."""
    places = view.play.ruleset.scene(view.table.state).places
    at, before = next((n, one) for n, one in enumerate(places) if one.seat == view.seat)
    differ = changes(Scene((), (before,)), Scene((), (after,)))

    def safe(part: str) -> Markup:
        return Markup(marked(part, differ, "data-planned"))

    gone = [one for one in before.pieces if one.name not in {x.name for x in after.pieces}]
    shown = after._replace(hand=before.hand, pieces=(*after.pieces, *gone))
    lies, kept = _lies(view, shown, at, safe), Counter(after.hand)
    for n, (card, html, _) in reversed([*enumerate(lies["hand"])]):
        kept[card] -= 1
        lies["hand"][n] = card, html, "used" if kept[card] < 0 else ""
    old = {one.name for one in before.pieces}
    for n, (name, html, _) in enumerate(lies["pieces"]):
        word = "gone" if n >= len(after.pieces) else "" if name in old else "new"
        lies["pieces"][n] = name, html, word or ("planned" if "data-planned" in html else "")
    return lies


# ---- The page of one game

FEW_TURNS, MOST_MESSAGES = 3, 6
"""The number of turns in the log beside the table, and the most messages below it."""


async def show_game(request: Request) -> Response:
    """Show the page of the game: its table as you may see it."""
    game = game_of(request)
    situation = game.situation()
    values = frame(request, game, "table")
    if situation.view is None:
        session, roles = game.session, game.session.roles
        told: dict[str, Any] = {
            "people": _who_is_here(session),
            "lines": joining_lines(session),
            "notes": [*joining_warnings(session), *notes(game)],
            "may_join": not (roles.seats or roles.referee),
            "referee": bool(roles.referee),
            "seated": bool(roles.seats) and not roles.referee,
            "waits_for": name_awaited_players(situation) or clean(situation.referee_name),
        }
        return page(request, "waiting.html", **told, **values)
    return page(request, "game.html", **values, **table_values(request, game, situation))


def _who_is_here(session: Session) -> list[tuple[str, str]]:
    charter = session.charter
    names = {join.content.seat: join.content.name for join in session.game_folder.joins().values()}
    here = dict.fromkeys(names, "has joined") | dict.fromkeys(session.roles.seats, "you")
    here |= dict.fromkeys(charter.bots, "a bot")
    return [
        (names.get(plan.seat, plan.name), here.get(plan.seat, "has not joined yet"))
        for plan in charter.seats
    ]


def _delivery_of(request: Request, game: OpenGame, seat: str) -> Delivery:
    """Return whether the orders of a seat still wait to be sent.

    Of a folder that people share, nobody can know when the others get it; nor is there anything to
    send if the referee plays the seat.
    """
    session, view = game.session, game.view()
    if seat not in session.roles.seats:
        return "sent"  # or they would not be here
    orders = find_latest_orders(session, view) if seat == view.seat else None
    if orders is None or session.roles.referee:
        return ""
    if isinstance(session.folder, HostFolder):
        if file_name(orders).path in session.folder.held_paths():
            return "unsent"
        is_waiting = file_name(orders).path in session.folder.waiting_paths()
        return "sending" if is_waiting else "sent"
    if mail_method(session):
        is_sent = SentMail(session.game_home).was_sent(REFEREE, orders.id)
        return "sent" if is_sent else "unsent"
    return "sent" if session.place.is_remote else ""


def table_values(request: Request, game: OpenGame, situation: Situation) -> dict[str, Any]:
    """Return the values of the page of a game that has begun."""
    view, history = game.view(), game.history()
    first = max(1, min(view.accepted.get(view.seat, 1), view.turn - FEW_TURNS + 1))
    scene = view.play.ruleset.scene(view.table.state)
    begin = history.end_of(view.turn - 1)
    changed = history.changed(begin, len(history.steps)) if view.turn > 1 else []
    # the owner knows their hand; a frame around one of its cards means that it can be used
    own_hand = f"seat:{view.seat}:hand"
    changed = [key for key in changed if not key.startswith(own_hand)]
    planning, why_not = None, ""  # a spectator has neither a plan nor a reason
    if view.seat and not view.is_over:
        try:
            planning = Planning(game.session, view)
        except CliError as error:
            why_not = str(error)
    steps = history.of_turns(range(max(first, view.turn - FEW_TURNS + 1), view.turn + 1))
    seats = [
        {
            "seat": seat,
            "name": name,
            "chip": chip_of(situation.words[seat], _delivery_of(request, game, seat)),
        }
        for seat, name in sorted(view.names.items())
    ]
    return {
        "view": view,
        "phase": phase_of(view),
        "picture": picture(view, scene, changed),
        "seats": seats,
        "move": describe_move(situation),
        "warnings": [*warnings(game.session, situation, view), *notes(game)],
        "final": final(view) if view.is_over else None,
        "points": {} if view.is_over else {x.seat: points_of(x) for x in scores_of(view)},
        "plan": planning,
        "why_not": why_not,
        "state": plan_state(game, situation, view),
        "steps": steps,
        "messages": last_messages(game, view),
        "last": next((line for step in reversed(steps) for line in reversed(step.sentences)), ""),
        "sealed": view.seat in situation.sealed_seats,
        "since": view.accepted.get(view.seat, 0),
        "looked": looked(game, view),
        "lesson": lesson_text(game.session, view),
    }


def looked(game: OpenGame, view: View) -> int:
    """Return the turn up to which you had seen the table before this turn came, and note that you
    see it now."""
    otherwise = max(view.accepted.get(view.seat, 1) - 1, view.turn - FEW_TURNS)
    looks, who = game.session.game_home.shown_turns, view.seat or TABLE_VIEWER
    try:
        before = looks.note_turn(who, view.published, otherwise)
    except StorageError:  # the home is read-only
        before = otherwise
    return max(0, min(before, view.turn - 1))


def last_messages(game: OpenGame, view: View) -> list[dict[str, Any]]:
    """Return the last messages that you may read, which stand below what happened."""
    here = MessagesHere(game.session, view)
    found = here.read(range(max(0, view.published - FEW_TURNS + 1), view.published + 1))
    return [shown_message(one, {*here.roles}) for one in found[-MOST_MESSAGES:]]


def final(view: View) -> dict[str, Any]:
    """Return the end of the game: who won, by how much, and everybody's points by their parts."""
    ranks, out = ranks_by_seat(view), departures_of(view)
    scores = sorted(scores_of(view), key=lambda one: (ranks[one.seat], one.rank))
    parts = list(dict.fromkeys(name for one in scores for name in one.parts))
    stayed = [one for one in scores if one.seat not in out]
    ahead = stayed[0].total - stayed[1].total if len(stayed) > 1 else 0
    second = [one for one in stayed[1:] if one.total == stayed[1].total]
    margin = f"{counted(ahead, 'point')} ahead of "
    margin += join_words(clean(view.names[one.seat]) for one in second)
    seats = sorted(view.names)
    rows = [
        {
            "seat": one.seat,
            "name": view.names[one.seat],
            "at": seats.index(one.seat) % 8,
            "rank": ranks[one.seat] or "–",
            "total": one.total,
            "parts": [one.parts.get(name, 0) for name in parts],
            "out": out.get(one.seat, ""),
        }
        for one in scores
    ]
    return {
        "said": end_sentence(view),
        "ties": tie_lines(view),
        "margin": margin if ahead > 0 and ranks[stayed[0].seat] == 1 else "",
        "parts": parts,
        "rows": rows,
        "most": max([1, *(sum(n for n in one.parts.values() if n > 0) for one in scores)]),
    }


def plan_state(game: OpenGame, situation: Situation, view: View) -> list[Markup]:
    """Say whether your orders are sealed, what they leave open, and when they are final."""
    if not view.seat or view.is_over:
        return []
    lines = []
    has_orders = find_latest_orders(game.session, view) is not None
    if are_kept_back(game.session, view):
        lines.append("You took your orders back before they were sent. Send when you are ready.")
    elif were_taken_back(game.session, view):
        lines.append("What you sent counts until you send again.")
    elif has_orders and view.seat in situation.sealed_seats:
        lines.append("Your orders are sealed.")
        if situation.open_kinds:
            lines.append(f"They do not answer {', '.join(situation.open_kinds)}.")
    lines += deadline_lines(view, situation)
    status = deadline_status_of(view)
    revisable_until = 0 if situation.pending_seats else situation.revisable_until
    moments = [status.deadline, status.absent_at, revisable_until]
    return [_with_times(line, moments, status.zone) for line in lines]


def _with_times(line: str, moments: Sequence[int], zone: str) -> Markup:
    """Write a line with these moments as times, which the page shows in the reader's own zone; one
    that knows none shows them in the game's."""
    found = escape(line[:1].upper() + line[1:])
    for seconds in dict.fromkeys(moments):
        if seconds and "UTC" in line:
            found = found.replace(local_date(seconds), time_tag(seconds, zone))
    return found


def notes(game: OpenGame) -> list[str]:
    """Return notes on your last orders, if they were missing or do not count, and on stray files in
    the folder."""
    strays = [note.removeprefix("note: ") for note in file_notes(game.session)]
    return [*game.session.order_notes, *strays]


async def now(request: Request) -> Response:
    """Answer whether anything has changed since the page was shown, and which turn is here."""
    game = game_of(request)
    sending = is_sending(request, game.session)
    turn = game.session.listing.reached
    return JSONResponse({"stamp": game.stamp, "turn": turn, "sending": sending})


async def stylesheet(request: Request) -> Response:
    """Answer with the style sheet of the drawings and of the player."""
    return Response(styles(), media_type="text/css")


async def script_of_player(request: Request) -> Response:
    """Answer with the script of the player, which replay pages have too."""
    return Response(player_script(), media_type="text/javascript")


LONGEST = 200
"""The longest name of a card or piece that is looked up, in characters."""


async def about(request: Request) -> Response:
    """Say what a card or a piece of the table does; of a card in your hand, whether you can play it
    now."""
    game, thing = game_of(request), request.query_params.get("thing", "")[:LONGEST]
    view = game.view()
    try:
        text, told = find(view.play.ruleset, thing, view), ""
    except CliError as error:
        text, told = None, str(error)
    places = view.play.ruleset.scene(view.table.state).places
    mine = next((place.hand for place in places if place.seat == view.seat), ())
    uses: list[str] = []
    if thing in mine and not view.is_over:
        with suppress(CliError):  # nobody can order anything now
            uses = about_card(view, Planning(game.session, view).draft.lines, thing)
    return page(request, "about.html", thing=thing, text=text, told=told, uses=uses)


# ---- Your plan, as a part of the page

UNREAD = "nothing was sealed: the plan has mistakes, which are marked in it"


def _fragment(request: Request, game: OpenGame, told: str = "", status: int = 200) -> Response:
    view = game.view()
    planning = Planning(game.session, view)
    situation = in_view(game.session, view)
    values = frame(request, game, "table") | {
        "plan": planning,
        "view": view,
        "move": describe_move(situation),
        "state": plan_state(game, situation, view),
        "sealed": view.seat in situation.sealed_seats,
        "lesson": lesson_text(game.session, view),
    }
    return page(request, "plan.html", status, told=told, why_not="", **values)


async def show_plan(request: Request) -> Response:
    """Show the plan as it is now."""
    return _fragment(request, game_of(request))


async def change(request: Request) -> Response:
    """Carry out one click, and show the plan after it."""
    game, said = game_of(request), await sent_data(request)
    planning = Planning(game.session, game.view())
    try:
        planning.change(said)
    except CliError as error:
        return _fragment(request, game, str(error), 409)
    return _fragment(request, game)


async def foresee(request: Request) -> Response:
    """Show what the plan would do if nobody else acts, in words and as your place would look."""
    game = game_of(request)
    planning = Planning(game.session, game.view())
    view, draft = planning.view, planning.to_seal
    seen = None if draft.errors else Forecast(view, draft.lines)
    mine = planned(view, seen.place) if seen and seen.place else None
    return page(request, "forecast.html", told=seen.sentences if seen else [], mine=mine)


async def seal(request: Request) -> Response:
    """Read every file again and seal the plan, as `pbem submit` does; show that they are sent."""
    game, said = game_of(request), await sent_data(request)
    game.session.refresh()
    planning = Planning(game.session, game.session.view(skip_cache=True))
    if said.get("mark") != planning.mark:
        raise CliError(CHANGED_DRAFT_SENTENCE)
    if planning.draft.errors:
        raise CliError(UNREAD)
    session, view = game.session, planning.view
    pending_seats = in_view(session, view).pending_seats
    done = planning.seal(is_held=is_last_awaited(view, pending_seats))
    if session.folder.held_paths() or waits_for_nobody(session, view):
        note_wait(session, done.id)
    game.look()
    # the page itself says until when they can be changed
    return _sent_page(request, game, Delivered(), done.receipt_lines(final=True))


def _sent_page(
    request: Request,
    game: OpenGame,
    delivered: Delivered,
    receipt: Sequence[str] = (),
    *,
    is_last: bool = False,
) -> Response:
    session = game.session
    return page(
        request,
        "sent.html",
        delivered=delivered,
        receipt=receipt,
        is_last=is_last,
        by_mail=bool(game.situation().unsent_mail),
        held=game.view().seat in session.roles.held_seats,
        **frame(request, game, "table"),
    )


def _shown_turn(said: dict[str, Any]) -> int:
    """Return the last turn that the page shows. Raises CliError if it does not say so."""
    turn = said.get("turn")
    if not isinstance(turn, int):
        raise CliError(UNKNOWN_REQUEST_SENTENCE)
    return turn


async def deliver_orders(request: Request) -> Response:
    """Deliver the orders whose wait is over; say that they are sent."""
    game = game_of(request)
    _shown_turn(await sent_data(request))
    delivered = deliver(game.session)
    game.look()
    return _sent_page(request, game, delivered, is_last=True)


async def take_back_orders(request: Request) -> Response:
    """Open the orders again that were just sent, and say whether they still count."""
    game, said = game_of(request), await sent_data(request)
    take_back(game.session, _shown_turn(said))
    game.look()
    is_kept_back = are_kept_back(game.session, game.view())
    return page(request, "taken_back.html", is_kept_back=is_kept_back)


# ---- Since you last looked, history and replay


async def show_news(request: Request) -> Response:
    """Answer with the steps after the turn in the address, for the player on the board."""
    game = game_of(request)
    view, since = game.view(), number_of(request, "since", 0)
    turns = range(_turn(view, since + 1), view.turn + 1)
    steps = Steps(game.history(), turns, at_once=True)
    return JSONResponse({"bar": player_bar(), **steps.data()})


async def show_history(request: Request) -> Response:
    """Show the table after the entry (`step`) or turn in the address, else after the last entry;
    `since` shows all that happened from that turn on."""
    game = game_of(request)
    view, history = game.view(), game.history()
    last = len(history.steps)
    if "since" in request.query_params:
        first_turn = number_of(request, "since", 1)
        step, before = last, history.end_of(_turn(view, first_turn) - 1)
    elif "turn" in request.query_params:
        turn = _turn(view, number_of(request, "turn", view.turn))
        step, before = history.end_of(turn), history.end_of(turn - 1)
    else:
        step = number_of(request, "step", last)
        before = max(0, step - 1)
    if not 0 <= step <= last:
        raise CliError(f"there is no entry {step}; the last is {last}")
    values = frame(request, game, "history") | _moment(view, history, step, before)
    if request.headers.get("x-pbem-part") == "1":  # net.js wants only the part that changes
        return page(request, "moment.html", **values)
    return page(request, "history.html", **values)


async def replay(request: Request) -> Response:
    """Answer with the page that `pbem replay` writes: what everybody may see."""
    from starlette.concurrency import run_in_threadpool

    session = game_of(request).session
    # after the end of the game, this audits it first
    view = await run_in_threadpool(view_to_show, session, "")
    text = page_text(view, range(1, view.published + 1), messages_for(session, view))
    name = f'attachment; filename="{slug(view.title)}.html"'
    return HTMLResponse(text, headers={"content-disposition": name})


def _turn(view: View, turn: int) -> int:
    if not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}")
    return turn


def _moment(view: View, history: History, step: int, before: int) -> dict[str, Any]:
    scene, turn = history.scene_after(step), history.turn_at(step)
    return {
        "view": view,
        "step": step,
        "last": len(history.steps),
        "turn": turn,
        "first_of_turn": history.end_of(turn - 1) + 1 if turn else 0,
        "picture": picture(view, scene, history.changed(before, step)),
        "steps": history.steps[before:step],
        "since": view.accepted.get(view.seat, 1),
        "long": step - before > 1,
    }
