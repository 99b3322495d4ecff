"""The request for a new game that a host deals; its seats with their links, and its state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class GameRequest(NamedTuple):
    """A game that somebody asks the host to make and to deal."""

    game: str
    """The name of the ruleset."""
    title: str
    players: Sequence[str]
    addresses: Sequence[str]
    """The email address of each player, or an empty text: the host mails their turns there."""
    bots: int
    deadline: str
    as_printed: bool

    def seat_of(self, name: str) -> str:
        """Return the letter of a player's seat; empty if nobody has this name."""
        player = " ".join(name.split())
        return chr(ord("a") + self.players.index(player)) if player in self.players else ""


class Seat(NamedTuple):
    """A seat in a game that the host deals: its player, and how to take it. The names of the fields
    are keys of JSON."""

    seat: str
    name: str
    link: str
    """The link that joins in a browser; empty if the host serves no page."""
    command: str
    """The command that joins with `pbem`. Link and command are empty unless the seat is free."""
    state: str
    """`free`: somebody may join; `joined`; `left out`: the game began without them; `open`: its
    player has left or is silent for long, and nobody is invited yet."""
    refused: str = ""
    """The reason why a join for the free seat does not count; empty if there is no such join."""


class DealtGame(NamedTuple):
    """A game that the host deals, for the person who has started it. The names of the fields are
    keys of JSON."""

    title: str
    ruleset: str
    address: str
    page: str
    """The path of the page with the links, which is a secret."""
    turn: int
    over: bool
    may_begin: bool
    """Whether the game could begin without those who have not joined."""
    seats: list[Seat]
    watch: str
    """The link that only shows the table; empty if the host serves no page."""
    waits: str
    """A sentence about why the host makes no turn for a while; empty if it makes turns."""

    def data(self) -> dict[str, Any]:
        """Return the fields as data for JSON."""
        return self._asdict() | {"seats": [seat._asdict() for seat in self.seats]}
