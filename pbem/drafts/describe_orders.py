"""Describe orders in prose, for a check before they are sealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import (
    DONE,
    SKIP,
    STOP,
    Line,
)
from pbem.drafts.questions_and_choices import (
    new_piece,
    pieces_in,
)
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import LineChecker
from pbem.terminal.game_prose import Teller

ASKED_AGAIN_CLAUSE = "then you are asked again"
SUGGESTED_CLAUSE = " (as pbem suggests)"


def describe_orders(view: View, lines: Sequence[Line]) -> list[str]:
    """Write orders as prose, a line for each kind: `play: fat 2 on b1; climbing 2 on b2`."""
    prose_by_number, kinds = prose_by_line_number(view, lines), view.play.ruleset.kinds
    checker = LineChecker(view.table, view.seat, lines)
    rows = []
    order = dict.fromkeys(line.kind for line in lines)
    for kind, always in [*((kind, False) for kind in order), *((kind, True) for kind in order)]:
        kind_lines = [line for line in lines if (line.kind, line.always) == (kind, always)]
        if not kind_lines:
            continue
        if kind == STOP:
            prose = f"when {', or '.join(line.text for line in kind_lines)}, you are asked again"
        elif kinds[kind].script and not always:
            prose = _describe_steps(
                kind_lines, prose_by_number, kinds[kind].ends, checker.is_single_answer(kind)
            )
        else:
            prose = _describe_policy(view, kind_lines, prose_by_number)
            if always and [line.text for line in kind_lines] == [kinds[kind].suggestion]:
                prose += SUGGESTED_CLAUSE
        rows.append(f"{'always ' if always else ''}{kind}: {prose}")
    return rows or ["no orders: the referee only learns that you are here"]


def _describe_steps(
    kind_lines: Sequence[Line], prose_by_number: Mapping[int, str], end: str, is_single_answer: bool
) -> str:
    """Write the steps of a list as one phrase, from each line's prose by its number. ``end`` is the
    line that ends the list; ``is_single_answer`` says that the list does not count without it."""
    lines = [line for line in kind_lines if line.text != SKIP]
    steps = [prose_by_number[line.number] for line in lines if line.text != DONE or len(lines) == 1]
    if end not in [line.text for line in lines]:
        steps.append(
            f'but these lines count only if the last one is "{end}"'
            if is_single_answer
            else ASKED_AGAIN_CLAUSE
        )
    return "; ".join(
        [*steps, *(["pbem leaves out what is not possible"] if lines != kind_lines else [])]
    )


def _describe_policy(
    view: View, kind_lines: Sequence[Line], prose_by_number: Mapping[int, str]
) -> str:
    """Write these lines as one phrase; those that limit other lines come last."""
    read_line = view.play.ruleset.ready_lines.read
    limits = {
        x.number for x in kind_lines if (call := read_line(x.kind, x.text)) and call.line.keeps
    }
    choices_in_turn = ", else ".join(
        prose_by_number[line.number] for line in kind_lines if line.number not in limits
    )
    return "; ".join(
        filter(
            None,
            [
                choices_in_turn,
                *(prose_by_number[x.number] for x in kind_lines if x.number in limits),
            ],
        )
    )


def prose_by_line_number(view: View, lines: Sequence[Line]) -> dict[int, str]:
    """Write each line as prose, by its number: `climbing 2 for a new species b2`."""
    ruleset, teller = view.play.ruleset, Teller(view.play.ruleset, view.names)
    new_piece_names, prose_by_number = _new_pieces(view, lines), {}
    for line in lines:
        ready_call = None if line.kind == STOP else ruleset.ready_lines.read(line.kind, line.text)
        if line.kind == STOP:
            prose_by_number[line.number] = f"when {line.text}, you are asked again"
        elif ruleset.kinds[line.kind].script and not line.always:
            skips = line.text == SKIP
            prose_by_number[line.number] = (
                SKIP if skips else teller.order(line.text, new_piece_names.get(line.number, ""))
            )
        elif ready_call:
            name = teller.names.get(ready_call.argument, ready_call.argument)
            prose_by_number[line.number] = ready_call.line.describe(name)
        else:
            prose_by_number[line.number] = teller.order(line.text)
    return prose_by_number


def _new_pieces(view: View, lines: Sequence[Line]) -> dict[int, str]:
    """Return the name of the piece that each line makes, by the line's number, as far as names are
    known."""
    ruleset, checker = view.play.ruleset, LineChecker(view.table, view.seat, lines)
    making_forms = {
        form for form, template in ruleset.prose().orders.items() if "{new}" in template
    }
    names: dict[int, str] = {}
    for kind in {line.kind for line in lines if line.kind != STOP}:
        script = checker.script(kind) if ruleset.kinds[kind].script else None
        known_pieces = pieces_in(ruleset, script.option_list([])) if script else set()
        for line, options in checker.carried_out(kind) if script else ():
            if ruleset.forms.read(line.text)[0] in making_forms:
                names[line.number] = new_piece(ruleset, known_pieces, options)
            known_pieces |= pieces_in(ruleset, options)
    return names
