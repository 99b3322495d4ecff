"""The base class for what a kind of notice does to a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import REFEREE, Notice
from pbem.records.notices.sayings import Saying

S = TypeVar("S", bound=Saying)


class Rule(Generic[S]):
    """One kind of notice: who may sign it, when it counts, and what follows."""

    saying: ClassVar[type[Saying]]
    """What the notices of this kind say."""

    def signers(self, standing: Standing, notice: Notice, said: S) -> frozenset[bytes]:
        """The keys that may sign this notice now; usually only the key of the seat that
        writes it.
        """
        return frozenset({standing.signer(notice.writer)} - {b""})

    def missing(self, standing: Standing, said: S) -> str:
        """A sentence about a file that the notice names and that is not here; empty if none is
        missing."""
        return ""

    def why_not(self, standing: Standing, notice: Notice, said: S) -> str:
        """Why the notice cannot count now, as a sentence about it; empty if it counts."""
        return ""

    def apply(self, standing: Standing, notice: Notice, said: S, turn: int) -> Standing:
        """Return the standing as it is once this turn has listed the notice."""
        raise NotImplementedError

    def shows(self, notice: Notice, said: S) -> str:
        """The seat that shows with this notice that somebody is there; may be empty."""
        return notice.seat

    def told(self, standing: Standing, notice: Notice, said: S) -> str:
        """What happened, for people; `standing`: before the notice counts."""
        return self.tell(notice, said, standing.names)

    def tell(self, notice: Notice, said: S, names: Mapping[str, str]) -> str:
        """A sentence that says what happened; `names` are those of the seats and of `referee`."""
        raise NotImplementedError


def who(notice: Notice, names: Mapping[str, str]) -> str:
    """The writer of a notice, for people."""
    return names.get(notice.writer) or ("the referee" if notice.writer == REFEREE else notice.seat)


def plays(standing: Standing, notice: Notice) -> str:
    """Why somebody who does not play as a person cannot write this notice; empty for a player."""
    if notice.seat not in standing.people():
        return "only a player can write this notice"
    if notice.seat in standing.removed:
        return "the seat was removed, because it was silent for too long"
    return "the seat has conceded" if notice.seat in standing.out else ""
