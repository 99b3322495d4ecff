"""The calendar of a game: the absences, delays and deadlines that its notices declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Protocol

from engine.values import Value
from pbem.records.policies import HOUR, Policies


class Announced(Protocol):
    """The notice that announces an absence: `Away` in `pbem/game/notice_kinds.py`."""

    @property
    def begins(self) -> int:
        """When it begins, seconds since 1970 UTC."""

    @property
    def ends(self) -> int:
        """When it ends; 0 to take an announcement back."""

    def covers(self, time: int) -> bool:
        """Return whether the seat is absent at this time."""


class Calendar(Value):
    """The absences, delays and proposals that listed notices declare; each notice makes a new
    one."""

    absences: Mapping[str, Announced] = field(default_factory=dict)
    """For each seat that announced an absence: what it said."""
    announced: Mapping[str, int] = field(default_factory=dict)
    """For each seat that ever announced an absence: when the last one that it announced begins."""
    taken: Mapping[str, int] = field(default_factory=dict)
    """For each seat: how many hours of delay it has used."""
    put_off: tuple[int, int] = (0, 0)
    """The last turn that listed delays, and by how many seconds they put its deadline off."""
    wanted: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """For each seat that proposes a deadline: the phase (empty for all) and the rule."""
    proposed: Mapping[str, int] = field(default_factory=dict)
    """For each of these seats: the turn that lists the proposal."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """The deadline policies that all players have agreed on, by name."""
    changed: int = 0
    """The last turn that changed one of these policies."""

    clocks: Mapping[str, int] = field(default_factory=dict)
    """For each seat that says that the last turn's date is wrong: the time on its clock."""
    set_back: int = 0
    """The last turn whose date went back to the right time."""
    earliest: int = 0
    """The earliest date that this turn may have."""

    def renews(self, turn: int) -> bool:
        """Return whether the deadline after this turn follows from its date even if nothing happens
        in it."""
        return turn in (self.changed, self.set_back)

    def earliest_date(self, turn: int, last: int) -> int:
        """Return the earliest date that this turn may have, after one that is dated `last`."""
        return self.earliest if self.set_back == turn else last

    def seconds_put_off(self, turn: int) -> int:
        """Return by how many seconds the delays in this turn's notices put off its deadline."""
        at, seconds = self.put_off
        return seconds if at == turn else 0

    def hours_left(self, charter: Policies, seat: str) -> int:
        """Return how many hours of delay the seat may still take."""
        return charter.delays // HOUR - self.taken.get(seat, 0)

    def with_absence(self, seat: str, away: Announced) -> Calendar:
        """Return the calendar after a seat announced an absence, or took it back."""
        others = {s: one for s, one in self.absences.items() if s != seat}
        if not away.ends:
            return replace(self, absences=others)
        announced = {**self.announced, seat: away.begins}
        return replace(self, absences={**others, seat: away}, announced=announced)

    def begun(self, seat: str, answered: int, time: int) -> bool:
        """Return whether the seat's last absence has begun and its last answer, at `answered`, was
        before."""
        begins = self.announced.get(seat, time + 1)
        return answered < begins <= time

    def with_delay(self, seat: str, hours: int, turn: int) -> Calendar:
        """Return the calendar after a turn has listed a delay of this seat."""
        taken = {**self.taken, seat: self.taken.get(seat, 0) + hours}
        put_off = (turn, self.seconds_put_off(turn) + hours * HOUR)
        return replace(self, taken=taken, put_off=put_off)

    def with_wish(self, seat: str, phase: str, rule: str, turn: int = 0) -> Calendar:
        """Return the calendar after a turn listed a seat's proposal; an empty rule takes it
        back."""
        others = {s: wish for s, wish in self.wanted.items() if s != seat}
        wanted = others | ({seat: (phase, rule)} if rule else {})
        return replace(self, wanted=wanted, proposed={**self.proposed, seat: turn})

    def lapse(self, turn: int) -> Calendar:
        """Return the calendar with only those proposals that this turn lists; 0 = none."""
        kept = {s: w for s, w in self.wanted.items() if turn and self.proposed.get(s) == turn}
        return replace(self, wanted=kept, clocks={})

    def without_absence(self, seat: str) -> Calendar:
        """Return the calendar without the absences of a seat that somebody new has taken over."""
        absences = {s: away for s, away in self.absences.items() if s != seat}
        announced = {s: begins for s, begins in self.announced.items() if s != seat}
        return replace(self, absences=absences, announced=announced)

    def without_word_of(self, seat: str) -> Calendar:
        """Return the calendar without what a seat proposed and said about the date."""
        clocks = {who: time for who, time in self.clocks.items() if who != seat}
        return replace(self.with_wish(seat, "", ""), clocks=clocks)

    def with_rule(self, phase: str, rule: str, turn: int) -> Calendar:
        """Return the calendar after all have agreed on a rule, in this turn."""
        name = f"deadline_{phase}" if phase else "deadline"
        return replace(self, wanted={}, rules={**self.rules, name: rule}, changed=turn)
