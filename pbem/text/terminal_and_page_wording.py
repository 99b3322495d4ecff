"""A text in two wordings: one for a terminal, one for pages and emails.

A text says one thing in two wordings. A command prints what to type, and the digits of records; a
page or an email, where nobody types commands, shows the text without these parts. Plain text, which
has no links, may differ in the same way from the page of an email.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

_MARKED_PATTERN: Final = re.compile(r"\[\[(.*?)(?:\|\|(.*?))?\]\]", re.DOTALL)
"""Matches a part for the terminal alone, or one that reads differently elsewhere."""


class TerminalText(str):
    """The wording of a text for a terminal, made from a template in which `[[…]]` marks what only a
    terminal shows, and `[[…||…]]` what reads differently elsewhere."""

    elsewhere: str
    """The wording for pages and emails; empty if the text only says what to type."""

    def __new__(cls, template: str) -> TerminalText:
        """Make both wordings from a template."""
        return cls.of_wordings(
            _MARKED_PATTERN.sub(r"\1", template),
            _MARKED_PATTERN.sub(lambda match: match[2] or "", template),
        )

    @classmethod
    def of_wordings(cls, terminal_wording: str, elsewhere: str) -> TerminalText:
        """Return the text with these two wordings."""
        text = super().__new__(cls, terminal_wording)
        text.elsewhere = elsewhere
        return text

    def format(self, *values: object, **fields: object) -> TerminalText:
        """Fill in both wordings; values that are such texts themselves keep both of theirs."""
        page_values = map(off_terminal, values)
        page_fields = {name: off_terminal(value) for name, value in fields.items()}
        return self.of_wordings(
            super().format(*values, **fields), self.elsewhere.format(*page_values, **page_fields)
        )

    def __add__(self, end: str) -> TerminalText:
        return self.of_wordings(str(self) + str(end), self.elsewhere + off_terminal(end))

    def __radd__(self, beginning: str) -> TerminalText:
        return self.of_wordings(
            str(beginning) + str(self), off_terminal(beginning) + self.elsewhere
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep both wordings when the text goes to another process (see pickle)."""
        return self.of_wordings, (str(self), self.elsewhere)


def to_type(command: str) -> TerminalText:
    """Return a command, an option, or a remedy that needs one: nothing of it is shown elsewhere."""
    return TerminalText.of_wordings(command, "")


def off_terminal(text: Any) -> Any:
    """Return the wording of a text for pages and emails; any other value as it is."""
    return text.elsewhere if isinstance(text, TerminalText) else text


def join_texts(separator: str, texts: Iterable[str]) -> TerminalText:
    """Join texts in both of their wordings; what has no wording for pages is left out there."""
    text_list = [*texts]
    page_texts = filter(None, map(off_terminal, text_list))
    return TerminalText.of_wordings(separator.join(text_list), separator.join(page_texts))
