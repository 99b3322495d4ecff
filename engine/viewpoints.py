"""Viewpoints: whose knowledge a table or a view shows."""

from __future__ import annotations

Seat = str
"""A seat's letter, or one of CHANCE, PUBLIC, ALL."""

CHANCE = "*"
"""The seat to which dice and decks belong."""
PUBLIC = ""
"""The viewpoint of the table: what everybody may see."""
ALL = "ALL"
"""The viewpoint that sees everything: the referee's, or anybody's after the game."""
