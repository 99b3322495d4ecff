"""Decide whether an answer is legal, which means that it is one of the listed options."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from engine.decisions import Decision
from engine.log import ALL, Seat
from engine.sentences.cards_in_brackets import UNKNOWN
from engine.sentences.lazy_card_options import Offers
from engine.sentences.sentence_forms import Unreadable


class ImpossibleStep(ValueError):
    """Raised for a step that is not possible after the steps before it; the message is the step."""


class NotInHand(str):
    """The reason that a sentence uses a card which its seat does not have in hand."""

    __slots__ = ()


@lru_cache(4096)
def _pattern(option: str) -> re.Pattern[str]:
    return re.compile(re.escape(option).replace(r"\?", r"(\?|[^][;:?]+)"))


def fits(options: Iterable[str], text: str, cards: Container[str]) -> bool:
    """Return whether the options list this sentence.

    ``?`` in an option stands for ``?``, or for any of ``cards``: the printed cards, and the words
    that a ruleset lets it stand for.
    """
    wild = set()
    for option in options.distinct_sentences() if isinstance(options, Offers) else options:
        if option == text:
            return True
        if UNKNOWN in option:
            wild.add(option)  # each card of an unknown hand lists the same options
    matches = (match for option in wild if (match := _pattern(option).fullmatch(text)))
    return any(all(g == UNKNOWN or g in cards for g in match.groups()) for match in matches)


def filled(option: str, text: str) -> list[str]:
    """Return the cards or words that replace each ``?`` of the option in the sentence. Raises
    ValueError if they do not match."""
    match = _pattern(option).fullmatch(text)
    if match is None:
        raise ValueError(f"the answer {text!r} does not fit the option {option!r}")
    return list(match.groups())


def why_not(decision: Decision, text: str, viewpoint: Seat, cards: Container[str]) -> str | None:
    """Return the reason why this answer is refused on this viewpoint's table; None if the answer is
    legal.

    ``cards`` are all texts that ``?`` in an option may stand for (see `fits`). If hidden cards are
    involved, a table that does not know them accepts every legal answer and may accept an illegal
    one until the cards are known. The owner's table and the full table accept only legal answers.
    """
    # only these two tables know the hidden cards; an answer without hidden cards has no owner
    if UNKNOWN in text and viewpoint in (ALL, decision.to or ALL):
        return "you must say which of your cards you mean"
    if decision.script:
        reason = _why_not_script(decision, text, cards)
    else:
        is_listed = fits(decision.options(*decision.args), text, cards)
        reason = None if is_listed else _refusal(decision, text)
    return reason or (decision.veto(text) if decision.veto else None)


def _why_not_script(decision: Decision, text: str, cards: Container[str]) -> str | None:
    """Say why a script is refused: the script does not end as it must, or a step is not among the
    options after the earlier steps. Steps are numbered from 1. None if the script is legal."""
    steps = text.split("; ")
    if steps[-1] != decision.ends or decision.ends in steps[:-1]:
        return f"a list of steps must end with {decision.ends!r}"
    for i in range(len(steps)):
        if reason := why_not_step(decision, steps[:i], steps[i], cards):
            return f"step {i + 1}: {reason}"
    return None


def why_not_step(
    decision: Decision, earlier_steps: Sequence[str], step: str, cards: Container[str]
) -> str | None:
    """Say why this step may not follow the earlier steps of a script; None if the step is legal."""
    if fits(decision.options(*decision.args, earlier_steps), step, cards):
        return None
    return _refusal(decision, step, earlier_steps)


def _refusal(decision: Decision, text: str, earlier_steps: Sequence[str] = ()) -> str:
    return reason_of(decision, text, earlier_steps) or f"{text!r} is not possible"


def reason_of(decision: Decision, text: str, earlier_steps: Sequence[str] = ()) -> str | None:
    """Return the reason that the rules give why a sentence, or a step of a script after these
    earlier steps, is not among the options; None if they give none."""
    if decision.why is None:
        return None
    with suppress(Unreadable):
        return decision.why(text, earlier_steps) if decision.script else decision.why(text)
    return None


def forced(decision: Decision) -> bool:
    """Return whether only one option is listed; each unknown card counts as a separate option.

    Ask only the public table, so that a skipped question never reveals what somebody has in hand: a
    player with three cards is asked, even if all three are equal.
    """
    if decision.script:  # its answer is a list of steps, and each step has other options
        return False
    options = decision.options(*decision.args)
    if isinstance(options, Offers):  # count the sentences without writing them
        return len(options) == 1
    return len(list(islice(options, 2))) == 1
