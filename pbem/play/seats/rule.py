"""The base class for what a kind of notice does to a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from pbem.play.seats.standing import Standing, Wait
from pbem.records.notices.notice_record import REFEREE, Notice
from pbem.records.notices.sayings import Saying

S = TypeVar("S", bound=Saying)


class Rule(Generic[S]):
    """One kind of notice: who may sign it, when it can count, and what it changes."""

    saying: ClassVar[type[Saying]]
    """The class of what such notices say."""
    at_once: ClassVar[bool] = False
    """Whether such a notice counts only in the next turn after it was written."""

    def signers(self, standing: Standing, notice: Notice, said: S) -> frozenset[bytes]:
        """Return the keys that may sign this notice now.

        Usually this is only the key of the seat that writes it.
        """
        return frozenset({standing.signer(notice.writer)} - {b""})

    def why_not_signed(self, standing: Standing, notice: Notice, key: bytes) -> str:
        """Say why a notice signed with a key that is not among `signers` does not count."""
        return "it is not signed with the key that counts now"

    def missing(self, standing: Standing, said: S) -> str:
        """Say which file named by the notice is missing here; empty if none is."""
        return ""

    def why_not(self, standing: Standing, notice: Notice, said: S) -> str:
        """Say why the notice cannot count now, as a sentence about it; empty if it can."""
        return ""

    def wait(self, standing: Standing, notice: Notice, said: S) -> Wait | None:
        """Return what the notice announces, if somebody can cancel it before it takes effect; None
        if it takes effect immediately."""
        return None

    def apply(self, standing: Standing, notice: Notice, said: S, turn: int) -> Standing:
        """Return the game's standing after the notice has taken effect in this turn."""
        raise NotImplementedError

    def shows(self, notice: Notice, said: S) -> str:
        """Return the seat whose player has shown, by this notice, that they are still there; may be
        empty."""
        return notice.seat

    def told(self, standing: Standing, notice: Notice, said: S) -> str:
        """Say what happened, for people; `standing` is the game's standing before the notice."""
        return self.tell(notice, said, standing.names)

    def tell(self, notice: Notice, said: S, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence; `names` has the names of the players, by seat, and of
        `referee`."""
        raise NotImplementedError


def who(notice: Notice, names: Mapping[str, str]) -> str:
    """Return the name of a notice's writer, for people."""
    return names.get(notice.writer) or ("the referee" if notice.writer == REFEREE else notice.seat)


def plays(standing: Standing, notice: Notice) -> str:
    """Say why this notice's writer, who must be a player, may not write it; empty if they may."""
    if notice.seat not in standing.people():
        return "only a player can write this notice"
    if notice.seat in standing.removed:
        return "the seat was removed, because it was silent for too long"
    return "the seat has conceded" if notice.seat in standing.out else ""
