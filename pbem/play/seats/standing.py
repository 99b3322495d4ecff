"""What notices change: who sits where, with which keys, who has left, who agreed to what.

Everything follows from the charter, the joins and the notices that turns list, so the referee
makes turns and everybody checks them with the same code (protocol §5, *Notices*).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from pbem.records.charter_join_orders import Charter, Join
from pbem.records.notices.notice_record import REFEREE

Gone = Literal["conceded", "open"]


class Counted(NamedTuple):
    """A notice that a turn has listed."""

    turn: int
    """The turn that lists it."""
    id: bytes
    writer: str
    """A seat, or `referee`."""
    about: str
    told: str
    """What happened, as a sentence for people; names in it are as their owners wrote them."""


@dataclass(frozen=True)
class Standing:
    """Who sits where after a turn. A new value follows from each turn that lists notices."""

    charter: Charter
    roster: Mapping[str, Join] = field(default_factory=dict)
    """Who holds each seat; `key` and `x25519` are the keys that count now."""
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """For each writer: the turn and the number of the last notice that was listed."""
    gone: Mapping[str, Gone] = field(default_factory=dict)
    """The seats that nobody waits for any more, whatever they were silent to."""
    listed: tuple[Counted, ...] = ()
    """The notices that turns have listed, in the order in which they count."""

    def signer(self, writer: str) -> bytes:
        """The key with which a seat, or `referee`, signs notices now; empty if nobody does."""
        if writer == REFEREE:
            return self.charter.key
        return self.roster[writer].key if writer in self.roster else b""

    def lapsed(self, before: Standing) -> frozenset[str]:
        """The seats whose orders in force end with the notices since `before`."""
        new = {s for s, gone in self.gone.items() if gone == "conceded"} - before.out
        return frozenset(new)

    @property
    def out(self) -> frozenset[str]:
        """The seats that conceded: no orders of theirs count."""
        return frozenset(s for s, gone in self.gone.items() if gone == "conceded")

    @property
    def names(self) -> dict[str, str]:
        """The name of the person in each seat, and that of the referee."""
        return {REFEREE: self.charter.referee} | {s: j.name for s, j in self.roster.items()}

    def holds(self, seat: str) -> bool:
        """Whether the referee holds the keys of this seat."""
        return seat in self.charter.plays

    def people(self) -> frozenset[str]:
        """The seats of people, without those of bots."""
        bots = {plan.seat for plan in self.charter.seats if plan.bot}
        return frozenset(self.roster) - bots

    def live(self, idle: Collection[str]) -> frozenset[str]:
        """The seats whose word counts for what all must agree to; `idle`: those that are away."""
        return self.people() - self.gone.keys() - frozenset(idle)
