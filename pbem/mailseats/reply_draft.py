"""Make a draft, like that of an order file, from the lines of a reply and the lines written before
it."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Line
from pbem.drafts.read.read_draft import Draft, Note, read_draft
from pbem.mailseats.order_form import order_file
from pbem.mailseats.understand import Understood
from pbem.play.orders.check_lines import LineChecker
from pbem.play.view import View


def draft_with_earlier(
    view: View, found: Understood, base: Sequence[Line]
) -> tuple[Draft, list[str]]:
    """Join a reply's orders with the earlier lines that still fit, as a checked draft.

    Also returns the kinds whose earlier lines no longer fit and were left out. If the reply itself
    is wrong, the draft has its errors.
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


def drafted(view: View, found: Understood, base: Sequence[Line]) -> Draft:
    """Return a reply's orders as a checked draft; for each kind in the reply, they replace the
    lines in `base`."""
    plain = {kind for kind, _, always in found.lines if not always}
    standing = {kind for kind, _, always in found.lines if always}
    kept = [] if found.start_over else list(base)
    kept = [line for line in kept if line.kind not in (standing if line.always else plain)]
    lines = [(line.kind, line.text, line.always) for line in kept] + _ended(view, found)
    return read_draft(order_file(lines), view)


def _ended(view: View, found: Understood) -> list[tuple[str, str, bool]]:
    """Return the lines of a reply, and add the line that ends a list of steps wherever the list may
    end."""
    lines = list(found.lines)
    kinds = view.play.ruleset.kinds
    for kind in dict.fromkeys(kind for kind, _, always in lines if not always):
        ends = kinds[kind].ends if kind in kinds and kinds[kind].script else ""
        if ends and not any((k, t) == (kind, ends) for k, t, _ in lines):
            tried = [*(one for one in lines if one[0] == kind and not one[2]), (kind, ends, False)]
            draft = read_draft(order_file(tried), view)
            if not draft.errors and _may_end(view, draft.lines, kind):
                lines.append((kind, ends, False))
    return lines


def _may_end(view: View, lines: Sequence[Line], kind: str) -> bool:
    script = LineChecker(view.table, view.seat, lines).script(kind)
    return script is not None and bool(script.listed([]))


def suggested(view: View) -> list[Line]:
    """Return the standing orders that the rules suggest to a player who has none yet."""
    kinds = view.play.ruleset.kinds.values()
    return [Line(0, kind.name, kind.suggestion, True) for kind in kinds if kind.suggestion]


def problems(draft: Draft) -> list[tuple[str, str]]:
    """Return what is wrong with a draft, in words: what, and how to fix it."""
    return [(note.what, _hint(note)) for note in draft.errors]


def _hint(note: Note) -> str:
    return "" if "pbem " in note.hint else note.hint
