"""Wait until a folder changes, for commands that show the game again after each change."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.storage.folder import SharedFolder


def wait_for_change(folder: SharedFolder, before: str) -> str:
    """Wait until the folder's stamp differs from `before`; return the new stamp.

    The stamp is a text that changes whenever a file changes. Raises StorageError if a store cannot
    be reached.
    """
    while (now := folder.stamp()) == before:
        time.sleep(folder.pause)
    return now
