"""Our icons for pictures: `games/icons` has a file of 24 by 24 units for each card and fact.

They are our own drawings, under the licence of the project, and no copies of printed cards.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.data import package_data

SAME = {
    "carnivorous": "carnivore",
    "discard_pile": "discards",
    "freezing": "snowflake",
    "herding": "defensive_herding",
    "hibernation_ability": "hibernation",
    "hot": "sun",
    "starting_player": "first_player",
    "turn": "round",
}
"""Names that share the icon of a different name."""


def icons(names: Iterable[str]) -> dict[str, str]:
    """The SVG text of these icons, by name. A name that we have not drawn is left out.

    Such a name can be an event in the card file of a player who owns the box.
    """
    found = {}
    for name in sorted(set(names)):
        try:
            found[name] = package_data("games", f"icons/{SAME.get(name, name)}.svg")
        except FileNotFoundError:
            continue
    return found
