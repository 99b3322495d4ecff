"""Folders and addresses of games as somebody typed them on a page, and where new games are made."""

from __future__ import annotations

from pathlib import Path

from pbem.errors import CliError
from pbem.files.file_errors import storage_error
from pbem.files.game_folder_places import DiskPlace, place_of
from pbem.judge.records_of_game_folder import read_game_id
from pbem.person.session import Session
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.web.open_games import OpenGames

MAX_PATH_CHARACTERS = 200
"""The most characters that a sentence repeats of a path that somebody typed."""


def folder_for_games(games: OpenGames) -> Path:
    """Return the folder in which new games are made: beside the user's other games, else their
    home."""
    places = [games.home.game(ident).place for ident in games.home.games()]
    paths = [place.path for place in places if place and not place.is_gone()]
    parent_folders = [path.parent for path in paths if path]
    return parent_folders[0] if parent_folders else Path.home()


def read_folder(typed_path: str) -> Path:
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


def session_of_typed(games: OpenGames, typed_place: str) -> Session:
    """Return a session for the game at a location that somebody typed, and add the game to the
    list. Raises CliError."""
    if not typed_place:
        raise CliError("type the folder of the game, such as ~/Dropbox/savannah")
    place = place_of(typed_place) if "://" in typed_place else DiskPlace(read_folder(typed_place))
    if not read_game_id(games.home.folder(place)):
        is_there = place.path is None or place.path.is_dir()
        problem = "there is no game in this folder" if is_there else "there is no such folder"
        sentence = TerminalText("[[{place}: ]]{problem}").format(place=place, problem=problem)
        raise CliError(sentence, "type the path of the folder that contains game.toml")
    session = games.session(place)
    session.game_home.remember_place(session.place)
    return session
