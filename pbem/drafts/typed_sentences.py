"""Read a typed text as one sentence of the game, although names are cut short or misspelt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine import SKIP, Forms, Ruleset, Unreadable, bare, shape_of
from pbem.terminal.game_prose import spaced

_LOOSE = str.maketrans("_-", "  ")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))
"""Dashes that programs write instead of a hyphen or a minus."""


class SentenceFinder:
    """Finds what people mean, in the words of one ruleset.

    Case, spaces and brackets do not matter, nor which name of a card comes first. Words may be
    cut short, or left out if only one option has the others in this order.
    """

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._ruleset, self._forms = ruleset, ruleset.forms
        templates = {name: bare(t) for name, t in ruleset.forms.templates.items()}
        self._bare = Forms(**templates)
        self._cards = frozenset(card for deck in ruleset.decks.values() for card in deck)
        self._spelled = _spelled(ruleset.vocabulary)
        self._reversed_names = _reversed_names(self._cards)

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
            for reversed_name, card in self._reversed_names.items():
                text = re.sub(rf"(?<![\w/]){reversed_name}(?![\w/])", card, text)
        return text

    def names_beside(self, text: str, options: Sequence[str]) -> list[str]:
        """Return the names of cards and pieces in a text that none of the options has."""
        tidy_text = self.tidy(text[:200])
        pieces = re.findall(r"\b[a-z]\d{1,2}\b", tidy_text)
        cards = {x for card in self._cards for x in re.split(r" -?\d", card)[0].split("/")}
        named_cards = [name for name in sorted(cards) if re.search(rf"\b{name}\b", tidy_text)]
        option_word_sets = [{*re.split(r"[^a-z0-9_]+", option)} for option in options]
        return [
            spaced(x)
            for x in [*named_cards, *pieces]
            if option_word_sets and not any(x in option_words for option_words in option_word_sets)
        ]

    def read(
        self, text: str, options: Sequence[str] = (), is_standing: bool = False
    ) -> Sequence[str]:
        """Return the sentences that the text can mean: options, else sentences of the game's forms.
        It is clear if there is only one.

        A card that is not among the options means the card that begins with this text. In a
        standing line, which can be used with other cards later, a card means only itself.
        """
        tidy_text = self.tidy(text)
        if "*" not in tidy_text and options:
            options_by_bare_text = {bare(option): option for option in options}
            if option := options_by_bare_text.get(bare(tidy_text)):
                return [option]
        if sentence := self._by_form(tidy_text):
            longer_options = [] if is_standing else self._longer(sentence, options)
            return longer_options or [sentence]
        close_options = list(
            dict.fromkeys(o for o in options if _is_abbreviation(bare(tidy_text), bare(o)))
        )
        if len(close_options) > 1:
            suffix_options = [o for o in close_options if bare(o).endswith(f" {bare(tidy_text)}")]
            return suffix_options if len(suffix_options) == 1 else close_options
        return close_options or self._by_cut_form(bare(tidy_text))

    def _longer(self, sentence: str, options: Sequence[str]) -> list[str]:
        """Return the options with a longer card: `horns 4 sun` for `horns 4`."""
        form, fields = self._forms.parse(sentence)
        if fields.get("card", "*") == "*":
            return []
        longer_options = []
        for option in dict.fromkeys(options):
            option_form, option_fields = self._ruleset.forms.read(option)
            is_same_otherwise = form == option_form and {**option_fields, "card": ""} == {
                **fields,
                "card": "",
            }
            if is_same_otherwise and option_fields["card"].startswith(f"{fields['card']} "):
                longer_options.append(option)
        return longer_options

    def _by_cut_form(self, text: str) -> list[str]:
        sentences = []
        for name, (pattern, fields) in _cut_forms(tuple(self._bare.templates.items())).items():
            if match := pattern.fullmatch(text):
                field_values = dict(zip(fields, match.groups(), strict=True))
                sentences.append(self._by_form(self._forms.say(name, **field_values)))
        return list(filter(None, sentences))

    def _by_form(self, text: str) -> str:
        """Return the sentence that a text is, with or without its brackets; empty if it is none, or
        names a card that the game does not have."""
        for forms, words in ((self._forms, text), (self._bare, bare(text))):
            try:
                name, fields = forms.parse(words)
            except Unreadable:
                continue
            cards = [value for field, value in fields.items() if field.startswith("card")]
            if all(card == "*" or card in self._cards for card in cards):
                return self._forms.say(name, **fields)
        return ""


def _is_abbreviation(text: str, option: str) -> bool:
    """A word may be cut short, but a name or a number may not: a1 is never a12."""
    option_words = iter(re.findall(r"[^\s:,/_]+", option))
    expected_words = re.findall(r"[^\s:,/_]+", text)
    return bool(re.search("[a-z]", text)) and all(
        any(
            option_word == expected_word
            if expected_word[-1].isdigit()
            else option_word.startswith(expected_word)
            for option_word in option_words
        )
        for expected_word in expected_words
    )


@lru_cache(8)
def _spelled(vocabulary: frozenset[str]) -> dict[str, str]:
    names = {re.split(r" -?\d", card)[0] for card in vocabulary}
    parts = {part for name in names for part in name.split("/") if "_" in part}
    longest_first = sorted(parts, key=lambda part: (-len(part), part))
    return {part.translate(_LOOSE): part for part in longest_first}


@lru_cache(8)
def _reversed_names(cards: frozenset[str]) -> dict[str, str]:
    """People may write either name of a card with two names first."""
    pairs = {"/".join(reversed(card.split("/"))): card for card in cards if "/" in card}
    return {
        reversed_name: card for reversed_name, card in pairs.items() if reversed_name not in cards
    }


@lru_cache(8)
def _cut_forms(
    templates: tuple[tuple[str, str], ...],
) -> dict[str, tuple[re.Pattern[str], tuple[str, ...]]]:
    forms = {}
    for name, template in templates:
        shapes = map(_shape, re.findall(r"{\w+}|[a-z]+|[^a-z{]+", template))
        forms[name] = re.compile("".join(shapes)), tuple(re.findall(r"{(\w+)}", template))
    return forms


def _shape(part: str) -> str:
    if part.startswith("{"):
        return rf"({shape_of(part[1:-1])})"
    if not part.isalpha():
        return re.escape(part)
    return part[0] + "".join(f"(?:{letter}" for letter in part[1:]) + ")?" * (len(part) - 1)


MIN_WORDS = 2
"""After how many words a ready line may be cut short, if only one line begins like that."""


def exact_line(ruleset: Ruleset[Any], kind: str, text: str, names: Mapping[str, str]) -> str:
    """Return the ready line that the text is, with letters for players' names; else empty."""
    normalized_text = plain_words(text)
    if normalized_text == SKIP and ruleset.kinds[kind].script:
        return SKIP
    seats_by_ending = {
        ending: seat
        for seat, name in names.items()
        if normalized_text.endswith(f" {(ending := plain_words(name))}")
    }
    for candidate in (
        normalized_text,
        *(
            f"{normalized_text.removesuffix(ending)}{seat}"
            for ending, seat in seats_by_ending.items()
        ),
    ):
        if ruleset.ready_lines.read(kind, candidate):
            return candidate
    return ""


def begun_lines(ruleset: Ruleset[Any], kind: str, text: str) -> list[str]:
    """Return the ready lines that begin with this text, if the text has enough words."""
    normalized_text = plain_words(text)
    if len(normalized_text.split(" ")) < MIN_WORDS:
        return []
    lines = [SKIP] if ruleset.kinds[kind].script else []
    lines += [x.sentence for x in ruleset.ready_lines.lines_of(kind) if "{" not in x.sentence]
    return [line for line in lines if line.startswith(normalized_text)]


def plain_words(text: str) -> str:
    """Return a text in lower case, with single spaces, without a full stop at its end."""
    return " ".join(text.lower().replace("_", " ").split()).rstrip(".")
