"""Read data files that are in the same folder as a package's modules, and our icons for pictures:
`games/icons` has a file for each card and fact, of 24 by 24 units.

The icons are our own drawings, under the licence of the project, and not copies of printed cards.
"""

from __future__ import annotations

from collections.abc import Iterable
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


ICON_SYNONYMS = {
    "carnivorous": "carnivore",
    "discard_pile": "discards",
    "freezing": "snowflake",
    "herding": "defensive_herding",
    "hibernation_ability": "hibernation",
    "hot": "sun",
    "starting_player": "first_player",
}
"""The names that use the icon of a different name, and that name."""


def icons(names: Iterable[str]) -> dict[str, str]:
    """Return the SVG text of these icons, by name. A name without a drawing is left out.

    Such a name can be an event in a card file that a player has written.
    """
    svg_by_name = {}
    for name in sorted(set(names)):
        try:
            svg_by_name[name] = package_data("games", f"icons/{ICON_SYNONYMS.get(name, name)}.svg")
        except FileNotFoundError:
            continue
    return svg_by_name
