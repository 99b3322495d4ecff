"""Tell whether a line matches a sentence; both have hidden cards masked or as handles."""

from __future__ import annotations

from engine import first_fit, mask


def line_fits(line: str, sentence: str) -> bool:
    """Whether it matches: `[#4f…] on a1` and `[?] on a1`; `b2 attacks a*` and `b2 attacks a1`."""
    return first_fit(mask(line), [mask(sentence)]) is not None
