"""File the records that came by mail: into which game, what waits, what is refused."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from engine.values import Value
from pbem.errors import PbemError
from pbem.files.disk import FileError, StorageError, TakenError, create, read_file
from pbem.files.folder import Folder, Kind, Name, RecordFile, SharedFolder
from pbem.files.home import Home
from pbem.files.places import DiskPlace, Place
from pbem.format.canonical import Reason, RecordError
from pbem.judge.admission import Relation, Signer, keys_of_people
from pbem.judge.archive import game_in, open_folder
from pbem.judge.chain import Chain
from pbem.judge.deputy import maker_with
from pbem.judge.lines import why_misplaced
from pbem.judge.press import format_role
from pbem.judge.record_files import file_name
from pbem.mail.opening import open_post
from pbem.records.charter import Charter, FinalRecord, Join, Orders, is_let_in, slug
from pbem.records.limits import (
    MAX_DOOR_JOINS,
    MAX_MESSAGES,
    MAX_NOTICE_FILES,
    MAX_ORDER_SETS,
    MAX_OTHER_JOINS,
)
from pbem.records.notice import Notice
from pbem.records.policies import DAY
from pbem.records.press import REFEREE, Press
from pbem.records.read_record import Content, Record, read
from pbem.records.turn import Turn
from pbem.records.words import first_head, game_id

# ---- File records that came by mail: check each, and put it where its signed header says

_ORDER: Final = (Charter, Join, Turn, Orders, FinalRecord, Press)


def in_order(record: Record[Content]) -> tuple[int, int, int, bytes]:
    """Return a sort key that puts each record after the records that it is checked against.

    Notices come after the turn after which they were written, and before the next one.
    """
    notice = isinstance(record.content, Notice)
    kind = Turn if notice else type(record.content)
    return _ORDER.index(kind), record.content.turn, notice, record.id


Create = Callable[[SharedFolder, Name, bytes], bool]
"""Puts a record into the folder of its game as `SharedFolder.create` does; raises RecordError too
if there are other limits than the filer's."""


def create_in_folder(folder: SharedFolder, name: Name, data: bytes) -> bool:
    """Put a record into the folder of its game. Raises TakenError, StorageError."""
    return folder.create(name, data)


class FilingRule(NamedTuple):
    """Which records of one kind mail files, because they may count here now or later.

    The other fields are sentences, for `str.format` with `subject`, `path`, `writer`, `turn`,
    `before` (the turn on which the record builds) and `count` (the limit).
    """

    signers: tuple[Signer, ...]
    """The keys that may have signed a record; a later turn decides whether they count."""
    wrong_key: str
    """Sentence for another key."""
    no_player: str = ""
    """Sentence for a seat that nobody has; empty if only the key matters."""
    fork: str = ""
    """Sentence for a record that builds on another turn than the one here; empty if it is filed."""
    too_many: str = ""
    """Sentence for more than `max_files`; empty without a limit."""
    max_files: int = 0
    """The most files of one key for one writer and turn, besides those in turns."""
    subject: str = ""
    """The beginning of sentences."""
    has_to_wait: bool = False
    """Whether a record waits for the turn on which it builds."""


_REFEREE_RULE: Final = FilingRule(
    ("referee",),
    "not signed by the referee of this game",
    fork="{path} builds on a different version of turn {before}; compare your twelve words with "
    "the other players",
)
FILING_RULES: Final[Mapping[Kind, FilingRule]] = {
    "turn": _REFEREE_RULE,
    "final": _REFEREE_RULE,
    "orders": FilingRule(
        ("joined", "named"),
        "not signed by the player in {writer}",
        no_player="nobody has {writer}",
        too_many="{writer} already has {count} sets of orders for turn {turn}: orders/ has no "
        "room for more",
        max_files=MAX_ORDER_SETS,
    ),
    "press": FilingRule(
        ("then",),
        "this message is not signed by {writer}",
        no_player="{writer} has no player, so nobody can write messages from it",
        fork="{subject}follows a turn {turn} that differs from the one here",
        too_many="{writer} already has {count} messages after turn {turn}: press/ has no room for "
        "more",
        max_files=MAX_MESSAGES,
        subject="a message from {writer} ",
        has_to_wait=True,
    ),
    "notice": FilingRule(
        ("anybody",),
        "{subject}is signed with a key that nobody in this game has",
        fork="{subject}was written after a version of turn {turn} that differs from the one here",
        too_many="{subject}was refused: notices/ already has {count} files from this writer after "
        "turn {turn}",
        max_files=MAX_NOTICE_FILES,
        subject="a notice of {writer} ({kind}) ",
        has_to_wait=True,
    ),
}
_MISSING_TURN: Final = (
    "{subject}was written after turn {turn}, and is waiting for that turn to arrive"
)
_MISSING_JOIN: Final = "{subject}is waiting for the join of {writer}, which has not arrived yet"


class LocalFault(RecordError):
    """A record was refused because of the files on this computer: only its owner can mend that, so
    the sentence, which has a path, is for nobody else."""


class RecordFiler:
    """Puts records into the folder of their game, and knows what was new there."""

    def __init__(
        self,
        folder: SharedFolder,
        charter: Record[Charter] | None = None,
        create: Create = create_in_folder,
    ) -> None:
        """With `charter`, make the folder if it does not exist.

        Raises what `open_folder` raises.
        """
        self.folder = folder
        self._create = create
        self._signers: dict[RecordFile, bytes] = {}
        self.new: list[Record[Content]] = []
        self.here = 0
        self._stale: bool
        """Whether records were filed since `_look` that other records are checked against."""
        self._seen: int
        """How many of the `new` records were filed before the last `_look`."""
        self._chain: Chain | None
        if charter:
            self._write(charter)
        self.made = bool(self.new)
        """Whether this run made the folder."""
        self.game_folder = open_folder(self.folder)
        """The game's folder as it was when it was last read."""
        self.turns: list[Record[Turn]] = []
        """The turns there, up to the first that is missing or wrong."""
        self._look()

    @property
    def root(self) -> Place:
        """Where the game's folder is."""
        return self.folder.place

    @property
    def title(self) -> str:
        """The game's title."""
        return self.game_folder.charter.content.title

    def _look(self) -> None:
        """The chain ends before a bad turn; `status` says which turn is bad."""
        self._stale, self._seen = False, len(self.new)
        self._chain = None
        with contextlib.suppress(FileError, StorageError):
            self.game_folder = open_folder(self.folder)
            self.turns += self.game_folder.turns(len(self.turns))

    @property
    def chain(self) -> Chain:
        """What the turns there say."""
        if self._chain is None:
            self._chain = self.game_folder.chain_of(self.turns)
        return self._chain

    @property
    def _fresh(self) -> list[Record[Content]]:
        """The records that this run has filed since `_look` last read the folder."""
        return self.new[self._seen :]

    def put(self, record: Record[Content]) -> None:
        """Put a record of this game in its place, unless it is already there.

        Raises RecordError with the reason if the record is refused (then nothing is written), or
        StorageError.
        """
        if self._stale and (self.turns or not isinstance(record.content, Join)):
            self._look()  # before turn 1, a join is not checked against other records
        if not self.folder.has(file_name(record), record.file):
            self._check(record)
        self._write(record)
        self._stale = not isinstance(record.content, Orders | Press)

    def knows(self, key: bytes) -> bool:
        """Return whether this is a key of somebody in the game, as far as the folder shows."""
        return key in keys_of_people(self.game_folder, self.chain)

    def _write(self, record: Record[Content]) -> None:
        try:
            if self._create(self.folder, file_name(record), record.file):
                self.new.append(record)
            else:
                self.here += 1
        except TakenError:
            if not self._counts_instead(record):
                raise self._taken(record) from None
            self.new.append(record)

    def _counts_instead(self, record: Record[Content]) -> bool:
        """Put the deputy's turn into the place of a turn of the referee that does not count, or the
        other way round; return whether that was so."""
        turn = record.content
        if not isinstance(turn, Turn):
            return False
        here = self.game_folder
        right = here.deputy_turns.takes_over(Record(record.signed, turn))
        if not right and record.signed.key != here.maker(turn.turn).key:
            return False
        for found in here.complete_listing.turns:
            if found.name.turn == turn.turn and here.signer(found) not in (None, record.signed.key):
                self.folder.set_aside(found)
                return self.folder.create(found.name, record.file)
        return False

    def _taken(self, record: Record[Content]) -> RecordError:
        """Return why the record cannot have its name: a different file has it."""
        name = file_name(record).path
        here = f"{name} in {self.folder.place}"
        again = "remove that file, then run pbem receive again"
        try:
            other = read(self.folder.read(name))
        except RecordError:
            return LocalFault("fork", f"{here} is damaged: {again}")
        if other.id == record.id and isinstance(record.content, Notice):
            return LocalFault("fork", f"{here} is signed with another key: {again}")
        if isinstance(record.content, Turn) and other.id != record.id:
            keys = {*self.game_folder.charter.content.referee_keys, record.signed.key}
            if other.signed.key not in keys:
                return LocalFault("fork", f"{here} is not signed by the referee: {again}")
        return RecordError("fork", self._two_files(record, other))

    def _two_files(self, record: Record[Content], other: Record[Content]) -> str:
        name = file_name(record).path
        if other.id == record.id:
            return f"{name} is here already; it was signed twice, with the same content"
        ids = f"{other.id.hex()[:6]} in the folder, {record.id.hex()[:6]} in the mail"
        different = (
            f"a different file already has the name {name} ({ids}); show both to the referee"
        )
        if not isinstance(record.content, Turn | FinalRecord):
            return different
        charter = self.game_folder.charter.content
        if other.signed.key == record.signed.key:
            told = f"both signed by {maker_with(charter, record.signed.key).called}, who made two "
            told += "versions of the game; show both to all players"
            return f"two different files called {name} ({ids}), {told}"
        if isinstance(record.content, FinalRecord):
            return different
        one, two = (maker_with(charter, r.signed.key).name for r in (other, record))
        told = f"{one} signed {name} in the folder, and {two} the one in the mail: the turn of"
        return f"{told} {self.game_folder.maker(record.content.turn).name} counts"

    # -------------------------------------------------------------- one record
    def _check(self, record: Record[Content]) -> None:
        content = record.content
        relation = Relation(self.game_folder, self.chain, record)
        if isinstance(content, Join):
            self._check_join(relation, content)
        if content.kind not in FILING_RULES:
            return
        rule, writer = FILING_RULES[content.kind], format_role(content.seat or REFEREE)
        kind = content.about if isinstance(content, Notice) else ""
        words = {
            "subject": rule.subject.format(writer=writer, kind=kind), "writer": writer,
            "path": file_name(record).path, "turn": content.turn, "before": relation.place,
            "count": rule.max_files,
        }  # fmt: skip
        if rule.has_to_wait and relation.fit == "ahead":
            raise RecordError("parent", _MISSING_TURN.format(**words))
        if relation.lacks_join:
            raise RecordError("parent", _MISSING_JOIN.format(**words))
        if rule.no_player and not relation.has_player:
            raise RecordError("key", rule.no_player.format(**words))
        is_checked = isinstance(content, Notice) and relation.is_listed  # by the turn's readers
        if not is_checked and not relation.is_signed_by(*rule.signers):
            raise RecordError("key", rule.wrong_key.format(**words))
        if rule.fork and relation.fit == "fork":
            raise RecordError("fork", rule.fork.format(**words))
        if rule.too_many and not relation.is_listed and self._is_full(record, rule.max_files):
            raise RecordError("state", rule.too_many.format(**words))

    def _is_full(self, record: Record[Content], max_files: int) -> bool:
        """Return whether the record's key has signed so many such files that are here: files of
        other keys cannot keep it out."""
        name, listing = file_name(record), self.game_folder.listing
        files = [x for x in (*listing.records, *listing.press) if x.name.is_like(name)]
        keys = [new.signed.key for new in self._fresh if file_name(new).is_like(name)]
        if len(files) + len(keys) < max_files:
            return False
        return [*keys, *map(self._signer, files)].count(record.signed.key) >= max_files

    def _check_join(self, relation: Relation, join: Join) -> None:
        if join.prev != first_head(self.game_folder.game):
            raise RecordError("place", "this join builds on a different charter")
        if relation.is_listed:
            return  # it is filed no matter how many others are here
        if join.seat not in self.game_folder.charter.content.doors:
            raise RecordError("place", f"this game has no seat {join.seat}")
        new_joins = [new.content for new in self._fresh if isinstance(new.content, Join)]
        count, limit, kind = len(self.game_folder.listing.joins), MAX_OTHER_JOINS, ""
        count += len(new_joins)
        if door := relation.door:
            count = sum(is_let_in(joined, door) for joined in (*relation.joins, *new_joins))
            limit, kind = MAX_DOOR_JOINS, f" with the invite of seat {join.seat}"
        if count >= limit:
            sentence = f"seats/ already contains {limit} joins{kind}; remove the joins of strangers"
            raise RecordError("state", sentence)
        if self.turns and not relation.is_open:
            sentence = f"the game has begun, and seat {join.seat} is not open: it cannot be taken"
            raise RecordError("state", sentence)

    def _signer(self, found: RecordFile) -> bytes:
        """Return the key that signed a file; empty if it is no record."""
        if found not in self._signers:
            self._signers[found] = b""
            with contextlib.suppress(RecordError, StorageError):
                self._signers[found] = read(self.folder.read(found)).signed.key
        return self._signers[found]

    # -------------------------------------------------------------- all records
    def notes(self) -> list[tuple[Reason, str]]:
        """Say, after all records are filed, what is missing and what came too late."""
        self._look()
        return [*self._missing(), *self._misplaced()]

    def _missing(self) -> list[tuple[Reason, str]]:
        listing = self.game_folder.listing
        missing = [f"turn {number}" for number in self.game_folder.listing.gaps]
        files = (*listing.orders, *listing.joins, *listing.notices)
        digits = {found.name.short_id for found in files}
        taken_in = self.game_folder.take_ins()
        for turn in self.turns:
            named = [(f" of seat {x.seat}", x.id) for x in turn.content.orders]
            named += [(f" of seat {seat}", x) for seat, x in (turn.content.joins or {}).items()]
            later = [said for number, said in taken_in if number == turn.content.turn]
            named += [(f" of seat {said.seat}", said.join) for said in later]
            named += [("", wanted) for wanted in turn.content.own]
            named += [(f" ({x.about})", x.id) for x in turn.content.notices]
            for whose, wanted in named:
                if wanted.hex()[:6] not in digits:
                    what = f"{wanted.hex()[:6]}{whose}"
                    missing.append(f"{what}, which turn {turn.content.turn} names")
        if listing.final and not missing and not self.chain.is_over:
            missing.append("the last turn")
        if not missing:
            return []
        more = f", and {len(missing) - 3} more" if len(missing) > 3 else ""
        step = f"ask {self.game_folder.maker().name} for the bundle that `pbem send --all` writes"
        told = f"missing: {', '.join(missing[:3])}{more}; {step}; everything that came is kept"
        return [("parent", told)]

    def _misplaced(self) -> list[tuple[Reason, str]]:
        notes: list[tuple[Reason, str]] = []
        last, listed = self.chain.turn, self.chain.listed_orders
        own = {wanted for turn in self.turns for wanted in turn.content.own}
        held = self.game_folder.charter.content.plays
        for record in self.new:
            orders = record.content
            if not isinstance(orders, Orders) or record.id in listed or record.id in own:
                continue
            name = f"orders {record.id.hex()[:6]} of seat {orders.seat}"
            if orders.turn > last:
                if orders.seat not in held:
                    notes.append(
                        ("parent", f"{name} answer turn {orders.turn}, which is not here yet")
                    )
            elif why := why_misplaced(
                orders, self.chain.heads, orders.seat in held, False, self.chain.asking_turn
            ):
                if why == "late":
                    told = f"{name} answer turn {orders.turn}, but the next turn has already been "
                    notes.append(("state", f"{told}made: they came too late"))
                else:
                    told = f"{name} answer a different version of turn {orders.turn} from the one "
                    told += "here; compare your twelve words with that player's"
                    notes.append(("fork", told))
        return notes


# ---- Find a game's folder by the game's id, never by a name that came by mail

_DEVICES: Final = frozenset(
    ["aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


class Places:
    """Where to look for a game: `named` (by -C), else `here`, else the remembered folder.

    `most_new` limits how many new games are accepted in a day below `here`, because anybody can
    send them.
    """

    def __init__(
        self, home: Home, here: Path, named: Place | None = None, most_new: int | None = None
    ) -> None:
        """With `most_new` 0, nothing is kept for games that are not here."""
        self.home, self.here, self.named = home, here.absolute(), named
        self.most_new = most_new

    def find(self, game: bytes, charter: Record[Charter] | None) -> Place | None:
        """Find the game's folder.

        If there is none, the answer is a path for a new folder if the charter came too, else None.
        Raises RecordError `place` if -C names something else, `parent` if the game is no longer in
        its folder, `state` for too many new games; also StorageError.
        """
        if self.named:
            folder = self.home.folder(self.named)
            there = game_in(folder)
            if there == game or (not there and not charter):
                return self.named if there else None
            if there or folder.scan().state == "foreign":
                what = "another game" if there else "other files"
                raise LocalFault(
                    "place", f"belongs to game {game.hex()[:6]}, but {self.named} contains {what}"
                )
            return self.named
        if game_in(Folder(self.here)) == game:
            return DiskPlace(self.here)
        place = self.home.game(game.hex()).place
        if not self.may_come(game):
            told = (
                f"belongs to game {game.hex()[:6]}, which is not here, and new games do not come "
            )
            raise RecordError("state", f"{told}here by mail")
        if place is None:
            return self._new(game, charter) if charter else None
        if game_in(self.home.folder(place)) == game:
            return place
        told = f"belongs to the game that was in {place}, where pbem cannot read a game now"
        step = "go to its folder, or give its path with -C (a new folder, if the old one is lost)"
        raise LocalFault("parent", f"{told}: {step}")

    def may_come(self, game: bytes) -> bool:
        """Return whether a game is here, or may come by mail."""
        return self.most_new != 0 or self.home.game(game.hex()).place is not None

    def _new(self, game: bytes, charter: Record[Charter]) -> DiskPlace:
        base = self.here
        while os.path.lexists(base / "game.toml") and base != base.parent:
            base = base.parent  # game folders are never inside each other
        name = slug(charter.content.title)
        name += "-game" if name in _DEVICES else ""
        for number in range(1, 1000):
            path = base / (name if number == 1 else f"{name}-{number}")
            if not os.path.lexists(path) or game_in(Folder(path)) == game or _half_made(path):
                self.home.check_outside(DiskPlace(path))
                self._check_most_new(path)
                return DiskPlace(path)
        told = "is taken, and so are the next thousand names like it; give a folder with -C"
        raise StorageError(base / name, told)

    def _check_most_new(self, path: Path) -> None:
        if self.most_new is None or (path / "game.toml").exists():
            return
        now = time.time()  # a date far ahead is from a clock that was wrong
        made = (one.stat().st_mtime for one in self.here.glob("*/game.toml"))
        if sum(abs(date - now) < DAY for date in made) >= self.most_new:
            told = f"{self.most_new} new games arrived today, the most that pbem run accepts in a "
            told += "day; to accept this one, save the email and type: pbem receive FILE"
            raise RecordError("state", told)


def _half_made(path: Path) -> bool:
    """Return whether a folder is empty, or contains only what an interrupted `receive` leaves."""
    return path.is_dir() and not path.is_symlink() and Folder(path).scan().state == "empty"


# ---- Receive mail: find the records in it, and put each into the right folder (protocol §10)
#
# Every good record is filed, even if everything else in the email is bad. Refused files are saved
# unchanged.

MAX_KEPT: Final = 1 << 22
"""The most bytes of a refused file that is saved: a longer one is a mailbox that its owner has."""

MOST_KEPT: Final = 50
MOST_WAITING: Final = 500
"""The most files of one game that wait for others. Files with a key that the game does not know get
an eighth of the room, so that strangers take none from the people in the game."""
MOST_BYTES: Final = 1 << 24
"""The most bytes of these files."""
MOST_UNKNOWN: Final = 50
"""The most games that are not here whose files wait for their charters."""
MAX_WASTED: Final = 1 << 19
"""How many bytes that are not records a letter may contain before pbem stops reading it."""


class Refusal(Value):
    """Something that was refused, or that waits for a file; `reason` gives the exit code."""

    source: str
    reason: Reason
    sentence: str
    is_local: bool = False
    """Whether only the owner of this computer can mend it: see `LocalFault`."""


class _Came(Value):
    """A record with the right signature and form; its place in the game is not checked yet."""

    source: str
    record: Record[Content]
    quiet: bool = False
    """Whether the record was saved from an earlier email; pbem does not say again that it waits."""


def _why_nothing(data: bytes) -> str:
    """Say why there is nothing for pbem in a file."""
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):  # a compound file
        told = "is in Outlook's own format (.msg), which pbem does not read"
        return f"{told}; save the email as .eml or as text, or paste it: pbem receive -"
    told = "is empty" if not data.strip() else "contains nothing from pbem"
    return f"{told}; save or paste the whole email"


class Receiving:
    """One run of `receive`: call `open` for each thing that came, then `deliver`."""

    def __init__(
        self, places: Places, *, saves: bool = True, create: Create = create_in_folder
    ) -> None:
        """Without `saves`, refused files are not saved: they are in a mailbox, and anybody can send
        enough of them to fill a disk. `create` puts a record into the folder of its game."""
        self.places, self.home, self.saves = places, places.home, saves
        self.create = create
        self.deliveries: list[RecordFiler] = []
        self.refusals: list[Refusal] = []
        self.repaired: list[str] = []
        self.kept: list[Path] = []
        self.broken = False
        """Whether a file from pbem was refused."""
        self.no_room = False
        """Whether a file of somebody in the game should wait, and there was no room for it."""
        self._said: set[Refusal] = set()
        self._came: dict[bytes, dict[bytes, _Came]] = {}

    # -------------------------------------------------------------- opening
    def open(self, data: bytes, source: str) -> None:
        """Open one file, email or text; its good records wait for `deliver`."""
        findings = open_post(data, source)
        if not findings:
            self._refuse(source, "mail", _why_nothing(data))
        games: list[bytes] = []
        bad, wasted = False, 0
        for finding in findings:
            if wasted > MAX_WASTED:
                told = "pbem stopped reading: too much of this is not from pbem"
                told = f"{told}; try again with only the parts that pbem wrote"
                self._refuse(source, "mail", told)
                break
            try:
                if finding.data is None:
                    raise RecordError("mail", finding.damage)
                record = read(finding.data)
                if finding.repaired:
                    self.repaired.append(finding.source)
                content = record.content
                game = game_id(record.signed.body) if isinstance(content, Charter) else content.game
                self._came.setdefault(game, {}).setdefault(record.id, _Came(finding.source, record))
                games.append(game)
            except RecordError as error:
                self._refuse_for(finding.source, error)
                bad, wasted = True, wasted + len(finding.data or b"")
        if bad and len(data) <= MAX_KEPT:
            self._keep(data, games[0] if games else b"")

    def _refuse_for(self, source: str, error: RecordError) -> None:
        self._refuse(source, error.reason, error.sentence, is_local=isinstance(error, LocalFault))

    def _refuse(
        self, source: str, reason: Reason, sentence: str, *, is_local: bool = False
    ) -> None:
        refusal = Refusal(source, reason, sentence, is_local)
        if refusal not in self._said:
            self._said.add(refusal)
            self.refusals.append(refusal)

    def _keep(self, data: bytes, game: bytes) -> None:
        """Save a refused file unchanged, with its game if that is known; 50 files at most."""
        self.broken = True
        if not self.saves:
            return
        if len(self.kept) >= MOST_KEPT:
            told = f"more than {MOST_KEPT} files were refused; only the first {MOST_KEPT} were kept"
            self._refuse(
                "this email",
                "mail",
                f"{told}; the others are still in the email or file that you got",
            )
            return
        if game:
            path = self.home.game(game.hex()).keep_original(data)
        else:
            path = self.home.root / "seen" / hashlib.sha256(data).hexdigest()
            create(path, data, private=True)
        self._note_kept(path)

    def _note_kept(self, path: Path) -> None:
        if path not in self.kept:
            self.kept.append(path)

    def _keep_for_later(self, record: Record[Content], game: bytes, known: bool) -> Path | None:
        """Not if too much waits already: anybody can send files that would wait for ever. `known`
        says whether somebody in the game signed it."""
        mine = self.home.game(game.hex())
        sizes = [len(record.file)]
        with contextlib.suppress(OSError), os.scandir(mine.root / "seen") as files:
            sizes += [one.stat().st_size for one in files]
        share = 1 if known else 8
        has_room = share * len(sizes) <= MOST_WAITING and share * sum(sizes) <= MOST_BYTES
        if mine.place is None and not mine.root.exists():
            games = [self.home.game(one) for one in self.home.games()]
            has_room &= sum(one.place is None for one in games) < MOST_UNKNOWN
        if has_room:
            return mine.keep_original(record.file)
        self.no_room |= known
        told = "too many files are already waiting for other files, so not all of these were kept"
        self._refuse(
            "this email", "mail", f"{told}; they are still in the email or file that you got"
        )
        return None

    # -------------------------------------------------------------- delivering
    def deliver(self) -> None:
        """Put every record in the folder of its game. Raises StorageError."""
        for game, records in self._came.items():
            self._deliver(game, list(records.values()))

    def _deliver(self, game: bytes, came: list[_Came]) -> None:
        try:
            filer = self._filer(game, came)
        except RecordError as error:
            for one in came:
                self._refuse_for(one.source, error)
                if not self.places.may_come(game):
                    continue
                path = self._keep_for_later(one.record, game, known=False)
                if path and len(self.kept) < MOST_KEPT:
                    self._note_kept(path)
            return
        self._put_all(filer, [*came, *self._waiting(game)])
        self.home.game(game.hex()).remember_place(filer.root)
        self.refusals += [Refusal(filer.title, *note) for note in filer.notes()]
        self.deliveries.append(filer)

    def _filer(self, game: bytes, came: list[_Came]) -> RecordFiler:
        charters = [
            Record(one.record.signed, one.record.content)
            for one in came
            if isinstance(one.record.content, Charter)
        ]
        charter = charters[0] if charters else None
        root = self.places.find(game, charter)
        if root is None:
            raise RecordError(
                "parent",
                f"belongs to game {game.hex()[:6]}, which is not here. pbem will keep it until "
                "the game's charter arrives. Ask another player for a bundle made with `pbem "
                "send --all`, or use -C to give the path of the game folder",
            )
        folder = self.home.folder(root)
        if (
            charter
            and folder.scan().charter is None
            and folder.contains(self.home.root / "profiles")
        ):
            raise LocalFault(
                "state",
                f"would make a game in {folder.place}, but your home with your keys is in that "
                "folder, and everybody who shares it would see them; use -C to give the path of a "
                "different folder",
            )
        return RecordFiler(folder, charter, self.create)

    def _put_all(self, filer: RecordFiler, came: list[_Came]) -> None:
        """Each refused record is tried once more after the others: a join for a seat that became
        open waits for turns and notices, and the new player's orders wait for the join."""
        files = sorted(came, key=lambda c: in_order(c.record))
        # the folder was made with the charter
        records = [one for one in files if not isinstance(one.record.content, Charter)]
        game = filer.game_folder.game
        refused = [one for one in records if _refused(filer, one)]
        errors = {one.record.id: _refused(filer, one) for one in refused}
        for one in records:
            error = errors.get(one.record.id)
            if one.quiet and (error is None or error.reason == "key"):
                # others get its room
                self.home.game(game.hex()).forget_original(Path(one.source))
            elif error and not one.quiet:
                self._refuse_for(one.source, error)
                if error.reason == "parent":  # a later run takes it from there: see _waiting
                    known = filer.knows(one.record.signed.key)
                    self._keep_for_later(one.record, game, known)
                else:
                    self._keep(one.record.file, game)

    def _waiting(self, game: bytes) -> Iterator[_Came]:
        """Return records saved from earlier emails; what they waited for may be here now."""
        names: list[Path] = []
        with contextlib.suppress(OSError):  # there are none yet
            names = list((self.home.game(game.hex()).root / "seen").iterdir())
        for path in names:
            try:
                record = read(read_file(path))
            except PbemError:
                continue  # a whole email, saved for its owner
            if record.content.game == game and record.id not in self._came[game]:
                yield _Came(str(path), record, quiet=True)


def _refused(filer: RecordFiler, one: _Came) -> RecordError | None:
    try:
        filer.put(one.record)
    except RecordError as error:
        return error
    return None
