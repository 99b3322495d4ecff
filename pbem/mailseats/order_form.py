"""The order form in a turn email: the questions, with a number for each choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine import Line
from pbem.drafts.choices import MOST_FIRST, written
from pbem.drafts.offers import Offer, Question, questions, standing_questions
from pbem.play.view import View

MOST_LATER: Final = 40
"""How many choices a later question may have.

If it has more, only its choices in words are listed.
"""


class Choice(NamedTuple):
    """One choice in the form."""

    number: int
    """The number that a reply may write for the choice; 0 if the player must complete the line."""
    kind: str
    text: str
    """The order line; `{n}` in it stands for a number that the player chooses."""
    says: str
    """The line in prose; empty if the order line already says the same."""
    group: str = ""
    """The card or piece that acts, if the question's choices are grouped by it."""
    ready: bool = False
    """Whether the order line is a ready line; then `says` tells what it does."""


@dataclass
class FormQuestion:
    """One question in the form."""

    kind: str
    asks: str
    asked: bool
    script: bool
    choices: list[Choice] = field(default_factory=list)


class OrderForm:
    """The order form for the view's seat. The same view always gives the same numbers."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._number = 0
        offered = [one for one in questions(view, ()) if one.asked or self._has_choices(one)]
        self.questions = [self._question(one) for one in offered]
        self.by_number = {c.number: c for c in self.choices() if c.number}

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
        if not question.asked and len(offers) > MOST_LATER:
            offers = []
        ends = self.view.play.ruleset.kinds[question.kind].ends if question.script else ""
        if ends and question.asked and all(offer.text != ends for offer in offers):
            offers = [*offers, *self._next_steps(question)]
        offers = sorted(offers, key=lambda offer: bool(ends) and offer.text == ends)
        grouped = len({offer.group for offer in offers}) > 1 and len(offers) > len(
            {offer.group for offer in offers}
        )
        for offer in offers:
            group = offer.group if grouped and offer.group != "*" else ""
            found.choices.append(self._choice(question.kind, offer, group))
        found.choices += [
            self._choice(question.kind, offer, "", ready=True) for offer in question.words
        ]
        return found

    def _next_steps(self, question: Question) -> list[Offer]:
        """Return the choices for the second step of a list, if the list may not end after the first
        step."""
        found: dict[str, Offer] = {}
        for first in question.offers[:MOST_FIRST]:
            after = questions(self.view, [Line(0, question.kind, first.text)])
            for offer in next(one.offers for one in after if one.kind == question.kind):
                found.setdefault(offer.text, offer)
        return [one for text, one in found.items() if all(text != x.text for x in question.offers)]

    def _choice(self, kind: str, offer: Offer, group: str, *, ready: bool = False) -> Choice:
        if not offer.number:
            self._number += 1
        number = 0 if offer.number else self._number
        says = "" if _plain(offer.says) == _plain(offer.text) else offer.says
        return Choice(number, kind, offer.text, says, group, ready)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def order_file(lines: Sequence[tuple[str, str, bool]]) -> str:
    """Write an order file with these lines."""
    rows: list[str] = []
    for always in (False, True):
        kinds = dict.fromkeys(kind for kind, _, standing in lines if standing == always)
        rows += ["[always]"] if always and kinds else []
        for kind in kinds:
            texts = [written(t) for k, t, standing in lines if (k, standing) == (kind, always)]
            rows.append(f"{kind} = [{', '.join(texts)}]")
    return "\n".join(rows) + "\n"
