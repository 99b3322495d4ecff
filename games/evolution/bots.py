"""Bots that play like people: they see what their seat sees and nothing else."""

from __future__ import annotations

from engine import Decision
from games.evolution.table import State


class Greedy:
    """Feeds whenever it can, grows, and hunts when it pays. A stand-in until it is written."""

    def choose(self, state: State, decision: Decision, options: list[str]) -> str:
        return options[0]
