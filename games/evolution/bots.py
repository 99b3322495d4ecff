"""Bots that play like people: they see what their seat sees and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine import Decision
from games.evolution.table import State


class Greedy:
    """Feeds whenever it can, grows, and hunts when it pays. A stand-in until it is written."""

    sees = True

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(
        self, state: State, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
    ) -> str:
        """See engine.bots.Bot."""
        return options[0]
