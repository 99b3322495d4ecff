"""File the records that came by mail: into which game, what waits, what is refused."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from engine.value_classes import Value
from pbem.errors import PbemError
from pbem.files.disk import create, read_file
from pbem.files.file_errors import FileError, StorageError, TakenError
from pbem.files.folder_addresses import DiskPlace, Place
from pbem.files.game_folder import Folder, RecordFile, SharedFolder
from pbem.files.home import Home
from pbem.files.record_names import Kind, Name
from pbem.format.record_error import Reason, RecordError
from pbem.judge.folder_contents import game_in, open_folder
from pbem.judge.messages import format_role
from pbem.judge.orders_in_force import why_misplaced
from pbem.judge.record_admission import Relation, Signer, keys_of_people
from pbem.judge.record_chain import Chain
from pbem.judge.record_files import file_name
from pbem.judge.referee_or_deputy import maker_with
from pbem.mail.unpack import open_post
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.ids_and_heads import first_head, game_id
from pbem.records.invite import slug
from pbem.records.join import Join, is_let_in
from pbem.records.limits import (
    MAX_DEALS,
    MAX_DOOR_JOINS,
    MAX_MESSAGES,
    MAX_NOTICE_FILES,
    MAX_ORDER_SETS,
    MAX_OTHER_JOINS,
)
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.press_message import REFEREE, Press
from pbem.records.read_and_sign_record import Content, Record, read
from pbem.records.turn import Turn
from pbem.text.dates import DAY
from pbem.text.terminal_and_page_wording import TerminalText, to_type

# ---- File records that came by mail: check each, and put it where its signed header says

_ORDER: Final = (Charter, Join, Turn, Orders, FinalRecord, Press)


def filing_rank(record: Record[Content]) -> tuple[int, int, int, bytes]:
    """Return a sort key that puts each record after the records that it is checked against.

    Notices and deals come after the turn after which they were written, and before the next one.
    """
    is_after_turn = isinstance(record.content, Notice | Deal)
    kind = Turn if is_after_turn else type(record.content)
    return _ORDER.index(kind), record.content.turn, is_after_turn, record.id


Create = Callable[[SharedFolder, Name, bytes], bool]
"""Puts a record into the folder of its game as `SharedFolder.create` does; raises RecordError too
if there are other limits than the filer's."""


def create_in_folder(folder: SharedFolder, name: Name, data: bytes) -> bool:
    """Put a record into the folder of its game; return whether it was not there yet. Raises
    TakenError if another file has the name, StorageError."""
    return folder.create(name, data)


class FilingRule(NamedTuple):
    """Which records of one kind mail files, because they may count here now or later.

    The sentences (`wrong_key` to `too_many`, `too_late`) are for `str.format` with `subject`,
    `path` (the record's file in the game's folder), `writer`, `turn`, `before` (the turn on which
    the record builds), `next` (the turn after `turn`) and `count` (`max_files`). `subject` is
    formatted first, with `writer` and `kind` (of notice).
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
    too_late: str = ""
    """Sentence for a record that the next turn, which is here, does not list; empty if it is
    filed."""


_REFEREE_RULE: Final = FilingRule(
    ("referee",),
    "not signed by the referee of this game",
    fork=(
        "{path} follows a different version of turn {before} from the version in your folder; "
        "compare your twelve words with those of the other players"
    ),
)
FILING_RULES: Final[Mapping[Kind, FilingRule]] = {
    "turn": _REFEREE_RULE,
    "final": _REFEREE_RULE,
    "orders": FilingRule(
        ("joined", "named"),
        "not signed by the player in {writer}",
        no_player="nobody plays {writer} in this game",
        too_many="{writer} already has {count} sets of orders for turn {turn}: orders/ has no "
        "room for more",
        max_files=MAX_ORDER_SETS,
    ),
    "press": FilingRule(
        ("then",),
        "this message is not signed by {writer}",
        no_player="{writer} has no player, so nobody can write messages from it",
        fork="{subject}follows a version of turn {turn} that differs from yours",
        too_many="{writer} already has {count} messages after turn {turn}: press/ has no room for "
        "more",
        max_files=MAX_MESSAGES,
        subject="a message from {writer} ",
        has_to_wait=True,
    ),
    "notice": FilingRule(
        ("anybody",),
        "{subject}is signed with a key that nobody in this game has",
        fork="{subject}follows a version of turn {turn} that differs from yours",
        too_many="{subject}was refused: notices/ already has {count} files from this writer after "
        "turn {turn}",
        max_files=MAX_NOTICE_FILES,
        subject="a notice of {writer} ({kind}) ",
        has_to_wait=True,
    ),
    "deal": FilingRule(
        ("dealer",),
        "{subject}is not signed by this dealer",
        fork="{subject}follows a version of turn {turn} that differs from yours",
        too_many="{subject}was refused: deals/ already has {count} files of this dealer after turn "
        "{turn}",
        max_files=MAX_DEALS,
        subject="the cards that {writer} dealt ",
        has_to_wait=True,
        too_late="{subject}came too late: turn {next} was made without them",
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
        """With `charter`, make the folder if it does not exist. `create` puts a record into it.

        Raises what `open_folder` raises, and what `create` raises for the charter.
        """
        self.folder = folder
        self._create = create
        self._signers: dict[RecordFile, bytes] = {}
        """The key that signed each file; empty if it is no record."""
        self.new_records: list[Record[Content]] = []
        """The records that this run filed, in order."""
        self.present_count = 0
        """How many records of this run were in the folder already."""
        self._stale: bool
        """Whether records were filed since `_look` that other records are checked against."""
        self._look_count: int
        """How many of the `new_records` were filed before the last `_look`."""
        self._chain: Chain | None
        if charter:
            self._write(charter)
        self.is_new_folder = bool(self.new_records)
        """Whether this run made the folder."""
        self.game_folder = open_folder(self.folder)
        """The game's folder as it was when it was last read."""
        self.turns: list[Record[Turn]] = []
        """The turns there, up to the first that is missing or wrong."""
        self._look()

    @property
    def root(self) -> Place:
        """The place of the game's folder."""
        return self.folder.place

    @property
    def title(self) -> str:
        """The game's title."""
        return self.game_folder.charter.content.title

    def _look(self) -> None:
        """Read the folder again, with the records filed since. The list of turns ends before a bad
        one; `pbem status` says which turn is bad."""
        self._stale, self._look_count = False, len(self.new_records)
        self._chain = None
        with contextlib.suppress(FileError, StorageError):
            self.game_folder = open_folder(self.folder)
            self.turns += self.game_folder.turns(len(self.turns))

    @property
    def chain(self) -> Chain:
        """The results of the turns in the folder: heads, seats, listed orders."""
        if self._chain is None:
            self._chain = self.game_folder.chain_of(self.turns)
        return self._chain

    @property
    def _recent_records(self) -> list[Record[Content]]:
        """The records that this run has filed since `_look` last read the folder."""
        return self.new_records[self._look_count :]

    def file_record(self, record: Record[Content]) -> None:
        """Put a record of this game into the folder, unless the folder already has the record.

        A new record is added to `new_records`, another counted in `present_count`. Raises
        RecordError with the reason if the record is refused (then nothing is written), or
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
        """Put a record into the folder, and count it. Raises RecordError `fork` if a different file
        has its name, and is not a turn that this one replaces."""
        try:
            if self._create(self.folder, file_name(record), record.file):
                self.new_records.append(record)
            else:
                self.present_count += 1
        except TakenError:
            if not self._counts_instead(record):
                raise self._taken_name_error(record) from None
            self.new_records.append(record)

    def _counts_instead(self, record: Record[Content]) -> bool:
        """Replace the turn in the folder if the record is the turn with this number that counts;
        return whether it was replaced.

        A deputy's turn counts instead of the referee's once a notice says that the deputy takes
        over; before, the referee's counts. The old file is set aside, not deleted.
        """
        turn = record.content
        if not isinstance(turn, Turn):
            return False
        game_folder = self.game_folder
        takes_over = game_folder.deputy_turns.takes_over(Record(record.signed, turn))
        if not takes_over and record.signed.key != game_folder.maker(turn.turn).key:
            return False
        for turn_file in game_folder.complete_listing.turns:
            if turn_file.name.turn == turn.turn and game_folder.signer(turn_file) not in (
                None,
                record.signed.key,
            ):
                self.folder.set_aside(turn_file)
                return self.folder.create(turn_file.name, record.file)
        return False

    def _taken_name_error(self, record: Record[Content]) -> RecordError:
        """Return why the record cannot have its name: a different file has it."""
        name = file_name(record).path
        location = f"{name} in {self.folder.place}"
        removal_step = TerminalText(
            "remove this file from the folder, then [[run pbem receive||read the mail]] again"
        )
        try:
            present_record = read(self.folder.read(name))
        except RecordError:
            return LocalFault("fork", f"{location} is damaged: " + removal_step)
        if present_record.id == record.id and isinstance(record.content, Notice):
            return LocalFault("fork", f"{location} is signed with another key: " + removal_step)
        if isinstance(record.content, Turn) and present_record.id != record.id:
            keys = {*self.game_folder.charter.content.referee_keys, record.signed.key}
            if present_record.signed.key not in keys:
                return LocalFault(
                    "fork", f"{location} is not signed by the referee: " + removal_step
                )
        return RecordError("fork", self._two_files(record, present_record))

    def _two_files(self, record: Record[Content], present_record: Record[Content]) -> str:
        """Say in a refusal how the record from the mail differs from `present_record`, which has
        its file name here; of turns and final records, who signed each, and which turn counts."""
        name = file_name(record).path
        if present_record.id == record.id:
            return f"you already have {name} with the same content, but with another signature"
        ids = f"{present_record.id.hex()[:6]} in the folder, {record.id.hex()[:6]} in the mail"
        different = (
            f"a different file already has the name {name} ({ids}); show both files to the referee"
        )
        if not isinstance(record.content, Turn | FinalRecord):
            return different
        charter = self.game_folder.charter.content
        if present_record.signed.key == record.signed.key:
            maker = maker_with(charter, record.signed.key).called
            return (
                f"{maker}, signed two different files called {name} ({ids}), and so made two "
                "versions of the game; show both files to all players"
            )
        if isinstance(record.content, FinalRecord):
            return different
        present_signer, new_signer = (
            maker_with(charter, r.signed.key).name for r in (present_record, record)
        )
        maker = self.game_folder.maker(record.content.turn).name
        return (
            f"{present_signer} signed the file {name} in the folder, and {new_signer} signed the "
            f"one in the mail; only the file of {maker} is valid"
        )

    # -------------------------------------------------------------- one record
    def _check(self, record: Record[Content]) -> None:
        """Check a record against the game in the folder, as its kind's `FilingRule` says. Raises
        RecordError: `parent` if it must wait, `key`, `fork`, `place`, or `state` if there is no
        room."""
        content = record.content
        relation = Relation(self.game_folder, self.chain, record)
        if isinstance(content, Join):
            self._check_join(relation, content)
        if content.kind not in FILING_RULES:
            return
        rule, writer = FILING_RULES[content.kind], self._writer_of(content)
        kind = content.about if isinstance(content, Notice) else ""
        words = {
            "subject": rule.subject.format(writer=writer, kind=kind), "writer": writer,
            "path": file_name(record).path, "turn": content.turn, "before": relation.place,
            "next": content.turn + 1, "count": rule.max_files,
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
        if rule.too_late and not relation.is_listed and relation.place < self.chain.turn:
            raise RecordError("state", rule.too_late.format(**words))
        if rule.too_many and not relation.is_listed and self._is_full(record, rule.max_files):
            raise RecordError("state", rule.too_many.format(**words))

    def _writer_of(self, content: Content) -> str:
        """Return the writer of a record for a sentence."""
        if isinstance(content, Deal):
            dealers = self.game_folder.charter.content.dealers[content.dealer :]
            return dealers[0].name if dealers else f"dealer {content.dealer}"
        return format_role(content.seat or REFEREE)

    def _is_full(self, record: Record[Content], max_files: int) -> bool:
        """Return whether the record's key has signed so many such files that are here: files of
        other keys cannot keep it out."""
        name, listing = file_name(record), self.game_folder.listing
        files = [x for x in (*listing.records, *listing.press) if x.name.is_like(name)]
        keys = [
            recent_record.signed.key
            for recent_record in self._recent_records
            if file_name(recent_record).is_like(name)
        ]
        if len(files) + len(keys) < max_files:
            return False
        return [*keys, *map(self._signer, files)].count(record.signed.key) >= max_files

    def _check_join(self, relation: Relation, join: Join) -> None:
        """Check a join against the charter and the other joins. Raises RecordError: `place` for a
        different charter or an unknown seat, `state` for too many joins or a seat that is not
        open."""
        if join.prev != first_head(self.game_folder.game):
            raise RecordError("place", "this join is for a game with a different game.toml")
        if relation.is_listed:
            return  # it is filed no matter how many others are here
        if join.seat not in self.game_folder.charter.content.doors:
            raise RecordError("place", f"this game has no seat {join.seat}")
        new_joins = [
            recent_record.content
            for recent_record in self._recent_records
            if isinstance(recent_record.content, Join)
        ]
        count, limit, clause = len(self.game_folder.listing.joins), MAX_OTHER_JOINS, ""
        count += len(new_joins)
        if door := relation.door:  # the seat's invite signed it: strangers cannot use up its room
            count = sum(is_let_in(joined, door) for joined in (*relation.joins, *new_joins))
            limit, clause = MAX_DOOR_JOINS, f" with the invite of seat {join.seat}"
        if count >= limit:
            sentence = (
                f"seats/ already contains {limit} joins{clause}; remove the joins of strangers"
            )
            raise RecordError("state", sentence)
        if self.turns and not relation.is_open:
            sentence = f"the game has begun without this join, and seat {join.seat} is not open"
            raise RecordError("state", sentence)

    def _signer(self, record_file: RecordFile) -> bytes:
        """Return the key that signed a file; empty if it is no record."""
        if record_file not in self._signers:
            self._signers[record_file] = b""
            with contextlib.suppress(RecordError, StorageError):
                self._signers[record_file] = read(self.folder.read(record_file)).signed.key
        return self._signers[record_file]

    # -------------------------------------------------------------- all records
    def notes(self) -> list[tuple[Reason, str]]:
        """Say, after all records are filed, what is missing and what came too late: sentences, each
        with the reason that gives the exit code."""
        self._look()
        return [*self._missing_notes(), *self._misplaced_notes()]

    def _missing_notes(self) -> list[tuple[Reason, str]]:
        """Return one note that names the missing turns, and the missing records that turns name:
        the first three, and the number of others. No note if nothing is missing."""
        listing = self.game_folder.listing
        missing_names = [f"turn {number}" for number in self.game_folder.listing.gaps]
        files = (*listing.orders, *listing.joins, *listing.notices, *listing.deals)
        digits = {file.name.short_id for file in files}
        take_ins = self.game_folder.take_ins()
        for turn in self.turns:
            labelled_ids = [(f" of seat {x.seat}", x.id) for x in turn.content.orders]
            labelled_ids += [
                (f" of seat {seat}", join_id)
                for seat, join_id in (turn.content.joins or {}).items()
            ]
            later_take_ins = [
                take_in for number, take_in in take_ins if number == turn.content.turn
            ]
            labelled_ids += [
                (f" of seat {take_in.seat}", take_in.join) for take_in in later_take_ins
            ]
            labelled_ids += [("", record_id) for record_id in turn.content.own]
            labelled_ids += [(f" ({x.about})", x.id) for x in turn.content.notices]
            labelled_ids += [(" of a dealer", deal_id) for deal_id in turn.content.deals]
            for owner, record_id in labelled_ids:
                if record_id.hex()[:6] not in digits:
                    label = f"{record_id.hex()[:6]}{owner}"
                    missing_names.append(f"{label}, which turn {turn.content.turn} lists")
        if listing.final and not missing_names and not self.chain.is_over:
            missing_names.append("the last turn")
        if not missing_names:
            return []
        more_clause = f", and {len(missing_names) - 3} more" if len(missing_names) > 3 else ""
        sentence = TerminalText(
            "missing: {names}{more}; ask {maker} [[for the bundle that `pbem send --all` writes||"
            "to send all files again]]; pbem keeps everything that came"
        ).format(
            names=", ".join(missing_names[:3]),
            more=more_clause,
            maker=self.game_folder.maker().name,
        )
        return [("parent", sentence)]

    def _misplaced_notes(self) -> list[tuple[Reason, str]]:
        """Say which orders of this run cannot count: their turn is not here yet, or they came too
        late, or answer a different version of a turn.

        Seats in the charter's `plays` answer before the turn is published, so their orders may be
        ahead of the turns here.
        """
        notes: list[tuple[Reason, str]] = []
        last_turn, listed_orders = self.chain.turn, self.chain.listed_orders
        own_ids = {record_id for turn in self.turns for record_id in turn.content.own}
        referee_seats = self.game_folder.charter.content.plays
        for record in self.new_records:
            orders = record.content
            if not isinstance(orders, Orders) or record.id in listed_orders or record.id in own_ids:
                continue
            name = f"orders {record.id.hex()[:6]} of seat {orders.seat}"
            if orders.turn > last_turn:
                if orders.seat not in referee_seats:
                    notes.append(
                        ("parent", f"{name} answer turn {orders.turn}, which is not here yet")
                    )
            elif reason := why_misplaced(
                orders,
                self.chain.heads,
                orders.seat in referee_seats,
                False,
                self.chain.asking_turn,
            ):
                if reason == "late":
                    sentence = (
                        f"{name} came too late: they answer turn {orders.turn}, but the next turn "
                        "is already made"
                    )
                    notes.append(("state", sentence))
                else:
                    sentence = (
                        f"{name} answer a version of turn {orders.turn} that differs from yours; "
                        "compare your twelve words with the words of this player"
                    )
                    notes.append(("fork", sentence))
        return notes


# ---- Find a game's folder by the game's id, never by a name that came by mail

_DEVICES: Final = frozenset(
    ["aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


class Places:
    """The places to look for a game: `named_place` (by -C), else `start_folder`, else the folder
    that the home remembers.

    `max_new_games` limits how many new games are accepted in a day below `start_folder`, because
    anybody can send them: None is no limit, with 0 no new game comes at all.
    """

    def __init__(
        self,
        home: Home,
        start_folder: Path,
        named_place: Place | None = None,
        max_new_games: int | None = None,
    ) -> None:
        """See the class. With `max_new_games` 0, nothing is kept for games that are not here."""
        self.home, self.start_folder, self.named_place = home, start_folder.absolute(), named_place
        self.max_new_games = max_new_games

    def find(self, game: bytes, charter: Record[Charter] | None) -> Place | None:
        """Find the game's folder.

        If there is none, the answer is a path for a new folder if the charter came too, else None.
        Raises RecordError `place` if -C names something else, `parent` if the game is no longer in
        its folder, `state` for too many new games; also StorageError.
        """
        if self.named_place:
            folder = self.home.folder(self.named_place)
            present_game = game_in(folder)
            if present_game == game or (not present_game and not charter):
                return self.named_place if present_game else None
            if present_game or folder.scan().state == "foreign":
                contents = "another game" if present_game else "other files"
                raise LocalFault(
                    "place",
                    f"belongs to game {game.hex()[:6]}, but {self.named_place} contains {contents}",
                )
            return self.named_place
        if game_in(Folder(self.start_folder)) == game:
            return DiskPlace(self.start_folder)
        place = self.home.game(game.hex()).place
        if not self.may_come(game):
            sentence = f"belongs to game {game.hex()[:6]}, which is not kept here"
            raise RecordError("state", sentence)
        if place is None:
            return self._new_place(game, charter) if charter else None
        if game_in(self.home.folder(place)) == game:
            return place
        raise LocalFault(
            "parent",
            f"belongs to the game that was in {place}, where pbem finds no game now; if you moved "
            "the folder, give its path with -C; if the folder is lost, give a new one",
        )

    def may_come(self, game: bytes) -> bool:
        """Return whether a game is here, or may come by mail."""
        return self.max_new_games != 0 or self.home.game(game.hex()).place is not None

    def _new_place(self, game: bytes, charter: Record[Charter]) -> DiskPlace:
        """Return a free folder for a new game, named after its title, and not inside another game's
        folder.

        It is also returned if it is the game's own, or what an interrupted run left of it. Raises
        RecordError `state` for too many new games today, StorageError if a thousand such names are
        taken.
        """
        base = self.start_folder
        while os.path.lexists(base / "game.toml") and base != base.parent:
            base = base.parent  # game folders are never inside each other
        name = slug(charter.content.title)
        name += "-game" if name in _DEVICES else ""
        for number in range(1, 1000):
            path = base / (name if number == 1 else f"{name}-{number}")
            if not os.path.lexists(path) or game_in(Folder(path)) == game or _half_made(path):
                self.home.check_outside(DiskPlace(path))
                self._check_new_game_limit(path)
                return DiskPlace(path)
        problem = (
            "is taken, and so are a thousand similar folder names; give another folder with -C"
        )
        raise StorageError(base / name, problem)

    def _check_new_game_limit(self, path: Path) -> None:
        """Raise RecordError `state` if the game in this folder is new, and as many new ones came in
        the last day as may."""
        if self.max_new_games is None or (path / "game.toml").exists():
            return
        now = time.time()  # a date far ahead is from a clock that was wrong
        dates = (
            charter_path.stat().st_mtime for charter_path in self.start_folder.glob("*/game.toml")
        )
        if sum(abs(date - now) < DAY for date in dates) >= self.max_new_games:
            sentence = to_type(
                f"pbem run accepts at most {self.max_new_games} new games in a day; to accept one "
                "more, save its email and type: pbem receive FILE"
            )
            raise RecordError("state", sentence)


def _half_made(path: Path) -> bool:
    """Return whether a folder is empty, or contains only what an interrupted `receive` leaves."""
    return path.is_dir() and not path.is_symlink() and Folder(path).scan().state == "empty"


# ---- Receive mail: find the records in it, and put each into the right folder (protocol §10)
#
# Every good record is filed, even if everything else in the email is bad. Refused files are saved
# unchanged.

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
        """The filers of the games that `deliver` found, one for each game."""
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
        """Open one file, email or text; its good records wait for `deliver`.

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
        self.broken = True
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
        sentence = (
            "pbem has no room for more files that need other files first; these files are still in "
            "the email or file that you got"
        )
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
        self._file_arrivals(filer, [*arrivals, *self._waiting_arrivals(game)])
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
                    "belongs to [[game {digits}||a game]], which is not here; pbem keeps it until "
                    "you have the game: ask another player to send you all files of the game"
                    "[[ (pbem send --all), or give the path of the game folder with -C]]"
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
                if error.reason == "parent":  # a later run takes it: see _waiting_arrivals
                    is_known = filer.knows(arrival.record.signed.key)
                    self._keep_for_later(arrival.record, game, is_known)
                else:
                    self._keep(arrival.record.file, game)

    def _waiting_arrivals(self, game: bytes) -> Iterator[_Arrival]:
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
