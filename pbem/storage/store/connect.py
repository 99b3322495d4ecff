"""Open the store at an address with fsspec. Only sftp connects immediately."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any, Final

from pbem.storage.errors import StorageError
from pbem.storage.store.address import StoreAddress
from pbem.storage.store.store_errors import asking
from pbem.storage.store.stores import ObjectStore, SftpStore, Store

INSTALL: Final = (
    'pip install "pbem[store]" (with pipx: pipx inject pbem fsspec s3fs paramiko), then try again'
)
SHARED: Final = frozenset(["s3", "s3a"])
"""The kinds of stores whose connection all threads of a process may share."""
_SSH: Final = frozenset(["sftp", "ssh"])
_OPEN: Final[dict[tuple[Any, ...], Any]] = {}
"""The file systems that this process has opened."""


def connect(address: StoreAddress, ignores: bool = False) -> Store:
    """Return the store at an address. For `ignores`, see ObjectStore. Raises StorageError."""
    try:
        import fsspec
    except ModuleNotFoundError:
        raise _lacking(address) from None
    for noisy in ("paramiko", "asyncio"):  # pbem reports their troubles in its own words
        logging.getLogger(noisy).addHandler(logging.NullHandler())
    with asking(str(address)):
        key = _key(address)
        if key not in _OPEN:
            _OPEN[key] = _opened(fsspec, address)
        files = _OPEN[key]
        if address.scheme in SHARED:
            return ObjectStore(files, address.rest, ignores)
        if address.scheme in _SSH:
            return SftpStore(files, f"/{address.rest.partition('/')[2]}")
        return Store(files, type(files)._strip_protocol(str(address)))


def forget(address: StoreAddress) -> None:
    """Drop a lost connection, so that the next call connects again."""
    _OPEN.pop(_key(address), None)


def _key(address: StoreAddress) -> tuple[Any, ...]:
    """Return what two folders must have in common to share a connection.

    A shared connection saves up to a second.
    """
    if address.scheme in SHARED:
        settings = sorted(item for item in os.environ.items() if item[0].startswith("AWS_"))
        return (os.getpid(), *settings)
    # an SFTP connection must not be used by two threads at the same time
    host = address.rest.partition("/")[0]
    return (os.getpid(), threading.get_ident(), address.scheme, host)


def _opened(fsspec: Any, address: StoreAddress) -> Any:
    if address.scheme in SHARED:
        return _s3(address)
    return _sftp(address) if address.scheme in _SSH else _any(fsspec, address)


def _lacking(address: StoreAddress) -> StorageError:
    told = f"{address.scheme}:// needs libraries that are not installed"
    return StorageError(str(address), f"{told}; {INSTALL}")


def _s3(address: StoreAddress) -> Any:
    try:
        from pbem.storage.store.s3 import connected
    except ImportError:
        raise _lacking(address) from None
    return connected()


def _sftp(address: StoreAddress) -> Any:
    try:
        from pbem.storage.store.ssh import connected
    except ImportError:
        raise _lacking(address) from None
    from fsspec.utils import infer_storage_options

    said = infer_storage_options(str(address))
    return connected(said["host"], said.get("port") or 22, said.get("username"))


def _any(fsspec: Any, address: StoreAddress) -> Any:
    """Return the file system of a store of a kind without its own function in this module."""
    try:
        kind = fsspec.get_filesystem_class(address.scheme)
    except (ImportError, ValueError):
        known = "pbem is tested with s3:// and sftp://"
        told = f"no library for {address.scheme}:// is installed; {known}"
        raise StorageError(str(address), told) from None
    options = kind._get_kwargs_from_urls(str(address))
    return fsspec.filesystem(address.scheme, skip_instance_cache=True, **options)
