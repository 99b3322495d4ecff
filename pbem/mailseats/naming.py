"""Which choice of an order form words name: `cooperation on b1`, `LN 7`, `the bigger long neck`.

And which numbers may be those of choices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from pbem.drafts.offers import Choice
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.words import (
    LISTS,
    NOUNS,
    NUMBERS,
    SMALL,
    Token,
    Tokens,
    plainly,
    tokens_of,
    translated,
)
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
            letters = sorted(said)  # perhaps in another order
            near = [
                one
                for one in self.spelling
                if one.startswith(said) or (one[0] == said[0] and sorted(one) == letters)
            ]
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


def _only(found: Sequence[Choice]) -> Choice | None:
    kinds = {(choice.kind, choice.text): choice for choice in found}
    return next(iter(kinds.values())) if len(kinds) == 1 else None


# ---- Numbers

_TELL_NOTHING: Final = frozenset(
    ["opinion", "past", "reports", "counters", "pastimes", "verbs", "plays", "picks", "later"]
)
"""The roles of words that people do not use beside a choice, although they are in a list."""


class Numbers:
    """The numbers of one form in the clauses of a reply.

    `names` are those of the player and the referee, and `others` those of the other players.
    """

    def __init__(
        self, form: OrderForm, naming: Naming, names: AbstractSet[str], others: AbstractSet[str]
    ) -> None:
        self.form, self.naming, self.names, self.others = form, naming, names, others

    def is_filler(self, token: Token) -> bool:
        """Return whether nothing is known of a word."""
        said = token.text.removesuffix("'s")
        known = bool(token.roles - _TELL_NOTHING or token.digits) or said in SMALL | self.names
        known = known or said.endswith(("ly", "mente")) or not any(map(str.isalnum, said))
        return not known and not self.naming.words(token)

    def at(self, tokens: Tokens, place: int) -> int:
        """Return the number that a word means: `3`, `three`, `the third one`; 0 if it is none."""
        token = tokens[place]
        if token.digits:
            return token.digits
        before, after = tokens[place - 1] if place else Token(""), _after(tokens, place)
        calm = not after.text or after.has("thanks", "commits", "join", "to")
        if token.rank or token.has("last"):
            article = before.has("article")
            if article and place > 1 and tokens[place - 2].has("moments"):
                return 0  # `on the 4th`
            one = is_one(after) and not any(t.digits for t in tokens[place:])
            named = (one and (article or not before.text)) or (article and calm)
            last = max((choice.number for choice in self.form.of(self.naming.single)), default=0)
            return (token.rank or last) if named or len(tokens) == 1 else 0
        number = NUMBERS.get(token.text, 0)
        if before.has("noun") and (number > 1 or not before.has("picks")):
            return number  # but not `pick one`
        if number == 1:
            others = [one for one in tokens if not one.has("join", "thanks")]
            return int(all(one.text in NUMBERS for one in others))
        calm = calm or after.text in ("for", "is", "it") or after.text in NUMBERS
        return number if calm else 0

    def stands_alone(self, tokens: Tokens, place: int) -> bool:
        """Return whether a number may be that of a choice."""
        before, after = beside(tokens, place)
        if before.text == "/" and place > 1 and tokens[place - 2].digits:
            return self.stands_alone(tokens, place - 2)  # `on 2/1`
        joins = after.has("join", "weighs") and after.text != "/"
        if joins and _after(tokens, place + 1).digits:
            return self.stands_alone(tokens, place + 2)  # `2 or 3 days`
        return not self._counts(tokens, place) and self._is_chosen(tokens, place)

    def is_stray(self, tokens: Tokens, place: int) -> bool:
        """Return whether a number counts nothing, but nothing says that it is chosen either."""
        before, after = beside(tokens, place)
        known = before.text not in ("", "/") and not self.is_filler(before)
        unclear = known and not after.text and not before.has("is")
        unclear = unclear and tokens[place].digits in self.form.by_number
        return unclear and not self._counts(tokens, place) and not self._is_chosen(tokens, place)

    def _counts(self, tokens: Tokens, place: int) -> bool:
        before, after = beside(tokens, place)
        rest = tokens[place + 1 :]
        subject = tokens[: max(0, place - 1)]
        mine = bool(subject) and subject[-1].has("me")
        return (
            "of" in (before.text, after.text)
            or (after.text == "out" and _after(tokens, place + 1).text == "of")  # `7 out of 9`
            or before.has("moments", "counts_nothing", "counts")  # `at 3`, `turn 3`
            or after.has("measures", "counts_nothing", "counts", "least", "most")
            or (before.has("counters") and (place > 1 or before.text != "have"))  # `I have 3`
            or (after.has("noun") and not self._is_marked(tokens, place))  # `2 questions`
            or self.is_filler(after)  # `3 kids`
            or (after.text == "in" and len(rest) > 1 and not any(map(self.naming.words, rest)))
            or (before.has("is") and (mine or any(map(self.is_filler, subject))))  # `we are 3`
        )

    def _is_marked(self, tokens: Tokens, place: int) -> bool:
        """Return whether the word before says that this is a number: `option 3`, `#3`."""
        before = tokens[place - 1] if place else Token("")
        return before.has("noun") or tokens[place].text[0] == "#" or _is_noun(before.text)

    def _is_chosen(self, tokens: Tokens, place: int) -> bool:
        before, after = beside(tokens, place)
        if before.has("reports", "undoes") or before.text in self.others:
            return True  # which makes it doubtful
        if self._is_marked(tokens, place) or before.has("article"):
            return True
        if not any(map(self.is_filler, tokens[:place])):
            return True
        if not self.is_filler(before):
            return any(token.has("me", "picks", "noun") for token in tokens[:place])
        subject = [token for token in tokens[: place - 1] if not token.has("modal")][-1:]
        ends = not after.text or after.has("thanks", "join")
        return ends and subject != [] and subject[0].has("me") and not before.text.endswith("ed")


def beside(tokens: Tokens, place: int) -> tuple[Token, Token]:
    """Return the words before and after a number, with `one` as a part of `the third one`."""
    before, after = tokens[place - 1] if place else Token(""), _after(tokens, place)
    ranked = tokens[place].rank and is_one(after)
    return before, _after(tokens, place + 1) if ranked else after


def _after(tokens: Tokens, place: int) -> Token:
    return tokens[place + 1] if place + 1 < len(tokens) else Token("")


def is_one(token: Token) -> bool:
    """Return whether a word stands for a choice, as in `the third one`."""
    return token.has("noun") or token.text == "one"


@cache
def _is_noun(word: str) -> bool:
    return bool(get_close_matches(word, [one for one in NOUNS if len(one) > 4], 1, 0.85))
