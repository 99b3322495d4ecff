"""The places of game folders: their addresses, and what each kind of place can do."""

from __future__ import annotations

import os
import re
import secrets
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, Final, Literal

from pbem.files.file_errors import StorageError
from pbem.text.terminal_and_page_wording import TerminalText

# ---- the kinds of places

HIDDEN: Final = "…"
"""The sign that stands in messages for the part of an address that may be secret."""


class Place(ABC):
    """The place of a game folder, whether anything is there or not. Nothing is opened.

    Its text is its address: what people type, and what the home remembers.
    """

    sharing_kind: ClassVar[Literal["folder", "store", "host"]]
    """The kind of thing that the players share."""
    path: Path | None = None
    """The path of the folder; None if it is not on a disk."""
    name: str
    """The last part of the address, which is used as the game's name; empty if it is a secret."""
    is_remote: bool = True
    """Whether each look at the folder asks another computer."""
    has_news: bool = False
    """Whether a program can wait there for news."""
    has_secret_address: bool = False
    """Whether the address alone, a secret, lets people in: by a command, or by a browser's link."""
    has_shared_connection: bool = False
    """Whether all threads of a process may use one connection."""
    host: str = ""
    """The address of the host of this game (`pbem host`); empty if it is on none."""
    server: str = ""
    """The address of the host, or the part of a store's address that names its server or bucket;
    empty on a disk."""
    rematch_page: str = ""
    """The page that makes another game with the same people; empty if nobody serves one."""

    def __init__(self, address: str | Path) -> None:
        self._address = address

    def __str__(self) -> str:
        return str(self._address)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and other._address == self._address

    def __hash__(self) -> int:
        return hash(self._address)

    @property
    def shown_address(self) -> str:
        """The address for messages, without a secret: people show messages to others."""
        return str(self)

    def is_gone(self) -> bool:
        """Return whether a folder on a disk no longer exists, or cannot be reached."""
        return False

    @abstractmethod
    def place_below(self, name: str) -> Place:
        """Return the place of the folder with this name inside this one."""


class DiskPlace(Place):
    """A folder on a disk of this computer."""

    sharing_kind = "folder"
    path: Path
    is_remote = False

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.name = self.path.name
        super().__init__(self.path)

    def is_gone(self) -> bool:
        return not os.path.exists(self.path)  # which never raises

    def place_below(self, name: str) -> DiskPlace:
        return DiskPlace(self.path / name)


class StorePlace(Place):
    """A folder in a store, `scheme://place/below`; the address contains no password or key."""

    sharing_kind = "store"

    def __init__(self, scheme: str, store_path: str) -> None:
        self.scheme, self.store_path = scheme, store_path
        self.name = store_path.rpartition("/")[2]
        self.has_shared_connection = scheme in S3_SCHEMES
        self.server = f"{scheme}://{store_path.partition('/')[0]}"
        super().__init__(f"{scheme}://{store_path}")

    def place_below(self, name: str) -> StorePlace:
        return StorePlace(self.scheme, f"{self.store_path}/{name}")


class HostPlace(Place):
    """A game on a host (`pbem host`), at a secret address."""

    sharing_kind = "host"
    name = ""
    has_news = has_secret_address = has_shared_connection = True

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.host, _, self.digits = address.rpartition("/g/")
        """The address of the host; and the secret end of the game's address, 32 hex digits."""
        self.server = self.host
        self.rematch_page = f"{self.host}/new?again={self.digits}"

    @property
    def shown_address(self) -> str:
        return str(self).removesuffix(self.digits[4:]) + HIDDEN

    def place_below(self, name: str) -> HostPlace:
        raise StorageError(
            self.shown_address, "is a game on a host, and not a folder that contains games"
        )


# ---- addresses

S3_SCHEMES: Final = frozenset(["s3", "s3a"])
"""The schemes of object stores that speak S3."""
# compiled when needed, because most addresses are paths
_ADDRESS: Final = r"(?P<scheme>[a-z][a-z0-9+.-]+)://(?P<rest>.*)"
_ALMOST_ADDRESS: Final = r"(?P<scheme>s3|sftp|ssh):/?(?!/)"
_UNFIT: Final = r"[\x00-\x20\x7f\\?#*\[\]{}]|::|[^\x00-\x7f]"
_LOCAL: Final = frozenset(["file", "local"])
_HOSTS: Final = frozenset(["https", "http"])
"""The schemes of addresses on a host (`pbem host`)."""
_GAME: Final = r"/g/[0-9a-f]{32}"
_ON_HOST: Final = r"(?P<host>[a-z0-9.-]+(?::[0-9]{1,5})?)(?:/[A-Za-z0-9._~-]+)*" + _GAME
_THIS_COMPUTER: Final = r"(?:localhost|127(?:\.[0-9]{1,3}){3})(?::[0-9]+)?"
_UNSHARED_SCHEMES: Final = frozenset(["data", "zip", "tar", "simplecache", "filecache"])


def place_of(address: str | Path | Place | None) -> Place:
    """Return the place that the user gave or the home recorded; None means the current folder.
    Raises StorageError.

    >>> place_of("s3://bucket/savannah/"), place_of("https://Pbem.example/g/" + 32 * "0").host
    (StorePlace('s3://bucket/savannah'), 'https://pbem.example')
    """
    if isinstance(address, Place):
        return address
    if not isinstance(address, str) or ":" not in address:
        return DiskPlace(Path(address or "."))
    # phones begin with a capital letter
    address = re.sub(
        r"^https?://[^/]*", lambda match: match[0].lower(), address, flags=re.IGNORECASE
    )
    match = re.fullmatch(_ADDRESS, address, re.DOTALL | re.ASCII)
    if typo := re.match(_ALMOST_ADDRESS, address):
        sentence = f"is not an address; did you mean {typo['scheme']}://{address[typo.end() :]}?"
        raise StorageError(address, sentence)
    if match is None:
        return DiskPlace(Path(address))
    scheme, address_path = match["scheme"], match["rest"].rstrip("/")
    if scheme in _LOCAL:
        return DiskPlace(Path(f"/{address_path.lstrip('/')}"))
    if scheme in _HOSTS:
        _check_host_address(scheme, address_path)
        return HostPlace(f"{scheme}://{address_path}")
    _check_store_address(scheme, address_path)
    return StorePlace(scheme, address_path)


def new_address(host: str) -> Place:
    """Return a new secret address for a game on the host at this URL. Raises StorageError."""
    scheme, slashes, address_path = host.rstrip("/").partition("://")
    if not slashes:
        scheme, address_path = "https", scheme
    if match := re.search(f"{_GAME}$", address_path, re.ASCII):
        host_path, shown_path = address_path[: match.start()], address_path[: match.end() - 28]
        sentence = TerminalText(
            "is the address of a game; give the address of its host[[: --at "
            "{scheme}://{host_path}]]"
        ).format(scheme=scheme, host_path=host_path)
        raise StorageError(f"{scheme}://{shown_path}{HIDDEN}", sentence)
    place = place_of(f"{scheme}://{address_path}/g/{secrets.token_hex(16)}")
    if not isinstance(place, HostPlace):
        raise StorageError(
            host, "is not the address of a host: such an address begins with https://"
        )
    return place


def _check_no_password(scheme: str, address_path: str) -> None:
    user, separator, public_part = address_path.rpartition("@")
    if separator and ":" in user:
        sentence = (
            "contains a password, but an address must not contain one; put the password where "
            "the store's own tools look for it"
        )
        raise StorageError(f"{scheme}://{HIDDEN}@{public_part}", sentence)


def _check_store_address(scheme: str, address_path: str) -> None:
    """Raise StorageError for an address in a store that is no folder, or that has unsuitable
    characters."""
    _check_no_password(scheme, address_path)
    shown_address = f"{scheme}://{address_path}"
    if scheme in _UNSHARED_SCHEMES:
        sentence = "is not a place that players can share: use s3:// or sftp://"
        raise StorageError(shown_address, sentence)
    if bad_character := re.search(_UNFIT, address_path):
        shown_address = f"{scheme}://{address_path[: bad_character.start()]}{HIDDEN}"
        sentence = f"has the character {bad_character[0]!r}, which no game address may have"
        raise StorageError(shown_address, sentence)
    parts = address_path.split("/")
    if len(parts) < 2 or any(part in ("", ".", "..") for part in parts[1:]) or not parts[0]:
        example = f"{scheme}://{parts[0] or 'bucket'}/savannah"
        sentence = f"names no folder in the store; add one, as in {example}"
        raise StorageError(shown_address, sentence)


def _check_host_address(scheme: str, address_path: str) -> None:
    """Raise StorageError for an address on a host that is no game's, or that would go through a
    network unencrypted."""
    _check_no_password(scheme, address_path)
    host = address_path.partition("/")[0]
    if (match := re.fullmatch(_ON_HOST, address_path, re.ASCII)) is None:
        sentence = (
            "is not the address of a game on a host: such an address is "
            f"{scheme}://{host or 'HOST'}/g/ with 32 letters and digits after it"
        )
        raise StorageError(f"{scheme}://{host}/{HIDDEN}", sentence)
    if scheme == "http" and not re.fullmatch(_THIS_COMPUTER, match["host"], re.ASCII):
        sentence = "does not encrypt, so others could read your secret address; use https://"
        raise StorageError(f"http://{host}/{HIDDEN}", sentence)
