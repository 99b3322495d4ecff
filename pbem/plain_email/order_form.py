"""The order form in a turn email: the questions, with a number for each choice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from pbem.drafts.offers import Choice, Question, questions
from pbem.drafts.read import Row, check_rows
from pbem.judge.view import View

MORE: Final = "more"
"""The request for the choices of later questions, and for choices with new pieces."""
RULES: Final = "rules"
"""The request for the choices in words, which also decide later."""
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
        self.listed: dict[int, Choice] = {}
        """The choices whose numbers the player has seen."""
        self.questions = [
            question  # those that are not asked need a choice besides the one that ends their list
            for question in questions(view, ())
            if question.is_asked
            or question.words
            or any(c.text != question.ends for c in question.offers)
        ]
        self.asked = [question for question in self.questions if question.is_asked]
        self.later = [question for question in self.questions if not question.is_asked]
        for question in self.questions:
            offers = [*question.offers, *(question.second_choices if question.is_asked else ())]
            offers.sort(key=lambda choice: choice.text == question.ends != "")  # the end is last
            question.offers = self._numbered(offers, question.is_asked or MORE in seen)
            needs_words = question.is_asked and not offers
            question.words = self._numbered(question.words, needs_words or RULES in seen)
        self.made = self._numbered([c for q in self.asked for c in self._made(q)], MORE in seen)
        """What may be done with a piece that an earlier line of the same answer makes."""

    def _numbered(self, choices: Sequence[Choice], is_listed: bool) -> list[Choice]:
        numbered = list[Choice]()
        for choice in choices:
            number = 0 if choice.takes_number else len(self.by_number) + 1
            numbered.append(replace(choice, number=number))
            self.by_number |= {number: numbered[-1]} if number else {}
            self.listed |= {number: numbered[-1]} if number and is_listed else {}
        self.choices += numbered
        return numbered

    def _made(self, question: Question) -> list[Choice]:
        makers = {choice.group: choice for choice in question.offers if choice.makes}
        known = {choice.text for choice in question.offers}
        made = dict[str, Choice]()
        for maker in list(makers.values())[:_MOST_MAKERS]:
            lines = check_rows(self.view, [Row(maker.kind, maker.text)]).lines
            for later in questions(self.view, lines):
                for choice in later.offers if later.kind == question.kind else ():
                    if choice.text not in known and maker.makes in choice.names:
                        made.setdefault(choice.text, choice)
        return list(made.values())
