"""Choices with numbers, as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.frozen import frozen
from pbem.screen.tell_entries import spaced
from pbem.screen.terminal import clean, fold

if TYPE_CHECKING:
    from pbem.drafts.offers import Offer, Question

MANY = 24
"""The most choices in one list; if there are more, the user first chooses a card or a piece."""


@frozen
class Choice:
    """One numbered line of a menu: an offer, or a group of offers to be opened."""

    says: str
    offer: Offer | None = None
    group: Sequence[Offer] = ()


def choices(question: Question, group: Sequence[Offer] = ()) -> list[tuple[str, list[Choice]]]:
    """Return the numbered choices of a question, under headings; `group` limits them to these
    offers."""
    if group:
        return [("", [_choice(offer) for offer in group])]
    groups: dict[str, list[Offer]] = {}
    for offer in question.offers:
        groups.setdefault("" if offer.group == "*" else offer.group, []).append(offer)
    found: list[tuple[str, list[Choice]]] = []
    if len(question.offers) > MANY and len(groups) > 2:
        found.append(("", [_grouped(name, some) for name, some in groups.items()]))
    else:
        headed = any(len(some) > 1 for name, some in groups.items() if name) and len(groups) > 1
        for name, some in sorted(groups.items(), key=lambda one: one[0] == ""):
            title = (spaced(name) or "or") if headed else ""
            found.append((title, [_choice(offer) for offer in some]))
    if question.words:
        found.append(("in words", [_choice(offer) for offer in question.words]))
    return found


def _choice(offer: Offer) -> Choice:
    text = clean(offer.text).replace("{n}", "N")
    says = clean(offer.says).replace("{n}", "N")
    same = says.lower() == text.lower() or not says
    return Choice(text if same else says if offer.group else f"{text}: {says}", offer)


def _grouped(name: str, offers: Sequence[Offer]) -> Choice:
    if len(offers) == 1:
        return _choice(offers[0])
    return Choice(f"{spaced(name) or 'other'} … ({len(offers)} choices)", group=offers)


def menu_lines(found: Sequence[tuple[str, Sequence[Choice]]], width: int) -> list[str]:
    """Return the menu as lines that fit the width."""
    lines: list[str] = []
    number, wide = 0, len(str(sum(len(some) for _, some in found)))
    for title, some in found:
        lines += [f"  {title}:"] if title else []
        for choice in some:
            number += 1
            head = f"  {number:>{wide + 1}}  "
            lines += fold(f"{head}{choice.says}", width, len(head))
    return lines
