"""Show messages to people in a form in which no message can look like a sentence of the game."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Iterator

from pbem.play.press.read_messages import Message
from pbem.screen.terminal import NARROW, clean

OLD_KEY = ", or somebody with a key that no longer counts,"
"""What follows the writer's name if this machine first saw the message when its key no longer
counted."""
MARKS = 2
"""The most accents and other marks on one letter; more would cover the lines around it."""


def message_lines(
    messages: Iterable[Message], mine: Collection[str], width: int = 0
) -> Iterator[str]:
    """Yield the lines that show these messages, wrapped at `width` (0: not wrapped).

    `mine` are the reader's seats, and `referee` if they are the referee. A message of one line
    follows its writer's name. In a longer message each line begins with `>`.
    """
    for message in messages:
        lead = f"  {_lead(message, mine)}:"
        said = [safe(line) for line in message.lines]
        inline = f"{lead} {said[0]}"
        if len(said) == 1 and (not width or len(inline) <= width):
            yield inline
            continue
        yield lead
        for line in said:
            for part in textwrap.wrap(line, max(NARROW, width) - 6) if width else [line]:
                yield f"    > {part}"
            if not line:
                yield "    >"


def _lead(message: Message, mine: Collection[str]) -> str:
    own = is_own(message, mine)
    writer = "You" if own else f"{clean(message.name)} ({message.writer})"
    if message.by == "old key":
        writer += OLD_KEY
    if not message.to:
        return f"{writer} say" if own else f"{writer} says"
    return f"{writer} to {f'{clean(message.to_name)} ({message.to})' if own else 'you'}"


def is_own(message: Message, mine: Collection[str]) -> bool:
    """Return whether the reader, who has these roles, wrote a message."""
    return message.writer in mine and message.by == "now"


def writer_of(message: Message) -> str:
    """Return the name of a message's writer, and a warning if an old key signed it."""
    return clean(message.name) + OLD_KEY * (message.by == "old key")


def safe(text: str) -> str:
    """Make a message's text safe: it can neither control the terminal nor cover other lines."""
    out, marks = [], 0
    for character in clean(text):
        marks = marks + 1 if unicodedata.combining(character) else 0
        out.append(character if marks <= MARKS else f"\\u{ord(character):04x}")
    return "".join(out)
