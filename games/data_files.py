"""Read data files that are in the same folder as a package's modules."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def package_data(package: str, name: str) -> str:
    """Return the text of a package's data file. Raises FileNotFoundError.

    ``importlib.resources`` and ``pkgutil`` do the same, but take long to import. The package's
    loader also finds the file if the package is in a zip archive.
    """
    module = import_module(package)
    loader: Any = module.__loader__
    content: bytes = loader.get_data(f"{module.__path__[0]}/{name}")
    return content.decode("utf-8")
