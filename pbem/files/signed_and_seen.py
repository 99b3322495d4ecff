"""The records that this machine signed, and the turns, orders and messages that it saw: files in
the home's part for one game."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from pathlib import Path
from typing import Final, NamedTuple

from pbem.files import syscalls
from pbem.files.disk import read_file, read_if_there, replace
from pbem.files.file_errors import FileError, StorageError, storage_errors
from pbem.files.process_locks import changing, lock
from pbem.files.record_file_names import Name, parse_name, turn_path
from pbem.files.toml_notes_in_home import DAMAGE_SENTENCE, Notebook, Notes
from pbem.format.canonical_toml import MAX_BYTES
from pbem.text.terminal_and_page_wording import TerminalText

CLOCK_TOLERANCE_SECONDS: Final = 600
"""By how many seconds a turn's date may be ahead of this clock, because clocks differ."""
SYNC_TOLERANCE_SECONDS: Final = 3600
"""By how many seconds a turn's date may be before a look that did not find it: syncing is slow."""
_MAX_HEAD_BYTES: Final = 200
"""The most bytes of the line that is written before a signed record."""
MAX_REMEMBERED: Final = 500
"""The most orders and turns that are remembered; the oldest are forgotten."""
MAX_UNLISTED_OF_KEY: Final = 100
"""The most orders of a seat by one key that no turn lists, and the most such notices, whose arrival
is remembered; the latest are forgotten, so that a flood of one seat hides no record of another."""

_SIGNED: Final = b"signed"
"""The first line of an act that no command has reported yet."""
_REPORTED: Final = b"reported"


# ---- The last position in the chain


class Seen(NamedTuple):
    """A position in the chain: the turn (0: before turn 1) and its head, 64 hex digits."""

    turn: int
    head: str


class HeadNotes(Notes):
    """The last position seen; the defaults stand for none, and no file may have them."""

    file = "heads.toml"
    damage = "is damaged; remove this file, then compare your twelve words with another player's"
    turn: int = -1
    head: str = ""

    def check(self) -> None:
        """Raise ValueError for a turn or a head that no chain has."""
        if self.turn < 0 or len(bytes.fromhex(self.head)) != 32:
            raise ValueError("these lines must name a turn of the game")


class Heads(Notebook[HeadNotes]):
    """The last position in the chain that one person saw of one game, stored outside its folder.

    A chain that forks from it, or ends before it, is refused (protocol §5).
    """

    schema = HeadNotes

    def last_position(self) -> Seen | None:
        """Return the last position seen; None before the first. Raises StorageError if
        unreadable."""
        return _position(self.read())

    def check(self, heads: Sequence[str]) -> None:
        """Check a chain against the last position seen; `heads[k]` is the head after turn k, in
        hex. Raises FileError `fork`, with both ids."""
        _check_chain(self.last_position(), heads)

    def remember(self, heads: Sequence[str]) -> None:
        """Check a chain, then remember its end if that is new. Also raises StorageError."""

        def with_end(notes: HeadNotes) -> HeadNotes:
            _check_chain(_position(notes), heads)
            return HeadNotes(len(heads) - 1, heads[-1]) if len(heads) > 1 else notes

        self.change(with_end)

    def remember_instead(self, heads: Sequence[str]) -> None:
        """Remember the end of a chain without checking it against what was seen before."""
        self.change(lambda _: HeadNotes(len(heads) - 1, heads[-1]))


def _position(notes: HeadNotes) -> Seen | None:
    return Seen(notes.turn, notes.head) if notes.head else None


def _check_chain(position: Seen | None, heads: Sequence[str]) -> None:
    """Raise FileError `fork` if a chain, given by the head after each turn, ends before this
    position or differs from it."""
    if position is None:
        return
    if position.turn >= len(heads):
        turn_template = TerminalText("turn {turn}[[ ({digits})]]")
        end: str = "nothing"
        if heads:
            end = turn_template.format(turn=len(heads) - 1, digits=heads[-1][:6])
        sentence = TerminalText(
            "this computer saw {seen} before, but the folder now ends at {end}; let the folder "
            "sync, or ask the referee to send you the missing turns"
        ).format(seen=turn_template.format(turn=position.turn, digits=position.head[:6]), end=end)
        raise FileError("fork", turn_path(max(1, len(heads))), sentence)
    if heads[position.turn] != position.head:
        sentence = TerminalText(
            "turn {turn} has changed: this computer saw it with [[the head {seen_digits}, and now "
            "its head is {digits}; ask the referee which head is right, and show both to the other "
            "players||other contents before; ask the referee which one is right, and tell the "
            "other players]]"
        ).format(
            turn=position.turn,
            seen_digits=position.head[:6],
            digits=heads[position.turn][:6],
        )
        raise FileError("fork", turn_path(max(1, position.turn)), sentence)


# ---- Signed records


class Signed(NamedTuple):
    """The last record that the referee signed here: its place in the chain, path, id and file."""

    place: int
    path: str
    id: str
    file: bytes


class SignedMemory:
    """Remembers what this machine signed last, so that it never signs two records for one place.

    One file, stored before the turn is written: a line `place path id`, then the unchanged record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def last_record(self) -> Signed | None:
        """Return the last record signed; None before the first. Raises StorageError if damaged."""
        data = read_if_there(self.path, MAX_BYTES + _MAX_HEAD_BYTES)
        if data is None:
            return None
        head, _, file = data.partition(b"\n")
        try:
            place, path, ident = head.decode("ascii").split(" ")
            return Signed(int(place), path, ident, file)
        except ValueError:
            raise StorageError(self.path, DAMAGE_SENTENCE) from None

    def sign(self, record: Signed) -> None:
        """Note a record before it is written. Raises FileError `fork` for a second for a place,
        StorageError."""
        with changing(self.path.parent):
            last_signed = self.last_record()
            if last_signed and (record.place, record.id) == (last_signed.place, last_signed.id):
                return
            if last_signed and record.place <= last_signed.place:
                sentence = (
                    f"this computer has already signed a file for this place in the game "
                    f"({last_signed.id[:6]}), so pbem does not write a second one "
                    f"({record.id[:6]}); let the folder sync until the first file is here"
                )
                raise FileError("fork", record.path, sentence)
            head = f"{record.place} {record.path} {record.id}\n".encode("ascii")
            replace(self.path, head + record.file)

    def publishing(self, wait_seconds: float = 0.0) -> AbstractContextManager[bool]:
        """Take the lock that a command holds from the note of a record until its file is in the
        game folder; yield False if another command keeps it for so long. Raises StorageError."""
        return lock(self.path.with_name("publish.lock"), wait_seconds)


class Act(NamedTuple):
    """A notice, a message or a join that was signed here, and whether a command has reported it."""

    file: bytes
    reported: bool


class SignedActs:
    """Remembers the last act of each subject that was signed here: the whole file, by a word.

    An act is kept before it is written to the game folder. If the command is killed, or a store's
    answer is lost, the same command finds the same bytes here when it runs again.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def last_act(self, subject: str) -> Act | None:
        """Return the last act of a subject; None before the first. Raises StorageError."""
        data = read_if_there(self.root / subject, MAX_BYTES + _MAX_HEAD_BYTES)
        if data is None:
            return None
        head, _, file = data.partition(b"\n")
        if head not in (_SIGNED, _REPORTED):
            raise StorageError(self.root / subject, DAMAGE_SENTENCE)
        return Act(file, head == _REPORTED)

    def keep(self, subject: str, file: bytes) -> None:
        """Note an act before it is written; it replaces the last one. Raises StorageError."""
        with changing(self.root.parent):
            replace(self.root / subject, _SIGNED + b"\n" + file)

    def note_reported(self, subject: str, file: bytes) -> None:
        """Note that a command has reported this act, unless another one that no command has
        reported was signed since. Raises StorageError."""
        with changing(self.root.parent):
            act = self.last_act(subject)
            is_last = act is None or act.reported or act.file == file
            if is_last and act != (file, True):
                replace(self.root / subject, _REPORTED + b"\n" + file)


class KeptFiles:
    """Whole files from one place in the game folder, by path, which are put back if they are lost.

    Orders of the seats that the referee plays: without those that a turn lists, the referee cannot
    make the next turn. And joins seen before turn 1: whoever takes one away must not get its
    player's seat.
    """

    def __init__(self, root: Path, place: str) -> None:
        """`place` is `orders` or `seats`."""
        self.root, self.place = root, place

    def keep(self, path: str, file: bytes) -> None:
        """Store a file under its path in the game folder. Raises StorageError."""
        replace(self.root / path.removeprefix(f"{self.place}/"), file)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Return each file's path and bytes. Raises StorageError, FileError."""
        for name in sorted(os.listdir(self.root)) if self.root.is_dir() else ():
            if parse_name(f"{self.place}/{name}"):
                yield f"{self.place}/{name}", read_file(self.root / name)


class LastOrders:
    """Remembers the last orders that each seat sealed on this machine: one whole file a seat, under
    the name that it has in the folder `orders`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def keep(self, name: Name, file: bytes) -> None:
        """Store a seat's last orders; those before them are forgotten. Raises StorageError."""
        seat_names = [seat_name for seat_name in self._names() if seat_name.seat == name.seat]
        replace(self._path(name), file)
        for older_name in seat_names:
            if older_name == name:
                continue
            with storage_errors(self.root), contextlib.suppress(FileNotFoundError):
                syscalls.unlink(self._path(older_name))

    def name(self, seat: str) -> Name | None:
        """Return the name of a seat's last orders; None before the first. Raises StorageError."""
        return next((name for name in self.names() if name.seat == seat), None)

    def file(self, seat: str) -> bytes | None:
        """Return the bytes of a seat's last orders; None before the first. Raises StorageError."""
        name = self.name(seat)
        return read_if_there(self._path(name), MAX_BYTES) if name else None

    def names(self) -> list[Name]:
        """Return the name of each seat's last orders. Raises StorageError."""
        in_order = sorted(self._names(), key=lambda name: (name.turn, name.revision))
        return [*{name.seat: name for name in in_order}.values()]

    def _names(self) -> list[Name]:
        with storage_errors(self.root):
            files = os.listdir(self.root) if self.root.is_dir() else []
        names = (parse_name(f"orders/{file}") for file in files)
        return [name for name in names if name]

    def _path(self, name: Name) -> Path:
        return self.root / name.path.removeprefix("orders/")


# ---- When turns and orders came, and when orders were sealed


class Sighting(NamedTuple):
    """A turn whose date does not match what this machine saw."""

    turn: int
    seconds: int
    """The seconds from the date of the turn to its arrival; negative if the date is ahead of this
    clock."""
    seen_at: int
    """The time here at the last look that did not find the turn, or the first that found it.

    The second is used for a turn that is dated ahead of this clock.
    """


class SightingNotes(Notes):
    """The last turn seen, the time of the last look, and the turns with impossible dates."""

    file = "sightings.toml"
    damage = DAMAGE_SENTENCE
    turn: int = 0
    looked: int = 0
    odd: tuple[Sighting, ...] = ()


class Sightings(Notebook[SightingNotes]):
    """Remembers when this machine looked at the folder, and which turns have impossible dates.

    Records do not prove when something happened; so the machine's owner knows what to ask others.
    """

    schema = SightingNotes

    def implausible_turns(self) -> list[Sighting]:
        """Return the turns whose dates do not match. Raises StorageError."""
        return list(self.read().odd)

    def note_dates(self, times: Sequence[int], now: int) -> None:
        """Note that this machine sees these turns now: `times[k - 1]` is the date of turn k."""

        def with_look(notes: SightingNotes) -> SightingNotes:
            # otherwise this machine's clock was wrong at that time
            looked_at = notes.looked if notes.looked <= now else 0
            new_turns = range(notes.turn + 1, len(times) + 1)
            if not new_turns and now - looked_at < SYNC_TOLERANCE_SECONDS // 12:
                return notes  # a later look can note it
            sightings = list(notes.odd)
            for turn in new_turns:
                turn_time = times[turn - 1]
                if looked_at and looked_at - turn_time >= SYNC_TOLERANCE_SECONDS:
                    sightings.append(Sighting(turn, looked_at - turn_time, looked_at))
                elif turn_time - now > CLOCK_TOLERANCE_SECONDS:
                    sightings.append(Sighting(turn, now - turn_time, now))
            last_turn = max(notes.turn, len(times))
            return SightingNotes(last_turn, now, tuple(sightings[-MAX_REMEMBERED:]))

        self.change(with_look)


class Arrival(NamedTuple):
    """A file, by its path in the game folder, and when this machine first saw it."""

    path: str
    seen_at: int


class ArrivalNotes(Notes):
    """Files, and when they were first seen."""

    file = "arrivals.toml"
    damage = DAMAGE_SENTENCE
    here: tuple[Arrival, ...] = ()


class Arrivals(Notebook[ArrivalNotes]):
    """Remembers when this machine first saw the orders that count for the open questions, and the
    turn that asks them, by path."""

    schema = ArrivalNotes

    def note_arrivals(self, paths: Iterable[str], now: int) -> None:
        """Note that these files are here now, unless an earlier time is noted. Forget other files,
        and replace a time ahead of the clock by now. Raises StorageError."""
        sorted_paths = sorted(paths)

        def with_look(notes: ArrivalNotes) -> ArrivalNotes:
            times = dict(notes.here)
            arrivals = (Arrival(path, min(times.get(path, now), now)) for path in sorted_paths)
            return type(notes)(tuple(arrivals))

        self.change(with_look)

    def times(self) -> dict[str, int]:
        """Return when each file was first seen, by path. Raises StorageError."""
        return dict(self.read().here)


class TurnArrivalNotes(ArrivalNotes):
    """Turns, and when they were first seen."""

    file = "turn-arrivals.toml"


class TurnArrivals(Arrivals):
    """Remembers when a co-dealer first saw the turns since its last deal, by path."""

    schema = TurnArrivalNotes


class RecordArrival(NamedTuple):
    """A record of a seat that no turn lists, and when this machine first saw it."""

    path: str
    """Its path in the game folder."""
    id: str
    """Its id, in hex digits."""
    key: str
    """The key that signed it, in hex digits."""
    seen_at: int


class RecordArrivalNotes(Notes):
    """Records of seats, and when they were first seen."""

    file = "record-arrivals.toml"
    damage = DAMAGE_SENTENCE
    here: tuple[RecordArrival, ...] = ()


class RecordArrivals(Notebook[RecordArrivalNotes]):
    """Remembers when a co-dealer first saw the orders and notices of seats that no turn lists yet,
    also if their files are gone."""

    schema = RecordArrivalNotes

    def unlisted(self, listed_ids: Container[str]) -> list[RecordArrival]:
        """Return the records that no turn lists. Raises StorageError."""
        return [row for row in self.read().here if row.id not in listed_ids]

    def note(self, arrivals: Iterable[RecordArrival], listed_ids: Container[str], now: int) -> None:
        """Note records of seats that are here now. Those that a turn lists by now are forgotten,
        and a time ahead of the clock is replaced by now. Of each seat, key and kind of record,
        the first `MAX_UNLISTED_OF_KEY` stay. Raises StorageError."""
        new_rows = tuple(arrivals)

        def with_new(notes: RecordArrivalNotes) -> RecordArrivalNotes:
            rows = {row.id: row for row in (*new_rows, *notes.here) if row.id not in listed_ids}
            timed = [row._replace(seen_at=min(row.seen_at, now)) for row in rows.values()]
            timed.sort(key=lambda row: (row.seen_at, row.path))
            counts, kept_rows = Counter[tuple[str, str, str]](), list[RecordArrival]()
            for row in timed:
                if name := parse_name(row.path):
                    group = name.kind, name.seat, row.key
                    counts[group] += 1
                    if counts[group] <= MAX_UNLISTED_OF_KEY:
                        kept_rows.append(row)
            return RecordArrivalNotes(tuple(kept_rows))

        self.change(with_new)


class ReceiptNotes(Notes):
    """The sealing times and the paths of orders and joins, by their ids in hex."""

    file = "receipts.toml"
    damage = DAMAGE_SENTENCE
    sealed: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


class Receipts(Notebook[ReceiptNotes]):
    """Remembers when orders and joins were sealed here, by their ids in hex."""

    schema = ReceiptNotes

    def times(self) -> dict[str, int]:
        """Return, by id, the times at which orders and joins were sealed here, in seconds since
        1970 UTC. Raises StorageError."""
        return dict(self.read().sealed)

    def paths(self) -> dict[str, str]:
        """Return, by id, which files were sealed here, by their paths in the game folder. Raises
        StorageError."""
        return dict(self.read().files)

    def note(self, order_id: str, now: int, path: str = "") -> None:
        """Note the sealing time and the path of orders, unless both are known."""

        def with_receipt(notes: ReceiptNotes) -> ReceiptNotes:
            if order_id in notes.sealed:
                return notes
            times, paths = {**notes.sealed, order_id: now}, {**notes.files, order_id: path}
            known_ids = sorted(times, key=lambda known_id: times[known_id])[-MAX_REMEMBERED:]
            return ReceiptNotes(
                {known_id: times[known_id] for known_id in known_ids},
                {known_id: paths[known_id] for known_id in known_ids if known_id in paths},
            )

        self.change(with_receipt)


# ---- Turns and messages shown

MAX_SHOWN_PATHS: Final = 5_000
"""The most paths that are remembered for each of a person's seats or viewpoints in a game."""

MAX_SEEN_MESSAGES: Final = 800
"""The most messages of each writer that are remembered as seen."""


class ShownMessageNotes(Notes):
    """The paths of messages, by viewer."""

    file = "told.toml"
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class ShownMessages(Notebook[ShownMessageNotes]):
    """The paths of the messages that were shown, for each seat or for `table`."""

    schema = ShownMessageNotes

    def paths_shown_to(self, viewer: str) -> set[str]:
        """Return the paths of the messages that were shown to this seat, or at the table."""
        return set(self.read().paths.get(viewer, ()))

    def add(self, viewer: str, paths: Iterable[str]) -> None:
        """Note that these messages were shown. If there are more than `MAX_SHOWN_PATHS`, the first
        by name of those noted earlier are forgotten, then the first of these. Raises
        StorageError."""
        new_paths = set(paths)

        def with_paths(notes: ShownMessageNotes) -> ShownMessageNotes:
            earlier_paths = set(notes.paths.get(viewer, ())) - new_paths
            shown_paths = [*sorted(earlier_paths), *sorted(new_paths)]
            kept_paths = tuple(sorted(shown_paths[-MAX_SHOWN_PATHS:]))
            return ShownMessageNotes({**notes.paths, viewer: kept_paths}) if kept_paths else notes

        self.change(with_paths)


class ShownTurnNotes(Notes):
    """Two turns, the older first, by viewer."""

    file = "looks.toml"
    turns: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def check(self) -> None:
        """Raise ValueError unless each viewer has two turns."""
        if any(len(turns) != 2 for turns in self.turns.values()):
            raise ValueError("each viewer has two turns")


class ShownTurns(Notebook[ShownTurnNotes]):
    """For each viewer, a seat or `table`, the last two turns shown."""

    schema = ShownTurnNotes

    def note_turn(self, viewer: str, turn: int, default: int) -> int:
        """Note that a turn is shown; return the turn shown before it, or the default if none is
        known. Raises StorageError."""

        def with_turn(notes: ShownTurnNotes) -> ShownTurnNotes:
            previous_turn, last_turn = notes.turns.get(viewer, (default, turn))
            if last_turn > turn:
                return notes
            if last_turn < turn:
                previous_turn = last_turn
            return ShownTurnNotes({**notes.turns, viewer: (previous_turn, turn)})

        previous_turn, _ = self.change(with_turn).turns[viewer]
        return max(0, min(previous_turn, turn - 1))


class SeenMessageNotes(Notes):
    """The ids of messages, by writer."""

    file = "seen-messages.toml"
    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class SeenMessages(Notebook[SeenMessageNotes]):
    """The ids, in hex, of messages that were here while their keys counted, for each writer."""

    schema = SeenMessageNotes

    def ids(self) -> set[str]:
        """Return all ids; none if the file is lost or damaged."""
        return set[str]().union(*self.read().ids.values())

    def add(self, ids: Mapping[str, Collection[str]]) -> None:
        """Note messages by writer; if there are too many, the new ones stay. Raises
        StorageError."""

        def with_ids(notes: SeenMessageNotes) -> SeenMessageNotes:
            ids_by_writer = dict(notes.ids)
            for writer, new_ids in ids.items():
                known_ids = set(notes.ids.get(writer, ()))
                if not known_ids.issuperset(new_ids):
                    older_ids = sorted(known_ids.difference(new_ids))
                    kept_ids = [*older_ids, *new_ids][-MAX_SEEN_MESSAGES:]
                    ids_by_writer[writer] = tuple(sorted(kept_ids))
            return SeenMessageNotes(ids_by_writer)

        self.change(with_ids)
