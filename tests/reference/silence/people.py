"""Who is there: what turns said about each person, and what follows from that."""

from collections.abc import Collection
from dataclasses import dataclass, field

from tests.reference.silence.spans import DAY

OWN, MAIL, GUEST, REFEREE = "own key", "by mail", "guest", "referee"
LONG = 14 * DAY
"""For so long somebody who announced an absence stays among those who must agree."""


@dataclass
class Rules:
    """What the charter says about time and silence."""

    deadline: str = "48h"
    phases: dict[str, str] = field(default_factory=dict)
    delays: int = 0
    idle_after: int = 2
    open_after: int = 1
    silent_seat: str = "defaults"
    wait_for_all: bool = False


@dataclass
class Person:
    """One seat of a person, and what turns have said about it."""

    seat: str
    holder: str
    key: bytes
    recovery: bytes = b""
    missed: int = 0
    silent_round: int = -99
    conceded: bool = False
    left: bool = False
    removed: bool = False
    begins: int = 0
    ends: int = 0
    began: int = 0
    """When the last absence that the seat announced begins, even if it took that back."""
    answered: int = 0
    """The date of the last turn that accepted orders or listed a notice other than `away`."""
    delayed: int = 0
    stopped: bool = False
    """Whether the seat has stopped new keys since others last gave it any."""
    vote: str = ""
    wish: tuple[str, str] | None = None
    clock: int = 0
    said: dict[str, int] = field(default_factory=dict)
    """In which turn the seat last voted, and last proposed a deadline."""
    vouched: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)

    @property
    def out(self) -> bool:
        return self.conceded or self.removed or self.left

    @property
    def held(self) -> bool:
        return self.holder in (MAIL, REFEREE)

    def announced(self, time: int) -> bool:
        return self.begins <= time < self.ends

    def new_keys(self, key: bytes) -> None:
        self.key = key
        self.vote, self.wish, self.clock, self.vouched = "", None, 0, {}


class People:
    """All seats of people."""

    def __init__(self, rules: Rules, people: Collection[Person], *, machine: bool = False) -> None:
        self.rules, self.machine = rules, machine
        """Whether the referee is no person."""
        self.of = {one.seat: one for one in people}

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self.of.values())

    def is_idle(self, one: Person) -> bool:
        return 0 < self.rules.idle_after <= one.missed

    def is_open(self, one: Person, round_: int) -> bool:
        """Whether somebody else may take the seat, while questions of this round are open."""
        if one.conceded or one.removed or self.rules.silent_seat == "remove":
            return False
        return one.left or self.open_by_silence(one, round_)

    def open_by_silence(self, one: Person, round_: int) -> bool:
        after = self.rules.open_after
        return self.is_idle(one) and 0 < after < round_ - one.silent_round

    def announced(self, time: int) -> set[str]:
        """The seats that nobody waits for because they said so; not if nobody else is there."""
        staying = [one for one in self if not one.conceded and not one.left and not one.removed]
        gone = {one.seat for one in staying if one.announced(time)}
        return set() if len(gone) == len(staying) else gone

    def why_away(self, one: Person, round_: int, time: int) -> str:
        """Why nobody waits for a seat in this round: a word of `status`, or nothing."""
        if one.conceded or one.removed:
            return "conceded" if one.conceded else "removed"
        if self.has_vanished(one) and round_ <= self.last_round_of_vanished(time):
            return "open" if self.is_open(one, round_) else "idle"
        if one.seat in self.announced(time):
            return "announced"
        return "absent" if one.silent_round == round_ else ""

    def has_vanished(self, one: Person) -> bool:
        return self.is_idle(one) or one.left

    def last_round_of_vanished(self, time: int) -> int:
        """Up to which round seats that are idle or were left are away: without end, if anybody else
        is there."""
        gone = self.announced(time)
        there = [x for x in self if not (self.is_idle(x) or x.out or x.seat in gone)]
        if there:
            return 10**9
        return max((one.silent_round for one in self if self.has_vanished(one)), default=-1)

    def inside(self, time: int, listed: Collection[str], idle_before: Collection[str]) -> set[str]:
        """The seats that are *in*, in a turn with this time and notices of these seats."""
        found = set()
        for one in self:
            if one.out:
                continue
            if one.announced(time):
                here = time < max(one.begins, one.answered) + LONG
            else:
                here = one.seat not in idle_before
            if here or one.seat in listed:
                found.add(one.seat)
        return found

    def persons(self, seats: Collection[str]) -> set[str]:
        return {REFEREE if self.of[s].holder == REFEREE else s for s in seats}

    def enough(self, inside: Collection[str], with_referee: bool = False) -> bool:
        """Whether those who are in may decide for all."""
        left = [one.seat for one in self if not one.out]
        if inside and (len(self.persons(left)) == 1 or set(left) <= set(inside)):
            return True
        if self.machine:
            return len([s for s in inside if self.of[s].holder == OWN]) >= 2
        two = self.persons(inside) | ({REFEREE} if with_referee else set())
        own = [s for s in left if self.of[s].holder == OWN]
        return bool(inside) and len(two) >= 2 and (not own or any(s in inside for s in own))
