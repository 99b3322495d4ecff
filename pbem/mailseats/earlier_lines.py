"""Join the orders of a reply with those that the player wrote before."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Line
from pbem.drafts.read.read_draft import Draft
from pbem.mailseats.understand import Understood, drafted
from pbem.play.view import View


def draft_with_earlier(
    view: View, found: Understood, base: Sequence[Line]
) -> tuple[Draft, list[str]]:
    """The orders of a reply and the earlier lines that still fit, as a draft, checked.

    Also returns the kinds of earlier lines that no longer fit and were left out. If the reply
    alone is wrong, the draft has its errors.
    """
    whole = drafted(view, found, base)
    if not whole.errors:
        return whole, []
    standing = [line for line in base if line.always]
    kept = drafted(view, found, standing)
    if kept.errors:
        return whole, []  # the reply itself is wrong
    written = {kind for kind, _, always in found.lines if not always}
    dropped: list[str] = []
    lines = list(standing)
    for kind in dict.fromkeys(line.kind for line in base if not line.always):
        more = [*lines, *(line for line in base if line.kind == kind and not line.always)]
        tried = drafted(view, found, more)
        if not tried.errors:
            kept, lines = tried, more
        elif kind not in written:
            dropped.append(kind)
    return kept, dropped
