"""The pages with which you begin: make a game, take a seat with an invite, open a game's folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.failure import CliError
from pbem.cli.starting.typed_deadlines import DEFAULT, deadline_line, how_read
from pbem.storage.errors import storage_error
from pbem.storage.store.address import is_gone
from pbem.table.open_games import SHORT
from pbem.table.render import page
from pbem.table.requests import field_of, game_of, games_of, words_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.cli.session.session import Session
    from pbem.cli.starting.make_game import NewGame
    from pbem.table.open_games import OpenGame, OpenGames

DEADLINES = (
    ("24h", "one day"),
    (DEFAULT, "two days"),
    ("72h", "three days"),
    ("168h", "a week"),
    ("never", "no deadline"),
)
LONGEST_SHOWN = 200
"""The most characters that a sentence repeats of a path that somebody typed."""
NOT_HERE = "the game that this invite is for is not on this computer yet"
BRING = (
    "drop the email that contains the game onto this page, or say in which folder the "
    "others share the game"
)


def new_folders(games: OpenGames) -> Path:
    """Return the folder in which new games are made: where your other games are, else your home
    directory."""
    places = [games.home.game(ident).place for ident in games.home.games()]
    near = [place.parent for place in places if isinstance(place, Path) and not is_gone(place)]
    return near[0] if near else Path.home()


# ------------------------------------------------------------------ a new game
async def form(request: Request) -> Response:
    """Show the form for a new game, or for another game with the same people."""
    from games.registry import names, ruleset

    if like := request.query_params.get("like", ""):
        return _again(request, like)
    values: dict[str, Any] = {
        "rulesets": [ruleset(name) for name in names()],
        "most": max(ruleset(name).players[-1] for name in names()),
        "deadlines": DEADLINES,
        "usual": DEFAULT,
        "place": new_folders(games_of(request)),
    }
    return page(request, "new_game.html", **values)


def _again(request: Request, like: str) -> Response:
    """Show the form for a rematch of the game with this name."""
    from pbem.cli.starting.rematch import next_title, rematch

    games = games_of(request)
    session = games.game(like).session
    plan = rematch(session).plan
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
    from pbem.cli.starting.take_seat import WHY_BACK_UP

    games, said = games_of(request), await words_of(request)
    wanted = _new_game(games, said)
    charter = wanted.run().content
    values = {
        "deadline": deadline_line(charter.policies),
        "how_read": how_read(wanted.deadline, ()),
        "folder": wanted.folder,
        "name": games.session(Path(wanted.folder)).game_folder.game.hex()[:SHORT],
        "key": games.home.key_path(wanted.profile),
        "why": WHY_BACK_UP,
    }
    return page(request, "game_made.html", **values)


def _new_game(games: OpenGames, said: dict[str, Any]) -> NewGame:
    from pbem.cli.starting.make_game import NewGame
    from pbem.records.joining import slug

    title, bots = field_of(said, "title"), field_of(said, "bots")
    typed = field_of(said, "folder")
    folder = _folder(typed) if typed else new_folders(games) / slug(title or "game")
    if like := field_of(said, "like"):
        old = str(games.game(like).session.place)
        return NewGame(
            folder, like=old, title=title, quiet=True, home=games.home, keyring=games.keyring
        )
    plays = field_of(said, "referee") == "plays"
    return NewGame(
        folder=folder,
        players=field_of(said, "players"),
        game=field_of(said, "game"),
        title=title,
        referee="" if plays else field_of(said, "name"),
        referee_plays=plays,
        bots=f"greedy:{bots}" if bots not in ("", "0") else "",
        as_printed=said.get("as_printed") is True,
        deadline=field_of(said, "own_deadline") or field_of(said, "deadline") or DEFAULT,
        quiet=True,
        home=games.home,
        keyring=games.keyring,
    )


def _folder(typed: str) -> Path:
    """Return the folder that somebody typed; it may be missing. Raises CliError, StorageError."""
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


# ------------------------------------------------------------------ a seat
async def join(request: Request) -> Response:
    """Take the seat that an invite is for, in the game that the invite names."""
    games, said = games_of(request), await words_of(request)
    found = _invited(games, said).game_folder.game
    return _seated(request, games.game(found.hex()[:SHORT]), said)


async def join_here(request: Request) -> Response:
    """Take the seat that an invite is for, in the game of this page."""
    return _seated(request, game_of(request), await words_of(request))


def _seated(request: Request, game: OpenGame, said: dict[str, Any]) -> Response:
    """Take the seat as `pbem join` does, and say what to do next."""
    from pbem.cli.session.keyring import DEFAULT as PROFILE
    from pbem.cli.starting.take_seat import WHY_BACK_UP, take_seat
    from pbem.table.pages.frame import frame

    record = take_seat(game.session, _invite(said), field_of(said, "name"), "", PROFILE)
    game.look()
    key = game.session.home.key_path(PROFILE)
    values = frame(request, game, "table") | {"key": key, "why": WHY_BACK_UP}
    return page(request, "joined.html", join=record.content, **values)


def _invite(said: dict[str, Any]) -> str:
    from pbem.cli.starting.take_seat import typed_invite

    pasted = field_of(said, "invite")
    return typed_invite("" if pasted.strip() == "-" else pasted)


def _invited(games: OpenGames, said: dict[str, Any]) -> Session:
    """Return the game that the invite names: in the folder that was typed, or in your list."""
    from pbem.format.errors import RecordError
    from pbem.records.joining import parse_invite

    try:
        wanted = parse_invite(_invite(said)).game
    except RecordError as error:
        raise CliError(error.sentence) from None
    if folder := field_of(said, "folder"):
        return _met(games, folder)
    place = games.home.game(wanted.hex()).place if wanted.hex() in games.home.games() else None
    if place is None or is_gone(place):
        raise CliError(NOT_HERE, BRING)
    return games.session(place)


# ------------------------------------------------------------------ a folder
async def open_folder(request: Request) -> Response:
    """Add the game in a folder to the list."""
    games, said = games_of(request), await words_of(request)
    session = _met(games, field_of(said, "folder"))
    charter = session.game_folder.charter.content
    name = session.game_folder.game.hex()[:SHORT]
    return page(request, "opened.html", name=name, title=charter.title)


def _met(games: OpenGames, typed: str) -> Session:
    """Add the game in a folder to the list, and return it. Raises CliError, StorageError."""
    from pbem.mail.find_folder import game_in

    if not typed:
        raise CliError("type the folder of the game, such as ~/Dropbox/savannah")
    folder = _folder(typed)
    if not game_in(folder):
        told = "there is no game in it" if folder.is_dir() else "there is no such folder"
        raise CliError(f"{folder}: {told}", "it is the folder that contains game.toml")
    session = games.session(folder)
    session.mine.remember_place(session.place)
    return session
