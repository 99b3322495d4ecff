"""The pages of one game: the table, the plan, what happened, any moment before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, JSONResponse, Response

from engine import UNKNOWN, Place, Scene
from pbem.acts.advance import waits_for_nobody
from pbem.acts.deliver_or_take_back_orders import Delivered, deliver, take_back
from pbem.acts.orders import CHANGED_DRAFT_SENTENCE, UNKNOWN_REQUEST_SENTENCE, Planning
from pbem.acts.write_replay_or_picture import messages_for, page_text, view_to_show
from pbem.drafts.choices import about_card, phase_of
from pbem.drafts.write_draft import Forecast
from pbem.drawing.table import icons_of, marked, middle, sprite
from pbem.drawing.table_parts_in_html import card_html, fact_html, piece_html, track_html
from pbem.errors import CliError
from pbem.files.disk import StorageError
from pbem.files.host_folder import HostFolder
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.game_view import View
from pbem.judge.record_files import file_name
from pbem.person.latest_orders import find_latest_orders
from pbem.person.mail_notebooks import SentMail
from pbem.person.mail_to_send import mail_method
from pbem.person.orders_waiting_for_delivery import (
    are_kept_back,
    delivery_book,
    is_last_awaited,
    note_wait,
    were_taken_back,
)
from pbem.person.readable_messages import TABLE_VIEWER, MessagesHere
from pbem.person.session import Session
from pbem.person.situation import Situation, in_view
from pbem.person.unread_missed_deadlines import missed_turns, note_missed_read
from pbem.records.invite import slug
from pbem.records.press_message import REFEREE
from pbem.replay.page import player_bar, player_script, styles
from pbem.replay.steps import Steps, changes
from pbem.terminal.terminal import clean
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.game_end_page import end_values, result_values
from pbem.web.message_and_notice_pages import shown_message
from pbem.web.open_games import (
    OpenGame,
    game_of,
    head_values,
    is_sending,
    number_of,
    read_fields,
    time_tag,
)
from pbem.web.rendering import page, part_of_page
from pbem.web.seat_status_chips import Delivery, chip_of
from pbem.wording.explained_words import find
from pbem.wording.game_status import file_notes, joining_lines, joining_warnings, warnings
from pbem.wording.lesson import lesson_text
from pbem.wording.next_step import describe_move, name_awaited_players
from pbem.wording.order_receipts import unanswered_line
from pbem.wording.scores import points_of, scores_of
from pbem.wording.situation import deadline_lines

if TYPE_CHECKING:
    from starlette.requests import Request

    from pbem.replay.steps import History

# ---- The table as parts of a page, each with its name

# A server shows the same pieces and cards again and again, so their markup is cached.
_icons_of = lru_cache(16)(icons_of)
_piece_html = lru_cache(2048)(piece_html)
_card_html = lru_cache(2048)(card_html)
_sprite = lru_cache(16)(sprite)


def scene_values(view: View, scene: Scene, changed_keys: Sequence[str] = ()) -> dict[str, Any]:
    """Return a scene as values of a page: the middle, the user's own place, the other places
    clockwise.

    `changed_keys` are the keys of the parts to mark as changed.
    """
    icons = _icons_of(view.play.ruleset)
    flags: dict[str, list[str]] = {}
    for label, value in scene.facts:
        flags.setdefault(value, []).append(label)

    def mark_changes(part: str) -> Markup:  # the texts in a part were escaped when it was made
        return Markup(marked(part, changed_keys))

    def place_values(place: Place, index: int) -> dict[str, Any]:
        """Return the values of one player's place; a hand that this viewpoint does not know is
        shown as a number of backs."""
        cards = place.hand if any(card != UNKNOWN for card in place.hand) else ()
        return _place_values(view, place._replace(hand=cards), index, mark_changes) | {
            "seat": place.seat,
            "name": view.names.get(place.seat, ""),
            "at": index % 8,  # gives the colour
            "mine": place.seat == view.seat,
            "flags": flags.get(place.seat, ()),
            "backs": 0 if cards else len(place.hand),  # cards that this viewpoint does not know
        }

    other_indexes, own_indexes = scene.around(view.seat)
    middle_parts = middle(scene, icons)
    return {
        "sprite": Markup(_sprite(icons)),
        "tracks": [mark_changes(track_html(*fact, icons)) for fact in middle_parts.tracks],
        "facts": [
            mark_changes(fact_html(*fact, icons, f"fact:{fact[0]}")) for fact in middle_parts.chips
        ],
        "tiles": [
            mark_changes(fact_html(*fact, icons, f"fact:{fact[0]}")) for fact in middle_parts.tiles
        ],
        "words": middle_parts.words,
        "places": [place_values(scene.places[n], n) for n in (*own_indexes, *other_indexes)],
    }


def _place_values(
    view: View, place: Place, index: int, mark_changes: Callable[[str], Markup]
) -> dict[str, Any]:
    """Return the facts, pieces and hand of a place as HTML. `index` is the place's number at the
    table, `mark_changes` marks the changed parts of an element. The third item of pieces and cards
    is the word beside them in a plan (see `planned_place_values`), which is empty here."""
    icons, key = _icons_of(view.play.ruleset), f"seat:{place.seat}"
    hand = [_card_html(card, icons, f"{key}:hand:{n}") for n, card in enumerate(place.hand)]
    return {
        "facts": [
            mark_changes(fact_html(*fact, icons, f"{key}:{fact[0]}")) for fact in place.facts
        ],
        "pieces": [(p.name, mark_changes(_piece_html(p, icons, index)), "") for p in place.pieces],
        "hand": [
            (card, mark_changes(html), "") for card, html in zip(place.hand, hand, strict=True)
        ],
    }


def planned_place_values(view: View, planned_place: Place) -> dict[str, Any]:
    """Return the user's own place as the plan makes it, as values of a page.

    Changes are marked; each piece and card has a word beside it: `new`, `planned`, `used`, `gone`.
    Pieces that die out come last.
    """
    places = view.play.ruleset.scene(view.table.state).places
    index, place = next((n, place) for n, place in enumerate(places) if place.seat == view.seat)
    changed_keys = changes(Scene((), (place,)), Scene((), (planned_place,)))

    def mark_changes(part: str) -> Markup:
        return Markup(marked(part, changed_keys, "data-planned"))

    planned_names = {piece.name for piece in planned_place.pieces}
    lost_pieces = [piece for piece in place.pieces if piece.name not in planned_names]
    pieces = (*planned_place.pieces, *lost_pieces)
    shown_place = planned_place._replace(hand=place.hand, pieces=pieces)
    values = _place_values(view, shown_place, index, mark_changes)
    hand_counts = Counter(planned_place.hand)
    for n, (card, html, _) in reversed([*enumerate(values["hand"])]):
        hand_counts[card] -= 1
        values["hand"][n] = card, html, "used" if hand_counts[card] < 0 else ""
    present_names = {piece.name for piece in place.pieces}
    for n, (name, html, _) in enumerate(values["pieces"]):
        word = "planned" if "data-planned" in html else ""
        if name not in planned_names:
            word = "gone"
        elif name not in present_names:
            word = "new"
        values["pieces"][n] = name, html, word
    return values


# ---- The page of one game

LOG_TURNS, MAX_MESSAGES_SHOWN, MAX_MISSED_LINES = 3, 6, 6
"""The number of turns in the log beside the table, the most messages below it, and the most log
lines about the user after a missed deadline."""


async def show_game(request: Request) -> Response:
    """Show the page of the game: its table as the user may see it; before turn 1, who has
    joined."""
    game = game_of(request)
    situation = game.situation()
    values = head_values(request, game, "table")
    if situation.view is None:
        session, roles = game.session, game.session.roles
        waiting_values: dict[str, Any] = {
            "people": _states_of_people(session),
            "lines": joining_lines(session),
            "notes": [*joining_warnings(session), *order_notes(game)],
            "may_join": not (roles.seats or roles.referee),
            "referee": bool(roles.referee),
            "seated": bool(roles.seats) and not roles.referee,
            "waits_for": name_awaited_players(situation) or clean(situation.referee_name),
        }
        return page(request, "waiting.html", **waiting_values, **values)
    values |= table_values(request, game, situation)
    regions = regions_of(request, values)
    values["have"] = ",".join(f"{name}:{_mark_of(html)}" for name, html in regions.items())
    return page(request, "game.html", regions=regions, **values)


REGIONS = {
    name: f"{template}.html"
    for name, template in (
        ("head", "game_head"), ("notes", "game_notes"), ("heading", "game_heading"),
        ("news", "game_news"), ("plan", "plan"), ("board", "game_board"),
        ("away", "missed"),
    )
}  # fmt: skip
"""The parts of the page of a game that are renewed one by one: the id of each, and its template."""


def regions_of(request: Request, values: dict[str, Any]) -> dict[str, Markup]:
    """Return each region of the page of a game, as HTML; the plan is empty if nobody is asked."""
    has_plan = bool(values["plan"] or values["why_not"])
    return {
        name: Markup(part_of_page(request, template, **values).strip())
        if name != "plan" or has_plan
        else Markup("")
        for name, template in REGIONS.items()
    }


def _mark_of(html: str) -> str:
    return sha256(html.encode()).hexdigest()[:12]


MAX_HAVE = 400
"""The longest list of regions that a page may say it has, in characters."""


async def show_changes(request: Request) -> Response:
    """Answer what has changed since the page was shown: the mark of the files and the turn that is
    here; for the page of a game (`have`) also each region that it has not, if the mark differs.
    A page that nobody sees asks for its `title` only, so that nothing counts as seen.

    Every page asks for this again and again; it belongs to one person, as the page does.
    """
    game, query = game_of(request), request.query_params
    stamp = game.stamp
    sending = is_sending(request, game.session)
    changes_data: dict[str, Any] = {
        "stamp": stamp,
        "turn": game.session.listing.reached,
        "sending": sending,
    }
    have = query.get("have", "")[:MAX_HAVE]
    situation = game.situation() if have and query.get("stamp") != stamp else None
    if situation and situation.view is not None:
        values = head_values(request, game, "table") | table_values(request, game, situation)
        regions = {
            name: (_mark_of(html), html) for name, html in regions_of(request, values).items()
        }
        known = set(have.split(","))
        changes_data["have"] = ",".join(f"{name}:{mark}" for name, (mark, _) in regions.items())
        changes_data["regions"] = {
            name: html for name, (mark, html) in regions.items() if f"{name}:{mark}" not in known
        }
        changes_data["title"] = values["page_title"]
    elif "title" in query and query.get("stamp") != stamp:
        situation = game.situation()
        if situation.view is not None:
            changes_data["title"] = page_title(situation, situation.view)
    return JSONResponse(changes_data)


def _states_of_people(session: Session) -> list[tuple[str, str]]:
    """Return the name of each player of a game that has not begun, and whether they have joined."""
    charter = session.charter
    names = {join.content.seat: join.content.name for join in session.game_folder.joins().values()}
    states_by_seat = dict.fromkeys(names, "has joined") | dict.fromkeys(session.roles.seats, "you")
    states_by_seat |= dict.fromkeys(charter.bots, "a bot")
    return [
        (names.get(plan.seat, plan.name), states_by_seat.get(plan.seat, "has not joined yet"))
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
        if file_name(orders).path in session.folder.kept_back_paths():
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
    shown_turn = note_shown_turn(game, view)
    first_turn = max(1, min(view.accepted.get(view.seat, 1), view.turn - LOG_TURNS + 1))
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
            why_not = error.sentence
    steps = history.of_turns(range(max(first_turn, view.turn - LOG_TURNS + 1), view.turn + 1))
    # orders that leave a question open are sealed, but their player still has to choose
    owing_seat = view.seat if situation.open_kinds else ""
    seats = [
        {
            "seat": seat,
            "name": name,
            "chip": chip_of(
                "MISSING" if seat == owing_seat else situation.words[seat],
                _delivery_of(request, game, seat),
            ),
        }
        for seat, name in sorted(view.names.items())
    ]
    return {
        "view": view,
        "phase": phase_of(view),
        "picture": scene_values(view, scene, changed),
        "seats": seats,
        "move": describe_move(situation),
        "sent_hint": sent_hint(request, game, situation),
        "warnings": [*warnings(game.session, situation, view), *order_notes(game)],
        "final": result_values(view) if view.is_over else None,
        **(end_values(request, game, view) if view.is_over else {}),
        "points": {} if view.is_over else {x.seat: points_of(x) for x in scores_of(view)},
        "plan": planning,
        "why_not": why_not,
        "state": plan_state(game, situation, view),
        "steps": steps,
        "messages": last_messages(game, view),
        "last_sentence": next(
            (line for step in reversed(steps) for line in reversed(step.sentences)), ""
        ),
        "sealed": view.seat in situation.sealed_seats,
        "since": view.accepted.get(view.seat, 0),
        "shown_turn": shown_turn,
        **missed_deadline_values(game, view, shown_turn),
        "lesson": lesson_text(game.session, view),
        "page_title": page_title(situation, view),
    }


def page_title(situation: Situation, view: View) -> str:
    """Return the title of the page of a game, which says whether it is your move."""
    is_asked = view.seat in situation.pending_seats and not view.is_over
    return f"{'● Your move · ' if is_asked else ''}{clean(view.title)} · pbem"


def missed_deadline_values(game: OpenGame, view: View, shown_turn: int) -> dict[str, Any]:
    """Return the deadlines that the user's seat missed after `shown_turn`, as values of a page.

    Each has the questions and the choices that were made for the seat. `later_lines` are the last
    lines of the log about the user since the first of them. Nothing is missed once the user has
    read about it.
    """
    turns = missed_turns(game.session, view, shown_turn) if view.seat else []
    if not turns:
        return {"missed": []}
    history, own_name = game.history(), clean(view.names[view.seat])
    own_pattern = re.compile(rf"(?<!\w)(?:{view.seat}[1-9]\d*|{re.escape(own_name)})(?!\w)")
    missed_deadlines, later_lines = list[dict[str, Any]](), list[str]()
    for turn in range(turns[0], view.turn + 1):
        indexes = range(history.end_of(turn - 1), history.end_of(turn))
        choices, questions, lines = list[str](), list[str](), list[str]()
        for index in indexes:
            entry, step = view.log[index], history.steps[index]
            is_default = entry.seat == view.seat and entry.by == "default"
            if turn in turns and is_default:
                questions.append(view.question_of(entry.kind))
                choices += step.sentences
            else:
                lines += step.sentences
            lines += step.effects
        if choices:
            time = time_tag(view.times[turn - 1], deadline_status_of(view).zone)
            distinct_questions = [*dict.fromkeys(questions)]
            missed_deadlines.append(
                {"turn": turn, "time": time, "questions": distinct_questions, "chosen": choices}
            )
        later_lines += [line for line in lines if own_pattern.search(line)]
    return {"missed": missed_deadlines, "later_lines": later_lines[-MAX_MISSED_LINES:]}


def note_shown_turn(game: OpenGame, view: View) -> int:
    """Note that the user sees the table now; return the last turn before the newest that they
    saw."""
    default_turn = max(view.accepted.get(view.seat, 1) - 1, view.turn - LOG_TURNS)
    shown_turns, viewer = game.session.game_home.shown_turns, view.seat or TABLE_VIEWER
    try:
        last_seen_turn = shown_turns.note_turn(viewer, view.published, default_turn)
    except StorageError:  # the home is read-only
        last_seen_turn = default_turn
    return max(0, min(last_seen_turn, view.turn - 1))


def last_messages(game: OpenGame, view: View) -> list[dict[str, Any]]:
    """Return the last messages that the user may read, as values of a page."""
    visible_messages = MessagesHere(game.session, view)
    messages = visible_messages.read(
        range(max(0, view.published - LOG_TURNS + 1), view.published + 1)
    )
    return [
        shown_message(message, {*visible_messages.roles})
        for message in messages[-MAX_MESSAGES_SHOWN:]
    ]


def plan_state(game: OpenGame, situation: Situation, view: View) -> list[Markup]:
    """Return lines about the plan: whether the orders are sealed, the open questions, the time
    until which the orders may change."""
    if not view.seat or view.is_over:
        return []
    lines: list[str] = []
    has_orders = find_latest_orders(game.session, view) is not None
    questions = [*map(view.question_of, situation.open_kinds)]
    if are_kept_back(game.session, view):
        lines.append("You took your orders back before they were sent. Send when you are ready.")
    elif were_taken_back(game.session, view):
        lines.append("What you sent counts until you send again.")
    elif has_orders and view.seat in situation.sealed_seats:
        if situation.open_kinds:
            lines.append(unanswered_line(situation.open_kinds, questions) + ".")
        else:
            lines.append("Your orders are sealed.")
    lines += deadline_lines(view, situation, marked_date)
    zone = deadline_status_of(view).zone
    return [_with_times(line, zone) for line in lines]


_SENT_SENTENCES: dict[Delivery, str] = {
    "": "Sent.",
    "unsent": "Sealed, but not sent.",
    "sending": "On its way.",
    "sent": "Sent.",
}


def sent_hint(request: Request, game: OpenGame, situation: Situation) -> str:
    """Return what has become of the orders of the user who is not awaited any more, and whom the
    game waits for; empty if it is still their move, or if they sealed nothing for this turn."""
    view = situation.view
    if view is None or not view.seat or view.is_over or situation.is_your_move:
        return ""
    if find_latest_orders(game.session, view) is None or were_taken_back(game.session, view):
        return ""
    if delivery_book(game.session.game_home).read().seconds_left:
        return "All players have answered."
    is_waiting = bool(name_awaited_players(situation))
    wait = describe_move(situation) if is_waiting else "All players have answered"
    return f"{_SENT_SENTENCES[_delivery_of(request, game, view.seat)]} {wait}."


_MARKED_DATE_PATTERN: Final = re.compile("\ue000([0-9]{1,18})\ue000")
"""Matches the seconds of a date in a line. Names cannot contain the marks: `clean` escapes such
characters."""


def marked_date(seconds: int) -> str:
    """Write a date (seconds since 1970) into a line that `_with_times` reads."""
    return f"\ue000{seconds}\ue000"


def _with_times(line: str, zone: str) -> Markup:
    """Return a line in which its dates are elements that the page shows in the reader's zone.

    `zone` is the game's zone, for browsers that do not know the reader's.
    """
    sentence = off_terminal(line)
    texts_and_dates = _MARKED_DATE_PATTERN.split(sentence[:1].upper() + sentence[1:])
    parts = [
        time_tag(int(part), zone) if number % 2 else escape(part)
        for number, part in enumerate(texts_and_dates)
    ]
    return Markup("").join(parts)


def order_notes(game: OpenGame) -> list[str]:
    """Return notes on the user's last orders, if they are missing or do not count, and on stray
    files in the folder."""
    return [*game.session.order_notes, *file_notes(game.session)]


async def stylesheet(request: Request) -> Response:
    """Answer with the style sheet of the drawings and of the player."""
    return Response(styles(), media_type="text/css")


async def script_of_player(request: Request) -> Response:
    """Answer with the script of the player, which replay pages have too."""
    return Response(player_script(), media_type="text/javascript")


MAX_NAME_CHARACTERS = 200
"""The longest name of a card or piece that is looked up, in characters."""


async def show_thing(request: Request) -> Response:
    """Show the text of a card or piece of the table; for a card in the user's hand, its uses
    now."""
    game, thing = game_of(request), request.query_params.get("thing", "")[:MAX_NAME_CHARACTERS]
    view = game.view()
    try:
        text, problem = find(view.play.ruleset, thing, view), ""
    except CliError as error:
        text, problem = None, off_terminal(error.sentence)
    places = view.play.ruleset.scene(view.table.state).places
    own_hand = next((place.hand for place in places if place.seat == view.seat), ())
    uses: list[str] = []
    if thing in own_hand and not view.is_over:
        with suppress(CliError):  # nobody can order anything now
            uses = about_card(view, Planning(game.session, view).draft.lines, thing)
    return page(request, "about.html", thing=thing, text=text, problem=problem, uses=uses)


# ---- Your plan, as a part of the page

UNREAD_PLAN_SENTENCE = "nothing was sealed, because your orders have mistakes: the page marks them"


def _plan_part(request: Request, game: OpenGame, problem: str = "", status: int = 200) -> Response:
    """Return the plan as a part of the page. `problem` says why the last click did nothing."""
    view = game.view()
    planning = Planning(game.session, view)
    situation = in_view(game.session, view)
    values = head_values(request, game, "table") | {
        "plan": planning,
        "view": view,
        "move": describe_move(situation),
        "sent_hint": sent_hint(request, game, situation),
        "state": plan_state(game, situation, view),
        "sealed": view.seat in situation.sealed_seats,
        "lesson": lesson_text(game.session, view),
    }
    return page(request, "plan.html", status, problem_sentence=problem, why_not="", **values)


async def show_plan(request: Request) -> Response:
    """Show the plan as it is now."""
    return _plan_part(request, game_of(request))


async def change_plan(request: Request) -> Response:
    """Carry out one click on the plan, and show the plan after it."""
    game, fields = game_of(request), await read_fields(request)
    planning = Planning(game.session, game.view())
    try:
        planning.change(fields)
    except CliError as error:
        return _plan_part(request, game, off_terminal(error.sentence), 409)
    return _plan_part(request, game)


async def show_forecast(request: Request) -> Response:
    """Show the effect of the plan if nobody else acts, in words and as the user's own place."""
    game = game_of(request)
    planning = Planning(game.session, game.view())
    view, draft = planning.view, planning.to_send
    forecast = None if draft.errors else Forecast(view, draft.lines)
    place_values = (
        planned_place_values(view, forecast.own_place) if forecast and forecast.own_place else None
    )
    return page(
        request,
        "forecast.html",
        sentences=forecast.sentences if forecast else [],
        own_place=place_values,
    )


async def seal_plan(request: Request) -> Response:
    """Read every file again and seal the plan, as `pbem submit` does; show that the orders are
    sent."""
    game, fields = game_of(request), await read_fields(request)
    game.session.refresh()
    planning = Planning(game.session, game.session.view(skip_cache=True))
    if fields.get("mark") != planning.mark:
        raise CliError(CHANGED_DRAFT_SENTENCE)
    if planning.draft.errors:
        raise CliError(UNREAD_PLAN_SENTENCE)
    session, view = game.session, planning.view
    pending_seats = in_view(session, view).pending_seats
    ended_kinds = fields.get("ends", [])  # the lists that the button said it would end
    if not isinstance(ended_kinds, list) or not {*map(str, ended_kinds)} <= {*planning.open_ends}:
        raise CliError(CHANGED_DRAFT_SENTENCE)
    draft = planning.to_send if ended_kinds else planning.to_seal
    # orders that leave a question open do not end the turn
    may_end_turn = not draft.unanswered_kinds and is_last_awaited(view, pending_seats)
    sealed = planning.seal(ended_kinds, is_kept_back=may_end_turn)
    if session.folder.kept_back_paths() or waits_for_nobody(session, view):
        note_wait(session, sealed.id)
    game.refresh()
    # the page itself says until when they can be changed
    return _sent_page(request, game, Delivered(), sealed.receipt_lines(final=True))


def _sent_page(
    request: Request,
    game: OpenGame,
    delivered: Delivered,
    receipt: Sequence[str] = (),
    *,
    is_last: bool = False,
) -> Response:
    """Return the page about sealed orders. `is_last`: they have been delivered and cannot change
    any more."""
    session = game.session
    return page(
        request,
        "sent.html",
        delivered=delivered,
        receipt=receipt,
        is_last=is_last,
        by_mail=bool(game.situation().unsent_mail),
        is_referee_seat=game.view().seat in session.roles.referee_seats,
        **head_values(request, game, "table"),
    )


def _shown_turn(fields: dict[str, Any]) -> int:
    """Return the last turn that the page shows. Raises CliError if it does not say so."""
    turn = fields.get("turn")
    if not isinstance(turn, int):
        raise CliError(UNKNOWN_REQUEST_SENTENCE)
    return turn


async def deliver_orders(request: Request) -> Response:
    """Deliver the orders whose wait is over; say that they are sent."""
    game = game_of(request)
    _shown_turn(await read_fields(request))
    delivered = deliver(game.session)
    game.refresh()
    return _sent_page(request, game, delivered, is_last=True)


async def take_back_orders(request: Request) -> Response:
    """Open the orders again that were just sent, and say whether they still count."""
    game, fields = game_of(request), await read_fields(request)
    take_back(game.session, _shown_turn(fields))
    game.refresh()
    is_kept_back = are_kept_back(game.session, game.view())
    return page(request, "taken_back.html", is_kept_back=is_kept_back)


async def note_missed(request: Request) -> Response:
    """Note that the user has read about the deadlines that they missed up to a turn."""
    game, fields = game_of(request), await read_fields(request)
    turn = min(_shown_turn(fields), game.view().turn)
    note_missed_read(game.session, game.view().seat, turn)
    return Response(status_code=204)


# ---- Since you last looked, history and replay


MAX_BRIEF_STEPS = 6
"""The most steps of a turn that plays by itself: each can be read within ten seconds."""


async def show_news(request: Request) -> Response:
    """Answer with the steps after the turn in the address, for the player on the board; with
    `brief` in the address, with few of them, for a turn that plays by itself."""
    game = game_of(request)
    view, last_seen_turn = game.view(), number_of(request, "since", 0)
    turns = range(_check_turn(view, last_seen_turn + 1), view.turn + 1)
    is_brief = "brief" in request.query_params
    most_steps = MAX_BRIEF_STEPS if is_brief else 0
    steps = Steps(game.history(), turns, at_once=not is_brief, most_steps=most_steps)
    return JSONResponse({"bar": player_bar(), **steps.data()})


async def show_history(request: Request) -> Response:
    """Show the table after an entry (`step` in the address) or turn (`turn`), else after the last
    entry. `since` shows all entries from that turn on."""
    game = game_of(request)
    view, history = game.view(), game.history()
    last_step = len(history.steps)
    if "since" in request.query_params:
        first_turn = number_of(request, "since", 1)
        step, previous_step = last_step, history.end_of(_check_turn(view, first_turn) - 1)
    elif "turn" in request.query_params:
        turn = _check_turn(view, number_of(request, "turn", view.turn))
        step, previous_step = history.end_of(turn), history.end_of(turn - 1)
    else:
        step = number_of(request, "step", last_step)
        previous_step = max(0, step - 1)
    if not 0 <= step <= last_step:
        raise CliError(f"there is no entry {step}; the last is {last_step}")
    values = head_values(request, game, "history") | _moment_values(
        view, history, step, previous_step
    )
    if request.headers.get("x-pbem-part") == "1":  # `fetchPart` in table_requests.js
        return page(request, "moment.html", **values)
    return page(request, "history.html", **values)


async def show_replay(request: Request) -> Response:
    """Answer with the page that `pbem replay` writes: everything that is public."""
    from starlette.concurrency import run_in_threadpool

    session = game_of(request).session
    # after the end of the game, this audits it first
    view = await run_in_threadpool(view_to_show, session, "")
    text = page_text(view, range(1, view.published + 1), messages_for(session, view))
    name = f'attachment; filename="{slug(view.title)}.html"'
    return HTMLResponse(text, headers={"content-disposition": name})


def _check_turn(view: View, turn: int) -> int:
    """Return a turn of the game. Raises CliError if it is not one."""
    if not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}")
    return turn


def _moment_values(view: View, history: History, step: int, previous_step: int) -> dict[str, Any]:
    """Return the table after an entry as values of a page, with the entries after
    `previous_step`."""
    scene, turn = history.scene_after(step), history.turn_at(step)
    return {
        "view": view,
        "step": step,
        "last_step": len(history.steps),
        "turn": turn,
        "first_of_turn": history.end_of(turn - 1) + 1 if turn else 0,
        "picture": scene_values(view, scene, history.changed(previous_step, step)),
        "steps": history.steps[previous_step:step],
        "since": view.accepted.get(view.seat, 1),
        "long": step - previous_step > 1,
    }
