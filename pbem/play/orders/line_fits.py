"""Tell whether a line fits a sentence, as the table reads both: cards masked or as handles."""

from __future__ import annotations

from engine import first_fit, mask


def line_fits(line: str, sentence: str) -> bool:
    """Whether it fits: `[#4f…] on a1` fits `[?] on a1`; `b2 attacks a*` fits `b2 attacks a1`."""
    return first_fit(mask(line), [mask(sentence)]) is not None
