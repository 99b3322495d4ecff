"""The order form in a turn email: the questions, with a number for each choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from pbem.drafts.offers import Choice, Question, questions, standing_questions
from pbem.game.view import View
from pbem.screen.tell import spaced

MOST_LISTED: Final = 40
"""If a question has more choices, its list is short: cards, and the places where they can go."""


class ShortList(NamedTuple):
    """Many choices in short: each begins with a card or piece, and ends with a place."""

    heads: dict[int, str]
    """The cards or pieces, by the numbers that a reply may write for them."""
    places: list[str]
    """What follows them, such as `on b1`."""
    lacks: dict[str, list[str]]
    """The places that do not fit a card, by cards."""


class OrderForm:
    """The order form for the view's seat. The same view always gives the same numbers.

    A choice has no number if the player must complete the line, or if its list is short.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self._number = 0
        self.short: dict[str, ShortList] = {}
        """The short lists, by the kinds of their questions."""
        self.questions = [
            one  # those that are not asked need a choice besides the one that ends their list
            for one in questions(view, ())
            if one.asked or one.words or any(choice.text != one.ends for choice in one.offers)
        ]
        for question in self.questions:
            self._give_numbers(question)
        self.by_number = {choice.number: choice for choice in self.choices() if choice.number}
        """The choices with a number of their own."""
        heads = [short.heads for short in self.short.values()]
        self.heads = {number: head for some in heads for number, head in some.items()}
        """The cards and pieces in short lists, by their numbers."""

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

    def kinds(self) -> list[str]:
        """The kinds of decision in the form: those that are asked come first."""
        return [one.kind for one in self.questions]

    def of(self, kind: str) -> list[Choice]:
        """Return the choices of one kind."""
        return [choice for choice in self.choices() if choice.kind == kind]

    def _give_numbers(self, question: Question) -> None:
        end = question.ends
        offers = [*question.offers, *(question.second if question.asked else ())]
        steps = [choice for choice in offers if choice.text != end or not end]
        many = [choice for choice in offers if _place(choice.text, choice) and choice.text != end]
        many = many if len(offers) > MOST_LISTED and _short(many, 1) else []
        rest = [choice for choice in steps if choice not in many]
        last = [choice for choice in offers if choice not in steps]
        first = many if many and steps[0] in many else []
        question.offers = [
            *self._in_short(question.kind, first),
            *self._numbered(rest),
            *self._in_short(question.kind, [] if first else many),
            *self._numbered(last),
        ]
        question.words = self._numbered(question.words)

    def _in_short(self, kind: str, many: list[Choice]) -> list[Choice]:
        if short := _short(many, self._number + 1) if many else None:
            self.short[kind] = short
            self._number += len(short.heads)
        return many

    def _numbered(self, choices: Sequence[Choice]) -> list[Choice]:
        found = []
        for choice in choices:
            self._number += not choice.takes_number
            number = 0 if choice.takes_number else self._number
            found.append(replace(choice, number=number))
        return found


def _short(choices: Sequence[Choice], begin: int) -> ShortList | None:
    groups: dict[str, list[str]] = {}
    for choice in choices:
        place = _place(choice.says, choice) or _place(choice.text, choice)
        groups.setdefault(spaced(choice.group), []).append(place)
    places = list(dict.fromkeys(place for some in groups.values() for place in some))
    lacks = {
        head: [place for place in places if place not in some] for head, some in groups.items()
    }
    if len(groups) + len(places) + sum(map(len, lacks.values())) > len(choices) // 2:
        return None
    heads = dict(enumerate(sorted(groups), begin))
    return ShortList(heads, places, {head: some for head, some in lacks.items() if some})


def _place(said: str, choice: Choice) -> str:
    """Return what follows the card or piece in a choice; empty if the choice does not begin so."""
    head = spaced(choice.group)
    rest = said.removeprefix(head) if head and said.startswith(head) else ""
    return rest.lstrip(": ") if rest[:1] in (":", " ") else ""
