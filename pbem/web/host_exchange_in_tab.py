"""The exchange of a browser tab with the host of one game: which files to send, and to fetch."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence

from pbem.errors import CliError, PbemError
from pbem.files.game_folder_on_host import HostFolder
from pbem.files.game_folder_places import place_of
from pbem.files.home import Home
from pbem.files.host_request_and_answer import ANSWERS, Answer
from pbem.text.terminal_and_page_wording import off_terminal


class HostExchange:
    """The exchange with the host of one game: the worker sends and fetches, the folder keeps."""

    def __init__(self, home: Home, address: str) -> None:
        """`address` is the game's address on its host. Raises CliError if it is none."""
        place = place_of(address)
        folder = home.folder(place)
        if not isinstance(folder, HostFolder):
            raise CliError("this is not the address of a game on a host")
        self.address, self.folder = str(place), folder

    def waiting_files(self) -> list[tuple[str, bytes]]:
        """Return the path and the bytes of each file that waits to be sent."""
        files = ((path, self.folder.read_waiting(path)) for path in self.folder.waiting_paths())
        return [(path, data) for path, data in files if data is not None]

    def needs_list(self) -> bool:
        """Return whether the list is needed even if it has not changed.

        That is so if the host's answer for a file in it was no record, and it is time to fetch that
        file again.
        """
        return self.folder.has_due_doubts()

    def missing_files(self, text: bytes) -> list[tuple[str, int]]:
        """Return the files of the host's list to fetch, each with its size in bytes.

        `text` is the list as the host sent it. Raises StorageError if this is no list.
        """
        return self.folder.missing_files(text)

    def take(self, answers: Sequence[tuple[str, str, int, str, bytes]]) -> list[str]:
        """Let the folder read the host's answers: method, path, status, type and body of each.

        The folder is scanned as if the host could be reached now: `HostFolder` sends its waiting
        files again, sees by the answers that the host has them, and deletes its copies of them.
        Return sentences for the user on files that the host refused.
        """
        ANSWERS.update(
            ((method, f"{self.address}{path}"), Answer(status, {"Content-Type": kind}, data))
            for method, path, status, kind, data in answers
        )
        collector = _ErrorCollector()
        logging.getLogger("pbem").addHandler(collector)
        try:
            listing = self.folder.scan()
            for file in (*listing.records, *listing.press):
                with contextlib.suppress(PbemError):  # whoever needs the file says what is wrong
                    self.folder.read(file)
        finally:
            logging.getLogger("pbem").removeHandler(collector)
            ANSWERS.clear()
        return collector.sentences


class _ErrorCollector(logging.Handler):
    """Collects the errors of the folder, worded for a page."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.sentences: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        assert isinstance(record.args, tuple)
        self.sentences += map(off_terminal, record.args)
