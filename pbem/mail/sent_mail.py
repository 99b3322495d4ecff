"""Who plays by mail, and what was sent to whom: kept with what is mine; may be deleted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pbem.format.canonical import MAX_BYTES, emit
from pbem.format.errors import RecordError
from pbem.storage.atomic_write import replace
from pbem.storage.errors import StorageError
from pbem.storage.home import Mine
from pbem.storage.read_file import read_file
from pbem.text.handwritten_toml import decoded

REFEREE: Final = "referee"


class Postbook:
    """The post of one game, as one person saw it go and come."""

    def __init__(self, mine: Mine) -> None:
        self.path: Path = mine.root / "mail.toml"
        doc = self._read()
        self._by_mail = set(_texts(doc.get("by_mail")))
        sent = doc.get("sent")
        sent = sent if isinstance(sent, dict) else {}
        self._sent = {to: set(_texts(ids)) for to, ids in sent.items()}

    @property
    def by_mail(self) -> list[str]:
        """The seats that something came from, or was sent to, by mail; sorted."""
        return sorted((self._by_mail | self._sent.keys()) - {REFEREE})

    @property
    def with_referee(self) -> bool:
        """Whether one's own way to the referee is mail."""
        return REFEREE in self._by_mail or REFEREE in self._sent

    def was_sent(self, to: str, record: bytes) -> bool:
        """Whether a bundle for this seat, or `referee`, held the record with this id before."""
        return record.hex() in self._sent.get(to, ())

    def was_sent_as(self, to: str, digits: str) -> bool:
        """The same of a record of which only the first digits of the id are known."""
        return any(ident.startswith(digits) for ident in self._sent.get(to, ()))

    def sent(self, to: str, records: Iterable[bytes]) -> None:
        """Note that these records went into a bundle. Raises StorageError."""
        self._sent.setdefault(to, set()).update(record.hex() for record in records)
        self._write()

    def came(self, seats: Iterable[str]) -> None:
        """Note that records of these seats, or of `referee`, came by mail. Raises StorageError."""
        before = set(self._by_mail)
        self._by_mail.update(seats)
        if self._by_mail != before:
            self._write()

    def _read(self) -> dict[str, Any]:
        try:
            return decoded(read_file(self.path), MAX_BYTES)
        except (StorageError, RecordError, ValueError):
            return {}  # it only saves asking

    def _write(self) -> None:
        sent = {to: sorted(ids) for to, ids in self._sent.items()}
        replace(self.path, emit({"by_mail": sorted(self._by_mail), "sent": sent}))


def _texts(value: Any) -> list[str]:
    return [x for x in value if isinstance(x, str)] if isinstance(value, list) else []
