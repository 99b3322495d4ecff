"""Decide whether a file is a record of a game, for a host that knows no secret (docs/host.md).

The host folds what the game's public records say: who has which seat and keys now, which turn is
next. A file that nobody in the game can have signed, or that is in the wrong place, never gets to
the players. What each key may fill is limited, so nobody can use up the room of another person,
or of whoever has the seat next.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pbem.errors import PbemError
from pbem.files.caches_in_home import Cache
from pbem.files.file_errors import FileError
from pbem.files.game_folder import Listing, RecordFile, SharedFolder
from pbem.files.record_file_names import Name, RecordKind, parse_name
from pbem.format.canonical_toml import MAX_BYTES
from pbem.format.record_error import RecordError
from pbem.format.signed_file import split
from pbem.judge.chain_checkpoint import cache_chain, find_cached_chain
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.record_fit_and_signer import Relation, Signer
from pbem.judge.records_of_game_folder import open_folder
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.join import Join, is_let_in
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Content, Record, read
from pbem.records.record_count_and_size_limits import (
    KIB,
    MAX_CHARTER_BYTES,
    MAX_DEALS,
    MAX_DOOR_JOINS,
    MAX_JOIN_BYTES,
    MAX_MESSAGE_BYTES,
    MAX_MESSAGES,
    MAX_NOTICE_BYTES,
    MAX_NOTICE_FILES,
    MAX_ORDER_SETS,
    MAX_ORDERS_BYTES,
)
from pbem.records.turn import Turn

NO_GAME_SENTENCE: Final = "there is no game at this address"
NO_CO_DEALER_SENTENCE: Final = "this host does not deal as a co-dealer"
WRONG_NAME_SENTENCE: Final = "the name of the file does not fit its contents"
MIB: Final = 1 << 20


class Quota(NamedTuple):
    """The limits of a host for one kind of record."""

    max_bytes: int
    """The most bytes of a file."""
    files_per_key: int
    """The most files that one key signs for one writer and turn."""
    bodies_per_number: int = 2
    """The most of these files with the same number: two prove that somebody signed two bodies."""


QUOTAS: Final[dict[RecordKind, Quota]] = {
    "charter": Quota(MAX_CHARTER_BYTES, 1),
    "join": Quota(MAX_JOIN_BYTES, MAX_DOOR_JOINS, MAX_DOOR_JOINS),
    "turn": Quota(MAX_BYTES, 1),
    "orders": Quota(MAX_ORDERS_BYTES, MAX_ORDER_SETS),
    "press": Quota(MAX_MESSAGE_BYTES, MAX_MESSAGES),
    "notice": Quota(MAX_NOTICE_BYTES, MAX_NOTICE_FILES),
    "final": Quota(MAX_BYTES, 1),
    "deal": Quota(MAX_BYTES, MAX_DEALS, MAX_DEALS),
}
"""The limits of a host for each kind of record. A kind that is missing here is refused."""
SIGNERS: Final[Mapping[RecordKind, tuple[Signer, ...]]] = {
    "turn": ("now", "taking over"),
    "orders": ("now",),
    "press": ("now",),
    "notice": ("now", "recovery"),
    "final": ("now",),
    "deal": ("now",),
}
"""The keys that may sign each kind of record. Of joins, the seat's door decides."""
MAX_AHEAD_SECONDS: Final = 3600
"""Seconds by which a deputy's first turn may be ahead of the host's clock."""
MAX_OLD_FILES: Final = 4
"""The most files of one kind, writer and key for a turn before the one that is asked about."""
LARGE_BYTES: Final = 16 * KIB
"""Sets of orders with more bytes are large."""
MAX_LARGE_SETS: Final = 4
"""The most large sets of orders that one key signs for one turn."""
MAX_GAME_BYTES: Final = 64 * MIB
"""The most bytes of a game: half are for its turns, the other half in equal parts for the seats and
co-dealers."""
MAX_GAME_FILES: Final = 20_000
"""The most files of a game, divided in the same way. Turns are not counted."""
RESERVED_BYTES: Final = 512 * KIB
"""Bytes that each key of a seat may fill even if the seat's other keys have filled its part."""
RESERVED_FILES: Final = 200
"""The number of files that each key may sign in the same case."""


class HostRefusal(PbemError):
    """A host does not take a file; the sentence goes to its sender."""

    def __init__(self, status: int, sentence: str, retry_after: int = 60) -> None:
        """`status` is HTTP's: 400 for no record, 403 for a wrong key or place, 507 for no room.
        `retry_after`: seconds after which the file may be taken, if the host is only busy."""
        super().__init__(sentence)
        self.status, self.retry_after = status, retry_after


class FullHostError(HostRefusal):
    """A host takes no file now, for want of room."""


class MissingGame(HostRefusal):
    """No game is at the address. A client that asks for many such addresses is guessing."""

    def __init__(self) -> None:
        super().__init__(404, NO_GAME_SENTENCE)


def check_name(path: str) -> Name:
    """Return the name of a record from its path. Raises HostRefusal."""
    name = parse_name(path)
    if name is None or name.kind not in QUOTAS:
        raise HostRefusal(400, "no file of a game can have this name")
    return name


def check_size(name: Name, size: int) -> None:
    """Check the bytes of a new file. Raises HostRefusal."""
    if size > QUOTAS[name.kind].max_bytes:
        raise HostRefusal(413, f"the file has {size} bytes, too many for a file of this kind")


def check_charter(data: bytes) -> Record[Charter]:
    """Return the charter with which a game begins. Raises HostRefusal."""
    record = _read_record(data)
    if not isinstance(record.content, Charter):
        raise HostRefusal(
            400, "the first file of a game must be its game.toml, and this file is not"
        )
    return Record(record.signed, record.content)


class Gate:
    """The admission of files to one game: what a host knows of the game, and what it lets in."""

    def __init__(self, folder: SharedFolder, listing: Listing, cache: Cache | None = None) -> None:
        """Read the chain of turns, from the last turn in the cache. Raises NoGameError, FileError,
        StorageError."""
        self.folder, self._cache = folder, cache
        self._keys_by_file: dict[RecordFile, bytes] = {}
        """By file, the key that signed it; only for files whose key was asked for before."""
        archive = open_folder(folder, listing)
        cached_chain = find_cached_chain(cache, archive) if cache else None
        self.chain = cached_chain or archive.chain_of(())
        self.update(listing)

    def update(self, listing: Listing) -> None:
        """Read what has come since the last call. Raises FileError for a turn that is damaged."""
        self.listing = listing
        self.game_folder = open_folder(self.folder, listing)
        last_turn = self.chain.turn
        self.chain = self.game_folder.chain_after(self.chain)
        if self._cache and self.chain.turn > last_turn:
            cache_chain(self._cache, self.chain, listing)
        self._files_by_account: dict[str, list[RecordFile]] = {}
        for file in (*listing.records, *listing.press):
            self._files_by_account.setdefault(account_of(file.name), []).append(file)

    @property
    def last_turn(self) -> int:
        """The number of the last turn; 0 before the first."""
        return self.chain.turn

    def answered_seats(self) -> set[str]:
        """Return the seats whose orders are here for the questions of the last turn, or of the turn
        before turns of notices only."""
        chain = self.chain
        keys = {seat: join.key for seat, join in chain.standing.roster.items()}
        heads = {turn: head.hex() for turn, head in enumerate(chain.heads)}
        return self.game_folder.seats_with_answers(keys, heads, chain.asking_turn)

    @property
    def is_over(self) -> bool:
        """Whether the last turn says that the game is over."""
        return self.chain.is_over

    def check(self, name: Name, data: bytes) -> None:
        """Check a new file for this game. Raises HostRefusal."""
        record = _read_record(data)
        content, key = record.content, record.signed.key
        if content.kind != name.kind or isinstance(content, Charter):
            raise HostRefusal(400, WRONG_NAME_SENTENCE)
        if content.game != self.game_folder.game:
            raise HostRefusal(403, "the file belongs to another game")
        if file_name(record) != name:
            raise HostRefusal(400, WRONG_NAME_SENTENCE)
        relation = Relation(self.game_folder, self.chain, record)
        self._check_turn(relation)
        if isinstance(content, Deal):
            self._check_owed(relation, content)
        if isinstance(content, Join):
            self._check_join(relation, content)
        elif not self._is_signed_with_valid_key(relation):
            self._check_waiting_referee(name, key)
        self._check_file_count(name, key)
        self._check_share(name, len(data), key)

    def _check_waiting_referee(self, name: Name, key: bytes) -> None:
        """Check a file that is not signed with a valid key. Raises HostRefusal.

        The deputy, and the referee before the deputy, may still write messages and notices in the
        referee's place, in a small reserve; so may the deputies of co-dealers, notices. Other keys
        that may count later, such as those that somebody vouches for, can sign nothing yet: a file
        is named by its contents, so they could take the name of the player's own file.
        """
        charter, keys = self.game_folder.charter.content, frozenset[bytes]()
        if name.seat == REFEREE and name.kind in ("press", "notice"):
            keys = charter.notice_keys if name.kind == "notice" else charter.referee_keys
        if key not in keys:
            sentence = f"the file is not signed with the present key of {_writer_label(name)}"
            raise HostRefusal(403, sentence)
        signed_files = self._signed_by(key, self._files_by_account.get(REFEREE, ()))
        similar_files = [file for file in signed_files if file.name.is_like(name)]
        if (
            len(similar_files) >= MAX_OLD_FILES
            or sum(file.mark.size for file in signed_files) > RESERVED_BYTES
        ):
            raise HostRefusal(
                403,
                "the host takes no more messages or notices from you: you do not make the turns of "
                "this game now, and you have sent several",
            )

    def _check_file_count(self, name: Name, key: bytes) -> None:
        """Check how many files a key has signed for this writer and turn, and how many with this
        number. Raises HostRefusal.

        Several keys can sign for one seat; none can take the place of another.
        """
        quota = QUOTAS[name.kind]
        limit = quota.files_per_key
        if name.kind in ("orders", "press", "notice") and name.turn < self.chain.asking_turn:
            limit = MAX_OLD_FILES
        files = self._files_by_account.get(account_of(name), ())
        similar_files = [file for file in files if file.name.is_like(name)]
        if len(similar_files) < min(limit, quota.bodies_per_number):
            return  # without a look at the keys
        signed_files = self._signed_by(key, similar_files)
        bodies = sum(file.name.revision == name.revision for file in signed_files)
        if bodies >= quota.bodies_per_number:
            raise HostRefusal(
                507,
                f"the host already has {quota.bodies_per_number} different versions of this file "
                "from you",
            )
        if len(signed_files) >= limit:
            writer = _writer_label(name)
            sentence = f"{writer} already has {limit} files of this kind for turn {name.turn}"
            raise HostRefusal(507, sentence)

    def _check_share(self, name: Name, size: int, key: bytes) -> None:
        """Check the share of the game's bytes and files that an account, and its key, has used up.
        `size` is the file's, in bytes. Raises HostRefusal.

        Of a seat's share, each key may fill half of what the seat's other keys have left, and at
        least its reserve. So nobody who has had a key of the seat leaves its next key without room:
        neither a thief, whom the recovery key shuts out, nor a player who goes.
        """
        account = account_of(name)
        files = self._files_by_account.get(account, [])
        if name.kind == "orders" and size > LARGE_BYTES:
            self._check_large_sets(name, files, key)
        used_bytes = sum(file.mark.size for file in files)
        if account == REFEREE:
            has_too_many = name.kind not in ("turn", "final") and len(files) >= MAX_GAME_FILES // 2
            if used_bytes + size > MAX_GAME_BYTES // 2 or has_too_many:
                sentence = "the referee's files have used up their share of this game's room"
                raise HostRefusal(507, sentence)
            return
        if used_bytes + size <= RESERVED_BYTES and len(files) < RESERVED_FILES:
            return  # whoever signed them
        signed_files = self._signed_by(key, files)
        own_bytes = sum(file.mark.size for file in signed_files)
        charter = self.game_folder.charter.content
        share_count = len(charter.seats) + len(charter.dealers)
        bytes_left = MAX_GAME_BYTES // 2 // share_count - (used_bytes - own_bytes)
        files_left = MAX_GAME_FILES // 2 // share_count - (len(files) - len(signed_files))
        max_bytes = max(RESERVED_BYTES, bytes_left // 2)
        max_files = max(RESERVED_FILES, files_left // 2)
        if own_bytes + size > max_bytes or len(signed_files) >= max_files:
            sentence = (
                f"the files signed with this key of {account} have used up their share "
                "of this game's room"
            )
            if name.seat:
                sentence = f"{sentence}; a new key of the seat gets its own share"
            raise HostRefusal(507, sentence)

    def _check_large_sets(self, name: Name, files: Iterable[RecordFile], key: bytes) -> None:
        """Check that a key may sign one more large set of orders for a turn. Raises HostRefusal."""
        large_sets = [f for f in files if f.name.is_like(name) and f.mark.size > LARGE_BYTES]
        if len(large_sets) < MAX_LARGE_SETS:
            return  # without a look at the keys
        large_count = len(self._signed_by(key, large_sets))
        if large_count >= MAX_LARGE_SETS:
            sentence = (
                f"{_writer_label(name)} already has {large_count} sets of orders for turn "
                f"{name.turn} that are larger than {LARGE_BYTES // KIB} KiB; send fewer or shorter "
                "order lines"
            )
            raise HostRefusal(507, sentence)

    def _signed_by(self, key: bytes, files: Iterable[RecordFile]) -> list[RecordFile]:
        """Return the files that name this key as their signer. All signatures were checked when the
        files came."""
        return [file for file in files if self._key_of(file) == key]

    def _key_of(self, file: RecordFile) -> bytes:
        """Return the key that a file names as its signer; empty if the file cannot be read."""
        if file not in self._keys_by_file:
            try:
                key = split(self.folder.read(file)).key
            except (RecordError, FileError):  # it came in another way
                key = b""
            self._keys_by_file[file] = key
        return self._keys_by_file[file]

    def _check_turn(self, relation: Relation) -> None:
        """Check that a record builds on this game's chain, and that a turn or final record comes
        next. Raises HostRefusal."""
        content, turn, last_turn = relation.content, relation.content.turn, self.last_turn
        is_next = turn == last_turn + 1 and self.is_over == (content.kind == "final")
        ends_turn = isinstance(content, Turn | FinalRecord)
        if relation.fit == "ahead" or (ends_turn and not is_next):
            raise HostRefusal(
                409, f"the file is for turn {turn}, but the host's last turn is {last_turn}"
            )
        if relation.fit == "fork":
            sentence = (
                f"the file follows a version of turn {relation.place} that differs from the "
                "version on the host"
            )
            raise HostRefusal(409, sentence)

    def _is_signed_with_valid_key(self, relation: Relation) -> bool:
        """Return whether a key that counts now signed a record.

        A deputy who dates their first turn ahead would take the place of the referee's turn, so the
        host's own clock counts too.
        """
        content = relation.content
        if isinstance(content, Turn) and content.time > time.time() + MAX_AHEAD_SECONDS:
            return relation.is_signed_by("now")
        return relation.is_signed_by(*SIGNERS[content.kind])

    def _check_owed(self, relation: Relation, deal: Deal) -> None:
        """Check that the last turn needs this part of the deal, or that a later turn lists it.
        Raises HostRefusal."""
        if relation.is_listed:
            return
        last_turn = self.chain.last_turn
        if deal.turn < self.last_turn:
            sentence = f"turn {deal.turn + 1} was made without this dealer's file"
            raise HostRefusal(409, f"{sentence}, so nobody needs the file now")
        is_owed = last_turn is None or last_turn.over or deal.dealer in last_turn.owed
        if not is_owed or bool(deal.secret) != self.is_over:
            raise HostRefusal(409, "nobody needs this dealer's file now")

    def _check_join(self, relation: Relation, join: Join) -> None:
        """Check that the seat is open, and that its present invite lets the join in. Raises
        HostRefusal."""
        if join.seat not in self.game_folder.charter.content.doors:
            raise HostRefusal(403, f"there is no seat {join.seat} in this game")
        if self.chain.missing_record and relation.is_listed:
            return  # a turn names it
        if self.last_turn and not relation.is_open:
            raise HostRefusal(403, f"the game has begun, and seat {join.seat} is not open")
        door = relation.door
        if not door:
            raise HostRefusal(
                403, f"the join was not made with the newest invite to seat {join.seat}"
            )
        if sum(is_let_in(joined, door) for joined in relation.joins) >= MAX_DOOR_JOINS:
            raise HostRefusal(507, f"the host already has {MAX_DOOR_JOINS} joins with this invite")


def _read_record(data: bytes) -> Record[Content]:
    """Return the record in a file. Raises HostRefusal."""
    try:
        return read(data)
    except RecordError as error:
        raise HostRefusal(400, f"the host cannot read the file: {error.sentence}") from None


def account_of(name: Name) -> str:
    """Return the account whose share of the game a file uses up: `seat a`, `dealer 0`, or the
    referee's."""
    if name.kind == "deal":
        return f"dealer {name.revision}"
    return f"seat {name.seat}" if name.seat not in ("", REFEREE) else REFEREE


def _writer_label(name: Name) -> str:
    """Return the writer of a file for a sentence."""
    account = account_of(name)
    return "the referee" if account == REFEREE else account
