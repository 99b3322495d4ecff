"""The opened lines of orders that may settle a decision, as everybody can tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine import (
    Decision,
    Table,
    first_fit,
    mask,
)
from engine.sentences.ready_lines import ReadyCall, chosen_option, remaining_options
from pbem.records.orders import parse_line
from pbem.records.turn import OpenLine


def line_fits(line: str, sentence: str) -> bool:
    """Return whether a line matches a sentence.

    >>> line_fits("[#4f] on a1", "[?] on a1"), line_fits("b2 attacks a*", "b2 attacks a1")
    (True, True)
    """
    return first_fit(mask(line), [mask(sentence)]) is not None


class LinesOfKind:
    """The opened plain lines of one set of orders that may settle one decision.

    Everybody can ask it, because it uses only the public table. `limits` are ready lines such as
    "never attack b": they choose nothing, but take options away from the other ready lines.
    """

    def __init__(
        self,
        table: Table[Any],
        decision: Decision,
        openings: Iterable[OpenLine],
        is_always: bool = False,
    ) -> None:
        """Select from `openings`, all opened lines of the set, those that are plain and of the
        decision's kind; with `is_always`, the standing orders. `table` is the public table, before
        the decision is settled."""
        self.table, self.decision = table, decision
        read = table.game.ruleset.ready_lines.read
        self.lines = list[tuple[OpenLine, str, ReadyCall | None]]()
        """Each opening with its sentence and, for a ready line, its ready call."""
        for opening in openings:
            line = parse_line(opening.text)
            if line.kind == decision.kind and line.always == is_always:
                self.lines.append((opening, line.text, read(line.kind, line.text)))
        self.limits = [call for _, _, call in self.lines if call and call.line.keeps]
        """The ready calls that limit what other ready lines choose."""

    def find_lines(self, step: str) -> list[OpenLine]:
        """Return the lines that name this step, and the ready lines that choose it from public
        facts."""
        return [opening for opening, text, call in self.lines if self._is_step(text, call, step)]

    def find_limits(self, lines: Sequence[OpenLine]) -> list[OpenLine]:
        """Return the ready lines that limit the choice of other ready lines, if one of `lines` is
        ready. Then they helped to settle the step for which `find_lines` returned `lines`."""
        if not any(call and any(opening is x for x in lines) for opening, _, call in self.lines):
            return []
        return [opening for opening, _, call in self.lines if call and call.line.keeps]

    def _is_step(self, text: str, ready_call: ReadyCall | None, step: str) -> bool:
        """Return whether a line settles the decision with this step: `text` is its sentence;
        `ready_call` is None unless it is a ready line."""
        if ready_call is None:
            return line_fits(text, step)
        if ready_call.line.reads_hand or self.decision.script:
            return False  # lines that look at hidden cards are never opened
        state, seat = self.table.state, self.decision.seat
        options = remaining_options(self.limits, state, seat, self.decision.option_list())
        return chosen_option(ready_call, state, seat, options) == step
