"""The deck of printed cards, read from the data file beside this module."""

from __future__ import annotations

from games.food_number_cards import printed_cards

CARDS = printed_cards("games.evolution")
