"""Messages as lines for a terminal, none of which can look like a sentence of the game."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Iterator

from pbem.judge.read_and_make_messages import Message
from pbem.terminal.clean_text import clean
from pbem.terminal.printing import MIN_WIDTH

OLD_KEY_CLAUSE = " (or somebody with an old key of this seat)"
"""The words after the writer's name if this machine first saw the message when the key that
signed it no longer counted."""
MAX_MARKS = 2
"""The most accents and other marks on one letter; more would cover the lines around it."""


def message_lines(
    messages: Iterable[Message], reader_roles: Collection[str], width: int = 0
) -> Iterator[str]:
    """Yield the lines that show these messages, wrapped at `width` (0: not wrapped).

    `reader_roles` are the reader's seats, and `referee` if they are the referee. A message of one
    line follows its writer's name. In a longer message each line begins with `>`.
    """
    for message in messages:
        lead = f"  {_lead(message, reader_roles)}:"
        safe_lines = [safe_message_text(line) for line in message.lines]
        inline = f"{lead} {safe_lines[0]}"
        if len(safe_lines) == 1 and (not width or len(inline) <= width):
            yield inline
            continue
        yield lead
        for line in safe_lines:
            for part in textwrap.wrap(line, max(MIN_WIDTH, width) - 6) if width else [line]:
                yield f"    > {part}"
            if not line:
                yield "    >"


def _lead(message: Message, reader_roles: Collection[str]) -> str:
    """Return the beginning of a message in prose: writer and recipient, as the reader sees them."""
    is_reader = is_from_reader(message, reader_roles)
    writer = "You" if is_reader else f"{clean(message.name)} ({message.writer})"
    if message.signer_state == "old key":
        writer += OLD_KEY_CLAUSE
    if not message.recipient:
        return f"{writer} say" if is_reader else f"{writer} says"
    recipient = f"{clean(message.recipient_name)} ({message.recipient})" if is_reader else "you"
    return f"{writer} to {recipient}"


def is_from_reader(message: Message, reader_roles: Collection[str]) -> bool:
    """Return whether the reader, who has these roles, wrote a message."""
    return message.writer in reader_roles and message.signer_state == "now"


def writer_of(message: Message) -> str:
    """Return the name of a message's writer, and a warning if an old key signed it."""
    return clean(message.name) + OLD_KEY_CLAUSE * (message.signer_state == "old key")


def safe_message_text(text: str) -> str:
    """Make a message's text safe: it can neither control the terminal nor cover other lines."""
    characters, marks = [], 0
    for character in clean(text):
        marks = marks + 1 if unicodedata.combining(character) else 0
        characters.append(character if marks <= MAX_MARKS else f"\\u{ord(character):04x}")
    return "".join(characters)
