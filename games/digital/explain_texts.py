"""The texts of ``explain`` for the app's rules."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Text
from games.evolution import presentation as evolution
from games.explain_texts import term_texts


def texts() -> Mapping[str, Text]:
    """Return the texts of the printed game, and the rules in which the app differs."""
    return {**evolution.texts(), **term_texts("games.digital", "Evolution, the app's rules")}
