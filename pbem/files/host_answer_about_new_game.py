"""A host's answer about a new game, which it has made and deals: read and check it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from pbem.files.file_errors import StorageError
from pbem.files.host_request_and_answer import NO_HOST

_HOST: Final = r"https?://[A-Za-z0-9.:\[\]/_~-]{1,200}"
_INVITE: Final = "[A-Za-z0-9:-]{1,200}"
_DEALT: Final = {
    "title": ".{1,80}",
    "name": ".{1,80}",
    "address": f"{_HOST}/g/[0-9a-f]{{32}}",
    "page": "/new/[0-9a-f]{32}/[0-9a-f]{32}",
    "command": f"pbem join -C {_HOST}/g/[0-9a-f]{{32}} --invite {_INVITE}",
    "link": f"({_HOST}/g/[0-9a-f]{{32}}/play#join={_INVITE})?",
}
"""The patterns of a host's description of a dealt game, which people type, open or send."""


class DealtSeat(NamedTuple):
    """A seat in a game that a host deals: whose it is, and two ways to take it."""

    name: str
    command: str
    link: str
    """The link that joins in a browser; empty if the host serves no page."""


class NewGameAnswer(NamedTuple):
    """The answer of a host that has made a game and deals it."""

    title: str
    address: str
    page: str
    """The path of the page with all of this."""
    seats: list[DealtSeat]


def read_dealt_game(data: bytes, address: str) -> NewGameAnswer:
    """Read the description of a game that the host at this address has just made. Raises
    StorageError if it is none."""

    def field(row: Mapping[str, str], name: str) -> str:
        if not re.fullmatch(_DEALT[name], row[name]):
            raise ValueError(name)
        return row[name]

    try:
        (game,) = json.loads(data)
        seats = [
            DealtSeat(field(seat, "name"), field(seat, "command"), field(seat, "link"))
            for seat in game["seats"]
        ]
        return NewGameAnswer(
            field(game, "title"), field(game, "address"), field(game, "page"), seats
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        raise StorageError(address, NO_HOST) from None
