"""Accept names as people write them: `long neck` and `long-neck` mean `long_neck`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine import Ruleset
from pbem.rulecases.read_case import Case, Step

_JOINED = re.compile(r"[a-z]+(?:_[a-z]+)+")


def spelt(case: Case, ruleset: Ruleset[Any]) -> Case:
    """Return the case with every name as the game writes it; texts for people stay unchanged."""
    names = {name for text in ruleset.vocabulary for name in _JOINED.findall(text)}
    if not names:
        return case
    longest = sorted(names, key=len, reverse=True)
    loose = "|".join(name.replace("_", "[ _-]") for name in longest)
    pattern = re.compile(rf"(?<![a-z_])(?:{loose})(?![a-z_])")

    def respell(text: str) -> str:
        return pattern.sub(lambda found: re.sub("[ -]", "_", found[0]), text)

    return replace(
        case,
        position=_each(case.position, respell), shuffled=_each(case.shuffled, respell),
        steps=tuple(_step(step, respell) for step in case.steps),
        then=_each(case.then, respell), seen=_each(case.seen, respell),
    )  # fmt: skip


def _step(step: Step, respell: Callable[[str], str]) -> Step:
    """Respell the names in a step; the reasons for refusals keep their spaces, because players read
    them."""
    parts = ("after", "offers", "exactly", "answer", "default", "then", "seen")
    refuses = {respell(text): why for text, why in step.refuses.items()}
    return replace(
        step, refuses=refuses, **{part: _each(getattr(step, part), respell) for part in parts}
    )


def _each(value: Any, respell: Callable[[str], str]) -> Any:
    """Respell every text in a value, and every key of its tables."""
    if isinstance(value, str):
        return respell(value)
    if isinstance(value, list | tuple):
        return type(value)(_each(part, respell) for part in value)
    if isinstance(value, dict):
        return {respell(key): _each(part, respell) for key, part in value.items()}
    return value
