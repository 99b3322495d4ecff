"""The deck, from the data file beside this module."""

from __future__ import annotations

from games.cards import printed

CARDS = printed("games.evolution")
