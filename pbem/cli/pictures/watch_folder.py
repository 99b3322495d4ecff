"""Wait until a folder changes, for commands that show a game again and again."""

from __future__ import annotations

import time
from pathlib import Path

SECONDS = 1.0
"""Seconds between two looks at the folder."""


def wait_for_change(folder: Path, before: str) -> str:
    """Wait until the folder's fingerprint is a different one, and return the new one."""
    from pbem.storage.fingerprint import fingerprint

    while (now := fingerprint(folder)) == before:
        time.sleep(SECONDS)
    return now
