"""The order form in a turn email: the questions, with a number for each choice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from pbem.drafts.offers import Choice, Question, questions
from pbem.drafts.read import Row, check_rows
from pbem.judge.view import View

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
        self.choices: list[Choice] = []
        self.by_number: dict[int, Choice] = {}
        self.questions = [
            one  # those that are not asked need a choice besides the one that ends their list
            for one in questions(view, ())
            if one.asked or one.words or any(choice.text != one.ends for choice in one.offers)
        ]
        self.asked = [one for one in self.questions if one.asked]
        self.later = [one for one in self.questions if not one.asked]
        for question in self.questions:
            offers = [*question.offers, *(question.second if question.asked else ())]
            offers.sort(key=lambda choice: choice.text == question.ends != "")  # the end is last
            question.offers = self._numbered(offers)
            question.words = self._numbered(question.words)
        self.made = self._numbered([one for q in self.asked for one in self._made(q)])
        """What may be done with a piece that an earlier line of the same answer makes."""
        hidden = [*self.made, *(one for question in self.later for one in question.offers)]
        hidden = [] if MORE in seen else hidden
        if RULES not in seen:
            bare = [one for one in self.asked if not one.offers]
            hidden += [one for q in self.questions if q not in bare for one in q.words]
        numbers = {one.number for one in hidden}
        self.listed = {n: one for n, one in self.by_number.items() if n not in numbers}
        """The choices whose numbers the player has seen."""

    def _numbered(self, choices: Sequence[Choice]) -> list[Choice]:
        numbered = list[Choice]()
        for choice in choices:
            number = 0 if choice.takes_number else len(self.by_number) + 1
            numbered.append(replace(choice, number=number))
            if number:
                self.by_number[number] = numbered[-1]
        self.choices += numbered
        return numbered

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
