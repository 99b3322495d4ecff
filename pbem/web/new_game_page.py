"""Make a game: the form for a new one, or for another one with the same people."""

from __future__ import annotations

import os
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from games.registry import working_rulesets
from pbem.acts.deadline_and_silence_options import DEFAULT_DEADLINE
from pbem.acts.new_game import CO_DEALING_HOST_RULE, NewGame
from pbem.acts.rematch_invites import invite_old_players
from pbem.acts.rematch_plan import next_title, rematch
from pbem.errors import CliError
from pbem.files.game_folder_places import new_address
from pbem.judge.game_ruleset import ruleset_called
from pbem.records.invite import slug
from pbem.terminal.clean_text import clean
from pbem.web.open_games import SHORT_ID_DIGITS, OpenGames, games_of
from pbem.web.page_rendering import page
from pbem.web.request_fields import field_of, read_fields
from pbem.web.typed_folders import folder_for_games, read_folder
from pbem.wording.co_dealing import co_dealer_words_lines
from pbem.wording.deadlines_and_absences import deadline_line
from pbem.wording.key_backup_loss_and_theft import BACK_UP_REASON
from pbem.wording.new_game import co_dealing_lines
from pbem.wording.who_sees_hands import dealers_of, hand_sentences

DEADLINES = (
    ("24h", "one day"),
    (DEFAULT_DEADLINE, "two days"),
    ("72h", "three days"),
    ("168h", "a week"),
    ("never", "no deadline"),
)
ASK_FOR_LINE = "the co-dealer types pbem keys co-dealer, and sends you the line"


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
    dealers = dealers_of(charter)
    values = {
        "deadline": deadline_line(charter.policies),
        "how_read": created_game.assumptions,
        "invited": invite_old_players(new_game) if new_game.like else [],
        "folder": new_game.folder,
        "name": new_game.session.game_folder.game.hex()[:SHORT_ID_DIGITS],
        "key": games.home.key_path(new_game.profile),
        "why": BACK_UP_REASON,
        "hands_sentence": hand_sentences(dealers),
        "dealers_lines": [*co_dealing_lines(charter), *co_dealer_words_lines(charter)],
        "alone": all(plan.seat in charter.plays for plan in charter.seats),
    }
    return page(request, "game_made.html", **values)


def _new_game(games: OpenGames, fields: dict[str, Any]) -> NewGame:
    """Return the game that a form asks for, still to be made. Raises CliError."""
    title, bots = field_of(fields, "title"), field_of(fields, "bots")
    typed_folder = field_of(fields, "folder")
    folder = (
        read_folder(typed_folder)
        if typed_folder
        else folder_for_games(games) / slug(title or "game")
    )
    if like := field_of(fields, "like"):
        old_location = str(games.game(like).session.place)
        return NewGame(games.session(folder), folder, like=old_location, title=title)
    if field_of(fields, "referee") == "alone":
        return _new_game_alone(games, field_of(fields, "players"), field_of(fields, "game"))
    plays = field_of(fields, "referee") == "plays"
    co_dealer, host = _typed_co_dealer(fields)
    place = new_address(host) if host else folder
    return NewGame(
        games.session(place),
        folder=str(place),
        players=field_of(fields, "players"),
        game=field_of(fields, "game"),
        title=title or ("game" if host else ""),
        co_dealers=[co_dealer] if co_dealer else [],
        referee="" if plays else field_of(fields, "name"),
        referee_plays=plays,
        bots=f"greedy:{bots}" if bots not in ("", "0") else "",
        as_printed=fields.get("as_printed") is True,
        deadline=field_of(fields, "own_deadline")
        or field_of(fields, "deadline")
        or DEFAULT_DEADLINE,
    )


def _typed_co_dealer(fields: dict[str, Any]) -> tuple[str, str]:
    """Return the co-dealer that a form names, as in `NewGame.co_dealers`, and the host if it is
    one; both are empty if there is none. Raises CliError for a name without a line, and for a line
    without a name."""
    line, name = field_of(fields, "co_dealer"), field_of(fields, "co_dealer_name")
    if line.startswith(("https://", "http://")):
        if field_of(fields, "folder"):
            problem = f"{CO_DEALING_HOST_RULE}, but you named a folder"
            raise CliError(problem, "leave the folder out, or name a person who deals with you")
        return line, line
    if line and not name:
        raise CliError("give the name of the co-dealer too", "type a name that players will see")
    if name and not line:
        raise CliError(f"the line of {clean(name)}, your co-dealer, is missing", ASK_FOR_LINE)
    return (f"{name}={line}" if line else ""), ""


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
