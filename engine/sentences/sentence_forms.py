"""Forms: templates that split a game's sentences into fields, and write them from fields. A
`Sentence` is a form with its words for people.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Literal, NamedTuple

from engine.scene_prose_and_drawings import Use

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


class Sentence(NamedTuple):
    """One form of sentences, and everything that depends on the form alone."""

    form: str
    template: str
    """The sentence with its fields, in options, orders and the log (see `Forms`)."""
    deed: str = ""
    """Its prose in the log (see `Prose.deeds`)."""
    ordered: str = ""
    """Its prose in orders (see `Prose.orders`)."""
    changes: Mapping[str, int] = {}
    """The changes that the sentence itself reports (see `Prose.reported_changes`)."""
    card: Literal["", "face up", "face down"] = ""
    """The visible side of ``{card}`` when it leaves the hand; empty if it does not leave it."""
    removed_card_field: str = ""
    """The field of a card that is taken off a piece on the table, where it may lie face down."""
    use: str = ""
    """The heading of its row in a list of what a card or a piece can do (see `Prose.uses`)."""
    target: str = ""
    """What a choice in this row is called; usually left out (see `Use`)."""
    is_loss: bool = False
    """Whether the player only loses something by such a choice. Pages then ask first."""


class Sentences:
    """All sentences of a game: their forms, and their words for `Prose`."""

    def __init__(self, *sentences: Sentence) -> None:
        """Sort what each sentence says about itself into tables by form."""
        self.forms = Forms(**{x.form: x.template for x in sentences})
        self.deeds = {x.form: x.deed for x in sentences if x.deed}
        self.ordered = {x.form: x.ordered for x in sentences if x.ordered}
        self.changes = {x.form: x.changes for x in sentences if x.changes}
        self.removed_card_fields = {
            x.form: x.removed_card_field for x in sentences if x.removed_card_field
        }
        self.uses = {x.form: Use(x.use, x.target, x.card, x.is_loss) for x in sentences if x.use}
        self._face_up = frozenset(x.form for x in sentences if x.card == "face up")

    def cards_shown(self, text: str) -> list[str]:
        """Return the cards that leave the hand face up, in the order of the sentence.

        Every step of a script counts. A sentence of chance or a fact shows no card of a hand.
        """
        steps = [self.forms.read(step) for step in text.split("; ")]
        return [fields["card"] for form, fields in steps if form in self._face_up]
