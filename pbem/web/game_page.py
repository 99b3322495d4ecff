"""The page of one game: its table, what is new, missed deadlines; before turn 1, who has joined.
Also the changes since it was shown, for which every page asks again and again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import JSONResponse, Response

from pbem.acts.plan_orders_step_by_step import Planning
from pbem.drafts.questions_and_choices import phase_of
from pbem.errors import CliError
from pbem.files.file_errors import StorageError
from pbem.files.home import GameHome, note_if_writable
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.game_view import View
from pbem.judge.ranks_after_departures import scores_of
from pbem.person.readable_messages import TABLE_VIEWER, MessagesHere
from pbem.person.session import Session
from pbem.person.situation import Situation
from pbem.terminal.clean_text import clean
from pbem.web.game_page_head import head_values, is_sending
from pbem.web.message_and_notice_pages import shown_message
from pbem.web.open_games import OpenGame, game_of
from pbem.web.order_plan_on_page import plan_state, sent_hint
from pbem.web.page_rendering import page, part_of_page, time_tag
from pbem.web.request_fields import read_fields, shown_turn_of
from pbem.web.result_and_audit_pages import end_values, result_values
from pbem.web.scene_as_html import scene_values
from pbem.web.seat_status_chips import chip_of, delivery_of
from pbem.wording.game_status import (
    dealer_rows,
    file_notes,
    joining_lines,
    joining_warnings,
    warnings,
)
from pbem.wording.lesson_and_demo import lesson_text
from pbem.wording.next_step import describe_move, name_awaited_people
from pbem.wording.results import points_of
from pbem.wording.sealed_orders import last_orders_sentence
from pbem.wording.who_sees_hands import dealers_in, hand_sentences

if TYPE_CHECKING:
    from starlette.requests import Request


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
            "lines": [*joining_lines(session), *dealer_rows(session, situation)],
            "notes": [*joining_warnings(session), *order_notes(game)],
            "may_join": not (roles.seats or roles.referee),
            "referee": bool(roles.referee),
            "may_deal": situation.may_deal,
            "seated": bool(roles.seats) and not roles.referee,
            "waits_for": name_awaited_people(situation) or clean(situation.referee_name),
        }
        return page(request, "waiting.html", **waiting_values, **values)
    values |= table_values(request, game, situation)
    regions = regions_of(request, values)
    values["have"] = ",".join(f"{name}:{mark_of_region(html)}" for name, html in regions.items())
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


def mark_of_region(html: str) -> str:
    """Return a mark of a region of the page, which changes with its HTML."""
    return sha256(html.encode()).hexdigest()[:12]


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
                delivery_of(request, game, seat),
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
        "may_deal": situation.may_deal,
        "hands_sentence": hand_sentences(dealers_in(view, game.session.charter)),
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
    call = "● Your move · " if is_asked else "● Deal now · " if situation.may_deal else ""
    return f"{call}{clean(view.title)} · pbem"


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


def order_notes(game: OpenGame) -> list[str]:
    """Return notes on the user's last orders, if they are missing or do not count, and on stray
    files in the folder."""
    return [*map(last_orders_sentence, game.session.order_notes), *file_notes(game.session)]


async def note_missed(request: Request) -> Response:
    """Note that the user has read about the deadlines that they missed up to a turn."""
    game, fields = game_of(request), await read_fields(request)
    turn = min(shown_turn_of(fields), game.view().turn)
    note_missed_read(game.session, game.view().seat, turn)
    return Response(status_code=204)


# ---- What has changed since the page was shown

MAX_HAVE = 400
"""The longest list of regions that a page may say it has, in characters."""


async def show_changes(request: Request) -> Response:
    """Answer with the changes since the page was shown: the mark of the files and the last turn;
    for the page of a game (`have`) also each region that the page lacks, if the mark differs. A
    hidden page asks only for its `title`, so that nothing counts as seen.

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
            name: (mark_of_region(html), html) for name, html in regions_of(request, values).items()
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


# ---- The deadlines that the user's seat missed, and has not read about


class MissedNotes(Notes):
    """For each seat, the last turn up to which its player has read what they missed."""

    file = "missed.toml"
    turns: Mapping[str, int] = field(default_factory=dict)


def _missed_notebook(game_home: GameHome) -> Notebook[MissedNotes]:
    return Notebook(game_home.root, MissedNotes)


def missed_turns(session: Session, view: View, shown_turn: int) -> list[int]:
    """Return the turns that chose for your seat because it missed the deadline, after those that
    you have read about; `shown_turn` is the last turn that you saw if you have read about none.
    Raises FileError."""
    first_turn = _missed_notebook(session.game_home).read().turns.get(view.seat, shown_turn) + 1
    files = [file for file in session.listing.turns if first_turn <= file.name.turn <= view.turn]
    return [
        file.name.turn
        for file in files
        if view.seat in session.game_folder.turn(file).content.silent
    ]


def note_missed_read(session: Session, seat: str, turn: int) -> None:
    """Note that the player has read what their seat missed up to this turn, if the home can be
    written."""

    def with_turn(notes: MissedNotes) -> MissedNotes:
        return MissedNotes({**notes.turns, seat: max(turn, notes.turns.get(seat, 0))})

    note_if_writable(_missed_notebook(session.game_home).change, with_turn)
