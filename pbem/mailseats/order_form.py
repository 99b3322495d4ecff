"""The order form in a turn email: the questions, with a number for each choice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from pbem.drafts.offers import Choice, Question, questions, standing_questions
from pbem.drafts.read import Row, check_rows
from pbem.game.view import View

MORE: Final = "more"
"""What a player writes to see the choices of later questions, and those that a line makes."""
RULES: Final = "rules"
"""What a player writes to see the choices in words, which also decide later."""
_MOST_MAKERS: Final = 2
"""How many lines that make a piece are tried, to find out what may be done with it."""


class OrderForm:
    """The order form for the view's seat. The same view always gives the same numbers.

    `seen` says which lists the player has asked for: only the numbers in them count, and those of
    the question that is asked now. A choice has no number if the player must complete its line.
    """

    def __init__(self, view: View, seen: Collection[str] = ()) -> None:
        self.view = view
        self._number = 0
        self.questions = [
            one  # those that are not asked need a choice besides the one that ends their list
            for one in questions(view, ())
            if one.asked or one.words or any(choice.text != one.ends for choice in one.offers)
        ]
        for question in self.questions:
            offers = [*question.offers, *(question.second if question.asked else ())]
            last = [choice for choice in offers if choice.text == question.ends != ""]
            steps = [choice for choice in offers if choice not in last]
            question.offers = self._numbered([*steps, *last])
            question.words = self._numbered(question.words)
        self.made = self._numbered([one for q in self.asked for one in self._made(q)])
        """What may be done with a piece that an earlier line of the same answer makes."""
        self.by_number = {one.number: one for one in self.choices() if one.number}
        hidden = {choice.number for choice in self.made}
        hidden |= {choice.number for question in self.later for choice in question.offers}
        hidden = set[int]() if MORE in seen else hidden
        if RULES not in seen:
            bare = [one for one in self.asked if not one.offers]
            hidden |= {c.number for one in self.questions if one not in bare for c in one.words}
        self.listed = {n: one for n, one in self.by_number.items() if n not in hidden}
        """The choices whose numbers the player has seen."""

    @property
    def asked(self) -> list[Question]:
        """The questions that the seat is asked now."""
        return [one for one in self.questions if one.asked]

    @property
    def later(self) -> list[Question]:
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
        yield from self.made

    def _numbered(self, choices: Sequence[Choice]) -> list[Choice]:
        found = list[Choice]()
        for choice in choices:
            self._number += not choice.takes_number
            found.append(replace(choice, number=0 if choice.takes_number else self._number))
        return found

    def _made(self, question: Question) -> list[Choice]:
        makers = {choice.group: choice for choice in question.offers if choice.makes}
        known = {choice.text for choice in question.offers}
        found = dict[str, Choice]()
        for choice in list(makers.values())[:_MOST_MAKERS]:
            lines = check_rows(self.view, [Row(choice.kind, choice.text)]).lines
            for after in questions(self.view, lines):
                for one in after.offers if after.kind == question.kind else ():
                    if one.text not in known and choice.makes in one.names:
                        found.setdefault(one.text, one)
        return list(found.values())
