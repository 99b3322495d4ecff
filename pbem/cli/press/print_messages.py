"""Print messages: between the turns of a log, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.cli.press.messages_here import MessagesHere
    from pbem.play.press.read_messages import Message


def by_turn(messages: Sequence[Message]) -> Mapping[int, list[Message]]:
    """Return the messages grouped by the turn after which they were written."""
    found: dict[int, list[Message]] = {}
    for message in messages:
        found.setdefault(message.turn, []).append(message)
    return found


def print_messages(here: MessagesHere, turn: int, messages: Sequence[Message]) -> None:
    """Print the messages written after one turn, under a separate heading."""
    from pbem.screen.tell_messages import message_lines
    from pbem.screen.terminal import folding_width, stdout_style

    if not messages:
        return
    style = stdout_style()
    print(f"messages after turn {turn}:")
    for line in message_lines(messages, here.mine, folding_width()):
        print(style.plain(line))


def say_locked(here: MessagesHere) -> None:
    """Say that there may be private messages, but your key is locked and could not open them."""
    from pbem.cli.failure import say

    if here.locked:
        told = "private messages are here, and some may be for you"
        say(f"note: {told}: your key needs its passphrase to open them (--passphrase-file)")
    sys.stdout.flush()


def as_data(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the messages as data for `--json`."""
    return [
        {
            "turn": said.turn,
            "number": said.number,
            "time": said.time,
            "from": said.writer,
            "name": said.name,
            "by": said.by,
            "to": said.to,
            "text": list(said.lines),
            "id": said.id,
        }
        for said in messages
    ]
