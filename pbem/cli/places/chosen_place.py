"""Choose the game folder of a command: the one that was typed, PBEM_FOLDER, or the current one."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.screen.terminal import brief
from pbem.storage.store.address import Place, place_of


def chosen_place(folder: str | Place | None) -> Place:
    """Return the folder of a command: as typed, else from the environment, else the current folder.

    Raises StorageError for an address that no game folder can have.
    """
    return place_of(folder or os.environ.get("PBEM_FOLDER") or ".")


def named_place(folder: str | None) -> Place | None:
    """Return the folder that was typed or is in the environment; None if nobody named one."""
    named = folder or os.environ.get("PBEM_FOLDER")
    return place_of(named) if named else None


def command_at(place: Place, command: str) -> str:
    """Return a command line that runs the command in a game folder, wherever the user is."""
    if not isinstance(place, Path):
        return f"{command} -C {place}"
    where = brief(place)
    there = f'"{place}"' if " " in where else where
    return command if where == "." else f"cd {there} && {command}"
