"""Open the game folder at a place."""

from __future__ import annotations

from pathlib import Path

from pbem.files.folder_addresses import HostPlace, Place, StorePlace
from pbem.files.game_folder import Folder, SharedFolder


def open_place(place: Place, copies: Path | None = None) -> SharedFolder:
    """Return the game folder at a place. Files from another computer are copied to the folder
    `copies`; without it, nothing is kept on this one."""
    match place:
        case HostPlace():
            from pbem.files.host_folder import HostFolder

            return HostFolder(place, copies)
        case StorePlace():
            from pbem.files.store_folder import StoreFolder

            return StoreFolder(place, copies)
    assert place.path is not None
    return Folder(place.path)
