"""The command `table`: your games in your browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.options import (
    FolderOption,
    NoBrowserOption,
    NowOption,
    PortOption,
)
from pbem.errors import CliError, extra
from pbem.files.home import Home
from pbem.files.places import Place
from pbem.judge.archive import game_in
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
    found = game_in(home.folder(place))
    if folder is not None and not found:
        raise CliError(f"there is no game in {folder}", "-C takes the folder of a game")
    server(home, place if found else None, port).run(open_browser=not no_browser)


def server(home: Home, place: Place | None, port: int, first_page: str = "") -> Server:
    """Return the server of the table. Raises CliError if what it needs is not installed."""
    needed = ("jinja2", "starlette", "uvicorn")
    with extra(needed, "pbem table needs libraries that are not installed"):
        from pbem.web.server import Server
    return Server(home, place, port, first_page)
