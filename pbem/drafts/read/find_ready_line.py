"""Find the ready line that a person's text means, such as `never attack Bo` or `plants only`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine import SKIP, Ruleset
from pbem.drafts.read.find_sentence import Meant

LEAST_WORDS = 2
"""After how many words a ready line may be cut short, if only one line begins like that."""


def exact_line(ruleset: Ruleset[Any], kind: str, text: str, names: Mapping[str, str]) -> str:
    """Return the ready line that the text is, with players' names replaced by letters.

    The answer is empty if the text is not a ready line.
    """
    said = _plain(text)
    if said == SKIP and ruleset.kinds[kind].script:
        return SKIP
    letters = {_plain(name): seat for seat, name in names.items()}
    for tried in (said, *_with_letters(said, letters)):
        if ruleset.ready_lines.read(kind, tried):
            return tried
    return ""


def stop_line(ruleset: Ruleset[Any], text: str) -> str:
    """Return the stop condition in a text, with or without "stop when" before it; else empty."""
    said = re.sub(r"^(stop )?when ", "", _plain(text))
    return said if ruleset.stop_lines.read(said) else ""


def begun_line(ruleset: Ruleset[Any], kind: str, text: str) -> Meant:
    """Find the ready lines that begin with this text, if the text has enough words."""
    said = _plain(text)
    if len(said.split(" ")) < LEAST_WORDS:
        return Meant()
    lines = [SKIP] if ruleset.kinds[kind].script else []
    lines += [x.sentence for x in ruleset.ready_lines.of(kind) if "{" not in x.sentence]
    found = [line for line in lines if line.startswith(said)]
    return Meant(found[0]) if len(found) == 1 else Meant("", tuple(found))


def _with_letters(said: str, letters: Mapping[str, str]) -> list[str]:
    ends = {name: seat for name, seat in letters.items() if said.endswith(f" {name}")}
    return [f"{said.removesuffix(name)}{seat}" for name, seat in ends.items()]


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").split()).rstrip(".")
