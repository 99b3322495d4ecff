"""The command `table`: your games in your browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.shared_options import (
    FolderOption,
    NoBrowserOption,
    NowOption,
    PortOption,
)
from pbem.errors import CliError
from pbem.files.game_folder_places import Place
from pbem.files.home import Home
from pbem.judge.records_of_game_folder import read_game_id
from pbem.missing_libraries import needing_libraries
from pbem.person.user_game import chosen_place

if TYPE_CHECKING:
    from pbem.web.server import Server


def table(
    port: PortOption = 0,
    no_browser: NoBrowserOption = False,
    folder: FolderOption = None,
    now: NowOption = "",
) -> None:
    """Look at your games in your browser, and play there with a mouse; Ctrl-C ends it."""
    home, place = Home.find(), chosen_place(folder)
    game = read_game_id(home.folder(place))
    if folder is not None and not game:
        raise CliError(f"there is no game in {folder}", "give the folder of a game: -C FOLDER")
    server(home, place if game else None, port).run(open_browser=not no_browser)


def server(home: Home, place: Place | None, port: int, first_page: str = "") -> Server:
    """Return a server that shows the user's games in a browser; `place` is the game to which it
    belongs, if any. Raises CliError if a package that it needs is not installed.

    `port` 0 means any free port; `first_page` is the path that the browser opens first.
    """
    packages = ("jinja2", "starlette", "uvicorn")
    with needing_libraries(packages, "pbem table needs libraries that are not installed"):
        from pbem.web.server import Server
    return Server(home, place, port, first_page)
