"""The order form in a turn email: the questions, with a number for each choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine import Line
from pbem.drafts.offers import MOST_FIRST, Offer, Question, questions, standing_questions
from pbem.game.view import View
from pbem.screen.tell import spaced

MOST_LISTED: Final = 40
"""If a question has more choices, its list is short: cards, and the places where they can go."""


class Choice(NamedTuple):
    """One choice in the form."""

    number: int
    """The number that a reply may write for the choice; 0 if the player must complete the line, or
    if the list of the question is short."""
    kind: str
    text: str
    """The order line; `{n}` in it stands for a number that the player chooses."""
    says: str
    """The line in prose; empty if the order line already says the same."""
    ready: bool = False
    """Whether the order line is a ready line; then `says` tells what it does."""


class ShortList(NamedTuple):
    """Many choices in short: each begins with a card or piece, and ends with a place."""

    heads: dict[int, str]
    """The cards or pieces, by the numbers that a reply may write for them."""
    places: list[str]
    """What follows them, such as `on b1`."""
    lacks: dict[str, list[str]]
    """The places that do not fit a card, by cards."""


@dataclass
class FormQuestion:
    """One question in the form."""

    kind: str
    asks: str
    asked: bool
    script: bool
    choices: list[Choice] = field(default_factory=list)
    short: ShortList | None = None
    """How the choices without a number are written in short."""


class OrderForm:
    """The order form for the view's seat. The same view always gives the same numbers."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._number = 0
        offered = [one for one in questions(view, ()) if one.asked or self._has_choices(one)]
        self.questions = [self._question(one) for one in offered]
        self.by_number = {c.number: c for c in self.choices() if c.number}
        """The choices with a number of their own."""
        short = [one.short.heads for one in self.questions if one.short]
        self.heads = {number: head for heads in short for number, head in heads.items()}
        """The cards and pieces in short lists, by their numbers."""

    @property
    def asked(self) -> list[FormQuestion]:
        """The questions that the seat is asked now."""
        return [one for one in self.questions if one.asked]

    @property
    def later(self) -> list[FormQuestion]:
        """The questions that may come later in the round."""
        return [one for one in self.questions if not one.asked]

    @property
    def standing(self) -> list[Question]:
        """The kinds of standing orders."""
        return standing_questions(self.view)

    def choices(self) -> Iterator[Choice]:
        """All choices, in their order."""
        for question in self.questions:
            yield from question.choices

    def kinds(self) -> list[str]:
        """The kinds of decision in the form: those that are asked come first."""
        return [one.kind for one in self.questions]

    def of(self, kind: str) -> list[Choice]:
        """Return the choices of one kind."""
        return [choice for choice in self.choices() if choice.kind == kind]

    def _has_choices(self, question: Question) -> bool:
        """Return whether a question has any choice besides the one that ends its list."""
        ends = self.view.play.ruleset.kinds[question.kind].ends if question.script else ""
        return bool(question.words) or any(offer.text != ends for offer in question.offers)

    def _question(self, question: Question) -> FormQuestion:
        found = FormQuestion(question.kind, question.asks, question.asked, question.script)
        offers = question.offers
        ends = self.view.play.ruleset.kinds[question.kind].ends if question.script else ""
        if ends and question.asked and all(offer.text != ends for offer in offers):
            offers = [*offers, *self._next_steps(question)]
        many = [offer for offer in offers if _place(offer.text, offer) and offer.text != ends]
        many = many if len(offers) > MOST_LISTED and _short(many, 1) else []
        steps = [offer for offer in offers if offer.text != ends or not ends]
        rest = [offer for offer in steps if offer not in many]
        if many and steps[0] in many:
            self._shorten(found, many)
        found.choices += [self._choice(question.kind, offer) for offer in rest]
        if many and found.short is None:
            self._shorten(found, many)
        last = [offer for offer in offers if offer not in steps]
        found.choices += [self._choice(question.kind, offer) for offer in last]
        found.choices += [
            self._choice(question.kind, offer, ready=True) for offer in question.words
        ]
        return found

    def _shorten(self, found: FormQuestion, many: Sequence[Offer]) -> None:
        """Add choices to a question as a short list."""
        found.short = _short(many, self._number + 1)
        self._number += len(found.short.heads) if found.short else 0
        found.choices += [_choice(0, found.kind, offer) for offer in many]

    def _next_steps(self, question: Question) -> list[Offer]:
        """Return the choices for the second step of a list, if the list may not end after the first
        step."""
        found: dict[str, Offer] = {}
        for first in question.offers[:MOST_FIRST]:
            after = questions(self.view, [Line(0, question.kind, first.text)])
            for offer in next(one.offers for one in after if one.kind == question.kind):
                found.setdefault(offer.text, offer)
        return [one for text, one in found.items() if all(text != x.text for x in question.offers)]

    def _choice(self, kind: str, offer: Offer, *, ready: bool = False) -> Choice:
        self._number += not offer.number
        return _choice(0 if offer.number else self._number, kind, offer, ready=ready)


def _choice(number: int, kind: str, offer: Offer, *, ready: bool = False) -> Choice:
    says = "" if _plain(offer.says) == _plain(offer.text) else offer.says
    return Choice(number, kind, offer.text, says, ready)


def _short(offers: Sequence[Offer], begin: int) -> ShortList | None:
    """Return these choices in short, with numbers from `begin` on; None if that is not shorter."""
    groups: dict[str, list[str]] = {}
    for offer in offers:
        groups.setdefault(spaced(offer.group), []).append(_said_place(offer))
    places = list(dict.fromkeys(place for some in groups.values() for place in some))
    lacks = {
        head: [place for place in places if place not in some] for head, some in groups.items()
    }
    if len(groups) + len(places) + sum(map(len, lacks.values())) > len(offers) // 2:
        return None
    heads = dict(enumerate(sorted(groups), begin))
    return ShortList(heads, places, {head: some for head, some in lacks.items() if some})


def _place(said: str, offer: Offer) -> str:
    """Return what follows the card or piece in a choice; empty if the choice does not begin so."""
    head = spaced(offer.group)
    rest = said.removeprefix(head) if head and said.startswith(head) else ""
    return rest.lstrip(": ") if rest[:1] in (":", " ") else ""


def _said_place(offer: Offer) -> str:
    return _place(offer.says, offer) or _place(offer.text, offer)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
