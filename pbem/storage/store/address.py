"""Addresses of game folders: a path on a disk, or `s3://bucket/savannah` for a store."""

import os
import re
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from pbem.storage.errors import StorageError

# compiled when needed, because most addresses are paths
_ADDRESS: Final = r"(?P<scheme>[a-z][a-z0-9+.-]+)://(?P<rest>.*)"
_ALMOST: Final = r"(?P<scheme>s3|sftp|ssh):/?(?!/)"
_UNFIT: Final = r"[\x00-\x20\x7f\\?#*\[\]{}]|::|[^\x00-\x7f]"
LOCAL: Final = frozenset(["file", "local"])
_NOT_SHARED: Final = frozenset(["http", "https", "data", "zip", "tar", "simplecache", "filecache"])
HIDDEN: Final = "…"
"""What messages show instead of a part of an address that may be secret."""


class StoreAddress(NamedTuple):
    """The address of a game folder in a store, `scheme://place/below`, without a slash at the end.

    It never contains a password or a key: `place_of` refuses those.
    """

    scheme: str
    rest: str

    def __str__(self) -> str:
        return f"{self.scheme}://{self.rest}"

    @property
    def name(self) -> str:
        """The last part of the address, which is used as the game's name."""
        return self.rest.rpartition("/")[2]


Place: TypeAlias = Path | StoreAddress
"""Where a game folder is."""


def place_of(said: str | Place | None) -> Place:
    """Return the place that the user typed or that is recorded in the home; None means the current
    folder.

    Raises StorageError for an address that cannot be a game folder's.
    """
    if isinstance(said, StoreAddress):
        return said
    if not isinstance(said, str) or ":" not in said:
        return Path(said or ".").absolute()
    found = re.fullmatch(_ADDRESS, said, re.DOTALL | re.ASCII)
    if typo := re.match(_ALMOST, said):
        told = f"is not an address; write {typo['scheme']}://{said[typo.end() :]}"
        raise StorageError(said, told)
    if found is None:
        return Path(said).absolute()
    scheme, rest = found["scheme"], found["rest"].rstrip("/")
    if scheme in LOCAL:
        return Path(f"/{rest.lstrip('/')}")
    _refuse(scheme, rest)
    return StoreAddress(scheme, rest)


def is_gone(place: Place) -> bool:
    """Return whether a folder no longer exists, or cannot be reached; always False for a store,
    which is not asked."""
    return isinstance(place, Path) and not os.path.exists(place)  # which never raises


def _refuse(scheme: str, rest: str) -> None:
    """Raise StorageError, without any secret, if no game folder can have this address."""
    user, at, after = rest.rpartition("@")
    shown = f"{scheme}://{HIDDEN}@{after}" if at and ":" in user else f"{scheme}://{rest}"
    if at and ":" in user:
        told = "contains a password; leave it out: pbem takes passwords and keys only from where "
        told += "the store's own tools look for them"
        raise StorageError(shown, told)
    if scheme in _NOT_SHARED:
        raise StorageError(shown, "is not a place that players can share: use s3:// or sftp://")
    if odd := re.search(_UNFIT, rest):
        shown = f"{scheme}://{rest[: odd.start()]}{HIDDEN}"
        told = f"has a character that no address of a game folder may have: {odd[0]!r}"
        raise StorageError(shown, told)
    parts = rest.split("/")
    if len(parts) < 2 or any(part in ("", ".", "..") for part in parts[1:]) or not parts[0]:
        told = f"names no folder in the store; write {scheme}://{parts[0] or 'bucket'}/savannah"
        raise StorageError(shown, told)
