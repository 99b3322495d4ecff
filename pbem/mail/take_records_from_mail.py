"""Receive mail: find the records in it, and put each into the right folder (protocol §10)."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.value_classes import Value
from pbem.errors import PbemError
from pbem.files.disk import create, read_file
from pbem.format.record_error import Reason, RecordError
from pbem.mail.find_game_by_id import Places
from pbem.mail.record_filing import Create, LocalFault, RecordFiler, create_in_folder, filing_rank
from pbem.mail.unpack_mail import open_post
from pbem.records.charter import Charter
from pbem.records.game_id_and_chain_heads import game_id
from pbem.records.read_and_sign_record import Content, Record, read
from pbem.text.terminal_and_page_wording import TerminalText

MAX_KEPT: Final = 1 << 22
"""The most bytes of a refused file that is saved: a longer one is a mailbox that its owner has."""

MAX_KEPT_FILES: Final = 50
MAX_WAITING_FILES: Final = 500
"""The most files of one game that wait for others. Files with a key that the game does not know get
an eighth of the room, so that strangers take none from the people in the game."""
MAX_WAITING_BYTES: Final = 1 << 24
"""The most bytes of these files."""
MAX_UNKNOWN_GAMES: Final = 50
"""The most games that are not here whose files wait for their charters."""
NO_ROOM_SENTENCE: Final = "too many files wait for missing files, so pbem keeps no more of them"
MAX_WASTED_BYTES: Final = 1 << 19
"""The most bytes of refused records in one letter; after more, pbem stops reading it."""


class Refusal(Value):
    """A sentence on a record that was refused, that waits for another file, or that was filed but
    came late; `reason` gives the exit code."""

    source: str
    reason: Reason
    sentence: str
    is_local: bool = False
    """Whether only the owner of this computer can mend it: see `LocalFault`."""


class _Arrival(Value):
    """A record with the right signature and form; its place in the game is not checked yet."""

    source: str
    record: Record[Content]
    is_saved: bool = False
    """Whether the record was saved from an earlier email; pbem does not say again that it waits."""


def _nothing_found_reason(data: bytes) -> str:
    """Say why there is nothing for pbem in a file."""
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):  # a compound file
        return TerminalText(
            "is in Outlook's own format (.msg), which pbem does not read; save the email as .eml "
            "or as text, or paste it[[: pbem receive -]]"
        )
    if not data.strip():
        return "is empty; save or paste the whole email"
    return "contains nothing from pbem; save or paste the whole email"


class Receiving:
    """One run of `receive`: call `open` for each thing that came, then `file_all`."""

    def __init__(
        self, places: Places, *, saves: bool = True, create: Create = create_in_folder
    ) -> None:
        """Without `saves`, refused files are not saved: they are in a mailbox, and anybody can send
        enough of them to fill a disk. `create` puts a record into the folder of its game."""
        self.places, self.home, self.saves = places, places.home, saves
        self.create = create
        self.deliveries: list[RecordFiler] = []
        """The filers of the games that `file_all` found, one for each game."""
        self.refusals: list[Refusal] = []
        self.repaired: list[str] = []
        """The sources of the records whose text a mail program had changed."""
        self.kept_paths: list[Path] = []
        """The files in the home with what was refused, or waits for a game."""
        self.broken = False
        """Whether a file from pbem was refused."""
        self.no_room = False
        """Whether a file of somebody in the game should wait, and there was no room for it."""
        self._past_refusals: set[Refusal] = set()
        self._arrivals: dict[bytes, dict[bytes, _Arrival]] = {}
        """The records that `open` found, by their game's id and their own."""

    # -------------------------------------------------------------- opening
    def open(self, data: bytes, source: str) -> None:
        """Open one file, email or text; its good records wait for `file_all`.

        What is refused becomes a refusal, and the whole of `data` is saved, if it is not too long.
        `source` says for people where it came from.
        """
        findings = open_post(data, source)
        if not findings:
            self._refuse(source, "mail", _nothing_found_reason(data))
        games: list[bytes] = []
        has_refusals, wasted_bytes = False, 0
        for finding in findings:
            if wasted_bytes > MAX_WASTED_BYTES:
                sentence = (
                    "pbem stopped reading, because most of the text is not from pbem; try again "
                    "with only the parts that pbem wrote"
                )
                self._refuse(source, "mail", sentence)
                break
            try:
                if finding.data is None:
                    raise RecordError("mail", finding.damage)
                record = read(finding.data)
                if finding.repaired:
                    self.repaired.append(finding.source)
                content = record.content
                game = game_id(record.signed.body) if isinstance(content, Charter) else content.game
                self._arrivals.setdefault(game, {}).setdefault(
                    record.id, _Arrival(finding.source, record)
                )
                games.append(game)
            except RecordError as error:
                self._refuse_for(finding.source, error)
                has_refusals, wasted_bytes = True, wasted_bytes + len(finding.data or b"")
                self.broken = True
        if has_refusals and len(data) <= MAX_KEPT:
            self._keep(data, games[0] if games else b"")

    def _refuse_for(self, source: str, error: RecordError) -> None:
        self._refuse(source, error.reason, error.sentence, is_local=isinstance(error, LocalFault))

    def _refuse(
        self, source: str, reason: Reason, sentence: str, *, is_local: bool = False
    ) -> None:
        """Add a refusal, but not the same one twice."""
        refusal = Refusal(source, reason, sentence, is_local)
        if refusal not in self._past_refusals:
            self._past_refusals.add(refusal)
            self.refusals.append(refusal)

    def _keep(self, data: bytes, game: bytes) -> None:
        """Save a refused file unchanged, with its game if that is known (else `game` is empty); 50
        files at most."""
        if not self.saves:
            return
        if len(self.kept_paths) >= MAX_KEPT_FILES:
            sentence = (
                f"pbem kept only the first {MAX_KEPT_FILES} of the refused files; the others are "
                "still in the email or file that you got"
            )
            self._refuse("this email", "mail", sentence)
            return
        if game:
            path = self.home.game(game.hex()).keep_original(data)
        else:
            path = self.home.root / "seen" / hashlib.sha256(data).hexdigest()
            create(path, data, private=True)
        self._note_kept(path)

    def _note_kept(self, path: Path) -> None:
        if path not in self.kept_paths:
            self.kept_paths.append(path)

    def _keep_for_later(self, record: Record[Content], game: bytes, is_known: bool) -> Path | None:
        """Save a record that waits for others; return its path, None if too much waits already:
        anybody can send files that would wait for ever.

        `is_known` says whether somebody in the game signed it.
        """
        game_home = self.home.game(game.hex())
        sizes = [len(record.file)]
        with contextlib.suppress(OSError), os.scandir(game_home.root / "seen") as files:
            sizes += [entry.stat().st_size for entry in files]
        share = 1 if is_known else 8
        has_room = (
            share * len(sizes) <= MAX_WAITING_FILES and share * sum(sizes) <= MAX_WAITING_BYTES
        )
        if game_home.place is None and not game_home.root.exists():
            games = [self.home.game(other_id) for other_id in self.home.games()]
            has_room &= sum(home.place is None for home in games) < MAX_UNKNOWN_GAMES
        if has_room:
            return game_home.keep_original(record.file)
        self.no_room |= is_known
        sentence = f"{NO_ROOM_SENTENCE}; the others are still in the email or file that you got"
        self._refuse("this email", "mail", sentence)
        return None

    # -------------------------------------------------------------- filing
    def file_all(self) -> None:
        """Put every record in the folder of its game. Raises StorageError."""
        for game, records in self._arrivals.items():
            self._file_game(game, list(records.values()))

    def _file_game(self, game: bytes, arrivals: list[_Arrival]) -> None:
        """Put the records of one game into its folder, with the saved ones that waited for others;
        save them if the game has no folder."""
        try:
            filer = self._filer(game, arrivals)
        except RecordError as error:
            for arrival in arrivals:
                self._refuse_for(arrival.source, error)
                if not self.places.may_come(game):
                    continue
                path = self._keep_for_later(arrival.record, game, is_known=False)
                if path and len(self.kept_paths) < MAX_KEPT_FILES:
                    self._note_kept(path)
            return
        self._file_arrivals(filer, [*arrivals, *self._saved_arrivals(game)])
        self.home.game(game.hex()).remember_place(filer.root)
        self.refusals += [Refusal(filer.title, *note) for note in filer.notes()]
        self.deliveries.append(filer)

    def _filer(self, game: bytes, arrivals: list[_Arrival]) -> RecordFiler:
        """Find the game's folder, or make one if the charter is among the arrivals. Raises
        RecordError: `parent` without folder and charter, `state` if the folder would hold the home
        with its keys, and what `Places.find` raises."""
        charters = [
            Record(arrival.record.signed, arrival.record.content)
            for arrival in arrivals
            if isinstance(arrival.record.content, Charter)
        ]
        charter = charters[0] if charters else None
        root = self.places.find(game, charter)
        if root is None:
            raise RecordError(
                "parent",
                TerminalText(
                    "belongs to [[game {digits}||a game]], which is not here. pbem keeps it until "
                    "you have the game: ask another player [[to run pbem send --all||to send you "
                    "all files of the game]][[, or give the path of the game folder with -C]]"
                ).format(digits=game.hex()[:6]),
            )
        folder = self.home.folder(root)
        if (
            charter
            and folder.scan().charter is None
            and folder.contains(self.home.root / "profiles")
        ):
            raise LocalFault(
                "state",
                f"would make a game in {folder.place}, where your keys are; everybody who "
                "shares the folder would see your keys; give a different folder with -C",
            )
        return RecordFiler(folder, charter, self.create)

    def _file_arrivals(self, filer: RecordFiler, arrivals: list[_Arrival]) -> None:
        """File the records of one game, and refuse or keep those that the filer refuses.

        Each refused record is tried once more after the others: a join for a seat that became open
        waits for turns and notices, and the new player's orders wait for the join.
        """
        sorted_arrivals = sorted(arrivals, key=lambda c: filing_rank(c.record))
        # the folder was made with the charter
        checked_arrivals = [
            arrival
            for arrival in sorted_arrivals
            if not isinstance(arrival.record.content, Charter)
        ]
        game = filer.game_folder.game
        errors = dict[bytes, RecordError | None]()
        for arrival in checked_arrivals:
            errors[arrival.record.id] = _try_to_file(filer, arrival)
        for arrival in checked_arrivals:
            if errors[arrival.record.id]:
                errors[arrival.record.id] = _try_to_file(filer, arrival)
        for arrival in checked_arrivals:
            error = errors[arrival.record.id]
            if arrival.is_saved and (error is None or error.reason == "key"):
                # others get its room
                self.home.game(game.hex()).forget_original(Path(arrival.source))
            elif error and not arrival.is_saved:
                self._refuse_for(arrival.source, error)
                if error.reason == "parent":  # a later run takes it: see _saved_arrivals
                    is_known = filer.knows(arrival.record.signed.key)
                    self._keep_for_later(arrival.record, game, is_known)
                else:
                    self.broken = True
                    self._keep(arrival.record.file, game)

    def _saved_arrivals(self, game: bytes) -> Iterator[_Arrival]:
        """Return records saved from earlier emails; what they waited for may be here now."""
        names: list[Path] = []
        with contextlib.suppress(OSError):  # there are none yet
            names = list((self.home.game(game.hex()).root / "seen").iterdir())
        for path in names:
            try:
                record = read(read_file(path))
            except PbemError:
                continue  # a whole email, saved for its owner
            if record.content.game == game and record.id not in self._arrivals[game]:
                yield _Arrival(str(path), record, is_saved=True)


def _try_to_file(filer: RecordFiler, arrival: _Arrival) -> RecordError | None:
    """File one record; return the error if it is refused, else None."""
    try:
        filer.file_record(arrival.record)
    except RecordError as error:
        return error
    return None
