"""From what a person wrote to the one sentence of the game that it means.

Brackets are optional, case and spaces do not matter, cards may be written with spaces or hyphens
(`long neck 4`), and words may be left out where only one option has the rest in this order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine import Forms, Ruleset, Unreadable, bare

_LOOSE = str.maketrans("_-", "  ")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))
"""Dashes that programs put for a hyphen or a minus."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a text means: a sentence, or the candidates among which it does not decide."""

    sentence: str = ""
    candidates: tuple[str, ...] = ()


class Wording:
    """Reads what people write for one ruleset."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._forms = ruleset.forms
        templates = {name: bare(t) for name, t in ruleset.forms.templates.items()}
        self._bare = Forms(**templates)
        self._spelled = _spelled(ruleset.vocabulary)
        self._cards = ruleset.vocabulary

    def tidy(self, text: str) -> str:
        """Lower case, single spaces, cards in their one spelling, brackets as they are."""
        text = " ".join(text.lower().translate(_DASHES).split())
        text = re.sub(r"\s*([:,;])\s*", r"\1 ", text).strip()
        loose = text.translate(_LOOSE)
        for name, spelled in self._spelled.items():
            if name in loose:
                text = re.sub(rf"\b{name.replace(' ', '[ _-]')}\b", spelled, text)
        return text

    def read(self, text: str, options: Sequence[str] = ()) -> Meant:
        """The sentence that the text means, among the options first, else by the game's forms."""
        tidy = self.tidy(text)
        if "*" not in tidy and options:
            named = {bare(option): option for option in options}
            if found := named.get(bare(tidy)):
                return Meant(found)
        if sentence := self._by_form(tidy):
            return Meant(sentence)
        close = tuple(dict.fromkeys(o for o in options if _within(bare(tidy), bare(o))))
        close = close or tuple(self._completed(tidy))
        return Meant(close[0]) if len(close) == 1 else Meant("", close)

    def _completed(self, text: str) -> set[str]:
        """The sentences that the text begins word by word, by the game's forms: for lines that
        nothing is asked for yet, so that `b1 eat` is read at all times alike."""
        found = set()
        for name, template in self._bare.templates.items():
            fixed = [word for word in template.split() if word.isalpha()]
            whole = [_only(word, fixed) for word in bare(text).split()]
            try:
                form, fields = self._bare.parse(" ".join(whole))
            except Unreadable:
                continue
            if form == name and self._printed(fields):
                found.add(self._forms.say(name, **fields))
        return found

    def _by_form(self, text: str) -> str:
        """The sentence if a form reads it and its cards are cards of this game."""
        try:
            _, fields = self._forms.parse(text)
        except Unreadable:
            return self._by_bare_form(text)
        return text if self._printed(fields) else self._by_bare_form(text)

    def _by_bare_form(self, text: str) -> str:
        try:
            name, fields = self._bare.parse(bare(text))
        except Unreadable:
            return ""
        return self._forms.say(name, **fields) if self._printed(fields) else ""

    def _printed(self, fields: Mapping[str, str]) -> bool:
        cards = [value for field, value in fields.items() if field.startswith("card")]
        return all(card == "*" or card in self._cards for card in cards)


def _only(word: str, fixed: Sequence[str]) -> str:
    """The one of the fixed words that begins so; else the word itself."""
    begun = {one for one in fixed if one.startswith(word)} if word.isalpha() else set()
    return begun.pop() if len(begun) == 1 else word


def _within(words: str, option: str) -> bool:
    """Whether the words stand in the option, in this order, perhaps with others between.

    A word may be cut short, but not a name or a number: a1 is never a12.
    """
    rest = iter(re.findall(r"[^\s:,]+", option))
    wanted = re.findall(r"[^\s:,]+", words)
    return bool(re.search("[a-z]", words)) and all(
        any(have == want if want[-1].isdigit() else have.startswith(want) for have in rest)
        for want in wanted
    )


@lru_cache(8)
def _spelled(vocabulary: frozenset[str]) -> dict[str, str]:
    """Names of several words with spaces between them, long ones first, and their one spelling."""
    names = {re.split(r" -?\d", card)[0] for card in vocabulary}
    parts = {part for name in names for part in name.split("/") if "_" in part}
    longest = sorted(parts, key=lambda part: (-len(part), part))
    return {part.translate(_LOOSE): part for part in longest}
