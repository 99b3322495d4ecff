"""The pages about people: messages, notices, mail, and the referee's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.responses import JSONResponse

from pbem.acts.advance import make_turns
from pbem.acts.notices import declare as sign
from pbem.acts.notices import note_reported as note_signed
from pbem.acts.notices import typed_absence, typed_deadline, typed_delay
from pbem.acts.orders import UNKNOWN_REQUEST_SENTENCE
from pbem.acts.press import format_person, note_reported, send_message
from pbem.errors import CliError
from pbem.judge.notice_kinds import Concede, Kind, Leave, Vote
from pbem.judge.signing import invite_to
from pbem.judge.turn_inputs import AdvanceOptions, Outcome
from pbem.person.due_mail import seats_by_mail
from pbem.person.messages import MessagesHere, by_turn
from pbem.person.session import Session
from pbem.person.situation import situation_after
from pbem.records.heads import words_of
from pbem.records.press import REFEREE
from pbem.terminal.prose import is_from_reader, safe, writer_of
from pbem.terminal.terminal import brief
from pbem.web.games import (
    SHORT,
    OpenGame,
    field_of,
    frame,
    game_of,
    games_of,
    sent_data,
    time_tag,
)
from pbem.web.guard import page, read_body
from pbem.web.start_pages import new_folders
from pbem.wording.advance import awaited_lines, run_lines
from pbem.wording.deadlines import away_lines, calendar_lines
from pbem.wording.game_notices import lines_on_agreements, lines_on_waits, what_you_declared
from pbem.wording.story import notices_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.acts.replies import ReplyResult
    from pbem.acts.send import Bundle, BundleWriter
    from pbem.judge.press import Message


# ---- Messages and notices

RECENT = 10
"""The number of turns whose messages the page shows, unless you ask for all."""
SURE = "you cannot take this back: tick the box if you are sure"


async def messages(request: Request) -> Response:
    """Show the messages that you may read, and a form for a new one."""
    game = game_of(request)
    if not game.session.listing.turns:
        return page(request, "messages.html", begun=False, **frame(request, game, "messages"))
    view, roles = game.view(), game.session.roles
    here = MessagesHere(game.session, view)
    first = 0 if "all" in request.query_params else max(0, view.published - RECENT + 1)
    turns = range(first, view.published + 1)
    groups = by_turn(here.read(turns))
    people = [(seat, view.names[seat]) for seat in sorted({*view.names} - {view.seat, *view.bots})]
    values: dict[str, Any] = {
        "groups": [
            (turn, [shown_message(one, {*here.roles}) for one in groups[turn]])
            for turn in sorted(groups, reverse=True)
        ],
        "older": bool(first and any(f.name.turn < first for f in game.session.listing.press)),
        "people": people if roles.referee else [*people, (REFEREE, view.referee)],
        "may_write": bool(here.roles) and not roles.deputy,
        "both": len(here.roles) > 1,
        "begun": True,
    }
    here.note_shown(turns)
    return page(request, "messages.html", view=view, **values, **frame(request, game, "messages"))


def shown_message(one: Message, mine: set[str]) -> dict[str, Any]:
    """Return what a page shows of a message, for whoever has these roles."""
    return {
        "writer": writer_of(one),
        "who": one.writer,
        "to": one.recipient_name,
        "own": is_from_reader(one, mine),
        "time": time_tag(one.time),
        "text": "\n".join(safe(line) for line in one.lines),
    }


async def tell(request: Request) -> Response:
    """Write a message as `pbem tell` does."""
    game, said = game_of(request), await sent_data(request)
    game.session.refresh()
    view = game.session.view(skip_cache=True)
    text = said.get("text", "")
    text, as_referee = text if isinstance(text, str) else "", field_of(said, "as") == "referee"
    sent = send_message(game.session, view, text, field_of(said, "to"), as_referee)
    note_reported(game.session, sent.record)
    game.look()
    values: dict[str, Any] = {
        "to": format_person(view, sent.recipient),
        "again": sent.is_repeat,
        "by_mail": _by_mail(game),
    }
    return page(request, "message_sent.html", **values, **frame(request, game, "messages"))


def _by_mail(game: OpenGame) -> bool:
    from pbem.person.mail_books import SentMail

    session = game.session
    return bool(seats_by_mail(session)) or SentMail(session.game_home).with_referee


async def notices(request: Request) -> Response:
    """Show the notices so far, and forms for those that you may write."""
    game = game_of(request)
    if not game.session.listing.turns:
        return page(request, "notices.html", begun=False, **frame(request, game, "notices"))
    view = game.view()
    playing = bool(view.seat) and view.seat not in view.conceded
    phases = [(phase.name, phase.doc) for phase in view.play.ruleset.phases]
    lines = [*away_lines(view, ()), *calendar_lines(view, has_commands=False)]
    lines += lines_on_agreements(game.session, view, has_commands=False)
    lines += lines_on_waits(game.session, view)
    values: dict[str, Any] = {
        "begun": True,
        "now": lines,
        "listed": [
            (turn, sentence)
            for turn, _, _, sentence in reversed(notices_of(view, range(view.turn + 1)))
        ],
        "wanted": sorted(view.proposed_deadlines.items()),
        "phases": phases,
        "player": bool(view.seat) and not view.is_over,
        "votes": not view.is_over and (playing or game.session.roles.referee),
        "deadlines": not view.is_over and bool(view.seat or game.session.roles.referee),
    }
    return page(request, "notices.html", view=view, **values, **frame(request, game, "notices"))


async def declare(request: Request) -> Response:
    """Sign a notice as `pbem notice` does."""
    game, said = game_of(request), await sent_data(request)
    game.session.refresh()
    saying, how_read = _typed(game.session, said)
    declared = sign(game.session, saying)
    record = declared.record
    note_signed(game.session, record)
    game.look()
    values = {
        "told": what_you_declared(game.session, record) + how_read,
        "by_mail": _by_mail(game),
        "again": declared.is_repeat,
        "makes": game.session.game_folder.maker().name,
    }
    return page(request, "notice_signed.html", **values, **frame(request, game, "notices"))


def _typed(session: Session, said: dict[str, Any]) -> tuple[Kind, str]:
    about = field_of(said, "about")
    if about in ("concede", "leave"):
        if said.get("sure") is not True:
            raise CliError(SURE)
        return (Concede() if about == "concede" else Leave()), ""
    if about == "away":
        return typed_absence(f"{field_of(said, 'from')}..{field_of(said, 'to')}"), ""
    if about == "back":
        return typed_absence("", back=True), ""
    if about == "delay":
        return typed_delay(field_of(said, "time")), ""
    if about == "deadline":
        rule = field_of(said, "rule")
        return typed_deadline(session, rule, field_of(said, "phase"), no=not rule)
    if about == "end":
        return Vote(field_of(said, "result")), ""
    raise CliError(UNKNOWN_REQUEST_SENTENCE)


# ---- Mail

LONGEST_NAME = 120


async def receive(request: Request) -> Response:
    """Read one file or one pasted email, as `pbem receive` does."""
    from pbem.acts.receive import Arrived, take_in
    from pbem.mail.filing import Places
    from pbem.mail.unpack import MAX_POST
    from pbem.wording.received_mail import delivery_lines

    data = await read_body(request.receive, MAX_POST)
    if data is None:
        raise CliError(
            f"the email or file is longer than {MAX_POST >> 20} MB",
            "save only the emails of this game",
        )
    games = games_of(request)
    name = unquote(request.headers.get("x-name", ""))[:LONGEST_NAME] or "what you pasted"
    places = Places(games.home, new_folders(games))
    taken = take_in([Arrived(data, name)], places, games.keyring)
    delivered = [
        {"said": delivery_lines(filer, late), "name": filer.game_folder.game.hex()[:SHORT]}
        for _, filer, late in taken.deliveries
    ]
    values = {
        "delivered": delivered,
        "refused": [one for one in taken.refusals if one.reason != "parent"],
        "waiting": [one for one in taken.refusals if one.reason == "parent"],
        "repaired": sorted(set(taken.repaired_files)),
        "kept": [str(path) for path in taken.kept_paths],
        "replies": [_told(result) for result in taken.replies if result.seat],
        "refused_replies": [
            f"{result.reply.source}: {result.sentence}"
            for result in taken.replies
            if not result.seat
        ],
    }
    return page(request, "received.html", **values)


def _told(result: ReplyResult) -> str:
    told = f"{result.seat.view.title}: {result.sentence}" if result.seat else result.sentence
    if result.letter and result.path:
        told += f"; send {result.letter.address} the answer, {brief(result.path)}"
    return told


async def show_mail(request: Request) -> Response:
    """Show the bundles to send: for all who play by mail, or for the seat in the address."""
    game = game_of(request)
    to, everything = request.query_params.get("to", ""), "all" in request.query_params
    parcels, why = _parcels(game, to, everything)
    own = {*game.session.charter.plays, *game.session.roles.seats}
    names = _writer(game).names
    others = [(seat, name) for seat, name in sorted(names.items()) if seat not in own]
    values: dict[str, Any] = {"parcels": parcels, "why": why, "to": to, "everything": everything}
    return page(request, "mail.html", others=others, **values, **frame(request, game, "mail"))


def _writer(game: OpenGame, everything: bool = False) -> BundleWriter:
    from pbem.acts.send import BundleWriter  # a third of the time in which the pages are imported

    return BundleWriter(game.session, everything)


def _parcels(game: OpenGame, to: str, everything: bool) -> tuple[list[Bundle], str]:
    try:
        return _writer(game, everything).bundles([to] if to else []), ""
    except CliError as error:
        return [], str(error)


async def note(request: Request) -> Response:
    """Remember that you saved or copied a bundle, as `pbem send` does."""
    game, said = game_of(request), await sent_data(request)
    writer = _writer(game)
    to, everything = field_of(said, "to"), said.get("all") is True
    for parcel in _parcels(game, to, everything)[0]:
        if parcel.stem == said.get("stem"):
            writer.note_sent(parcel)
            return JSONResponse({"ok": True})
    raise CliError("this bundle is no longer the newest: reload the page")


# ---- The referee's page


async def show_referee(request: Request) -> Response:
    """Show what the next turn waits for; nothing is written."""
    game = game_of(request)
    game.session.refereeing.key()
    values = _referee_values(game, game.session.refereeing.outlook)
    return page(request, "referee.html", **frame(request, game, "referee"), **values)


def _referee_values(game: OpenGame, outcome: Outcome) -> dict[str, Any]:
    session = game.session
    charter = session.game_folder.charter
    seats = charter.content.seats
    first = [seat for seat in outcome.preview_seats if seat not in charter.content.bots]
    situation, key = situation_after(session, outcome), session.refereeing.key()
    invites = []
    for plan in (plan for plan in seats if plan.seat in situation.empty_seats):
        line = invite_to(charter, key, plan.seat).line()
        link = session.folder.link("join", line)
        invites.append({"name": plan.name, "seat": plan.seat, "line": line, "link": link})
    begun = bool(session.listing.turns)
    lines = awaited_lines(session, outcome, situation)
    if situation.stage == "over":  # a button starts the next game
        lines = lines[:1]
    if outcome.new_records:  # the lines are about the turn that comes then
        lines = ["the next turn can be made" if begun else "everybody is here: the game can begin"]
    return {
        "ready": bool(outcome.new_records) or (bool(outcome.preview_seats) and not first),
        "over": situation.stage == "over",
        "begun": begun,
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
        "held": bool(outcome.unheard_seats),
        "folder": session.place,
        "watch": session.folder.link("game"),
        "first": first,
    }


async def advance(request: Request) -> Response:
    """Make the next turn, as `pbem advance` does."""
    game, said = game_of(request), await sent_data(request)
    start, go_on, no_wait = (said.get(key) is True for key in ("start", "go_on", "no_wait"))
    accept = [str(said["accept"])] if said.get("accept") else []
    wishes = AdvanceOptions(start, accept, [], go_on, no_wait)
    runs = list(make_turns(game.session, wishes))
    game.look()
    if not runs[0].outcome.new_records:
        told = _referee_values(game, runs[0].outcome)["lines"] or ["no turn could be made"]
        raise CliError("; ".join(told))
    made = [line for run in runs for line in run_lines(run.notes, run.outcome)]
    return page(request, "made.html", made=made, **frame(request, game, "referee"))
