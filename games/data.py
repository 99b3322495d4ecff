"""Read data files that are in the same folder as a package's modules."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def package_data(package: str, name: str) -> str:
    """Return the text of a package's data file. Raises FileNotFoundError.

    ``importlib.resources`` and ``pkgutil`` do the same, but take long to import. The package's
    loader also finds the file if the package is in a zip archive.
    """
    found = import_module(package)
    loader: Any = found.__loader__
    data: bytes = loader.get_data(f"{found.__path__[0]}/{name}")
    return data.decode("utf-8")
