"""Folders that refuse: real modes, which do not bind root, so root becomes nobody for the while."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.storage.writers import RECORD

NOBODY = 65534


@contextlib.contextmanager
def closed_to_me(mode: int) -> Iterator[Path]:
    """A folder that holds `mine.toml` (a record's bytes) and has these modes for the test."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mine.toml").write_bytes(RECORD)
        (folder / "mine.toml").chmod(0o644)
        folder.chmod(mode)
        was = os.geteuid()
        if was == 0:
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            if was == 0:
                os.seteuid(0)
            folder.chmod(0o700)
