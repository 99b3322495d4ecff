"""Ready lines of Climate: those of Evolution, and more for second feedings."""

from __future__ import annotations

from collections.abc import Sequence

from engine import DONE, ReadyLine, Seat
from games.evolution import ready_lines
from games.evolution.sentences import FORMS
from games.evolution.table import State


def feed_if_hungry(state: State, seat: Seat, options: Sequence[str], argument: str) -> str:
    """Choose the best second feeding if the species is hungry; else choose nothing."""
    names = {FORMS.parse(option)[1].get("sp", "") for option in options} - {""}
    if not any(state.creature_named(name).hunger for name in names):
        return DONE
    return ready_lines.by_need(state, seat, options, argument)


READY_LINES = (
    *ready_lines.READY_LINES,
    ReadyLine(
        "again", "once more if it is hungry",
        "feeds a hungry species again: it attacks the best prey, or eats a plant",
        feed_if_hungry, total=True,
    ),
    ReadyLine("again", "never attack {seat}", ready_lines.NEVER_ATTACKS,
              keeps=ready_lines.sparing_options),
)  # fmt: skip
