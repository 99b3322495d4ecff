"""The order form in a turn email: the questions, with a number for each choice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from pbem.drafts.checked_rows import Row, check_rows
from pbem.drafts.questions_and_choices import Choice, Question, questions
from pbem.judge.game_view import View

MORE_REQUEST: Final = "more"
"""The request for the choices of later questions, and for choices with new pieces."""
RULES_REQUEST: Final = "rules"
"""The request for the choices in words, which also decide later."""
_MAX_MAKERS: Final = 2
"""The most order lines that make a piece that are tried to find the choices for this piece."""


class OrderForm:
    """The order form for the view's seat. The same view always gives the same numbers.

    `requested_lists` names the lists that the player has asked for (`MORE_REQUEST`,
    `RULES_REQUEST`). A number in a reply counts only if its choice is in one of these lists, or
    belongs to a question that is asked now. A choice has no number if the player must complete its
    line.
    """

    def __init__(self, view: View, requested_lists: Collection[str] = ()) -> None:
        """Ask the rules for the questions and number their choices, as the class says."""
        self.view = view
        self.choices: list[Choice] = []
        self.choices_by_number: dict[int, Choice] = {}
        self.listed_choices: dict[int, Choice] = {}
        """By number, the choices that the player has seen with their numbers."""
        self.questions = [question for question in questions(view, ()) if _has_choices(question)]
        self.asked_questions = [question for question in self.questions if question.is_asked]
        self.later_questions = [question for question in self.questions if not question.is_asked]
        has_more, has_rules = MORE_REQUEST in requested_lists, RULES_REQUEST in requested_lists
        for question in self.questions:
            offers = [*question.offers, *(question.second_choices if question.is_asked else ())]
            # the choice that ends the list comes last
            offers.sort(key=lambda choice: choice.text == question.ends != "")
            question.offers = self._number_choices(offers, question.is_asked or has_more)
            needs_words = question.is_asked and not offers
            question.words = self._number_choices(question.words, needs_words or has_rules)
        piece_choices = [
            choice
            for question in self.asked_questions
            for choice in self._find_piece_choices(question)
        ]
        self.piece_choices = self._number_choices(piece_choices, has_more)
        """The choices for a piece that an earlier line of the same answer makes."""

    def _number_choices(self, choices: Sequence[Choice], is_listed: bool) -> list[Choice]:
        """Add choices to the form and return copies with numbers.

        The number is 0 if the player must complete the line. `is_listed`: the player has seen the
        numbers.
        """
        numbered_choices = list[Choice]()
        for choice in choices:
            number = 0 if choice.takes_number else len(self.choices_by_number) + 1
            numbered_choice = replace(choice, number=number)
            numbered_choices.append(numbered_choice)
            if number:
                self.choices_by_number[number] = numbered_choice
            if number and is_listed:
                self.listed_choices[number] = numbered_choice
        self.choices += numbered_choices
        return numbered_choices

    def _find_piece_choices(self, question: Question) -> list[Choice]:
        """Return the choices that use a piece, such as a new species, which another line of the
        same answer makes."""
        makers = {choice.group: choice for choice in question.offers if choice.makes}
        known_texts = {choice.text for choice in question.offers}
        choices = dict[str, Choice]()
        for maker in list(makers.values())[:_MAX_MAKERS]:
            lines = check_rows(self.view, [Row(maker.kind, maker.text)]).lines
            for next_question in questions(self.view, lines):
                if next_question.kind != question.kind:
                    continue
                for choice in next_question.offers:
                    if choice.text not in known_texts and maker.makes in choice.names:
                        choices.setdefault(choice.text, choice)
        return list(choices.values())


def _has_choices(question: Question) -> bool:
    """Whether a question belongs on the form: it is asked, has choices in words, or has a choice
    besides the one that ends its list."""
    has_other_choice = any(choice.text != question.ends for choice in question.offers)
    return bool(question.is_asked or question.words or has_other_choice)
