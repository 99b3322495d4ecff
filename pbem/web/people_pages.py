"""The pages about people: messages, notices, mail, and the referee's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.responses import JSONResponse

from pbem.acts.advance import make_turns
from pbem.acts.messages import format_person, note_message_reported, send_message
from pbem.acts.notices import (
    declare,
    note_notice_reported,
    typed_absence,
    typed_deadline,
    typed_delay,
)
from pbem.acts.orders import UNKNOWN_REQUEST_SENTENCE
from pbem.errors import CliError
from pbem.judge.notice_kinds import Concede, Kind, Leave, Vote
from pbem.judge.signing import invite_to
from pbem.judge.turn_inputs import AdvanceOptions, Outcome
from pbem.person.mail_to_send import seats_by_mail
from pbem.person.readable_messages import MessagesHere, by_turn
from pbem.person.session import Session
from pbem.person.situation import situation_after
from pbem.records.ids_and_heads import words_of
from pbem.records.press_message import REFEREE
from pbem.terminal.game_prose import is_from_reader, safe, writer_of
from pbem.terminal.terminal import brief
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.access_guard import read_body
from pbem.web.open_games import (
    SHORT_ID_DIGITS,
    OpenGame,
    field_of,
    game_of,
    games_of,
    head_values,
    read_fields,
    time_tag,
)
from pbem.web.rendering import page
from pbem.web.start_pages import folder_for_games
from pbem.wording.advance import awaited_lines, run_lines
from pbem.wording.deadlines import away_lines, calendar_lines
from pbem.wording.game_notices import lines_on_agreements, lines_on_waits, what_you_declared
from pbem.wording.game_story import notices_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.acts.email_replies import ReplyResult
    from pbem.acts.outgoing_mail import Bundle, BundleWriter
    from pbem.judge.messages import Message


# ---- Messages and notices

RECENT_TURNS = 10
"""The number of turns whose messages the page shows, unless you ask for all."""
SURE_SENTENCE = "your decision is final: tick the box if you are sure"


async def messages(request: Request) -> Response:
    """Show the messages that the user may read, and a form for a new one."""
    game = game_of(request)
    if not game.session.listing.turns:
        return page(request, "messages.html", begun=False, **head_values(request, game, "messages"))
    view, roles = game.view(), game.session.roles
    visible_messages = MessagesHere(game.session, view)
    first_turn = 0 if "all" in request.query_params else max(0, view.published - RECENT_TURNS + 1)
    turns = range(first_turn, view.published + 1)
    groups = by_turn(visible_messages.read(turns))
    people = [(seat, view.names[seat]) for seat in sorted({*view.names} - {view.seat, *view.bots})]
    values: dict[str, Any] = {
        "groups": [
            (turn, [shown_message(message, {*visible_messages.roles}) for message in groups[turn]])
            for turn in sorted(groups, reverse=True)
        ],
        "older": bool(
            first_turn and any(f.name.turn < first_turn for f in game.session.listing.press)
        ),
        "people": people if roles.referee else [*people, (REFEREE, view.referee)],
        "may_write": bool(visible_messages.roles) and not roles.deputy,
        "both": len(visible_messages.roles) > 1,
        "begun": True,
    }
    visible_messages.note_shown(turns)
    return page(
        request, "messages.html", view=view, **values, **head_values(request, game, "messages")
    )


def shown_message(message: Message, own_roles: set[str]) -> dict[str, Any]:
    """Return the values of a message for a page. `own_roles` are the user's seats, or `referee`."""
    return {
        "writer": writer_of(message),
        "who": message.writer,
        "to": message.recipient_name,
        "own": is_from_reader(message, own_roles),
        "time": time_tag(message.time),
        "text": "\n".join(safe(line) for line in message.lines),
    }


async def write_message(request: Request) -> Response:
    """Write a message as `pbem tell` does."""
    game, fields = game_of(request), await read_fields(request)
    game.session.refresh()
    view = game.session.view(skip_cache=True)
    text = fields.get("text", "")
    text, as_referee = text if isinstance(text, str) else "", field_of(fields, "as") == "referee"
    sent_message = send_message(game.session, view, text, field_of(fields, "to"), as_referee)
    note_message_reported(game.session, sent_message.record)
    game.refresh()
    values: dict[str, Any] = {
        "to": format_person(view, sent_message.recipient),
        "again": sent_message.is_repeat,
        "by_mail": _uses_mail(game),
    }
    return page(request, "message_sent.html", **values, **head_values(request, game, "messages"))


def _uses_mail(game: OpenGame) -> bool:
    """Return whether records of this game go by mail: to somebody, or to the referee."""
    from pbem.person.mail_notebooks import SentMail

    session = game.session
    return bool(seats_by_mail(session)) or SentMail(session.game_home).with_referee


async def notices(request: Request) -> Response:
    """Show the notices so far, and forms for the notices that the user may write."""
    game = game_of(request)
    if not game.session.listing.turns:
        return page(request, "notices.html", begun=False, **head_values(request, game, "notices"))
    view = game.view()
    is_playing = bool(view.seat) and view.seat not in view.conceded
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
        "proposed_deadlines": sorted(view.proposed_deadlines.items()),
        "phases": phases,
        "player": bool(view.seat) and not view.is_over,
        "votes": not view.is_over and (is_playing or game.session.roles.referee),
        "deadlines": not view.is_over and bool(view.seat or game.session.roles.referee),
    }
    return page(
        request, "notices.html", view=view, **values, **head_values(request, game, "notices")
    )


async def sign_notice(request: Request) -> Response:
    """Sign a notice as `pbem notice` does."""
    game, fields = game_of(request), await read_fields(request)
    game.session.refresh()
    declaration, how_read = _declaration_of(game.session, fields)
    declared = declare(game.session, declaration)
    record = declared.record
    note_notice_reported(game.session, record)
    game.refresh()
    values = {
        "declaration": what_you_declared(game.session, record) + how_read,
        "by_mail": _uses_mail(game),
        "again": declared.is_repeat,
        "makes": game.session.game_folder.maker().name,
    }
    return page(request, "notice_signed.html", **values, **head_values(request, game, "notices"))


def _declaration_of(session: Session, fields: dict[str, Any]) -> tuple[Kind, str]:
    """Return what a form declares, and a clause about how a deadline in words was read. Raises
    CliError."""
    request = field_of(fields, "about")
    if request in ("concede", "leave"):
        if fields.get("sure") is not True:
            raise CliError(SURE_SENTENCE)
        return (Concede() if request == "concede" else Leave()), ""
    if request == "away":
        return typed_absence(f"{field_of(fields, 'from')}..{field_of(fields, 'to')}"), ""
    if request == "back":
        return typed_absence("", back=True), ""
    if request == "delay":
        return typed_delay(field_of(fields, "time")), ""
    if request == "deadline":
        rule = field_of(fields, "rule")
        return typed_deadline(session, rule, field_of(fields, "phase"), no=not rule)
    if request == "end":
        return Vote(field_of(fields, "result")), ""
    raise CliError(UNKNOWN_REQUEST_SENTENCE)


# ---- Mail

MAX_NAME_CHARACTERS = 120


async def receive(request: Request) -> Response:
    """Read one file or one pasted email, as `pbem receive` does."""
    from pbem.acts.receive_mail import Arrived, take_in
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
    from pbem.acts.outgoing_mail import (
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


# ---- The referee's page


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
