"""Find who can write messages in a game and who can open them, with their keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pbem.format.encrypted_box import box_key, public_of
from pbem.frozen import frozen
from pbem.play.checking.game_folder import GameFolder
from pbem.play.notices.notice_files import standing_in
from pbem.play.seats.standing import FormerKeys, Standing
from pbem.records.charter_join_orders import Charter, Join
from pbem.records.press.message_record import REFEREE


class Keys(NamedTuple):
    """The public keys of one person: the key they sign with, and the key for boxes to them."""

    signing: bytes
    x25519: bytes
    former: tuple[FormerKeys, ...] = ()
    """The earlier keys of the seat or of the referee, oldest first; messages signed with them can
    still be read."""
    name: str = ""
    """The person's name."""

    @property
    def boxes(self) -> tuple[bytes, ...]:
        """The keys for boxes, the current key first."""
        return self.x25519, *(one.x25519 for one in self.former)

    def signs_after(self, turn: int) -> bytes:
        """Return the key that signs what is written after this turn: the key that counted then."""
        return next((one.signing for one in self.former if turn < one.until), self.signing)

    def name_after(self, turn: int) -> str:
        """Return the name of the person whose key counted after this turn."""
        return next((one.name for one in self.former if turn < one.until), self.name)


Seating = Mapping[str, Keys]
"""The keys of everybody who can write, by seat or `referee`."""


def seating_of(charter: Charter, roster: Mapping[str, Join]) -> Seating:
    """Return the keys of the referee and of the seats in the roster."""
    return seating_with(Standing(charter, roster))


def seating_with(standing: Standing) -> Seating:
    """Return the current and earlier keys of the referee and all seats."""
    charter, former = standing.charter, standing.former
    seats = {
        seat: Keys(join.key, join.x25519, former.get(seat, ()), join.name)
        for seat, join in sorted(standing.roster.items())
    }
    if not standing.deputy_since:
        return seats | {REFEREE: Keys(charter.key, charter.desk, (), charter.referee)}
    first = FormerKeys(charter.key, charter.desk, standing.deputy_since, charter.referee)
    deputy = Keys(charter.deputy_key, charter.deputy_x25519, (first,), charter.deputy)
    return seats | {REFEREE: deputy}


def seating_in(game_folder: GameFolder) -> Seating:
    """Return the keys of everybody who can write messages in the game in a folder.

    Before turn 1, only the referee can. Raises FileError for a join that turn 1 names and that is
    not here.
    """
    return seating_with(standing_in(game_folder))


@frozen
class Reader:
    """One role of a person in a game, with the X25519 secret that opens its boxes."""

    who: str
    """The role: a seat, or `referee`."""
    secret: bytes

    def boxes(self, game: bytes, writer: str, seating: Seating) -> Iterator[tuple[str, bytes]]:
        """Return the key to the box for each possible recipient of this writer's private messages.

        Only boxes that this reader can open are returned; a writer can open what they wrote to
        anybody.
        """
        mine = public_of(self.secret)
        if writer != self.who:
            for public in seating[writer].boxes:
                yield self.who, box_key(self.secret, public, game)
            return
        for other, keys in seating.items():
            for public in keys.boxes:
                if public != mine:
                    yield other, box_key(self.secret, public, game)


def key_between(reader: Reader, other: str, game: bytes, seating: Seating) -> bytes:
    """Return the key of the boxes between a reader and a different person."""
    return box_key(reader.secret, seating[other].x25519, game)


def all_boxes(
    readers: Iterable[Reader], game: bytes, seating: Seating
) -> dict[str, list[tuple[str, bytes]]]:
    """Return, for each writer, the possible recipients of private messages and the key to try for
    each."""
    found: dict[str, list[tuple[str, bytes]]] = {writer: [] for writer in seating}
    for reader in readers:
        for writer, boxes in found.items():
            boxes += reader.boxes(game, writer, seating)
    return found
