"""Open the game folder at a place."""

from __future__ import annotations

from pathlib import Path

from pbem.files.game_folder import Folder, SharedFolder
from pbem.files.game_folder_places import HostPlace, Place, StorePlace


def open_place(place: Place, copies: Path | None = None) -> SharedFolder:
    """Return the game folder at a place. If the place is on another computer, the folder `copies`
    keeps copies of its files; without `copies`, this computer keeps none."""
    match place:
        case HostPlace():
            from pbem.files.game_folder_on_host import HostFolder

            return HostFolder(place, copies)
        case StorePlace():
            from pbem.files.game_folder_in_store import StoreFolder

            return StoreFolder(place, copies)
    assert place.path is not None
    return Folder(place.path)
