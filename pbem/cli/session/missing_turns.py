"""Turns that are missing in the folder: who can bring them back, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import NOT_YET, CliError
from pbem.cli.session.seen_here import check_damage

if TYPE_CHECKING:
    from pbem.cli.session.lost_keys import Here
    from pbem.storage.folder import Listing
    from pbem.storage.private.machine_memory import Signed

FIRST = "is missing, and later turns are here; get it first: pbem doctor says how"
PUT_BACK = "is missing here, and this machine made it; pbem advance puts it back, byte for byte"


def need_turn(session: Here) -> None:
    """Raise CliError before the first turn, unless one of my held seats is asked in it.

    Raises FileError if it is only that a turn has not come, is gone, or is damaged.
    """
    from pbem.storage.errors import FileError

    if (gaps := session.game_folder.gaps) and gaps[0] == 1:
        raise FileError("parent", "turns/0001.toml", FIRST)
    check_damage(session.mine, session.game_folder)
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
    if last and last.path.startswith("turns/") and is_gone(session.listing, last):
        raise FileError("parent", last.path, PUT_BACK)


def is_gone(listing: Listing, last: Signed) -> bool:
    """Whether the last record that this machine signed is missing, and can be put back.

    Raises FileError `parent` if turns before it are missing too.
    """
    from pbem.storage.errors import FileError

    here = {found.path for found in listing.records}
    missing = [n for n in range(1, last.place) if f"turns/{n:04}.toml" not in here]
    if missing:
        first, more = f"turns/{missing[0]:04}.toml", f" to {missing[-1]:04}" * (len(missing) > 1)
        told = f"{more} is missing, and this machine signed {last.path} after it; let the folder "
        told += "sync, or ask a player for it (pbem send --all)"
        raise FileError("parent", first, told.strip())
    return last.path not in here
