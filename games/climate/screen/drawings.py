"""The icons of Evolution and of the climate: zones, events, suns and snowflakes."""

from __future__ import annotations

from engine import Drawings, Look
from games.cards import trait_of
from games.climate.box import Box
from games.evolution.screen.drawings import FACTS, LOOKS
from games.icon_files import icons

MARKS = ("sun", "snowflake", "set_aside", "values")


def drawings(box: Box) -> Drawings:
    """Return the icons of the cards, zones and events of this box; the climate is drawn as a
    track."""
    zones = [zone.name.replace(" ", "_") for zone in box.zones]
    names = [*map(trait_of, box.cards), *FACTS, *MARKS, *zones, *box.events]
    track = Look("steps", steps=tuple(zone.name for zone in box.zones))
    return Drawings(icons(names), {**LOOKS, "set aside": Look("pile"), "climate": track})
