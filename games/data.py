"""Read data files that are in the same folder as a package's modules."""

from __future__ import annotations

from pkgutil import get_data


def package_data(package: str, name: str) -> str:
    """Return the text of a package's data file. Raises FileNotFoundError.

    ``importlib.resources`` would do the same, but takes longer to import than the games do.
    """
    found = get_data(package, name)
    if found is None:
        raise FileNotFoundError(f"{package}/{name}")
    return found.decode("utf-8")
