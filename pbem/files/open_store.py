"""Open the store at an address, by the module for its scheme."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from pbem.files.file_errors import StorageError
from pbem.files.game_folder_places import S3_SCHEMES, Place
from pbem.files.store_errors import translate_store_errors
from pbem.files.store_interface import Store
from pbem.missing_libraries import install_command_for

ENTRY_POINT_GROUP: Final = "pbem.stores"
"""The group in which packages offer functions that open stores, each under the scheme of its
addresses. Such a function takes an address and returns a Store."""
FALLBACK_ENTRY: Final = "any"
"""The name of the entry point for schemes without their own."""


def connect(place: Place, ignores_conditions: bool = False) -> Store:
    """Return the store at a place. For `ignores_conditions`, see Store. Raises StorageError."""
    address = str(place)
    scheme = address.partition("://")[0]
    with translate_store_errors(address):
        try:
            if scheme in S3_SCHEMES:
                from pbem.files import s3_store

                return s3_store.open_store(address, ignores_conditions)
            return _opener(scheme)(address)
        except ImportError as error:
            sentence = f"{scheme}:// needs libraries that are not installed"
            own_libraries = ("fsspec", "s3fs", "paramiko")
            is_known = error.name in {*own_libraries, "aiobotocore", None}
            install = install_command_for(*(own_libraries if is_known else (str(error.name),)))
            raise StorageError(address, f"{sentence}; install them: {install}") from None


@cache
def _opener(scheme: str) -> Callable[[str], Store]:
    """Return the function that opens addresses with this scheme, such as `sftp`; installed packages
    offer it as an entry point. Raises StorageError if none does."""
    from importlib.metadata import entry_points

    points = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    point = points.get(scheme) or points.get(FALLBACK_ENTRY)
    if point is None:
        sentence = (
            "no installed package can open such an address; install pbem again, or the package "
            "for this kind of address"
        )
        raise StorageError(f"{scheme}://", sentence)
    opener: Callable[[str], Store] = point.load()
    return opener
