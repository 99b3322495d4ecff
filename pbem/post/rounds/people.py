"""Remember the addresses of the people in one game: in the home, never in a signed file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.format.errors import RecordError
from pbem.storage.errors import StorageError

if TYPE_CHECKING:
    from pbem.storage.private.home import Mine

FILE: Final = "people.toml"


class People:
    """The addresses of people in one game, by seat or `referee`."""

    def __init__(self, mine: Mine) -> None:
        self.path = mine.root / FILE
        self._found: dict[str, str] | None = None

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
        replace(self.path, emit({"addresses": self._found}))

    def learn(self, who: str, address: str) -> bool:
        """Note an address if none is known for this person; return whether it was noted.

        Anyone can write any address into From, so this never changes an address that is known.
        """
        if not address or who in self.addresses:
            return False
        self.set(who, address)
        return True

    def _read(self) -> dict[str, str]:
        from pbem.storage.read_file import read_file
        from pbem.text.handwritten_toml import decoded

        try:
            told = decoded(read_file(self.path)).get("addresses")
        except (StorageError, RecordError, ValueError):
            return {}  # without these notes, the person has to name the addresses again
        found = told if isinstance(told, dict) else {}
        return {str(who): str(where) for who, where in found.items() if isinstance(where, str)}
