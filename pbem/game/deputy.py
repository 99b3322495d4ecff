"""The deputy: their keys, the secrets that they get, and which turns are theirs (protocol §6)."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Final, Literal, Protocol

from pbem.files.disk import StorageError
from pbem.files.folder import Found, Listing, SharedFolder, turn_path
from pbem.format import labels
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import box_key
from pbem.format.keys import Secrets, SigningKey, check_public, th, why_not_x25519
from pbem.frozen import frozen
from pbem.game.deadlines import deputy_after
from pbem.records.charter import Charter, Join, Orders, check_opened
from pbem.records.notice import REFEREE, HandOver, NewKey, Notice, TakeIn, Vouch
from pbem.records.read_record import KnownKey, Record, read_as
from pbem.records.schema import MAX_TURN
from pbem.records.turn import Turn, open_secrets
from pbem.records.words import first_head, next_head, words_of

# ---- The line with which a deputy tells the referee their public keys

_LINE: Final = re.compile(r"deputy:([0-9a-f]{64}):([0-9a-f]{64}):([A-Z2-7]{8})")


@frozen
class DeputyLine:
    """A deputy's public keys, as one line: `deputy:4f1c22…:9ac0…:K7Q2…`; it contains no secret."""

    key: bytes
    x25519: bytes

    def line(self) -> str:
        """Return the line; its last part is a checksum."""
        check = base64.b32encode(self._digest()[:5]).decode()
        return f"deputy:{self.key.hex()}:{self.x25519.hex()}:{check}"

    def words(self) -> str:
        """Return twelve words for both keys, to be compared by voice: whoever carries the line can
        swap it, with a right checksum."""
        return " ".join(words_of(self._digest()))

    def _digest(self) -> bytes:
        return th(labels.DEPUTY_CHECK, self.key, self.x25519)


def parse_deputy_line(line: str) -> DeputyLine:
    """Read a line that `DeputyLine.line` wrote; spaces do not matter.

    Raises RecordError `grammar` for any other text, `key` for keys that cannot be used.
    """
    said = "".join(line.split())
    match = _LINE.fullmatch(said)
    if not match:
        raise RecordError("grammar", "the deputy's line looks like deputy:4f1c22…:9ac0…:K7Q2…")
    found = DeputyLine(bytes.fromhex(match[1]), bytes.fromhex(match[2]))
    if found.line() != said:
        raise RecordError(
            "grammar", "the deputy's line has a wrong character: copy the whole line again"
        )
    check_public(found.key)
    if reason := why_not_x25519(found.x25519):
        raise RecordError("key", f"this X25519 key cannot be used: {reason}")
    return found


# ---- Who makes a turn: the charter's referee or, from the deputy's first turn on, the deputy

Role = Literal["referee", "deputy"]
LAST = MAX_TURN + 1
"""The place of the last record that any chain can have: for whoever makes the next turn."""


@frozen
class Maker:
    """The person who makes a turn."""

    key: bytes
    """The key that signs it."""
    role: Role
    """What the charter calls them."""
    name: str

    @property
    def called(self) -> str:
        """The name and the role, for sentences: `Flo, the deputy`."""
        return f"{self.name}, the {self.role}"


def maker_of(charter: Charter, deputy_since: int, turn: int = LAST) -> Maker:
    """Return who makes this turn, if the deputy has made all turns since `deputy_since` (0: none).

    Without `turn`, return who makes the turns now.
    """
    return maker_with(charter, charter.deputy_key if 0 < deputy_since <= turn else charter.key)


def maker_with(charter: Charter, key: bytes) -> Maker:
    """Return the maker who has this key, which must be the referee's or the deputy's."""
    if charter.deputy_key and key == charter.deputy_key:
        return Maker(key, "deputy", charter.deputy)
    return Maker(charter.key, "referee", charter.referee)


# ---- Find the first turn that the deputy signs as the referee, from the files of a folder
#
# The referee and the deputy may both have signed a turn for one place. Which one counts follows
# from what they signed, not from which file has the plain name (protocol §5, *Deputy*): the
# deputy's, if a notice makes it right, unless the players went on with the referee's.
#
# A turn that a deputy signs too early does no harm: such a file does not count as a turn, and the
# referee's program sets it aside. The turns' reader makes the same checks again.

MOST_COPIES: Final = 500
"""How many second copies of turns are read."""
SECOND: Final = ("copy", "aside")
"""The kinds of files that may hold a turn whose plain name another turn has."""


@frozen
class TurnFile:
    """A file with a turn of this game that the referee or the deputy signed."""

    path: str
    record: Record[Turn]

    @property
    def place(self) -> int:
        """The number of the turn, as the record says."""
        return self.record.content.turn

    @property
    def head(self) -> bytes:
        """The head after this turn."""
        return next_head(self.record.content.prev, self.record.id)


class Files(Protocol):
    """What the search needs of a game folder (`GameFolder`). What reads a record raises
    FileError."""

    folder: SharedFolder
    whole: Listing
    charter: Record[Charter]
    game: bytes

    def join(self, found: Found) -> Record[Join]:
        """Read one join."""

    def notice(self, found: Found) -> Record[Notice]:
        """Read one notice, signed by anybody."""

    def orders(self, found: Found, known: KnownKey) -> Record[Orders]:
        """Read one order file, signed by a known key."""


class DeputyTurns:
    """The turns in one folder for places for which the referee and the deputy may both have signed
    one."""

    def __init__(self, game_folder: Files) -> None:
        self.game_folder, self.charter = game_folder, game_folder.charter.content

    @cached_property
    def first(self) -> TurnFile | None:
        """The first turn that counts as the deputy's; None if there is none."""
        if not self.charter.deputy_key:
            return None
        names = (found.name for found in self.game_folder.whole.notices)
        places = sorted({name.turn + 1 for name in names if name.seat == REFEREE})
        found = (one for place in places for one in self.at(place))
        return next((one for one in found if self.takes_over(one.record)), None)

    def takes_over(self, taking: Record[Turn]) -> bool:
        """Return whether a turn makes the deputy the referee, as far as the records show."""
        turn = taking.content
        if taking.signed.key != self.charter.deputy_key:
            return False
        if not any(row.about == HandOver.about for row in turn.notices):
            return False
        for one in self._referees(turn.turn - 1):
            if one.head == turn.prev:
                said = self._listed(turn)
                right = any(self._counts(turn, one.record.content, notice) for notice in said)
                return right and not self._went_on(TurnFile("", taking))
        return False

    def _counts(self, turn: Turn, before: Turn, record: Record[Notice]) -> bool:
        """Return whether this notice makes the deputy the referee in this turn."""
        notice, key = record.content, record.signed.key
        said = notice.saying
        if not isinstance(said, HandOver) or notice.seat or notice.prev != turn.prev:
            return False
        if said.by == "referee":
            return key == self.charter.key
        quiet_since = max(before.time, before.deadline)
        late = turn.time >= quiet_since + deputy_after(self.charter.policies)
        return key == self.charter.deputy_key and late

    def _went_on(self, taking: TurnFile) -> bool:
        """Return whether the players went on with the referee's turn for the same place: a later
        turn of the referee accepts orders that answer it, or answer a turn that builds on it.

        The referee's turn itself may be missing here.
        """
        place = taking.place + 1
        here = [x for x in self._referees(place) if x.record.content.prev != taking.head]
        heads = {one.record.content.prev for one in here}
        while here:
            if any(self._accepts(one.record.content, heads) for one in here):
                return True
            last = {one.head for one in here}
            heads, place = heads | last, place + 1
            here = [one for one in self._referees(place) if one.record.content.prev in last]
        return False

    def _accepts(self, turn: Turn, heads: set[bytes]) -> bool:
        """Return whether a turn accepts orders of a player that answer a turn with such a head."""
        ids = {row.id for row in turn.orders if row.status == "accepted"}
        digits = {ident.hex()[:6] for ident in ids}
        for found in self.game_folder.whole.orders:
            if found.name.digits in digits:
                with suppress(RecordError, StorageError):
                    orders = self.game_folder.orders(found, lambda _, key: key in self._players)
                    if orders.id in ids and orders.content.prev in heads:
                        return True
        return False

    # -------------------------------------------------------------- files
    def at(self, place: int) -> Iterator[TurnFile]:
        """Yield the turns that the referee or the deputy signed for a place, the one with the plain
        name first."""
        for found in self.game_folder.whole.turns:
            if found.name.turn == place:
                with suppress(RecordError, StorageError):
                    yield self._file(found.path, self.game_folder.folder.read(found))
        yield from (one for one in self._copies if one.place == place)

    def _referees(self, place: int) -> list[TurnFile]:
        return [one for one in self.at(place) if one.record.signed.key == self.charter.key]

    @cached_property
    def _copies(self) -> list[TurnFile]:
        """The turns in files that do not have the plain name of a turn."""
        litter = self.game_folder.whole.litter
        paths = [x.path for x in litter if x.kind in SECOND and x.path.startswith("turns/")]
        found = list[TurnFile]()
        for path in paths[:MOST_COPIES]:
            with suppress(RecordError, StorageError):
                found.append(self._file(path, self.game_folder.folder.read_litter(path)))
        return found

    def _file(self, path: str, data: bytes) -> TurnFile:
        record = read_as(Turn, data, lambda _, key: key in self.charter.referee_keys)
        if record.content.game != self.game_folder.game:
            raise RecordError("place", "this file belongs to another game")
        return TurnFile(path, record)

    def _listed(self, turn: Turn) -> Iterable[Record[Notice]]:
        """Yield the notices that a turn lists, without those that are not here."""
        ids = {row.id for row in turn.notices}
        digits = {ident.hex()[:6] for ident in ids}
        for found in self.game_folder.whole.notices:
            if found.name.digits in digits:
                with suppress(RecordError, StorageError):
                    record = self.game_folder.notice(found)
                    if record.id in ids:
                        yield record

    @cached_property
    def _players(self) -> set[bytes]:
        """The keys that players have had, as the referee's turns say."""
        joins, keys = set[bytes](), set[bytes]()
        for found in self.game_folder.whole.turns:
            for one in self._referees(found.name.turn):
                turn = one.record.content
                joins |= {*(turn.joins or {}).values()}
                for said in (notice.content.saying for notice in self._listed(turn)):
                    keys |= {said.key} if isinstance(said, NewKey | Vouch) else set()
                    joins |= {said.join} if isinstance(said, TakeIn) else set()
        digits = {ident.hex()[:6] for ident in joins}
        for found in self.game_folder.whole.joins:
            if found.name.digits in digits:
                with suppress(RecordError, StorageError):
                    join = self.game_folder.join(found)
                    keys |= {join.content.key} if join.id in joins else set()
        return keys

    # -------------------------------------------------------------- turns under another name
    def elsewhere(self) -> list[TurnFile]:
        """Return the turns that count, but whose plain names other files have, or no file."""
        found, head, place = list[TurnFile](), first_head(self.game_folder.game), 1
        while self.charter.deputy_key and self._copies:
            maker = maker_of(self.charter, self.first.place if self.first else 0, place).key
            here = (x for x in self.at(place) if x.record.content.prev == head)
            one = next((x for x in here if x.record.signed.key == maker), None)
            if one is None:
                break
            found += [one] if one.path != turn_path(place) else []
            head, place = one.head, place + 1
        return found


# ---- Find the referee's secrets: the referee's key gives them, or turn 1 hands them to the
# deputy


@frozen
class RefereeSecrets:
    """The secrets that `final` will open: the referee's share of the seed, and the X25519 secret of
    `audit`."""

    r_ref: bytes
    audit: bytes


def referee_secrets(
    charter: Charter, game: bytes, first: Turn | None, key: SigningKey
) -> RefereeSecrets:
    """Return the secrets of a game for the key of its referee or deputy; `first` is turn 1.

    Raises RecordError `key` for any other key, `state` for a deputy before turn 1, and `box` or
    `commitment` if turn 1 does not contain the secrets for the deputy.
    """
    if key.public not in charter.referee_keys:
        who = f"{charter.referee}, the referee,"
        who += f" or {charter.deputy}, the deputy," if charter.deputy else ""
        raise RecordError("key", f"only {who} can do that: this is a different key")
    own = Secrets(key.seed)
    if key.public == charter.key:
        found = RefereeSecrets(own.r_ref(charter.table), own.audit(charter.table))
    elif first is None:
        raise RecordError("state", f"before turn 1, only {charter.referee} can do that")
    else:
        found = RefereeSecrets(
            *open_secrets(box_key(own.deputy(), charter.audit, game), first.deputy)
        )
    check_opened(charter, found.r_ref, found.audit)
    return found
