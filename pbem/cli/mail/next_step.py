"""Say after `receive` what to type next, as `pbem status` would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.places.chosen_place import command_at
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.storage.store.address import Place

STATUS = "pbem status"


def next_step(session: Session) -> str:
    """Return what to do next in a game for which something arrived."""
    place = session.place
    if session.gaps:
        name = clean(session.game_folder.maker().name)
        told = f"ask {name} for the bundle that `pbem send --all` writes"
        return f"{told}, and read it with `pbem receive`"
    if session.roles.referee or session.roles.seats:
        return _there(place, _as_status_says(session))
    if session.listing.turns:
        return command_at(place, "pbem show")
    join = command_at(place, "pbem join --invite …")
    return f"{join} (the invite you were sent), then pbem send"


def _as_status_says(session: Session) -> str:
    """Return the next step that `pbem status` names.

    If `status` fails, or needs a passphrase or the name of a seat, return the command `status`.
    """
    from pbem.cli.failure import CliError
    from pbem.cli.status.game_status import read_status
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError
    from pbem.storage.errors import StorageError

    try:
        with session.keyring.not_asking():  # `receive` needs no key just to say what is next
            return read_status(session).next
    except (CliError, NoGameError, RecordError, StorageError):
        return STATUS


def _there(place: Place, said: str) -> str:
    """Add the game folder to the first command of a step, unless you are in it."""
    if said.startswith("pbem "):
        return command_at(place, said)
    waits, _, command = said.rpartition(", then ")
    return f"{waits}, then {command_at(place, command)}" if waits else said
