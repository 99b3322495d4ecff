"""Small commands that write, for the crash tests to kill; each prints what a person would see."""

import sys
from pathlib import Path

from pbem.files.disk import create, replace
from pbem.files.file_errors import StorageError
from pbem.files.game_folder import Folder
from pbem.format.record_error import RecordError

RECORD = b"turn = 1\n" * 3000  # more than one page


def create_file(path: str, *contents: str) -> None:
    """Create a file; exit code as a command's would be."""
    data = contents[0].encode() if contents else RECORD
    try:
        print("made" if create(Path(path), data) else "there")
    except (StorageError, RecordError) as error:
        print(error)
        sys.exit(error.exit)


def remake(path: str) -> None:
    try:
        replace(Path(path), RECORD)
    except StorageError as error:
        print(error)
        sys.exit(error.exit)


def record(folder: str, path: str) -> None:
    Folder(Path(folder)).create(path, RECORD)
