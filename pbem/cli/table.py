"""The command `table`."""

from __future__ import annotations

from pbem.cli.options import FolderOption, NoBrowserOption, NowOption, PortOption
from pbem.desk.game_here import chosen_place
from pbem.errors import CliError
from pbem.files.home import Home

INSTALL = 'pip install "pbem[table]" (with pipx: pipx inject pbem jinja2 starlette uvicorn)'


def table(
    port: PortOption = 0,
    no_browser: NoBrowserOption = False,
    folder: FolderOption = None,
    now: NowOption = "",
) -> None:
    """Look at your games in your browser, and play there with a mouse; Ctrl-C ends it."""
    from pbem.mail.filing import game_in

    home, place = Home.find(), chosen_place(folder)
    found = game_in(home.folder(place))
    if folder is not None and not found:
        raise CliError(f"there is no game in {folder}", "-C takes the folder of a game")
    try:
        from pbem.table.app import Server
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("jinja2", "starlette", "uvicorn"):
            raise CliError("pbem table needs libraries that are not installed", INSTALL) from None
        raise
    Server(home, place if found else None, port).run(open_browser=not no_browser)
