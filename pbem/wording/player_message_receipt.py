"""Messages between players in words: what `pbem tell` wrote, and who can read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.counts_and_lists_in_prose import join_words
from pbem.terminal.commands_and_paths_to_type import END_TYPING
from pbem.text.terminal_and_page_wording import TerminalText

SENT_BEFORE_SENTENCE: Final = TerminalText(
    "your last message was the same, so pbem wrote nothing new[[; to write the message "
    "again, add --again]]"
)
WRITE_IT_SENTENCE: Final = f"write your message, then {END_TYPING}"
_SENT_TO_ALL: Final = TerminalText("your message to all is in the folder[[ ({digits})]]")
_SENT_TO_PERSON: Final = TerminalText(
    "your message to {name} is in the folder[[ ({digits})]]; only {name} can read the "
    "message,\nand the others see only that you wrote to somebody"
)
_SHOWN_BY_EMAIL: Final = "{names} will see your message in the next email about a turn"


def sent_message_line(message_id: str, name: str) -> str:
    """Say that a message is written, to all or only to the person with this name, who alone can
    read it."""
    template = _SENT_TO_PERSON if name else _SENT_TO_ALL
    return template.format(name=name, digits=message_id[:6])


def shown_by_email_line(names: Iterable[str]) -> str:
    """Say which players without pbem get a message in their next email."""
    return _SHOWN_BY_EMAIL.format(names=join_words(names))
