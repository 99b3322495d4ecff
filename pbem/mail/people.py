"""Remember the addresses of the people in one game, and whether this home has a mailbox.

Both are kept in the home, never in a signed file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.format.errors import RecordError
from pbem.storage.errors import StorageError

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.storage.private.home import Home, Mine

FILE: Final = "people.toml"
ACCOUNT: Final = "account.toml"
"""The file of a mailbox, in the folder of its profile."""


def mailboxes(home: Home) -> Path:
    """Return the folder in the home that contains one folder for each profile with a mailbox."""
    return home.root / "post"


def has_mailbox(home: Home) -> bool:
    """Return whether `pbem post setup` was done for any profile."""
    return bool(list(mailboxes(home).glob(f"*/{ACCOUNT}")))


class People:
    """The addresses of people in one game, by seat or `referee`."""

    def __init__(self, mine: Mine) -> None:
        self.path = mine.root / FILE
        self._found: dict[str, str] | None = None
        self._none: set[str] = set()

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses, by seat or `referee`."""
        if self._found is None:
            self._found = self._read()
        return self._found

    def set(self, who: str, address: str) -> None:
        """Note a person's address; an empty one removes it. Raises StorageError."""
        from pbem.format.canonical import emit
        from pbem.storage.atomic_write import replace

        found = {**self.addresses, who: address}
        self._found = {one: where for one, where in sorted(found.items()) if where}
        self._none = {*self._none - {who}, *([] if address else [who])}
        replace(self.path, emit({"addresses": self._found, "none": sorted(self._none)}))

    def learn(self, who: str, address: str) -> bool:
        """Note an address for a person; return whether it was noted.

        It is noted only if the person has no known address, and nobody has said that they get no
        mail. Anyone can write any address into From, so this never changes a known address.
        """
        if not address or who in self.addresses or who in self._none:
            return False
        self.set(who, address)
        return True

    def _read(self) -> dict[str, str]:
        from pbem.storage.read_file import read_file
        from pbem.text.handwritten_toml import decoded

        try:
            doc = decoded(read_file(self.path))
        except (StorageError, RecordError, ValueError):
            return {}  # without these notes, the person has to name the addresses again
        told, none = doc.get("addresses"), doc.get("none")
        self._none = {str(who) for who in none} if isinstance(none, list) else set()
        found = told if isinstance(told, dict) else {}
        return {str(who): str(where) for who, where in found.items() if isinstance(where, str)}
