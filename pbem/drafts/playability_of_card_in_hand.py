"""Sentences on a card in hand: whether the seat can play the card now, and why not."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final

from engine import Line, Ruleset, bare, reason_of
from pbem.drafts.questions_and_choices import pieces_in
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import LineChecker
from pbem.terminal.game_prose import spaced

MAX_REASONS: Final = 4
TRAIT_SEPARATOR: Final = "/"
"""The character between the names of a card's two traits."""


def about_card(view: View, lines: Sequence[Line], card: str) -> list[str]:
    """Return sentences on a card in hand: whether the seat can play it now, after these lines, and
    reasons why some ways to play it are not possible."""
    ruleset, checker = view.play.ruleset, LineChecker(view.table, view.seat, lines)
    is_usable, reasons = False, dict[str, None]()
    for kind, open_decision in checker.decisions_by_kind.items():
        decision = (checker.script(kind) if ruleset.kinds[kind].script else None) or open_decision
        done_steps = [line.text for line, _ in checker.carried_out(kind)] if decision.script else []
        if decision.ends in done_steps:
            continue
        steps = [done_steps] if decision.script else []
        options = decision.option_list(*steps)
        pieces = {name for name in pieces_in(ruleset, options) if name.startswith(view.seat)}
        for text in _with_card(ruleset, card, pieces):
            is_usable = is_usable or text in options
            # a sentence about a card with two traits must say which, so this one is no use of it
            if text in options or TRAIT_SEPARATOR in card:
                continue
            if reason := reason_of(decision, text, done_steps):
                reasons[spaced(bare(reason))] = None
    reason_text = "; ".join([*reasons][:MAX_REASONS])
    if is_usable:
        return [
            "You can play it now.",
            *([(f"Not every use is possible: {reason_text}.")] if reason_text else []),
        ]
    open_questions = [ruleset.kinds[kind].question for kind in checker.decisions_by_kind]
    reason_text = reason_text or (
        f"you are asked for {', '.join(open_questions)}"
        if open_questions
        else "you are not asked anything"
    )
    return [f"You cannot play it now: {reason_text}."]


def _with_card(ruleset: Ruleset[Any], card: str, pieces: Collection[str]) -> list[str]:
    """Return every sentence that is about the card, or about the card and one of the pieces."""
    sentences = []
    for form, template in ruleset.forms.templates.items():
        fields = set(re.findall(r"{(\w+)}", template))
        if fields == {"card"}:
            sentences.append(ruleset.forms.say(form, card=card))
        elif fields == {"card", "sp"}:
            sentences += [ruleset.forms.say(form, card=card, sp=name) for name in sorted(pieces)]
    return sentences
