"""Receive mail: find the records in it, and put each into the right folder (protocol §10).

Every good record is filed, even if everything else in the email is bad. Refused files are saved
unchanged.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.format.errors import Reason, RecordError
from pbem.frozen import frozen
from pbem.mail.file_records import RecordFiler, in_order
from pbem.mail.find_folder import Places
from pbem.mail.opening.letter import Finding, open_post
from pbem.records.chain import game_id
from pbem.records.charter_join_orders import Charter
from pbem.records.read_record import Content, Record, read
from pbem.storage.atomic_write import create
from pbem.storage.errors import FileError, StorageError
from pbem.storage.private.home import Mine
from pbem.storage.read_file import read_file
from pbem.storage.store.address import Place

MAX_KEPT: Final = 1 << 22
"""The most bytes of a refused file that is saved: a longer one is a mailbox that its owner has."""

MOST_KEPT: Final = 50
"""The most refused files that one run saves."""
MOST_WAITING: Final = 500
"""The most files of one game that wait for others. Files with a key that the game does not know get
an eighth of the room, so that strangers take none from the people in the game."""
MOST_BYTES: Final = 1 << 24
"""The most bytes of these files."""
MOST_UNKNOWN: Final = 50
"""The most games that are not here whose files wait for their charters."""
MAX_WASTED: Final = 1 << 19
"""How many bytes that are not records a letter may contain before pbem stops reading it."""


@frozen
class Refusal:
    """Something that was refused, or that waits for a file; `reason` gives the exit code."""

    source: str
    reason: Reason
    sentence: str


@dataclass
class Delivery:
    """What one game received."""

    game: bytes
    title: str
    root: Place
    made: bool
    """Whether this run made the folder."""
    new: list[Record[Content]]
    here: int
    """How many of the records were already there."""


@frozen
class _Came:
    """A record with the right signature and form; its place in the game is not checked yet."""

    source: str
    record: Record[Content]
    quiet: bool = False
    """Whether the record was saved from an earlier email; pbem does not say again that it waits."""


class Receiving:
    """One run of `receive`: call `open` for each thing that came, then `deliver`."""

    def __init__(self, places: Places) -> None:
        self.places, self.home = places, places.home
        self.deliveries: list[Delivery] = []
        self.refusals: list[Refusal] = []
        self.repaired: list[str] = []
        self.kept: list[Path] = []
        self.no_room = False
        """Whether a file of somebody in the game should wait, and there was no room for it."""
        self._said: set[Refusal] = set()
        self._came: dict[bytes, dict[bytes, _Came]] = {}

    # -------------------------------------------------------------- opening
    def open(self, data: bytes, source: str) -> None:
        """Open one file, email or text; its good records wait for `deliver`."""
        findings = open_post(data, source)
        if not findings:
            told = "is empty" if not data.strip() else "contains nothing from pbem"
            self._refuse(source, "mail", f"{told}; save or paste the whole email")
        games: list[bytes] = []
        bad = False
        wasted = 0
        for finding in findings:
            if wasted > MAX_WASTED:
                told = "pbem stopped reading: too much of this is not from pbem"
                told = f"{told}; try again with only the parts that pbem wrote"
                self._refuse(source, "mail", told)
                break
            try:
                games.append(self._read(finding))
            except RecordError as error:
                self._refuse(finding.source, error.reason, error.sentence)
                bad, wasted = True, wasted + len(finding.data or b"")
        if bad and len(data) <= MAX_KEPT:
            self._keep(data, games[0] if games else b"")

    def _read(self, finding: Finding) -> bytes:
        if finding.data is None:
            raise RecordError("mail", finding.damage)
        record = read(finding.data)
        if finding.repaired:
            self.repaired.append(finding.source)
        content = record.content
        game = game_id(record.signed.body) if isinstance(content, Charter) else content.game
        self._came.setdefault(game, {}).setdefault(record.id, _Came(finding.source, record))
        return game

    def _refuse(self, source: str, reason: Reason, sentence: str) -> None:
        refusal = Refusal(source, reason, sentence)
        if refusal not in self._said:
            self._said.add(refusal)
            self.refusals.append(refusal)

    def _keep(self, data: bytes, game: bytes) -> None:
        """Save a refused file unchanged, with its game if that is known; 50 files at most."""
        if len(self.kept) >= MOST_KEPT:
            told = f"more than {MOST_KEPT} files were refused; only the first {MOST_KEPT} were kept"
            self._refuse(
                "this email", "mail", f"{told}, but you still have the others in what you were sent"
            )
        elif game:
            self._kept(self.home.game(game.hex()).keep_original(data))
        else:
            import hashlib

            path = self.home.root / "seen" / hashlib.sha256(data).hexdigest()
            create(path, data, private=True)
            self._kept(path)

    def _keep_for_later(self, record: Record[Content], game: bytes, known: bool) -> Path | None:
        """Keep a record until what it waits for comes, unless too much waits already.

        `known` says whether somebody in the game signed it.
        """
        mine = self.home.game(game.hex())
        if not self._has_room(mine, len(record.file), known):
            self.no_room |= known
            told = "too many files are already waiting for other files"
            told += ", so not all of these were kept"
            self._refuse("this email", "mail", f"{told}; you still have them in what you were sent")
            return None
        return mine.keep_original(record.file)

    def _has_room(self, mine: Mine, size: int, known: bool) -> bool:
        """Return whether one more file may wait: anybody can send files that would wait for
        ever."""
        sizes = [size]
        with contextlib.suppress(OSError), os.scandir(mine.root / "seen") as found:
            sizes += [one.stat().st_size for one in found]
        if mine.place is None and not mine.root.exists():
            games = [self.home.game(one) for one in self.home.games()]
            if sum(one.place is None for one in games) >= MOST_UNKNOWN:
                return False
        share = 1 if known else 8
        return share * len(sizes) <= MOST_WAITING and share * sum(sizes) <= MOST_BYTES

    def _kept(self, path: Path) -> None:
        if path not in self.kept:
            self.kept.append(path)

    # -------------------------------------------------------------- delivering
    def deliver(self) -> None:
        """Put every record in the folder of its game. Raises StorageError."""
        for game, came in self._came.items():
            self._deliver(game, list(came.values()))

    def _deliver(self, game: bytes, came: list[_Came]) -> None:
        try:
            desk, made = self._desk(game, _charter(came))
        except RecordError as error:
            for one in came:
                self._refuse(one.source, error.reason, error.sentence)
                path = self._keep_for_later(one.record, game, known=False)
                if path and len(self.kept) < MOST_KEPT:
                    self._kept(path)
            return
        self._put_all(desk, [*came, *self._waiting(game)])
        title, root = desk.game_folder.charter.content.title, desk.folder.place
        self.home.game(game.hex()).remember_place(root)
        self.refusals += [Refusal(title, *note) for note in desk.notes()]
        self.deliveries.append(Delivery(game, title, root, made, desk.new, desk.here))

    def _desk(self, game: bytes, charter: Record[Charter] | None) -> tuple[RecordFiler, bool]:
        """Return the object that files this game's records, and whether this run made the game's
        folder.

        Raises RecordError, StorageError.
        """
        root = self.places.find(game, charter)
        if root is None:
            raise RecordError(
                "parent",
                f"belongs to game {game.hex()[:6]}, which is not here. pbem will keep it until "
                "the game's charter arrives. Ask another player for a bundle made with `pbem "
                "send --all`, or use -C to give the path of the game folder",
            )
        folder = self.home.folder(root)
        made = folder.scan().charter is None
        if made and charter and folder.contains(self.home.root / "profiles"):
            told = f"would make a game in {folder.place}, but your home with your keys is in that "
            raise RecordError(
                "state", f"{told}folder, and everybody who shares it would see them; use -C to "
                "give the path of a different folder",
            )  # fmt: skip
        return RecordFiler(folder, charter), made

    def _put_all(self, desk: RecordFiler, came: list[_Came]) -> None:
        """File the records, and try each refused record once more after the others.

        A join for a seat that became open waits for turns and notices, and the new player's orders
        wait for the join.
        """
        files = sorted(came, key=lambda c: in_order(c.record))
        # the folder was made with the charter
        records = [one for one in files if not isinstance(one.record.content, Charter)]
        mine = self.home.game(desk.game_folder.game.hex())
        refused = [one for one in records if _refused(desk, one)]
        errors = {one.record.id: _refused(desk, one) for one in refused}
        for one in records:
            error = errors.get(one.record.id)
            if one.quiet and (error is None or error.reason == "key"):
                mine.forget_original(Path(one.source))  # others get its room
            elif error and not one.quiet:
                self._refuse(one.source, error.reason, error.sentence)
                if error.reason == "parent":  # a later run takes it from there: see _waiting
                    known = desk.knows(one.record.signed.key)
                    self._keep_for_later(one.record, desk.game_folder.game, known)
                else:
                    self._keep(one.record.file, desk.game_folder.game)

    def _waiting(self, game: bytes) -> Iterator[_Came]:
        """Return records saved from earlier emails; what they waited for may be here now."""
        folder = self.home.game(game.hex()).root / "seen"
        names: list[Path] = []
        with contextlib.suppress(OSError):  # there are none yet
            names = list(folder.iterdir())
        for path in names:
            try:
                record = read(read_file(path))
            except (RecordError, FileError, StorageError):
                continue  # a whole email, saved for its owner
            if record.content.game == game and record.id not in self._came[game]:
                yield _Came(str(path), record, quiet=True)


def _refused(desk: RecordFiler, one: _Came) -> RecordError | None:
    """File a record; return the error if it was refused."""
    try:
        desk.put(one.record)
    except RecordError as error:
        return error
    return None


def _charter(came: list[_Came]) -> Record[Charter] | None:
    for one in came:
        if isinstance(one.record.content, Charter):
            return Record(one.record.signed, one.record.content)
    return None
