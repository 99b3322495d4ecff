"""Show messages to people in a form in which no message can look like a sentence of the game."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping

from pbem.play.press.read_messages import Message
from pbem.records.press.message_record import REFEREE
from pbem.screen.terminal import NARROW, clean

MARKS = 2
"""The most accents and other marks on one letter; more would cover the lines around it."""


def message_lines(
    messages: Iterable[Message],
    names: Mapping[str, str],
    referee: str,
    mine: Collection[str],
    width: int = 0,
) -> Iterator[str]:
    """Yield the lines that show these messages, wrapped at `width` (0: not wrapped).

    `mine` are the reader's seats, and `referee` if they are the referee. A message of one line
    follows its writer's name. In a longer message each line begins with `>`.
    """
    for message in messages:
        lead = f"  {_lead(message, names, referee, mine)}:"
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


def _lead(message: Message, names: Mapping[str, str], referee: str, mine: Collection[str]) -> str:
    def name(who: str) -> str:
        return f"{clean(names.get(who, referee if who == REFEREE else who))} ({who})"

    own = message.writer in mine
    writer = "You" if own else name(message.writer)
    if not message.to:
        return f"{writer} say" if own else f"{writer} says"
    return f"{writer} to {name(message.to) if own else 'you'}"


def safe(text: str) -> str:
    """Make a message's text safe: it can neither control the terminal nor cover other lines."""
    out, marks = [], 0
    for character in clean(text):
        marks = marks + 1 if unicodedata.combining(character) else 0
        out.append(character if marks <= MARKS else f"\\u{ord(character):04x}")
    return "".join(out)
