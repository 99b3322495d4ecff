"""Find out whether a line matches a sentence, when hidden cards are masked or shown as handles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine import Decision, Table, first_fit, mask
from engine.sentences.ready_lines import Said, chosen, left_by
from pbem.records.order_line import TextLine, parse_line
from pbem.records.turn import OpenLine


def line_fits(line: str, sentence: str) -> bool:
    """Return whether a line matches a sentence.

    For example, `[#4f…] on a1` matches `[?] on a1`, and `b2 attacks a*` matches `b2 attacks a1`.
    """
    return first_fit(mask(line), [mask(sentence)]) is not None


class LinesOfKind:
    """The opened plain lines of one set of orders that may settle one decision."""

    def __init__(self, table: Table[Any], decision: Decision, opened: Iterable[OpenLine]) -> None:
        """`table` is the public table, before the decision is settled."""
        self.table, self.decision = table, decision
        self.ready = table.game.ruleset.ready_lines
        parsed = [(line, parse_line(line.text)) for line in opened]
        self.lines = [(x, said) for x, said in parsed if self._mine(said)]

    def _mine(self, line: TextLine) -> bool:
        return not line.always and line.kind == self.decision.kind

    def saying(self, step: str) -> list[OpenLine]:
        """Return the lines that say this step, or that choose it from what everybody knows."""
        return [line for line, said in self.lines if self._says(said, step)]

    def holding(self, lines: Sequence[OpenLine]) -> list[OpenLine]:
        """Return the ready lines that limit what others choose, if one of `lines` is a ready
        line."""
        said = {id(line): self._read(text) for line, text in self.lines}
        if not any(said[id(line)] for line in lines):
            return []
        return [line for line, _ in self.lines if (one := said[id(line)]) and one.line.keeps]

    def _read(self, line: TextLine) -> Said | None:
        return self.ready.read(line.kind, line.sentence)

    def _says(self, line: TextLine, step: str) -> bool:
        said = self._read(line)
        if said is None:
            return line_fits(line.sentence, step)
        if said.line.own or self.decision.script:
            return False  # lines that look at hidden cards are never opened
        state, seat = self.table.state, self.decision.seat
        read = [self._read(other) for _, other in self.lines]
        holds = [one for one in read if one and one.line.keeps]
        return (
            chosen(said, state, seat, left_by(holds, state, seat, self.decision.listed())) == step
        )
