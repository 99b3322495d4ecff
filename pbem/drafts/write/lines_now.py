"""Find out what each line of orders would choose for the question that is open now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import PUBLIC, Decision, Line, Ruleset, bare, first_fit
from engine.sentences.ready_lines import chosen
from pbem.drafts.choices import written
from pbem.screen.tell_entries import spaced


def lines_now(
    ruleset: Ruleset[Any], state: Any, decision: Decision, lines: Sequence[Line]
) -> list[str]:
    """Say what each line would choose if it were alone: `"plants only" → a1 eats`."""
    if decision.script:
        return []
    options = decision.listed()
    return [
        f"{written(line.text)} → {_now(ruleset, state, decision, options, line)}" for line in lines
    ]


def _now(
    ruleset: Ruleset[Any], state: Any, decision: Decision, options: list[str], line: Line
) -> str:
    said = ruleset.ready_lines.read(line.kind, line.text)
    if said is None:
        found = first_fit(line.text, options)
    elif said.line.keeps:
        kept = said.line.keeps(state.clone(PUBLIC), decision.seat, options, said.argument)
        left_out = len(options) - len(kept) if kept else 0
        return (
            f"leaves out {left_out} of {len(options)} choices" if left_out else "leaves out nothing"
        )
    else:
        found = chosen(said, state, decision.seat, options)
    return spaced(bare(found)) if found else "nothing: it is not possible now"
