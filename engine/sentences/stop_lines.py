"""Stop lines: they say when standing orders stop answering and their seat is asked again.

Examples: ``attacked``, ``food at or below 3``. A seat writes them among its standing orders. After
every entry of the log, each stop line is checked against what everybody knows. It is first checked
at the beginning of the round, or when the orders were accepted if that was later. A condition that
is true at that moment stops nothing until it has been false. When the next round begins, all lines
count again.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from engine.log import PUBLIC, Entry, Seat
from engine.sentences.ready_lines import sentence_pattern
from engine.value_classes import Value

STOP = "stop"
"""The word that a stop line has instead of a kind: ``always stop: attacked``."""


class Moment(Value):
    """The public knowledge when a stop line is checked."""

    seat: Seat
    start_state: Any
    """The state when the line began to count."""
    now: Any
    """The state now."""
    happened: Sequence[Entry]
    """The entries of the log since the line began to count."""
    argument: str
    """The number that the line was given, in digits; empty if it has none."""


class StopLine(Value):
    """One condition that a ruleset offers for stop lines."""

    sentence: str
    """The condition as people write it after "stop when"; ``{n}`` stands for a number."""
    description: str
    true: Callable[[Moment], bool]
    """Tells whether the condition is true at this moment."""


class StopLines:
    """All stop lines of a ruleset."""

    def __init__(self, lines: Iterable[StopLine] = ()) -> None:
        self.lines = tuple(lines)

    @cached_property
    def _patterns(self) -> list[tuple[StopLine, re.Pattern[str]]]:
        return [(line, sentence_pattern(line.sentence)) for line in self.lines]

    def read(self, text: str) -> tuple[StopLine, str] | None:
        """Read a text as a stop line and its argument; None if it is not one."""
        for line, pattern in self._patterns:
            if match := pattern.fullmatch(text):
                return line, match[1] if match.groups() else ""
        return None


class Watch:
    """Follows the log to find out when the conditions of one seat's stop lines come true."""

    def __init__(self, lines: Iterable[tuple[StopLine, str]], seat: Seat, state: Any) -> None:
        """Begin to watch these stop lines, each with its argument; ``state`` is the state in which
        the orders are accepted, from any table: only its public part is used."""
        self.lines, self.seat = tuple(lines), seat
        self.stopped: list[str]
        """The conditions that came true since the lines began to count."""
        self._start_state: Any
        """The public state when the lines began to count."""
        self._happened: list[Entry]
        """The entries since then, as everybody sees them."""
        self._armed: list[bool]
        """For each line, whether its condition was false when it was last checked. Only then can
        it stop the standing orders by coming true."""
        self._begin(state)

    def entered(self, entry: Entry, state: Any) -> None:
        """Check all stop lines after an entry; ``state`` is the state after it. With the first
        entry of a new round, they begin anew."""
        if state.round != self._start_state.round:
            self._begin(state)
            return
        self._happened.append(entry.masked_for(PUBLIC))
        now = state.clone(PUBLIC)
        for index, (line, argument) in enumerate(self.lines):
            is_true = line.true(self._moment(now, argument))
            if is_true and self._armed[index]:
                self.stopped.append(line.sentence.replace("{n}", argument))
            self._armed[index] = not is_true

    def _begin(self, state: Any) -> None:
        """Let the lines begin to count, with this state as their start."""
        self._start_state = state.clone(PUBLIC)
        self._happened = []
        self.stopped = []
        self._armed = [
            not x.true(self._moment(self._start_state, argument)) for x, argument in self.lines
        ]

    def _moment(self, now: Any, argument: str) -> Moment:
        return Moment(self.seat, self._start_state, now, self._happened, argument)
