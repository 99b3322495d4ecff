"""Whether a line says a sentence, both as the table reads them: cards masked or behind handles."""

from __future__ import annotations

from engine import first_fit, mask


def line_fits(line: str, sentence: str) -> bool:
    """`play: [#4f…] on a1` says `[?] on a1`; `b2 attacks a*` says `b2 attacks a1`."""
    return first_fit(mask(line), [mask(sentence)]) is not None
