"""Check for turns that are missing in the folder, and say how to get them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import NOT_YET, CliError
from pbem.storage.file_names import turn_path

if TYPE_CHECKING:
    from pbem.cli.session.game_here import GameHere
    from pbem.storage.folder import Listing
    from pbem.storage.private.machine_memory import Signed

FIRST = "is missing, but later turns are here; get it first: pbem doctor says how"
PUT_BACK = "is missing here, and this machine made it; pbem advance puts it back, byte for byte"


def need_first(here: GameHere) -> None:
    """Raise FileError if turn 1 is missing although a later turn is in the folder."""
    from pbem.storage.errors import FileError

    if (gaps := here.game_folder.gaps) and gaps[0] == 1:
        raise FileError("parent", "turns/0001.toml", FIRST)


def need_last_made(here: GameHere) -> None:
    """Raise FileError if the last turn made on this machine is gone, as in a half-synced folder."""
    from pbem.storage.errors import FileError

    last = here.mine.signed.last() if here.roles.referee else None
    if last and last.path.startswith("turns/") and is_gone(here.listing, last):
        raise FileError("parent", last.path, PUT_BACK)


def need_seen(here: GameHere) -> None:
    """Raise FileError if the folder has no turn although turn 1 was seen on this machine."""
    from pbem.records.chain import first_head

    seen = here.mine.heads.last()
    if seen and seen.turn:
        need_last_made(here)
        here.mine.heads.check([first_head(here.game_folder.game).hex()])


def not_begun(here: GameHere) -> CliError:
    """Return an error that says that there is no turn 1 yet, and what to type next."""
    told = "the game has not begun: there is no turn 1 yet"
    if here.roles.referee:
        return CliError(f"{told}; you are the one who makes it", "pbem advance", NOT_YET)
    return CliError(told, "pbem status", NOT_YET)


def is_gone(listing: Listing, last: Signed) -> bool:
    """Return whether the last record that this machine signed is missing, and can be put back.

    Raises FileError `parent` if turns before it are missing too.
    """
    from pbem.storage.errors import FileError

    here = {found.path for found in listing.records}
    missing = [n for n in range(1, last.place) if turn_path(n) not in here]
    if missing:
        many = len(missing) > 1
        upto = f"and the turns up to {missing[-1]:04} are" if many else "is"
        them = "them" if many else "it"
        told = f"{upto} missing, and this machine signed {last.path} after {them}; let the folder "
        told += f"sync, or ask a player for {them} (pbem send --all)"
        raise FileError("parent", turn_path(missing[0]), told)
    return last.path not in here
