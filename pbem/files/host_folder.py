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
import sys
import time
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pbem.errors import PbemError
from pbem.files import syscalls
from pbem.files.disk import (
    AwayError,
    StorageError,
    TakenError,
    create,
    read_file,
    read_if_there,
    replace,
)
from pbem.files.folder import Found, Name, StoreAddress, parse_name
from pbem.files.http_store import (
    MOST_LIST,
    WAIT,
    DealtGame,
    HostStore,
    RefusedError,
    entries_in,
    listed,
)
from pbem.files.store import Entry
from pbem.files.store_folder import StoreFolder, mark_of
from pbem.format.canonical import MAX_BYTES, RecordError
from pbem.text.names import counted

AGAIN: Final = 10.0
"""Seconds until a program that waits asks a host again that could not be reached."""
SOON: Final = 1.0
"""The fewest seconds between two pieces of news."""
WAITS: Final = frozenset(["orders", "press", "notice"]) | (
    {"join"} if sys.platform == "emscripten" else set()
)
"""The kinds of records that can wait; in a browser tab, no file leaves before it has waited."""
SOONEST: Final = 5.0
"""Seconds until a file that is no record is fetched again; twice as long after each time."""
LATEST: Final = 3600.0
"""The most such seconds."""
_LIST: Final = "list"
_OUTBOX: Final = "outbox"
_DOUBTS: Final = "doubts"

log = logging.getLogger(__name__)


class Doubt(NamedTuple):
    """What is known of a file that was no record: a host may have sent something else."""

    changes: int = 0
    """How many times the host has sent other bytes since."""
    asked: int = 0
    """How many times it was asked again."""
    due: float = 0.0
    """When to ask it next; 0 if its bytes were not refused since it was asked."""


class HostFolder(StoreFolder):
    """A game folder on a host; see the module."""

    pause = float(WAIT)

    def __init__(self, address: StoreAddress, copies: Path | None = None) -> None:
        """`copies` is the folder for copies and for what waits; without it, nothing waits."""
        super().__init__(address, copies)
        self._home = copies
        self._away: AwayError | None = None
        """Why the host could not be reached when it was last asked."""

    def _at(self, path: str) -> str:
        return self._address.shown + (f"/{path}" if path else "")

    def _list_all(self) -> list[tuple[str, Entry]] | None:
        try:
            self._send()
            entries = super()._list_all()
        except AwayError as error:
            if self._home is None or not (entries := self._remembered()):
                raise
            if not self._away:
                log.warning("note: %s; until then, you see what was there before", error)
            self._away = error
        else:
            self._away = None
            if entries is None:
                return None
            if self._home is not None and _as_list(entries) != self._last_list():
                with contextlib.suppress(AwayError):  # what could not be sent waits now
                    if self._give_back(entries):
                        entries = super()._list_all() or []
                with contextlib.suppress(StorageError):
                    replace(self._home / _LIST, _as_list(entries))
            self._fetch_again(entries)
        entries = self._marked(entries)
        here = {path for path, _ in entries}
        for path in self.waiting():
            with contextlib.suppress(FileNotFoundError):  # another command has just sent it
                if path not in here:
                    entries.append(listed(path, self._kept(path).stat().st_size))
        return entries

    def need_reached(self) -> None:
        if self._away:
            raise self._away

    def wait(self, seconds: float) -> bool:
        begun = time.monotonic()
        try:
            with self._asking():
                news = self._host.wait(seconds)
            # a host that does not wait, or has news all the time, must not keep this computer busy
            until = begun + (SOON if news else min(seconds, AGAIN))
            time.sleep(max(0.0, until - time.monotonic()))
            return news
        except AwayError:
            time.sleep(min(seconds, AGAIN))
            return False
        except StorageError as error:
            if not error.missing:
                raise
            time.sleep(min(seconds, AGAIN))
            return True  # the game is gone, as the next list says

    def page(self) -> tuple[str, str]:
        try:
            with self._asking():
                return self._host.page(), self._address.digits
        except StorageError:
            return "", ""

    def start_game(self, form: Mapping[str, str]) -> DealtGame:
        """Ask the host to make a game that it deals; see HostStore. Raises StorageError."""
        with self._asking():
            return self._host.start_game(form)

    @property
    def _host(self) -> HostStore:
        assert isinstance(self._store, HostStore)
        return self._store

    def create(self, record: Name | str, data: bytes) -> bool:
        path = record if isinstance(record, str) else record.path
        try:
            return super().create(record, data)
        except AwayError:
            name = parse_name(path)
            if self._home is None or name is None or name.kind not in WAITS:
                raise
            new = create(self._kept(path), data)
            log.warning("note: %s waits on this computer; the next command sends it", path)
            return new

    def read(self, record: Found | Name | str) -> bytes:
        path = record if isinstance(record, str) else record.path
        waiting = self._home is not None and parse_name(path) is not None
        data = read_if_there(self._kept(path)) if waiting else None
        return super().read(record) if data is None else data

    def _give_back(self, entries: list[tuple[str, Entry]]) -> bool:
        """Send again what the host listed before and no longer has, as far as it was read here;
        return whether anything was. Raises AwayError."""
        here = {path for path, _ in entries}
        gone = [pair for pair in self._marked(self._remembered()) if pair[0] not in here]
        copies = ((path, self._copies.get(path, mark_of(one))) for path, one in gone)
        lost = {path: data for path, data in copies if data is not None}
        if not lost:
            return False
        told = "note: the host no longer has %s of this game that %s here, as if it had gone back"
        told += " to an older copy; it gets what it lacks again"
        log.warning(told, counted(len(lost), "file"), "is" if len(lost) == 1 else "are")
        for path, data in lost.items():
            with contextlib.suppress(TakenError):  # another version of it waits already
                create(self._kept(path), data)
        self._send(quiet=lost.keys())
        return True

    @property
    def _outbox(self) -> Path:
        assert self._home is not None
        return self._home / _OUTBOX

    def _kept(self, path: str) -> Path:
        return self._outbox / path.replace("/", " ")

    def waiting(self) -> list[str]:
        """Return the paths of the files that wait to be sent, each after the turn that it names."""
        if self._home is None or not self._outbox.is_dir():
            return []
        paths = [file.name.replace(" ", "/") for file in self._outbox.iterdir()]
        names = ((parse_name(path), path) for path in paths)
        found = [(name.turn, name.kind != "turn", path) for name, path in names if name]
        return [path for *_, path in sorted(found)]

    def read_waiting(self, path: str) -> bytes | None:
        """Return the bytes of a file that waits; None if it has just been sent. Raises
        StorageError."""
        return read_if_there(self._kept(path))

    def lacking(self, text: bytes) -> list[tuple[str, int]]:
        """Return which files of a host's list to fetch, each with its size: those that have no copy
        at home, or one that is no record. Raises StorageError if it is no list."""
        doubts = self._doubts()
        return [
            (path, one.size)
            for path, one in self._marked(list(entries_in(text, self._at(""))))
            if one.size <= MAX_BYTES
            if self._copies.get(path, mark_of(one)) is None or _is_due(doubts.get(path))
        ]

    def _send(self, quiet: Container[str] = ()) -> None:
        """Send what waits, and say so except of the files in `quiet`. Raises AwayError; what the
        host refuses stays here, under another name."""
        for path in self.waiting():
            file = self._kept(path)
            with contextlib.suppress(FileNotFoundError):  # another command has just sent it
                if (data := read_if_there(file)) is None:
                    continue
                try:
                    super().create(path, data)
                except AwayError:
                    raise
                except (TakenError, RefusedError) as error:
                    kept = file.with_suffix(".refused")
                    syscalls.replace(file, kept)
                    log.warning("warning: %s was not sent: %s; it is kept as %s", path, error, kept)
                    continue
                except StorageError as error:  # no room, or the game is not there now
                    log.warning("warning: %s still waits: %s", path, error)
                    continue
                syscalls.unlink(file)
                if path not in quiet:
                    log.warning("note: %s, which waited, is sent", path)

    def doubt(self, record: Found) -> None:
        doubts = self._doubts()
        one = doubts.get(record.path, Doubt())
        if self._home and not one.due and not self._kept(record.path).exists():
            self._note_doubts(doubts | {record.path: one._replace(due=_next_time(one))})

    def asks_again(self) -> bool:
        """Return whether a file that is no record is to be fetched again now."""
        return any(map(_is_due, self._doubts().values()))

    def _fetch_again(self, entries: list[tuple[str, Entry]]) -> None:
        """Fetch the files for which it is time; other bytes get another mark, so that everybody
        reads them anew."""
        doubts = self._doubts()
        for path, listed_ in entries:
            if not _is_due(one := doubts.get(path)):
                continue
            assert one is not None
            with contextlib.suppress(PbemError):  # asked again with the next list
                data = self._fetch(path)
                old = mark_of(_with_changes(listed_, one))
                one = Doubt(one.changes, one.asked + 1)
                if len(data) == listed_.size and data != self._copies.get(path, old):
                    one = one._replace(changes=one.changes + 1)
                    self._copies.keep(path, mark_of(_with_changes(listed_, one)), data)
                    self._copies.drop(path, old)
                else:  # nothing is new here, so perhaps nobody reads the file and doubts it again
                    one = one._replace(due=_next_time(one))
                doubts[path] = one
                self._note_doubts(doubts)

    def _marked(self, entries: list[tuple[str, Entry]]) -> list[tuple[str, Entry]]:
        doubts = self._doubts()
        return [
            (path, _with_changes(one, doubts[path]) if path in doubts else one)
            for path, one in entries
        ]

    def _doubts(self) -> dict[str, Doubt]:
        if self._home is None:
            return {}
        with contextlib.suppress(StorageError, ValueError, TypeError):
            data = json.loads(read_if_there(self._home / _DOUBTS) or b"{}")
            return {path: Doubt(int(x), int(y), float(z)) for path, (x, y, z) in data.items()}
        return {}

    def _note_doubts(self, doubts: dict[str, Doubt]) -> None:
        assert self._home is not None
        with contextlib.suppress(StorageError):
            replace(self._home / _DOUBTS, json.dumps(doubts).encode())

    def _last_list(self) -> bytes:
        """Return the last list that this home got; empty if there is none."""
        assert self._home is not None
        with contextlib.suppress(StorageError):
            return read_file(self._home / _LIST, MOST_LIST)
        return b""

    def _remembered(self) -> list[tuple[str, Entry]]:
        with contextlib.suppress(StorageError, RecordError):
            return entries_in(self._last_list(), self._at(""))
        return []


def _as_list(entries: list[tuple[str, Entry]]) -> bytes:
    lines = (f"{path} {one.size} {one.tag}".rstrip() for path, one in entries)
    return "".join(f"{line}\n" for line in lines).encode()


def _next_time(one: Doubt) -> float:
    """Return when to fetch a doubted file again."""
    return time.time() + min(SOONEST * 2.0 ** min(one.asked, 10), LATEST)


def _is_due(one: Doubt | None) -> bool:
    # a clock that was wrong when the time was noted must not make it wait for years
    return bool(one and one.due and not 0 < one.due - time.time() <= LATEST)


def _with_changes(one: Entry, doubt: Doubt) -> Entry:
    return one._replace(tag=f"{one.tag} changed {doubt.changes}" if doubt.changes else one.tag)
