"""Turns that are missing in the folder: who can bring them back, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import NOT_YET, CliError

if TYPE_CHECKING:
    from pbem.cli.session.lost_keys import Here

FIRST = "is missing, and later turns are here; get it first: pbem doctor says how"
PUT_BACK = "is missing here, and this machine made it; pbem advance puts it back, byte for byte"


def need_turn(session: Here) -> None:
    """Raise CliError before the first turn, unless one of my held seats is asked in it.

    Raises FileError if it is only that a turn has not come, or is gone.
    """
    from pbem.storage.errors import FileError

    if (gaps := session.game_folder.gaps) and gaps[0] == 1:
        raise FileError("parent", "turns/0001.toml", FIRST)
    need_made(session)
    roles, told = session.roles, "the game has not begun: there is no turn 1 yet"
    if session.listing.reached or (roles.held and session.outlook.preview):
        return
    if roles.referee:
        raise CliError(f"{told}, and you make it", "pbem advance", NOT_YET)
    raise CliError(told, "pbem status", NOT_YET)


def need_made(session: Here) -> None:
    """Raise FileError if the turn is gone that this machine made last: a folder half synced."""
    from pbem.storage.errors import FileError

    last = session.mine.signed.last() if session.roles.referee else None
    if last is None or not last.path.startswith("turns/"):
        return
    if last.path not in {found.path for found in session.listing.records}:
        raise FileError("parent", last.path, PUT_BACK)
