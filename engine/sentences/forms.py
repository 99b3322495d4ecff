"""Forms: templates that split a game's sentences into fields, and write them from fields."""

from __future__ import annotations

import re
from functools import cached_property

CARD = r"(?:\?|[\w/-]+(?: -?\d+(?: [a-z]+){0,4})?)"
"""A card: ``?``, or words with an optional number and up to four marks after it."""
WORDS = r"[\w-]+(?: and [\w-]+)*"
"""A list of words: ``climbing and horns``."""
WORD = r"[^][;:, ]+"
_SHAPES = {"card": CARD, "words": WORDS}


class Unreadable(ValueError):
    """Raised for a sentence that fits no form of the game."""


class _Form:
    """One form, with the pattern that reads its sentences."""

    def __init__(self, name: str, template: str) -> None:
        self.name, self.template = name, template
        self.mark = max(re.split(r"{\w+}", template), key=len)
        """Text that every sentence of the form contains, so that most other sentences need not be
        matched."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern that reads this form; it is compiled when first used."""
        return re.compile(re.sub(r"\\{(\w+)\\}", _group, re.escape(self.template)))


def _group(match: re.Match[str]) -> str:
    return f"(?P<{match[1]}>{shape_of(match[1])})"


class Forms:
    """Named templates: ``Forms(eats="{sp} eats", trait="[{card}] on {sp}")``.

    ``{card}`` stands for a card or ``?``, ``{words}`` for a list joined by ``and``, any other field
    for one word. ``say(*parse(text)) == text`` for every sentence, and a sentence has exactly one
    form.
    """

    def __init__(self, **templates: str) -> None:
        self.templates = templates
        self._forms = [_Form(name, template) for name, template in templates.items()]
        self._cache: dict[str, tuple[str, dict[str, str]]] = {}

    def parse(self, text: str) -> tuple[str, dict[str, str]]:
        """Return the form's name and its fields, which you must not change.

        Raises Unreadable if no form fits. If several fit, the first one is taken.
        """
        form_and_fields = self._cache.get(text)
        if form_and_fields is None:
            form_and_fields = self._parse(text)
            # forget everything, so that a long simulation does not fill the memory
            if len(self._cache) > 20_000:
                self._cache.clear()
            self._cache[text] = form_and_fields
        return form_and_fields

    def _parse(self, text: str) -> tuple[str, dict[str, str]]:
        for form in self._forms:
            if form.mark in text and (match := form.pattern.fullmatch(text)):
                return form.name, match.groupdict()
        raise Unreadable(f"{text!r} is not a sentence of this game")

    def read(self, text: str) -> tuple[str, dict[str, str]]:
        """Return what `parse` returns; both are empty if the sentence fits no form."""
        try:
            return self.parse(text)
        except Unreadable:
            return "", {}

    def unfinished(self, text: str) -> str | None:
        """Return the sentence with ``…`` for what is missing if the text is only the beginning of
        one: ``a1 attacks …``; None if no form begins so. One word alone is never enough. Words of
        the form itself are written out: ``a1 attacks b1 despite …``."""
        for form in self._forms:
            words = form.template.split(" ")
            for count in range(2, len(words)):
                beginning = re.sub(r"\\{(\w+)\\}", _group, re.escape(" ".join(words[:count])))
                if re.fullmatch(beginning, text):
                    ending = re.sub(r"{\w+}", "…", " ".join(words[count:]))
                    return f"{text} {ending}"
        return None

    def say(self, name: str, **fields: str) -> str:
        """Return the sentence of this form, with these fields."""
        return self.templates[name].format(**fields)

    def matching(self, text: str) -> list[str]:
        """Return the names of all forms that can read the sentence: exactly one if no forms
        overlap."""
        return [form.name for form in self._forms if form.pattern.fullmatch(text)]

    def extend(self, **templates: str) -> Forms:
        """Return these forms with more added; a new template replaces an old one of the same
        name."""
        return Forms(**{**self.templates, **templates})


def shape_of(field: str) -> str:
    """Return what a field of this name may contain, as a regular expression without groups."""
    return _SHAPES.get(field.rstrip("0123456789"), WORD)
