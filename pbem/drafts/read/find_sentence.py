"""Find the one sentence of the game that a person's text means.

Brackets are optional, and case and spaces do not matter. Cards may be written with spaces or
hyphens (`long neck 4`), and the two names of a card in either order. Words may be shortened. Words
may be left out if only one option has the remaining words in this order.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engine import Forms, Ruleset, Unreadable, bare, shape_of

_LOOSE = str.maketrans("_-", "  ")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))
"""Dashes that programs write instead of a hyphen or a minus."""


class Meant(NamedTuple):
    """What a text means: a sentence, or else the candidates that it could mean."""

    sentence: str = ""
    candidates: tuple[str, ...] = ()


class Wording:
    """Finds what people mean, in the words of one ruleset."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._forms = ruleset.forms
        templates = {name: bare(t) for name, t in ruleset.forms.templates.items()}
        self._bare = Forms(**templates)
        self._cards = frozenset(card for deck in ruleset.decks.values() for card in deck)
        self._spelled = _spelled(ruleset.vocabulary)
        self._turned = _turned(self._cards)

    def tidy(self, text: str) -> str:
        """Return the text in lower case and with single spaces.

        Each card is spelt as the game spells it, and brackets around numbers are removed.
        """
        text = " ".join(text.lower().translate(_DASHES).split())
        text = re.sub(r"(?<=[a-z]) ?\((-?\d{1,3})\)", r" \1", text)
        text = re.sub(r"\s*/\s*", "/", re.sub(r"\s*([:,;])\s*", r"\1 ", text)).strip()
        loose = text.translate(_LOOSE)
        for name, spelled in self._spelled.items():
            if name in loose:
                text = re.sub(rf"\b{name.replace(' ', '[ _-]')}\b", spelled, text)
        if "/" in text:
            for turned, card in self._turned.items():
                text = re.sub(rf"(?<![\w/]){turned}(?![\w/])", card, text)
        return text

    def read(self, text: str, options: Sequence[str] = (), standing: bool = False) -> Meant:
        """Find the sentence that the text means: one of the options, else one of the game's forms.

        A card that is not among the options means the card that begins with this text. In a
        `standing` line, which can be used with other cards later, a card means only itself.
        """
        tidy = self.tidy(text)
        if "*" not in tidy and options:
            named = {bare(option): option for option in options}
            if found := named.get(bare(tidy)):
                return Meant(found)
        if sentence := self._by_form(tidy):
            found_cards = () if standing else self._longer(sentence, options)
            return _meant(found_cards) if found_cards else Meant(sentence)
        close = tuple(dict.fromkeys(o for o in options if _within(bare(tidy), bare(o))))
        if len(close) > 1:
            whole = tuple(o for o in close if bare(o).endswith(f" {bare(tidy)}"))
            return _meant(whole if len(whole) == 1 else close)
        return _meant(close or self._by_cut_form(bare(tidy)))

    def _longer(self, sentence: str, options: Sequence[str]) -> tuple[str, ...]:
        """Return the options that differ from a sentence only by a longer card: `horns 4 sun` for
        `horns 4`."""
        form, fields = self._forms.parse(sentence)
        if "card" not in fields or fields["card"] == "*":
            return ()
        found = []
        for option in dict.fromkeys(options):
            other, said = self._parsed(option)
            same = form == other and {**said, "card": ""} == {**fields, "card": ""}
            if same and said["card"].startswith(f"{fields['card']} "):
                found.append(option)
        return tuple(found)

    def _parsed(self, option: str) -> tuple[str, dict[str, str]]:
        try:
            return self._forms.parse(option)
        except Unreadable:
            return "", {}

    def _by_cut_form(self, text: str) -> tuple[str, ...]:
        """Return the sentences that have all words of this text; its words may be shortened."""
        found = []
        for name, (pattern, fields) in _cut_forms(tuple(self._bare.templates.items())).items():
            if match := pattern.fullmatch(text):
                said = dict(zip(fields, match.groups(), strict=True))
                found.append(self._by_form(self._forms.say(name, **said)))
        return tuple(filter(None, found))

    def _by_form(self, text: str) -> str:
        """Return the sentence if it has a form of the game and only cards of this game.

        The answer is empty if not.
        """
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


def _meant(found: Sequence[str]) -> Meant:
    return Meant(found[0]) if len(found) == 1 else Meant("", tuple(found))


def _within(words: str, option: str) -> bool:
    """Return whether the option has these words in this order, perhaps with other words between
    them.

    A word may be cut short, but a name or a number may not: a1 is never a12.
    """
    rest = iter(re.findall(r"[^\s:,/_]+", option))
    wanted = re.findall(r"[^\s:,/_]+", words)
    return bool(re.search("[a-z]", words)) and all(
        any(have == want if want[-1].isdigit() else have.startswith(want) for have in rest)
        for want in wanted
    )


@lru_cache(8)
def _spelled(vocabulary: frozenset[str]) -> dict[str, str]:
    """Map names of several words, spelt with spaces, to the game's spelling; the longest names come
    first."""
    names = {re.split(r" -?\d", card)[0] for card in vocabulary}
    parts = {part for name in names for part in name.split("/") if "_" in part}
    longest = sorted(parts, key=lambda part: (-len(part), part))
    return {part.translate(_LOOSE): part for part in longest}


@lru_cache(8)
def _turned(cards: frozenset[str]) -> dict[str, str]:
    """Map the names of cards with two names, in reverse order, to the cards.

    People may write either name first.
    """
    pairs = {"/".join(reversed(card.split("/"))): card for card in cards if "/" in card}
    return {turned: card for turned, card in pairs.items() if turned not in cards}


@lru_cache(8)
def _cut_forms(
    templates: tuple[tuple[str, str], ...],
) -> dict[str, tuple[re.Pattern[str], tuple[str, ...]]]:
    """Return, for each form, its fields and a pattern that allows shortened words."""
    found = {}
    for name, template in templates:
        parts = re.findall(r"{\w+}|[a-z]+|[^a-z{]+", template)
        shapes = [_shape(part) for part in parts]
        found[name] = re.compile("".join(shapes)), tuple(re.findall(r"{(\w+)}", template))
    return found


def _shape(part: str) -> str:
    """Return the pattern for a part of a template: a field, a word or what is between them."""
    if part.startswith("{"):
        return rf"({shape_of(part[1:-1])})"
    if not part.isalpha():
        return re.escape(part)
    return part[0] + "".join(f"(?:{letter}" for letter in part[1:]) + ")?" * (len(part) - 1)
