"""The first pages: the list of games, making, joining and opening one, the audit, explanations."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from games.registry import working_rulesets
from pbem.acts.game_list import games_of as listed_games
from pbem.acts.join import check_open, profile_of_invite, split_invite, take_seat
from pbem.acts.learn import begin
from pbem.acts.new_game import NewGame
from pbem.acts.new_game_policies import DEFAULT_DEADLINE
from pbem.acts.rematch_invites import invite_old_players
from pbem.acts.rematch_plan import next_title, rematch
from pbem.errors import CliError, PbemError
from pbem.files.disk import storage_error
from pbem.files.folder_addresses import DiskPlace, place_of
from pbem.format.record_error import RecordError
from pbem.judge.audit import audit
from pbem.judge.audit_report import Report
from pbem.judge.folder_contents import game_in
from pbem.judge.game_ruleset import ruleset_called
from pbem.person.keyring import DEFAULT_PROFILE
from pbem.person.known_joins import invited_joins, own_seat
from pbem.person.session import Session
from pbem.person.situation import empty_seats
from pbem.records.ids_and_heads import parse_words
from pbem.records.invite import parse_invite, slug
from pbem.records.join import Join
from pbem.terminal.terminal import clean
from pbem.text.numbers_and_lists import join_words
from pbem.text.terminal_and_page_wording import TerminalText, off_terminal
from pbem.web.open_games import (
    SHORT_ID_DIGITS,
    OpenGame,
    OpenGames,
    field_of,
    game_of,
    games_of,
    head_values,
    new_profile,
    read_fields,
    sentence_and_hint,
)
from pbem.web.rendering import in_tab, page
from pbem.wording.audit_findings import choose_findings, finding_line
from pbem.wording.certificate import headline, next_step_for, statement
from pbem.wording.deadlines_and_absences import deadline_line
from pbem.wording.explained_words import find
from pbem.wording.how_to_play import first_parts_of
from pbem.wording.new_game import describe_charter, invitation_line, seat_of_invite_line
from pbem.wording.own_notices import BACK_UP_REASON

# ---- The audit, which needs no key


async def show_audit(request: Request) -> Response:
    """Audit the whole game, each file read again, and show the report.

    A browser tab, which has no network while it answers, reads the files that it keeps.
    """
    game = game_of(request)
    words = request.query_params.get("words", "").strip()
    try:
        head = parse_words(words) if words else None
    except RecordError as error:
        raise CliError(error.sentence, "type the twelve words that a player’s page shows") from None
    folder = game.session.home.folder(game.session.place)
    if not in_tab(request):
        folder.read_anew()
    report: Report = await run_in_threadpool(audit, folder, head=head)
    shown_findings, hidden_counts = choose_findings(report)
    findings = [
        {
            "grade": finding.grade,
            "text": finding_line(finding),
            "next": next_step_for(report, finding),
            "reason": finding.reason,
        }
        for finding in shown_findings
    ]
    values: dict[str, Any] = {
        "report": report,
        "words": words,
        "findings": findings,
        "rest": hidden_counts,
        "verdict": headline(report),
        "certificate": statement(report),
    }
    return page(request, "audit.html", **values, **head_values(request, game, "audit"))


# ---- Explanations

MAX_WORD_CHARACTERS = 200
"""The longest word that is looked up, in characters."""


async def show_explain(request: Request) -> Response:
    """Answer with the text for a word, or the words that are close to it."""
    word = request.query_params.get("word", "")[:MAX_WORD_CHARACTERS]
    name = request.query_params.get("game", "")
    view = games_of(request).game(name).view() if name else None
    rules = view.play.ruleset if view else ruleset_called(request.query_params.get("rules", ""))
    try:
        text = find(rules, word, view)
    except CliError as error:
        return page(request, "explain.html", text=None, problem=error.sentence, hint=error.hint)
    return page(request, "explain.html", text=text, problem="", hint="")


# ---- The list of games


async def show_games(request: Request) -> Response:
    """Show the list of games."""
    games = games_of(request)
    problem = ""
    if (folder := request.app.state.start_folder) is not None:  # where `pbem table` was started
        session = games.session(folder)
        try:
            session.game_home.remember_place(session.place)
        except PbemError as error:
            problem = sentence_and_hint(error)[0]  # the next request tries again
        else:
            request.app.state.start_folder = None
    rows = []
    for game in listed_games(games.keyring):
        title = "a game that cannot be read" if game["title"] == "?" else game["title"]
        rows.append(game | {"title": title, "name": game["game"][:SHORT_ID_DIGITS]})
    titles = Counter(row["title"] for row in rows)  # a folder tells games with one title apart
    for row in rows:
        row["place"] = row["folder"] if titles[row["title"]] > 1 else ""
    waiting_rows = [row for row in rows if row["asked"] or row["ready"]]
    values: dict[str, Any] = {
        "waiting_games": waiting_rows,
        "other_games": [row for row in rows if row not in waiting_rows],
        "problem": problem,
        "lessons": [game for game in working_rulesets()[0] if game.lesson()],
        "begun": [game.root.name for game in games.home.lessons()],
    }
    return page(request, "games.html", **values)


async def unlock(request: Request) -> Response:
    """Accept the passphrase of a key, and keep it in memory until `pbem table` ends."""
    fields = await read_fields(request)
    games = games_of(request)
    profile = str(fields.get("profile", ""))
    try:
        if profile not in games.home.profiles():
            return JSONResponse({"ok": False, "told": "there is no such key"}, 409)
        games.passphrases.learn(profile, str(fields.get("passphrase", "")).encode())
    except RecordError as error:
        return JSONResponse({"ok": False, "told": error.sentence}, 409)
    games.forget()
    return JSONResponse({"ok": True})


# ---- Making, joining and opening games

DEADLINES = (
    ("24h", "one day"),
    (DEFAULT_DEADLINE, "two days"),
    ("72h", "three days"),
    ("168h", "a week"),
    ("never", "no deadline"),
)
MAX_PATH_CHARACTERS = 200
"""The most characters that a sentence repeats of a path that somebody typed."""
UNKNOWN_GAME_SENTENCE = "the game of this invite is not on this computer yet"
UNKNOWN_GAME_HINT = (
    "drop the email that contains the game onto this page, or say in which folder the "
    "others share the game"
)


def folder_for_games(games: OpenGames) -> Path:
    """Return the folder in which new games are made: beside the user's other games, else their
    home."""
    places = [games.home.game(ident).place for ident in games.home.games()]
    paths = [place.path for place in places if place and not place.is_gone()]
    parent_folders = [path.parent for path in paths if path]
    return parent_folders[0] if parent_folders else Path.home()


async def show_form(request: Request) -> Response:
    """Show the form for a new game, or for another game with the same people (`like`)."""
    if like := request.query_params.get("like", ""):
        return _rematch_page(request, like)
    values: dict[str, Any] = {
        "rulesets": (rulesets := working_rulesets()[0]),
        "most": max(ruleset.players[-1] for ruleset in rulesets),
        "deadlines": DEADLINES,
        "usual": DEFAULT_DEADLINE,
        "place": folder_for_games(games_of(request)),
    }
    return page(request, "new_game.html", **values)


def _rematch_page(request: Request, like: str) -> Response:
    """Return the page with the form for another game like an old one. `like` is the old game's
    short name."""
    games = games_of(request)
    session = games.game(like).session
    plan, _ = rematch(session)
    values = {
        "like": session.game_folder.game.hex()[:SHORT_ID_DIGITS],
        "old": plan.title,
        "title": next_title(plan.title),
        "players": plan.players,
        "referee": plan.referee,
        "place": folder_for_games(games),
    }
    return page(request, "play_again.html", **values)


async def make_game(request: Request) -> Response:
    """Make a game as `pbem new` does, and say what to do next."""
    games, fields = games_of(request), await read_fields(request)
    new_game = _new_game(games, fields)
    created_game = new_game.run()
    charter = created_game.charter.content
    values = {
        "deadline": deadline_line(charter.policies),
        "how_read": created_game.assumptions,
        "invited": invite_old_players(new_game) if new_game.like else [],
        "folder": new_game.folder,
        "name": new_game.session.game_folder.game.hex()[:SHORT_ID_DIGITS],
        "key": games.home.key_path(new_game.profile),
        "why": BACK_UP_REASON,
        "alone": all(plan.seat in charter.plays for plan in charter.seats),
    }
    return page(request, "game_made.html", **values)


def _new_game(games: OpenGames, fields: dict[str, Any]) -> NewGame:
    """Return the game that a form asks for, still to be made. Raises CliError."""
    title, bots = field_of(fields, "title"), field_of(fields, "bots")
    typed_folder = field_of(fields, "folder")
    folder = (
        _read_folder(typed_folder)
        if typed_folder
        else folder_for_games(games) / slug(title or "game")
    )
    if like := field_of(fields, "like"):
        old_location = str(games.game(like).session.place)
        return NewGame(games.session(folder), folder, like=old_location, title=title)
    if field_of(fields, "referee") == "alone":
        return _new_game_alone(games, field_of(fields, "players"), field_of(fields, "game"))
    plays = field_of(fields, "referee") == "plays"
    return NewGame(
        games.session(folder),
        folder=folder,
        players=field_of(fields, "players"),
        game=field_of(fields, "game"),
        title=title,
        referee="" if plays else field_of(fields, "name"),
        referee_plays=plays,
        bots=f"greedy:{bots}" if bots not in ("", "0") else "",
        as_printed=fields.get("as_printed") is True,
        deadline=field_of(fields, "own_deadline")
        or field_of(fields, "deadline")
        or DEFAULT_DEADLINE,
    )


def _new_game_alone(games: OpenGames, name: str, game: str) -> NewGame:
    """Return a game of one person against as few bots as the rules allow, in a new folder.

    It has no deadline, because nobody waits.
    """
    rules = ruleset_called(game)
    folder = folder_for_games(games) / f"{rules.name}-alone"
    number = 1
    while os.path.lexists(folder):
        number += 1
        folder = folder.with_name(f"{rules.name}-alone-{number}")
    title = f"{rules.title}, alone" + (f" {number}" if number > 1 else "")
    return NewGame(
        games.session(folder),
        folder=folder,
        players=name,
        game=rules.name,
        title=title,
        referee_plays=True,
        bots=f"greedy:{rules.players[0] - 1}",
        deadline="never",
    )


def _read_folder(typed_path: str) -> Path:
    """Return the path of a folder that somebody typed, whether it exists or not. Raises CliError,
    StorageError."""
    shown_path = typed_path
    if len(typed_path) > MAX_PATH_CHARACTERS:
        shown_path = f"{typed_path[:MAX_PATH_CHARACTERS]}…"
    try:
        folder = Path(typed_path).expanduser().absolute()
        folder.stat()
    except (RuntimeError, ValueError):  # no such user; or a character that no path may have
        raise CliError(f"{shown_path!r} is not a folder on this computer") from None
    except FileNotFoundError:
        return folder
    except OSError as error:
        raise storage_error(error, shown_path) from None
    return folder


async def learn(request: Request) -> Response:
    """Begin the lesson of a ruleset, or go on with it, and lead to its page."""
    games, fields = games_of(request), await read_fields(request)
    is_repeat = fields.get("again") is True
    session = begin(games.home, field_of(fields, "game"), from_start=is_repeat)
    if is_repeat:
        games.forget()
    return page(request, "lesson_begun.html", name=session.game_folder.game.hex()[:SHORT_ID_DIGITS])


async def show_invite(request: Request) -> Response:
    """Show the game that an invite is for, before the user takes the seat."""
    game = game_of(request)
    name = game.session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    invite = games_of(request).invites.get(name, "")
    own_join = own_seat(game.session)
    seat = parse_invite(invite).seat if invite else ""
    if not seat or (own_join and own_join.seat == seat) or game.session.roles.referee:
        return RedirectResponse(f"{request.scope['root_path']}/game/{name}", 303)
    charter = game.session.game_folder.charter.content
    plan = next((plan for plan in charter.seats if plan.seat == seat), None)
    has_begun, closed_reason = bool(game.session.listing.turns), ""
    try:
        check_open(game.session, seat, "somebody")
    except CliError as error:
        closed_reason = off_terminal(error.sentence)
    values = {
        "charter": charter,
        "closed": closed_reason,
        "other_seat": second_seat_error(own_join).sentence if own_join else "",
        "taken": not has_begun and bool(invited_joins(game.session, seat)),
        "invite": invite,
        "seat": seat,
        "invitation": invitation_line(charter, seat),
        "called": plan.name if plan else "",
        "seat_line": seat_of_invite_line(plan) if plan else "",
        "chapters": first_parts_of(charter),
        "lines": [*describe_charter(charter), deadline_line(charter.policies)],
        "begun": has_begun,
    }
    return page(request, "invite.html", **values, **head_values(request, game, "table"))


async def join_game(request: Request) -> Response:
    """Take the seat of an invite in the game that the invite names."""
    games, fields = games_of(request), await read_fields(request)
    game_id = _session_of_invite(games, fields).game_folder.game
    return _take_seat(request, games.game(game_id.hex()[:SHORT_ID_DIGITS]), fields)


async def join_here(request: Request) -> Response:
    """Take the seat of an invite in the game of this page."""
    return _take_seat(request, game_of(request), await read_fields(request))


def _take_seat(request: Request, game: OpenGame, fields: dict[str, Any]) -> Response:
    """Take the seat of the invite in a form, and show what happens next. Raises CliError."""
    games, name = games_of(request), game.session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    invite, _ = _pasted_invite(fields)
    profile = DEFAULT_PROFILE
    if in_tab(request):
        # The link back to a seat holds its key, which must open no other seat: each seat gets a
        # fresh key. Only the same join again is signed with the same key.
        profile = profile_of_invite(game.session, invite)
        if not profile and (own_join := own_seat(game.session)):
            raise second_seat_error(own_join)
        profile = profile or new_profile(games.home, name)
    record = take_seat(
        game.session, invite, field_of(fields, "name"), "", profile,
        makes_key=in_tab(request),
    )  # fmt: skip
    games.invites.pop(name, None)
    game.refresh()
    key = game.session.home.key_path(profile)
    values = head_values(request, game, "table") | {"key": key, "why": BACK_UP_REASON}
    charter, empty = game.session.charter, empty_seats(game.session)
    progress = {
        "begun": bool(game.session.listing.reached),
        "waits_for": join_words(clean(plan.name) for plan in charter.seats if plan.seat in empty),
        "referee": charter.referee,
    }
    return page(request, "joined.html", join=record.content, **progress, **values)


def second_seat_error(own_join: Join) -> CliError:
    """Return the error for somebody who wants a second seat in a browser tab."""
    sentence = (
        f"this browser plays seat {own_join.seat} in this game already, as {clean(own_join.name)}"
    )
    return CliError(f"{sentence}; open the link in another browser")


def _pasted_invite(fields: dict[str, Any]) -> tuple[str, str | None]:
    """Return the invite in a form, and the game's location if it was pasted with the invite."""
    pasted = field_of(fields, "invite")
    return split_invite("" if pasted.strip() == "-" else pasted)


def _session_of_invite(games: OpenGames, fields: dict[str, Any]) -> Session:
    """Return a session for the game that the invite in a form is for. Raises CliError."""
    invite, pasted_place = _pasted_invite(fields)
    try:
        game_id = parse_invite(invite).game.hex()
    except RecordError as error:
        raise CliError(error.sentence) from None
    if folder := field_of(fields, "folder") or pasted_place:
        return _session_of_typed(games, folder)
    place = games.home.game(game_id).place if game_id in games.home.games() else None
    if place is None or place.is_gone():
        raise CliError(UNKNOWN_GAME_SENTENCE, UNKNOWN_GAME_HINT)
    return games.session(place)


async def open_folder(request: Request) -> Response:
    """Add the game in a folder to the list."""
    games, fields = games_of(request), await read_fields(request)
    session = _session_of_typed(games, field_of(fields, "folder"))
    charter = session.charter
    name = session.game_folder.game.hex()[:SHORT_ID_DIGITS]
    return page(request, "opened.html", name=name, title=charter.title)


def _session_of_typed(games: OpenGames, typed_place: str) -> Session:
    """Return a session for the game at a location that somebody typed, and add the game to the
    list. Raises CliError."""
    if not typed_place:
        raise CliError("type the folder of the game, such as ~/Dropbox/savannah")
    place = place_of(typed_place) if "://" in typed_place else DiskPlace(_read_folder(typed_place))
    if not game_in(games.home.folder(place)):
        is_there = place.path is None or place.path.is_dir()
        problem = "there is no game in this folder" if is_there else "there is no such folder"
        sentence = TerminalText("[[{place}: ]]{problem}").format(place=place, problem=problem)
        raise CliError(sentence, "type the path of the folder that contains game.toml")
    session = games.session(place)
    session.game_home.remember_place(session.place)
    return session
