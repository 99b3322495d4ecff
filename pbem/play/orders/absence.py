"""Decide who is away: nobody waits for their answers (protocol §3, *Absence*).

Everything follows from the turns' lists of silent seats and of accepted orders, so the referee
makes turns and everybody checks them with the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine import Decision, Pending
from pbem.format.errors import RecordError
from pbem.play.calendar.charter_deadlines import BOT, idle_after, open_after, silent_seat
from pbem.records.charter_join_orders import Charter
from pbem.records.turn import Turn

POLICY: Final = "wait"
ROUND: Final = "round"
Away = Literal["", "absent", "idle", "conceded", "removed", "open", "announced"]
Unasked = Literal["", "default", "bot"]
"""How a question to a seat that is away is settled; empty: the seat is asked."""


@dataclass(frozen=True)
class Absence:
    """Who has been silent since their last accepted orders.

    It never changes: each turn makes a new one.
    """

    people: frozenset[str]
    """The seats that play, without those of bots."""
    idle_after: int
    """After how many deadlines in a row a seat is idle; 0 = never."""
    open_after: int = 0
    """After how many whole rounds an idle seat is open for somebody else; 0 = never."""
    missed: Mapping[str, int] = field(default_factory=dict)
    """For each seat: how many turns named it as silent since a turn last accepted its orders."""
    rounds: Mapping[str, int] = field(default_factory=dict)
    """For these seats: the last round in which a turn named it as silent."""
    gone: Mapping[str, Away] = field(default_factory=dict)
    """The seats that conceded, were removed, are open, or are away as announced."""
    bot: bool = False
    """Whether a bot answers for open seats."""

    def after(self, accepted: Collection[str], silent: Collection[str], round_: int) -> Absence:
        """Who is away once a turn accepts orders or notices of some seats, then names others as
        silent.

        `round_`: the round of the questions that the turn before asked.
        """
        missed = {s: n for s, n in self.missed.items() if s not in accepted}
        rounds = {s: n for s, n in self.rounds.items() if s not in accepted}
        for seat in silent:
            missed[seat], rounds[seat] = missed.get(seat, 0) + 1, round_
        return replace(self, missed=missed, rounds=rounds)

    @property
    def idle(self) -> frozenset[str]:
        """The seats that missed as many deadlines in a row as the charter says."""
        enough = self.idle_after
        return frozenset(s for s, n in self.missed.items() if enough and n >= enough)

    def silent_long(self, round_: int) -> frozenset[str]:
        """The seats that are idle and open for somebody else in this round."""
        rounds = self.open_after
        return frozenset(
            seat for seat in self.idle if rounds and round_ - self.rounds[seat] > rounds
        )

    def away(self, seat: str, round_: int) -> Away:
        """Whether a seat is away in a round. If everybody is idle, each round still waits once."""
        if seat in self.gone:
            return self.gone[seat]
        here = self.people - self.idle - self.gone.keys()
        if seat in self.idle and (here or round_ <= max(self.rounds.values())):
            return "open" if seat in self.silent_long(round_) else "idle"
        return "absent" if self.rounds.get(seat) == round_ else ""

    def unasked(self, key: str, decision: Decision) -> Unasked:
        """How this question is settled immediately, unless a line of the seat does."""
        away = self.away(decision.seat, round_of(key))
        if away == "open" and self.bot:
            return "bot"
        return "default" if away and decision.default is not None else ""

    def settles(self, key: str, decision: Decision) -> bool:
        """Whether this question is settled without asking the seat."""
        return bool(self.unasked(key, decision))

    def now(self, pending: Pending) -> dict[str, Away]:
        """The seats that are away while these questions are open.

        A seat that is asked something without a default is not among them: the game waits for it.
        """
        if not pending:
            return {}
        key = pending[0][0]
        asked = {decision.seat for at, decision in pending if not self.settles(at, decision)}
        found = {
            seat: self.away(seat, round_of(key)) for seat in sorted({*self.missed, *self.gone})
        }
        return {seat: why for seat, why in found.items() if why and seat not in asked}


def check_unasked(absence: Absence, key: str, decision: Decision, by: str) -> None:
    """Check that what settles a question without the seat, `default` or `bot`, is what the charter
    and the turns say. Raises RecordError `rule`."""
    right, seat = absence.unasked(key, decision), decision.seat
    if by == right:
        return
    if by == "bot":
        told = f"the charter has no bot for open seats, or seat {seat} is not open"
        raise RecordError("rule", f"{key}: no bot settles this: {told}")
    if right == "bot":
        told = f"seat {seat} is open, and the charter says that a bot answers for it"
        raise RecordError("rule", f"{key}: the default does not settle this: {told}")
    if decision.default is None:
        raise RecordError("rule", f"{key}: silence does not settle this")
    told = f"no turn says that seat {seat} is away"
    raise RecordError("rule", f"{key}: silence does not settle this yet: {told}")


def waits_for_round(charter: Charter) -> bool:
    """Whether the charter waits for everybody's orders for a round."""
    return charter.policies.get(POLICY) == ROUND


def waited_for(charter: Charter, seats: Collection[str], round_: int) -> set[str]:
    """The seats whose orders for a round the charter waits for, whether they are asked or not."""
    return {*seats} - {*charter.plays} if round_ and waits_for_round(charter) else set()


def absence_of(charter: Charter, seats: Collection[str]) -> Absence:
    """The absence at the start, when nobody has been silent. Raises RecordError `field` for a
    policy that cannot be read."""
    bots = {plan.seat for plan in charter.seats if plan.bot}
    policies = charter.policies
    long = idle_after(policies), open_after(policies)
    return Absence(frozenset(seats) - bots, *long, bot=silent_seat(policies) == BOT)


def round_of(key: str) -> int:
    """The round of the decision with this key."""
    return int(key.partition(".")[0])


def round_asked(pending: Pending) -> int:
    """The round of the open questions; 0 if there are none."""
    return round_of(pending[0][0]) if pending else 0


def absence_from_turns(
    charter: Charter, turns: Iterable[Turn], shown: Callable[[int], Collection[str]] = lambda _: ()
) -> Absence:
    """Who is away after these turns, the first of which is turn 1; the turns must be correct.

    `shown`: the seats that gave a sign of life by a notice that a turn lists.
    """
    found = Absence(frozenset(), 0)
    for turn in turns:
        if turn.joins is not None:
            found = absence_of(charter, turn.joins)
        accepted = {one.seat for one in turn.orders if one.status == "accepted"}
        accepted.update(shown(turn.turn))
        found = found.after(accepted, turn.silent, round_of(turn.log[0].key) if turn.log else 0)
    return found
