"""Which numbers in a clause may be those of choices, and which count or measure something."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from functools import cache
from typing import Final

from pbem.mailseats.naming import Naming
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.words import NOUNS, NUMBERS, SMALL, Token, Tokens

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
            return (token.rank or self._last()) if named or len(tokens) == 1 else 0
        number = NUMBERS.get(token.text, 0)
        if before.has("noun") and (number > 1 or not before.has("picks")):
            return number  # but not `pick one`
        if number == 1:
            others = [one for one in tokens if not one.has("join", "thanks")]
            return int(all(one.text in NUMBERS for one in others))
        calm = calm or after.text in ("for", "is", "it") or after.text in NUMBERS
        return number if calm else 0

    def _last(self) -> int:
        kind = self.naming.single
        return max((choice.number for choice in self.form.of(kind)), default=0) if kind else 0

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
        """Return whether a number counts or measures something, or is that of a page or a turn."""
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
        """Return whether the words before a number leave room for a choice."""
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
    """Return whether a word is one such as `number`, with a typing error."""
    return bool(get_close_matches(word, [one for one in NOUNS if len(one) > 4], 1, 0.85))
