"""Remember who plays by mail, and what each of them was sent.

The notes are in the home, and can be deleted safely.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from pbem.format.canonical import emit
from pbem.format.errors import RecordError
from pbem.format.record_size import MAX_BYTES
from pbem.play.checking.game_folder import GameFolder
from pbem.storage.atomic_write import replace
from pbem.storage.errors import StorageError
from pbem.storage.private.home import Mine
from pbem.storage.read_file import read_file
from pbem.text.handwritten_toml import decoded

REFEREE: Final = "referee"


class SentMail:
    """What one person sent and received by mail in one game."""

    def __init__(self, mine: Mine) -> None:
        self.path: Path = mine.root / "mail.toml"
        doc = self._read()
        self._by_mail = set(_texts(doc.get("by_mail")))
        self._joins = set(_texts(doc.get("joins")))
        sent = doc.get("sent")
        sent = sent if isinstance(sent, dict) else {}
        self._sent = {to: set(_texts(ids)) for to, ids in sent.items()}

    def by_mail(self, sitting: Mapping[bytes, str]) -> list[str]:
        """Return the seats that sent something, or were sent something, by mail; sorted.

        `sitting` has the joins that count, by id; other joins that came by mail are ignored.
        """
        joined = {seat for ident, seat in sitting.items() if ident.hex() in self._joins}
        return sorted((self._by_mail | self._sent.keys() | joined) - {REFEREE})

    @property
    def with_referee(self) -> bool:
        """Whether this person reaches the referee by mail."""
        return REFEREE in self._by_mail or REFEREE in self._sent

    def was_sent(self, to: str, record: bytes) -> bool:
        """Return whether a bundle for this seat, or for `referee`, contained the record with this
        id."""
        return record.hex() in self._sent.get(to, ())

    def was_sent_as(self, to: str, digits: str) -> bool:
        """Return whether a bundle for this person contained a record whose id begins with these
        digits."""
        return any(ident.startswith(digits) for ident in self._sent.get(to, ()))

    def sent(self, to: str, records: Iterable[bytes]) -> None:
        """Note that these records went into a bundle. Raises StorageError."""
        self._sent.setdefault(to, set()).update(record.hex() for record in records)
        self._write()

    def forget(self, to: str) -> None:
        """Note that a person may not have received what they were sent. Raises StorageError."""
        if self._sent.pop(to, None):
            self._by_mail.add(to)
            self._write()

    def came(self, seats: Iterable[str], joins: Iterable[bytes] = ()) -> None:
        """Note who sent something by mail: these joins, orders of these seats, or `referee`.

        Raises StorageError.
        """
        before = self._by_mail | self._joins
        self._by_mail.update(seats)
        self._joins.update(ident.hex() for ident in joins)
        if self._by_mail | self._joins != before:
            self._write()

    def _read(self) -> dict[str, Any]:
        try:
            return decoded(read_file(self.path), MAX_BYTES)
        except (StorageError, RecordError, ValueError):
            return {}  # without these notes, the person has to say who plays by mail

    def _write(self) -> None:
        sent = {to: sorted(ids) for to, ids in self._sent.items()}
        here = {"by_mail": sorted(self._by_mail), "joins": sorted(self._joins), "sent": sent}
        replace(self.path, emit(here))


def sitting(game_folder: GameFolder) -> dict[bytes, str]:
    """Return the seats of the joins that count, by the joins' ids.

    These are the joins in turn 1; before turn 1, all joins.
    """
    first = next(game_folder.turns(), None)
    if first is not None and first.content.joins:
        return {ident: seat for seat, ident in first.content.joins.items()}
    return {ident: join.content.seat for ident, join in game_folder.joins().items()}


def _texts(value: Any) -> list[str]:
    return [x for x in value if isinstance(x, str)] if isinstance(value, list) else []
