"""The order form in a turn email: the questions, with a number for each choice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from pbem.drafts.offers import Choice, Question, questions
from pbem.drafts.read import Row, check_rows
from pbem.judge.view import View

MORE_REQUEST: Final = "more"
"""The request for the choices of later questions, and for choices with new pieces."""
RULES_REQUEST: Final = "rules"
"""The request for the choices in words, which also decide later."""
_MAX_MAKERS: Final = 2
"""How many lines that make a piece are tried, to find out what may be done with it."""


class OrderForm:
    """The order form for the view's seat. The same view always gives the same numbers.

    `seen` says which lists the player has asked for: only the numbers in them count, and those of
    the question that is asked now. A choice has no number if the player must complete its line.
    """

    def __init__(self, view: View, requested_lists: Collection[str] = ()) -> None:
        self.view = view
        self.choices: list[Choice] = []
        self.choices_by_number: dict[int, Choice] = {}
        self.listed_choices: dict[int, Choice] = {}
        """The choices whose numbers the player has seen."""
        self.questions = [
            question  # those that are not asked need a choice besides the one that ends their list
            for question in questions(view, ())
            if question.is_asked
            or question.words
            or any(c.text != question.ends for c in question.offers)
        ]
        self.asked_questions = [question for question in self.questions if question.is_asked]
        self.later_questions = [question for question in self.questions if not question.is_asked]
        for question in self.questions:
            offers = [*question.offers, *(question.second_choices if question.is_asked else ())]
            offers.sort(key=lambda choice: choice.text == question.ends != "")  # the end is last
            question.offers = self._number_choices(
                offers, question.is_asked or MORE_REQUEST in requested_lists
            )
            needs_words = question.is_asked and not offers
            question.words = self._number_choices(
                question.words, needs_words or RULES_REQUEST in requested_lists
            )
        self.piece_choices = self._number_choices(
            [c for q in self.asked_questions for c in self._piece_choices(q)],
            MORE_REQUEST in requested_lists,
        )
        """What may be done with a piece that an earlier line of the same answer makes."""

    def _number_choices(self, choices: Sequence[Choice], is_listed: bool) -> list[Choice]:
        numbered = list[Choice]()
        for choice in choices:
            number = 0 if choice.takes_number else len(self.choices_by_number) + 1
            numbered.append(replace(choice, number=number))
            self.choices_by_number |= {number: numbered[-1]} if number else {}
            self.listed_choices |= {number: numbered[-1]} if number and is_listed else {}
        self.choices += numbered
        return numbered

    def _piece_choices(self, question: Question) -> list[Choice]:
        makers = {choice.group: choice for choice in question.offers if choice.makes}
        known_texts = {choice.text for choice in question.offers}
        choices = dict[str, Choice]()
        for maker in list(makers.values())[:_MAX_MAKERS]:
            lines = check_rows(self.view, [Row(maker.kind, maker.text)]).lines
            for later_question in questions(self.view, lines):
                for choice in later_question.offers if later_question.kind == question.kind else ():
                    if choice.text not in known_texts and maker.makes in choice.names:
                        choices.setdefault(choice.text, choice)
        return list(choices.values())
