"""Remember in the home where notifications are sent, and which were sent; addresses are secret."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pbem.cli.failure import CliError
from pbem.format.errors import RecordError
from pbem.storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.storage.private.home import Home

INSTALL: Final = 'pip install "pbem[notify]" (with pipx: pipx inject pbem apprise)'
EXAMPLE: Final = "pbem notify add ntfy://my-games (https://appriseit.com lists the services)"
MOST_TOLD: Final = 5_000
"""How many notifications are remembered, so that none is sent twice; the oldest are forgotten."""


class NotifyBook:
    """The addresses (URLs) of one home, and the notifications that they were sent."""

    def __init__(self, home: Home) -> None:
        self.path = home.root / "notify.toml"
        doc = self._read()
        self.urls = _texts(doc.get("urls"))
        self._told = _texts(doc.get("told"))

    def add(self, url: str) -> None:
        """Note an address. Raises CliError if no service understands it, StorageError."""
        with _quiet() as apprise:
            understood = apprise.Apprise().add(url)
        if not understood:
            raise CliError("no service understands this address", EXAMPLE)
        if url not in self.urls:
            self.urls.append(url)
            self.write()

    def remove(self, number: int) -> str:
        """Remove the address with this number, which counts from 1.

        Raises CliError, StorageError.
        """
        if not 1 <= number <= len(self.urls):
            raise CliError(f"there is no address number {number}", "pbem notify list")
        gone = self.urls.pop(number - 1)
        self.write()
        return gone

    def is_told(self, key: str) -> bool:
        """Return whether this notification was sent before."""
        return key in self._told

    def told(self, keys: Iterable[str]) -> None:
        """Note that these notifications were sent. Raises StorageError."""
        self._told = list(dict.fromkeys([*self._told, *keys]))[-MOST_TOLD:]
        self.write()

    def write(self) -> None:
        """Write addresses and sent notifications into the home. Raises StorageError."""
        from pbem.format.canonical import emit
        from pbem.storage.atomic_write import replace

        replace(self.path, emit({"told": self._told, "urls": self.urls}))

    def _read(self) -> dict[str, Any]:
        from pbem.storage.read_file import read_file
        from pbem.text.handwritten_toml import decoded

        try:
            return decoded(read_file(self.path), 1 << 20)
        except (StorageError, RecordError, ValueError):
            return {}


@contextlib.contextmanager
def _quiet() -> Iterator[Any]:
    """Import the library `apprise` without its log messages and warnings.

    Raises CliError if it is not installed.
    """
    import logging
    import warnings

    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # pbem reports its troubles itself
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its services use old modules
        yield _library()


def _library() -> Any:
    try:
        import apprise
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "apprise":
            raise
        told = "notifications need a library that is not installed"
        raise CliError(told, INSTALL) from None
    return apprise


def shown(url: str) -> str:
    """Return an address without its secrets."""
    with _quiet() as apprise:
        found = apprise.Apprise.instantiate(url)
    return (
        str(found.url(privacy=True)).partition("?")[0]
        if found
        else ("(an address that is no longer understood)")
    )


def send(urls: Iterable[str], title: str, text: str) -> list[str]:
    """Send one notification to all addresses; return the addresses that did not accept it."""
    with _quiet() as apprise:
        return [url for url in urls if not _sent(apprise.Apprise(), url, title, text)]


def _sent(one: Any, url: str, title: str, text: str) -> bool:
    return bool(one.add(url) and one.notify(title=title, body=text))


def _texts(value: Any) -> list[str]:
    return [x for x in value if isinstance(x, str)] if isinstance(value, list) else []
