"""Which game folder a command is about: the one that was typed, or PBEM_FOLDER, or this one."""

from __future__ import annotations

import os

from pbem.storage.store.address import Place, place_of


def chosen_place(folder: str | Place | None) -> Place:
    """The folder of a command: as typed, else from the environment, else the current folder.

    Raises StorageError for an address that no game folder can have.
    """
    return place_of(folder or os.environ.get("PBEM_FOLDER") or ".")
