"""Which choice of an order form words name: `cooperation on b1`, `LN 7`, `the bigger long neck`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from pbem.drafts.offers import Choice
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.words import LISTS, SMALL, Token, Tokens, plainly, tokens_of, translated
from pbem.screen.tell import spaced

_COMMON: Final = frozenset(LISTS["common"])
"""Words of choices that people also use for other things."""
_PIECE = re.compile(r"[a-p]\d+")
_BESIDE = re.compile(r"\b(left|right) (?:of |side of |next to )?[a-p]\d+\b")


class Named(NamedTuple):
    """A word of a clause that belongs to the words of choices."""

    place: int
    words: tuple[str, ...]
    """How the choices spell it."""


class Naming:
    """The words of the choices that a form asks for now."""

    def __init__(self, form: OrderForm) -> None:
        asked = {question.kind for question in form.asked}
        self.choices = [c for c in form.choices() if c.kind in asked]
        self.choices = [c for c in self.choices if not (c.takes_number or c.ready)]
        single = [q.kind for q in form.asked if not q.script and len(asked) == 1]
        self.single = single[0] if single else ""
        """The kind of the only question, if it wants one answer."""
        orders = [words for choice in self.choices for words in orders_of(choice)]
        self.spelling = {word for words in orders for word in words if word.isalpha()}
        self.joined = {
            short: (one, other)
            for words in orders
            for one, other in pairwise(words)
            for short in (one + other, one[0] + other[0])
            if one.isalpha() and other.isalpha()
        }
        """Two words of a choice by how they are joined (`longneck`) or shortened (`ln`)."""
        self.pairs = sorted({" ".join(pair) for words in orders for pair in pairwise(words)})
        names = " ".join(form.view.play.ruleset.vocabulary).lower()
        cards = set(re.findall("[a-z]{4,}", names))
        self.vocabulary = {word for word in cards if tokens_of(word)[0].is_strange}
        """The words of all cards, also of those that are not in the hand."""
        self._spelled: dict[str, tuple[str, ...]] = {}

    # -------------------------------------------------------------- one word
    def named(self, tokens: Tokens) -> list[Named]:
        """Return the words of a clause that belong to choices."""
        found = list[Named]()
        for place, token in enumerate(tokens):
            words = self.words(token)
            if not words and found and found[-1].place == place - 1 and token.text.isalpha():
                said = f"{found[-1].words[-1]} {token.text}"  # `long beck`
                near = get_close_matches(said, self.pairs, 1, 0.85) if token.is_strange else []
                words = (near[0].split()[1],) if near and len(token.text) > 3 else ()
            if words:
                found.append(Named(place, words))
        return found

    def words(self, token: Token) -> tuple[str, ...]:
        """Return the words of choices that a word is, joins, shortens or misspells."""
        said = token.text.removesuffix("'s")
        if _PIECE.fullmatch(said) or said in self.spelling or said in self.vocabulary:
            return (said,)
        if said in self.joined:
            return self.joined[said]
        if not token.is_strange or len(said) < 3 or not said.isalpha():
            return ()
        if said not in self._spelled:
            near = [one for one in self.spelling if one.startswith(said) or _swapped(one, said)]
            near = near if len(near) == 1 else get_close_matches(said, self.spelling, 1, 0.85)
            near = near or [name for one in translated(said) for name in one.split()]
            self._spelled[said] = tuple(near)
        return self._spelled[said]

    def is_telling(self, word: str) -> bool:
        """Return whether a word makes it likely that a choice is meant: the name of a card or a
        piece, not `left` or `body`."""
        if _PIECE.fullmatch(word):
            return True
        return (word in self.vocabulary or word in self.spelling) and word not in _COMMON

    # -------------------------------------------------------------- several words
    def one(
        self, words: Sequence[str], more: Sequence[Choice] = (), *, number_tells: bool = False
    ) -> Choice | None:
        """Return the one choice that has these words; None if there is none, or several.

        The number of a card and the name of a piece may be left out; so may all words that no other
        choice needs.
        """
        if not (any(map(self.is_telling, words)) or (number_tells and words)):
            return None
        told = _without_place(words)
        choices = [*self.choices, *more]
        by_lack: dict[int, list[Choice]] = {}
        for choice in choices:
            lacking = [_lack(told, order) for order in orders_of(choice)]
            lacks = [lack for lack in lacking if lack is not None]
            if lacks:
                by_lack.setdefault(min(lacks), []).append(choice)
        if not by_lack:
            return None
        least = min(by_lack)
        found = _only(by_lack[least])
        if least <= _NUMBERS_LACK or found is None:
            return found
        return found if "trait" in words or len(by_lack) == 1 else None

    def fits(self, words: Sequence[str], choice: Choice) -> bool:
        """Return whether these words may be about this choice."""
        known = {word for order in orders_of(choice) for word in order}
        return known.issuperset(word for word in _without_place(words) if word != "trait")

    def extreme(self, words: Sequence[str], most: bool) -> str:
        """Return the number of the card that words such as `the lower long neck` or `the highest
        card` name; empty if they name none."""
        told = {word for word in words if word != "trait"}
        orders = [order for choice in self.choices for order in orders_of(choice)]
        pairs = [pair for order in orders if told <= set(order) for pair in pairwise(order)]
        numbers = {int(number) for word, number in pairs if number.isdecimal() and word.isalpha()}
        return str((max if most else min)(numbers)) if len(numbers) > 1 else ""

    def says_where(self, choice: Choice) -> bool:
        """Return whether a choice has words such as `body`, besides its card and its piece."""
        return bool(_place(choice)) or not choice.group or choice.kind == self.single

    def is_piece(self, word: str) -> bool:
        """Return whether a word is the name of a piece."""
        return bool(_PIECE.fullmatch(word))

    def may_be(self, words: Sequence[str]) -> bool:
        """Return whether any choice has these words."""
        return any(self.fits(words, choice) for choice in self.choices)

    def is_order(self, words: Sequence[str]) -> bool:
        """Return whether words look like an order, perhaps with a card that is not in the hand."""
        return any(map(_is_number_or_piece, words))

    def several(self, words: Sequence[str], count: int) -> list[Choice]:
        """Return one choice for each card, as in `all three cards for the body of b1`; empty if
        they are not as many as `count`, or not one for each card."""
        said, found = set(words) - {"trait"}, dict[str, list[Choice]]()
        cards = {word for choice in self.choices for word in content(choice.group)}
        where = {word for word in said - cards if not _is_number_or_piece(word)}
        for choice in self.choices:
            card, order = set(content(choice.group)), set(content(choice.text))
            fits = said & cards <= card and said - cards <= order
            if card and fits and _place(choice) == where:
                found.setdefault(choice.group, []).append(choice)
        some = [one for group in found.values() for one in group]
        whole = len(some) == len(found) > 1 and count in (0, len(found))
        return some if whole and (where or said - cards) else []

    def alike(self, words: Sequence[str], choice: Choice) -> Choice | None:
        """Return the choice that does with the card of these words what another choice does."""
        return _only(
            [
                one
                for one in self.choices
                if set(words) <= set(content(one.group))
                and one.group != choice.group
                and set(content(one.text)) - set(content(one.group))
                == set(content(choice.text)) - set(content(choice.group))
            ]
        )

    def is_card(self, word: str, number: int) -> bool:
        """Return whether a card of this name has this number; the empty name stands for any."""
        return any(
            pair[1] == str(number) and (pair[0] == word or not word)
            for choice in self.choices
            for order in orders_of(choice)
            for pair in pairwise(order)
        )


_NUMBERS_LACK, _PIECES_LACK, _WORDS_LACK = 1, 2, 3


def _without_place(words: Sequence[str]) -> list[str]:
    """Return words without the piece beside which a new one shall be: `left of b1`."""
    return _BESIDE.sub(r"\1", " ".join(words)).split()


def _lack(words: Sequence[str], order: Sequence[str]) -> int | None:
    """Return what words lack of an order: 0 nothing, 1 numbers, 2 pieces, 3 words; None if they do
    not fit it."""
    said = {word for word in words if word != "trait"}
    if not said <= set(order):
        return None
    left = set(order) - said
    if "trait" in words and any(not _is_number_or_piece(word) for word in left):
        return None
    if all(map(str.isdecimal, left)):
        return int(bool(left))
    if all(map(_is_number_or_piece, left)):
        return _PIECES_LACK
    return _WORDS_LACK


def _place(choice: Choice) -> set[str]:
    """Return the words that say what is done with the card of a choice, without pieces."""
    words = set(content(choice.text)) - set(content(choice.group))
    return {word for word in words if not _is_number_or_piece(word)}


def _is_number_or_piece(word: str) -> bool:
    return word.isdecimal() or bool(_PIECE.fullmatch(word))


@cache
def content(text: str) -> tuple[str, ...]:
    """Return the words of an order that tell it from others."""
    words = re.findall(r"[^\W_]+(?:'[^\W\d_]+)*", plainly(spaced(text)))
    return tuple(word for word in words if word not in SMALL)


def orders_of(choice: Choice) -> list[tuple[str, ...]]:
    """Return the words of a choice, as its line and as its prose has them."""
    return [content(said) for said in (choice.text, choice.says) if said]


def _swapped(one: str, other: str) -> bool:
    """Return whether two words differ only in the order of letters."""
    return one != other and one[0] == other[0] and sorted(one) == sorted(other)


def _only(found: Sequence[Choice]) -> Choice | None:
    kinds = {(choice.kind, choice.text): choice for choice in found}
    return next(iter(kinds.values())) if len(kinds) == 1 else None
