"""The first pages: all games, making and opening one, the audit, explanations."""

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
from pbem.acts.policy_options import DEFAULT_DEADLINE
from pbem.acts.rematch import next_title, rematch
from pbem.errors import CliError, PbemError
from pbem.files.disk import storage_error
from pbem.files.places import DiskPlace, place_of
from pbem.format.canonical import RecordError
from pbem.judge.archive import game_in
from pbem.judge.audit import audit
from pbem.judge.audit_report import Report
from pbem.person.keyring import DEFAULT_PROFILE
from pbem.person.own_joins import invited_joins, own_seat
from pbem.person.session import Session
from pbem.person.situation import empty_seats
from pbem.records.charter import Join, parse_invite, slug
from pbem.records.heads import parse_words
from pbem.terminal.terminal import clean
from pbem.text.names import join_words
from pbem.web.games import (
    SHORT,
    OpenGame,
    OpenGames,
    field_of,
    frame,
    game_of,
    games_of,
    new_profile,
    sent_data,
    sentence_and_hint,
    shortened,
)
from pbem.web.guard import in_tab, page
from pbem.wording.certificate import headline, next_step_for, statement
from pbem.wording.deadlines import deadline_line
from pbem.wording.explain import find, ruleset_called
from pbem.wording.findings import choose_findings, finding_line
from pbem.wording.new_game import describe_charter, invitation_line
from pbem.wording.own_notices import BACK_UP_REASON

# ---- The audit, which needs no key


async def show_audit(request: Request) -> Response:
    """Audit the whole game, each file read again, and show the report. A browser tab, which has no
    network while it answers, reads the files that it keeps."""
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
    few, rest = choose_findings(report)
    findings = [
        {
            "grade": finding.grade,
            "text": finding_line(finding),
            "next": next_step_for(report, finding),
            "reason": finding.reason,
        }
        for finding in few
    ]
    values: dict[str, Any] = {
        "report": report,
        "words": words,
        "findings": findings,
        "rest": rest,
        "verdict": headline(report),
        "certificate": statement(report),
    }
    return page(request, "audit.html", **values, **frame(request, game, "audit"))


# ---- Explanations

LONGEST = 200
"""The longest word that is looked up, in characters."""


async def show_explain(request: Request) -> Response:
    """Answer with the text for a word, or the words that are close to it."""
    word = request.query_params.get("word", "")[:LONGEST]
    name = request.query_params.get("game", "")
    view = games_of(request).game(name).view() if name else None
    rules = view.play.ruleset if view else ruleset_called(request.query_params.get("rules", ""))
    try:
        text = find(rules, word, view)
    except CliError as error:
        return page(request, "explain.html", text=None, told=str(error), hint=error.hint)
    return page(request, "explain.html", text=text, told="", hint="")


# ---- The list of games


async def show_games(request: Request) -> Response:
    """Show the list of games."""
    games = games_of(request)
    problem = ""
    if (folder := request.app.state.first) is not None:  # where `pbem table` was started
        session = games.session(folder)
        try:
            session.game_home.remember_place(session.place)
        except PbemError as error:
            problem = sentence_and_hint(error)[0]  # the next request tries again
        else:
            request.app.state.first = None
    rows = []
    for one in listed_games(games.keyring, has_commands=False):
        words = shortened(str(one["state"])).split("; ")
        title = "a game that cannot be read" if one["title"] == "?" else one["title"]
        rows.append(one | {"title": title, "name": one["game"][:SHORT], "words": words})
    titles = Counter(row["title"] for row in rows)  # a folder tells games with one title apart
    for row in rows:
        row["place"] = row["folder"] if titles[row["title"]] > 1 else ""
    waiting = [row for row in rows if row["asked"] or row["ready"]]
    values: dict[str, Any] = {
        "waiting": waiting,
        "others": [row for row in rows if row not in waiting],
        "problem": problem,
        "lessons": [one for one in working_rulesets()[0] if one.lesson()],
        "begun": [one.root.name for one in games.home.lessons()],
    }
    return page(request, "games.html", **values)


async def unlock(request: Request) -> Response:
    """Accept the passphrase of a key, and keep it in memory until `pbem table` ends."""
    typed = await sent_data(request)
    games = games_of(request)
    profile = str(typed.get("profile", ""))
    try:
        if profile not in games.home.profiles():
            return JSONResponse({"ok": False, "told": "there is no such key"}, 409)
        games.passphrases.learn(profile, str(typed.get("passphrase", "")).encode())
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
LONGEST_SHOWN = 200
"""The most characters that a sentence repeats of a path that somebody typed."""
NOT_HERE = "the game of this invite is not on this computer yet"
BRING = (
    "drop the email that contains the game onto this page, or say in which folder the "
    "others share the game"
)


def new_folders(games: OpenGames) -> Path:
    """Return where new games are made: beside your other games, else in your home."""
    places = [games.home.game(ident).place for ident in games.home.games()]
    paths = [place.path for place in places if place and not place.is_gone()]
    near = [path.parent for path in paths if path]
    return near[0] if near else Path.home()


async def form(request: Request) -> Response:
    """Show the form for a new game, or for another game with the same people."""
    if like := request.query_params.get("like", ""):
        return _again(request, like)
    values: dict[str, Any] = {
        "rulesets": (rulesets := working_rulesets()[0]),
        "most": max(one.players[-1] for one in rulesets),
        "deadlines": DEADLINES,
        "usual": DEFAULT_DEADLINE,
        "place": new_folders(games_of(request)),
    }
    return page(request, "new_game.html", **values)


def _again(request: Request, like: str) -> Response:
    games = games_of(request)
    session = games.game(like).session
    plan, _ = rematch(session)
    values = {
        "like": session.game_folder.game.hex()[:SHORT],
        "old": plan.title,
        "title": next_title(plan.title),
        "players": plan.players,
        "referee": plan.referee,
        "place": new_folders(games),
    }
    return page(request, "play_again.html", **values)


async def make(request: Request) -> Response:
    """Make a game as `pbem new` does, and say what to do next."""
    games, sent = games_of(request), await sent_data(request)
    new_game = _new_game(games, sent)
    made = new_game.run()
    charter = made.charter.content
    values = {
        "deadline": deadline_line(charter.policies),
        "how_read": made.assumptions,
        "folder": new_game.folder,
        "name": new_game.session.game_folder.game.hex()[:SHORT],
        "key": games.home.key_path(new_game.profile),
        "why": BACK_UP_REASON,
        "alone": all(plan.seat in charter.plays for plan in charter.seats),
    }
    return page(request, "game_made.html", **values)


def _new_game(games: OpenGames, sent: dict[str, Any]) -> NewGame:
    title, bots = field_of(sent, "title"), field_of(sent, "bots")
    typed = field_of(sent, "folder")
    folder = _folder(typed) if typed else new_folders(games) / slug(title or "game")
    if like := field_of(sent, "like"):
        old = str(games.game(like).session.place)
        return NewGame(games.session(folder), folder, like=old, title=title)
    if field_of(sent, "referee") == "alone":
        return _alone(games, field_of(sent, "players"), field_of(sent, "game"))
    plays = field_of(sent, "referee") == "plays"
    return NewGame(
        games.session(folder),
        folder=folder,
        players=field_of(sent, "players"),
        game=field_of(sent, "game"),
        title=title,
        referee="" if plays else field_of(sent, "name"),
        referee_plays=plays,
        bots=f"greedy:{bots}" if bots not in ("", "0") else "",
        as_printed=sent.get("as_printed") is True,
        deadline=field_of(sent, "own_deadline") or field_of(sent, "deadline") or DEFAULT_DEADLINE,
    )


def _alone(games: OpenGames, name: str, game: str) -> NewGame:
    """Return a game of one person against as few bots as the rules allow, in a new folder; nobody
    waits, so it has no deadline."""
    rules = ruleset_called(game)
    folder = new_folders(games) / f"{rules.name}-alone"
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


def _folder(typed: str) -> Path:
    shown = typed if len(typed) <= LONGEST_SHOWN else f"{typed[:LONGEST_SHOWN]}…"
    try:
        folder = Path(typed).expanduser().absolute()
        folder.stat()
    except (RuntimeError, ValueError):  # no such user; or a character that no path may have
        raise CliError(f"{shown!r} is not a folder on this computer") from None
    except FileNotFoundError:
        return folder
    except OSError as error:
        raise storage_error(error, shown) from None
    return folder


async def learn(request: Request) -> Response:
    """Begin the lesson of a ruleset, or go on with it, and lead to its page."""
    games, sent = games_of(request), await sent_data(request)
    again = sent.get("again") is True
    session = begin(games.home, field_of(sent, "game"), from_start=again)
    if again:
        games.forget()
    return page(request, "lesson_begun.html", name=session.game_folder.game.hex()[:SHORT])


async def show_invite(request: Request) -> Response:
    """Show the game that an invite is for, before anybody takes its seat."""
    game = game_of(request)
    name = game.session.game_folder.game.hex()[:SHORT]
    invite = games_of(request).invites.get(name, "")
    own = own_seat(game.session)
    seat = parse_invite(invite).seat if invite else ""
    if not seat or (own and own.seat == seat) or game.session.roles.referee:
        return RedirectResponse(f"{request.scope['root_path']}/game/{name}", 303)
    charter = game.session.game_folder.charter.content
    plan = next((one for one in charter.seats if one.seat == seat), None)
    begun, closed = bool(game.session.listing.turns), ""
    try:
        check_open(game.session, seat, "somebody")
    except CliError as error:
        closed = str(error)
    values = {
        "charter": charter,
        "closed": closed,
        "other_seat": str(has_seat(own)) if own else "",
        "taken": not begun and bool(invited_joins(game.session, seat)),
        "invite": invite,
        "seat": seat,
        "invitation": invitation_line(charter, seat),
        "called": plan.name if plan else "",
        "others": [one for one in charter.seats if one is not plan],
        "lines": [*describe_charter(charter), deadline_line(charter.policies)],
        "begun": begun,
    }
    return page(request, "invite.html", **values, **frame(request, game, "table"))


async def join(request: Request) -> Response:
    """Take the seat that an invite is for, in the game that the invite names."""
    games, sent = games_of(request), await sent_data(request)
    found = _invited(games, sent).game_folder.game
    return _seated(request, games.game(found.hex()[:SHORT]), sent)


async def join_here(request: Request) -> Response:
    """Take the seat that an invite is for, in the game of this page."""
    return _seated(request, game_of(request), await sent_data(request))


def _seated(request: Request, game: OpenGame, sent: dict[str, Any]) -> Response:
    games, name = games_of(request), game.session.game_folder.game.hex()[:SHORT]
    invite, _ = _invite(sent)
    profile = DEFAULT_PROFILE
    if in_tab(request):
        # The link back to a seat holds its key, which must open no other seat: each seat gets a
        # fresh key. Only the same join again is signed with the same key.
        profile = profile_of_invite(game.session, invite)
        if not profile and (own := own_seat(game.session)):
            raise has_seat(own)
        profile = profile or new_profile(games.home, name)
    record = take_seat(
        game.session, invite, field_of(sent, "name"), "", profile,
        makes_key=in_tab(request),
    )  # fmt: skip
    games.invites.pop(name, None)
    game.look()
    key = game.session.home.key_path(profile)
    values = frame(request, game, "table") | {"key": key, "why": BACK_UP_REASON}
    charter, empty = game.session.charter, empty_seats(game.session)
    told = {
        "begun": bool(game.session.listing.reached),
        "waits_for": join_words(clean(plan.name) for plan in charter.seats if plan.seat in empty),
        "referee": charter.referee,
    }
    return page(request, "joined.html", join=record.content, **told, **values)


def has_seat(own: Join) -> CliError:
    """Return the error for somebody who wants a second seat in a browser tab."""
    told = f"this browser plays seat {own.seat} in this game already, as {clean(own.name)}"
    return CliError(f"{told}; open the link in another browser")


def _invite(sent: dict[str, Any]) -> tuple[str, str | None]:
    pasted = field_of(sent, "invite")
    return split_invite("" if pasted.strip() == "-" else pasted)


def _invited(games: OpenGames, sent: dict[str, Any]) -> Session:
    invite, pasted_place = _invite(sent)
    try:
        wanted = parse_invite(invite).game
    except RecordError as error:
        raise CliError(error.sentence) from None
    if folder := field_of(sent, "folder") or pasted_place:
        return _met(games, folder)
    place = games.home.game(wanted.hex()).place if wanted.hex() in games.home.games() else None
    if place is None or place.is_gone():
        raise CliError(NOT_HERE, BRING)
    return games.session(place)


async def open_folder(request: Request) -> Response:
    """Add the game in a folder to the list."""
    games, sent = games_of(request), await sent_data(request)
    session = _met(games, field_of(sent, "folder"))
    charter = session.charter
    name = session.game_folder.game.hex()[:SHORT]
    return page(request, "opened.html", name=name, title=charter.title)


def _met(games: OpenGames, typed: str) -> Session:
    if not typed:
        raise CliError("type the folder of the game, such as ~/Dropbox/savannah")
    place = place_of(typed) if "://" in typed else DiskPlace(_folder(typed))
    if not game_in(games.home.folder(place)):
        there = place.path is None or place.path.is_dir()
        problem = "there is no game in this folder" if there else "there is no such folder"
        raise CliError(f"{place}: {problem}", "type the path of the folder that contains game.toml")
    session = games.session(place)
    session.game_home.remember_place(session.place)
    return session
