"""A game folder on a host, usable without a network: what one writes then waits at home.

While the host cannot be reached, a command sees the last list that this home got, with the files
that it has read, and what the user writes (orders, messages, notices) is kept beside the copies.
Each later command sends that first. A new turn is never kept so: until it is on the host, it is not
made.

A host may go back to an older copy of its games. What it had listed before, and this home has read,
is then sent again, as if it had waited; so nobody's game ends because a host's disk did.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import time
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from engine.counts_and_lists_in_prose import counted
from pbem.errors import PbemError
from pbem.files import syscalls
from pbem.files.disk import create, read_file, read_if_there, replace
from pbem.files.file_errors import AwayError, StorageError, TakenError
from pbem.files.game_folder import RecordFile
from pbem.files.game_folder_in_store import StoreFolder, mark_of
from pbem.files.game_folder_places import HostPlace
from pbem.files.host_answer_about_new_game import NewGameAnswer
from pbem.files.host_request_and_answer import FetchedAnswers
from pbem.files.host_store import (
    MAX_LIST_BYTES,
    MAX_WAIT_SECONDS,
    HostStore,
    RefusedError,
    entries_in,
    listed_entry,
)
from pbem.files.record_file_names import Name, parse_name
from pbem.files.store_interface import Entry, Store, connection_for
from pbem.format.canonical_toml import MAX_BYTES
from pbem.format.record_error import RecordError
from pbem.text.terminal_and_page_wording import TerminalText

RETRY_SECONDS: Final = 10.0
"""Seconds until a program that waits asks a host again that could not be reached."""
MIN_NEWS_SECONDS: Final = 1.0
"""The fewest seconds between two pieces of news."""
WAITING_KINDS: Final = frozenset(["orders", "press", "notice", "deal"]) | (
    {"join"} if sys.platform == "emscripten" else set()
)
"""The kinds of records that can wait; in a browser tab, no file leaves before it has waited."""
MIN_DOUBT_SECONDS: Final = 5.0
"""Seconds until a file that is no record is fetched again; twice as long after each time."""
MAX_DOUBT_SECONDS: Final = 3600.0
"""The most such seconds."""
_LIST: Final = "list"
_OUTBOX: Final = "outbox"
"""The folder for records that wait for the host. (Letters have the outbox of pbem.post.outbox.)"""
_KEPT_BACK_SUFFIX: Final = ".held"
"""The end of the name of a file in the outbox that is kept back, so that one can undo it."""
_DOUBTS: Final = "doubts"

log = logging.getLogger(__name__)
_REFUSED_FILE = TerminalText(
    "[[warning: ]]{path} was not sent: {reason}[[; it is kept as {copy_path}||. It is kept in this "
    "browser.]]"
)
_UNSENT_FILE = TerminalText("[[warning: ]]{path} is still not sent: {reason}")


class Doubt(NamedTuple):
    """A file of a host's list that was no record: the host may have sent something else."""

    change_count: int = 0
    """The number of times that the host has sent other bytes since."""
    retry_count: int = 0
    """The number of times that the host was asked again."""
    retry_at: float = 0.0
    """The time to ask the host next; 0 if its bytes were not refused since the last request."""


class HostFolder(StoreFolder):
    """A game folder on a host; see the module."""

    pause = float(MAX_WAIT_SECONDS)

    place: HostPlace

    def __init__(self, place: HostPlace, copies: Path | None = None) -> None:
        """`copies` is the folder for copies and for what waits; without it, nothing waits."""
        super().__init__(place, copies)
        self._home_folder = copies
        self._away_error: AwayError | None = None
        """Why the host could not be reached when it was last asked."""

    def _shown_path(self, path: str) -> str:
        return self.place.shown_address + (f"/{path}" if path else "")

    def _list_entries(self) -> list[tuple[str, Entry]] | None:
        """List everything, each with its path; None if there is no such folder. Raises
        StorageError.

        First send what waits; afterwards send again what the host has lost. If the host cannot be
        reached, return its last list. Files that wait are in the list too. Raises AwayError if
        there is no last list.
        """
        try:
            self._send_waiting()
            entries = super()._list_entries()
        except AwayError as error:
            if self._home_folder is None or not (entries := self._remembered_entries()):
                raise
            if not self._away_error:
                log.warning(
                    "note: %s. You see the game as it was when pbem last reached the host", error
                )
            self._away_error = error
        else:
            self._away_error = None
            if entries is None:
                return None
            if self._home_folder is not None and _as_list(entries) != self._last_list():
                with contextlib.suppress(AwayError):  # what could not be sent waits now
                    if self._send_lost_files(entries):
                        entries = super()._list_entries() or []
                with contextlib.suppress(StorageError):
                    replace(self._home_folder / _LIST, _as_list(entries))
            self._fetch_doubted(entries)
        entries = self._with_doubts(entries)
        listed_paths = {path for path, _ in entries}
        for path in {*self.waiting_paths(), *self.kept_back_paths()} - listed_paths:
            with contextlib.suppress(FileNotFoundError):  # another command has just sent it
                file = self._waiting_path(path)
                file = file if file.exists() else self._kept_back_path(path)
                entries.append(listed_entry(path, file.stat().st_size))
        return entries

    def check_reached(self) -> None:
        if self._away_error:
            raise self._away_error

    def wait_for_news(self, seconds: float) -> bool:
        """Wait until the host has news, at most this long; return whether there may be news. A host
        that cannot be reached is asked again after a pause. Raises StorageError."""
        started_at = time.monotonic()
        try:
            with self._translate_errors():
                is_news = self._host.wait_for_news(seconds)
            # a host that does not wait, or has news all the time, must not keep this computer busy
            wake_at = started_at + (MIN_NEWS_SECONDS if is_news else min(seconds, RETRY_SECONDS))
            time.sleep(max(0.0, wake_at - time.monotonic()))
            return is_news
        except AwayError:
            time.sleep(min(seconds, RETRY_SECONDS))
            return False
        except StorageError as error:
            if not error.is_missing:
                raise
            time.sleep(min(seconds, RETRY_SECONDS))
            return True  # the game is gone, as the next list says

    def page(self) -> tuple[str, str]:
        try:
            with self._translate_errors():
                return self._host.page(), self.place.digits
        except StorageError:
            return "", ""

    def start_game(self, form: Mapping[str, str]) -> NewGameAnswer:
        """Ask the host to make a game that it deals; see HostStore. Raises StorageError."""
        with self._translate_errors():
            return self._host.start_game(form)

    def co_dealer_line(self) -> str:
        """Return the line with which a game names the host as a co-dealer; see HostStore. Raises
        StorageError."""
        with self._translate_errors():
            return self._host.co_dealer_line()

    def _open_store(self) -> Store:
        # the way is chosen here because a browser tab has no sockets
        if sys.platform == "emscripten":
            connection = connection_for(("host",), FetchedAnswers)
        else:
            from pbem.files.host_http_connections import HttpConnections

            connection = connection_for(("host",), HttpConnections)
        return HostStore(connection, self.place, os.environ.get("PBEM_HOST_TOKEN", ""))

    @property
    def _host(self) -> HostStore:
        assert isinstance(self._store, HostStore)
        return self._store

    def create(self, record: Name | str, data: bytes) -> bool:
        """Write a new record, as `StoreFolder.create` does. If the host cannot be reached, orders,
        messages and notices wait on this computer; other records raise AwayError. In a browser tab
        the host never can be reached here, so they and joins always wait at first (see
        `FetchedAnswers`)."""
        path = record if isinstance(record, str) else record.path
        name = parse_name(path)
        try:
            is_new = super().create(record, data)
        except AwayError:
            if self._home_folder is None or name is None or name.kind not in WAITING_KINDS:
                raise
            is_new = create(self._waiting_path(path), data)
            log.warning(
                "note: %s is not sent yet; it is kept on this computer, and your next pbem command "
                "for this game sends it",
                path,
            )
        self._drop_kept_back(name)
        return is_new

    def keep_back(self, record: Name, data: bytes) -> None:
        if self._home_folder is None:
            super().keep_back(record, data)
            return
        self._drop_kept_back(record)
        create(self._kept_back_path(record.path), data)

    def kept_back_paths(self) -> list[str]:
        if self._home_folder is None or not self._outbox.is_dir():
            return []
        files = sorted(file.name for file in self._outbox.iterdir())
        return [
            file.removesuffix(_KEPT_BACK_SUFFIX).replace(" ", "/")
            for file in files
            if file.endswith(_KEPT_BACK_SUFFIX)
        ]

    def release_kept_back(self) -> None:
        for path in self.kept_back_paths():
            with contextlib.suppress(FileNotFoundError):  # another command has just done so
                syscalls.replace(self._kept_back_path(path), self._waiting_path(path))
        with contextlib.suppress(AwayError):
            self._send_waiting()

    def _drop_kept_back(self, record: Name | None) -> None:
        """Delete orders that are kept back once newer ones of their seat take their place."""
        for path in self.kept_back_paths() if record and record.kind == "orders" else ():
            name = parse_name(path)
            if record and name and name.seat == record.seat:
                with contextlib.suppress(FileNotFoundError):
                    syscalls.unlink(self._kept_back_path(path))

    def _kept_back_path(self, path: str) -> Path:
        file = self._waiting_path(path)
        return file.with_name(file.name + _KEPT_BACK_SUFFIX)

    def read(self, record: RecordFile | Name | str) -> bytes:
        path = record if isinstance(record, str) else record.path
        may_wait = self._home_folder is not None and parse_name(path) is not None
        data = read_if_there(self._waiting_path(path)) if may_wait else None
        if data is None and may_wait:
            data = read_if_there(self._kept_back_path(path))
        return super().read(record) if data is None else data

    def _send_lost_files(self, entries: list[tuple[str, Entry]]) -> bool:
        """Send again each file that the host listed before and no longer has, if this computer has
        a copy; return whether a file was sent. Raises AwayError."""
        listed_paths = {path for path, _ in entries}
        lost_files = dict[str, bytes]()
        for path, entry in self._with_doubts(self._remembered_entries()):
            data = None if path in listed_paths else self._copies.get(path, mark_of(entry))
            if data is not None:
                lost_files[path] = data
        if not lost_files:
            return False
        log.warning(
            "note: the host has lost %s of this game, perhaps because it went back to an older "
            "copy. This computer still has what the host lost, so pbem sends it again",
            counted(len(lost_files), "file"),
        )
        for path, data in lost_files.items():
            with contextlib.suppress(TakenError):  # another version of it waits already
                create(self._waiting_path(path), data)
        self._send_waiting(silent_paths=lost_files.keys())
        return True

    @property
    def _outbox(self) -> Path:
        assert self._home_folder is not None
        return self._home_folder / _OUTBOX

    def _waiting_path(self, path: str) -> Path:
        return self._outbox / path.replace("/", " ")

    def waiting_paths(self) -> list[str]:
        """Return the paths of the files that wait to be sent, each after the turn that it names."""
        if self._home_folder is None or not self._outbox.is_dir():
            return []
        paths = [file.name.replace(" ", "/") for file in self._outbox.iterdir()]
        names = ((parse_name(path), path) for path in paths)
        order_keys = [(name.turn, name.kind != "turn", path) for name, path in names if name]
        return [path for *_, path in sorted(order_keys)]

    def read_waiting(self, path: str) -> bytes | None:
        """Return the bytes of a file that waits; None if it has just been sent. Raises
        StorageError."""
        return read_if_there(self._waiting_path(path))

    def missing_files(self, text: bytes) -> list[tuple[str, int]]:
        """Return which files of a host's list to fetch, each with its size: those that have no copy
        at home, or one that is no record. Raises StorageError if it is no list."""
        doubts = self._doubts()
        return [
            (path, entry.size)
            for path, entry in self._with_doubts(list(entries_in(text, self._shown_path(""))))
            if entry.size <= MAX_BYTES
            if self._copies.get(path, mark_of(entry)) is None or _is_due(doubts.get(path))
        ]

    def _send_waiting(self, silent_paths: Container[str] = ()) -> None:
        """Send what waits, and say so, except of the files in `silent_paths`. Raises AwayError;
        what the host refuses stays here, under another name."""
        for path in self.waiting_paths():
            file = self._waiting_path(path)
            with contextlib.suppress(FileNotFoundError):  # another command has just sent it
                if (data := read_if_there(file)) is None:
                    continue
                try:
                    super().create(path, data)
                except AwayError:
                    raise
                except (TakenError, RefusedError) as error:
                    refused_path = file.with_suffix(".refused")
                    syscalls.replace(file, refused_path)
                    sentence = _REFUSED_FILE.format(path=path, reason=error, copy_path=refused_path)
                    log.error("%s", sentence)
                    continue
                except StorageError as error:  # no room, or the game is not there now
                    log.error("%s", _UNSENT_FILE.format(path=path, reason=error))
                    continue
                syscalls.unlink(file)
                if path not in silent_paths:
                    log.warning("note: %s is sent now", path)

    def note_doubt(self, record: RecordFile) -> None:
        """Note that a file is no record of this game, and when to fetch it again; nothing changes
        if that is noted already, or the file waits to be sent."""
        doubts = self._doubts()
        doubt = doubts.get(record.path, Doubt())
        if (
            self._home_folder
            and not doubt.retry_at
            and not self._waiting_path(record.path).exists()
        ):
            self._note_doubts(doubts | {record.path: doubt._replace(retry_at=_next_time(doubt))})

    def has_due_doubts(self) -> bool:
        """Return whether a file that is no record is to be fetched again now."""
        return any(map(_is_due, self._doubts().values()))

    def _fetch_doubted(self, entries: list[tuple[str, Entry]]) -> None:
        """Fetch each doubted file again for which it is time.

        If the bytes are others than before, the file gets another mark, so that everybody reads it
        anew; else it is fetched again after a longer pause. The count of changes in the doubt makes
        the mark.
        """
        doubts = self._doubts()
        for path, entry in entries:
            if not _is_due(doubt := doubts.get(path)):
                continue
            assert doubt is not None
            with contextlib.suppress(PbemError):  # asked again with the next list
                data = self._fetch(path)
                old_mark = mark_of(_with_changes(entry, doubt))
                doubt = Doubt(doubt.change_count, doubt.retry_count + 1)
                if len(data) == entry.size and data != self._copies.get(path, old_mark):
                    doubt = doubt._replace(change_count=doubt.change_count + 1)
                    self._copies.keep(path, mark_of(_with_changes(entry, doubt)), data)
                    self._copies.drop(path, old_mark)
                else:  # nothing is new here, so perhaps nobody reads the file and doubts it again
                    doubt = doubt._replace(retry_at=_next_time(doubt))
                doubts[path] = doubt
                self._note_doubts(doubts)

    def _with_doubts(self, entries: list[tuple[str, Entry]]) -> list[tuple[str, Entry]]:
        doubts = self._doubts()
        return [
            (path, _with_changes(entry, doubts[path]) if path in doubts else entry)
            for path, entry in entries
        ]

    def _doubts(self) -> dict[str, Doubt]:
        if self._home_folder is None:
            return {}
        with contextlib.suppress(StorageError, ValueError, TypeError):
            data = json.loads(read_if_there(self._home_folder / _DOUBTS) or b"{}")
            return {path: Doubt(int(x), int(y), float(z)) for path, (x, y, z) in data.items()}
        return {}

    def _note_doubts(self, doubts: dict[str, Doubt]) -> None:
        assert self._home_folder is not None
        with contextlib.suppress(StorageError):
            replace(self._home_folder / _DOUBTS, json.dumps(doubts).encode())

    def _last_list(self) -> bytes:
        """Return the last list that this home got; empty if there is none."""
        assert self._home_folder is not None
        with contextlib.suppress(StorageError):
            return read_file(self._home_folder / _LIST, MAX_LIST_BYTES)
        return b""

    def _remembered_entries(self) -> list[tuple[str, Entry]]:
        with contextlib.suppress(StorageError, RecordError):
            return entries_in(self._last_list(), self._shown_path(""))
        return []


def _as_list(entries: list[tuple[str, Entry]]) -> bytes:
    lines = (f"{path} {entry.size} {entry.tag}".rstrip() for path, entry in entries)
    return "".join(f"{line}\n" for line in lines).encode()


def _next_time(doubt: Doubt) -> float:
    """Return when to fetch a doubted file again."""
    seconds = MIN_DOUBT_SECONDS * 2.0 ** min(doubt.retry_count, 10)
    return time.time() + min(seconds, MAX_DOUBT_SECONDS)


def _is_due(doubt: Doubt | None) -> bool:
    if doubt is None or not doubt.retry_at:
        return False
    # a clock that was wrong when the time was noted must not make it wait for years
    return not 0 < doubt.retry_at - time.time() <= MAX_DOUBT_SECONDS


def _with_changes(entry: Entry, doubt: Doubt) -> Entry:
    if not doubt.change_count:
        return entry
    return entry._replace(tag=f"{entry.tag} changed {doubt.change_count}")
