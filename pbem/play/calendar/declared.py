"""Keep what players declared by notice: absences, delays, and proposals for other deadlines."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace

from pbem.frozen import frozen
from pbem.play.calendar.charter_deadlines import DEADLINE, Policies, delay_budget
from pbem.play.calendar.deadline_rule import HOUR


@frozen
class Declared:
    """The absences, delays and proposals that listed notices declare.

    It never changes: each notice makes a new one.
    """

    absences: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """For each seat that announced one: when its absence begins and ends, seconds since 1970."""
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

    # -------------------------------------------------------------- what the notices mean
    def renews(self, turn: int) -> bool:
        """Return whether the deadline after this turn follows from its date and the rules, even if
        nothing else happens in it."""
        return turn in (self.changed, self.set_back)

    def away(self, people: Collection[str], time: int) -> frozenset[str]:
        """Return the seats whose announced absence covers this time.

        If all who still play (`people`) are absent, nobody counts as away: the game waits.
        """
        found = {s for s, (begins, ends) in self.absences.items() if begins <= time < ends}
        found &= {*people}
        return frozenset(found if {*people} - found else ())

    def policies(self, charter: Policies) -> dict[str, str | int | bool]:
        """Return the charter's policies, changed by the rules that were agreed on later."""
        return {**charter, **self.rules}

    def seconds_put_off(self, turn: int) -> int:
        """Return by how many seconds the delays in this turn's notices put off its deadline."""
        at, seconds = self.put_off
        return seconds if at == turn else 0

    def hours_left(self, charter: Policies, seat: str) -> int:
        """Return how many hours of delay the seat may still take."""
        return delay_budget(charter) // HOUR - self.taken.get(seat, 0)

    # -------------------------------------------------------------- what notices do
    def with_absence(self, seat: str, begins: int, ends: int) -> Declared:
        """Return the calendar after a seat has announced an absence.

        If `ends` is 0, the seat takes its announcement back.
        """
        others = {s: span for s, span in self.absences.items() if s != seat}
        announced = {**self.announced, seat: begins} if ends else self.announced
        return replace(
            self,
            absences=others | ({seat: (begins, ends)} if ends else {}),
            announced=announced,
        )

    def begun(self, seat: str, answered: int, time: int) -> bool:
        """Return whether the last absence that the seat announced has begun at this time, and the
        seat has not answered since; `answered` is the date of its last answer."""
        begins = self.announced.get(seat, time + 1)
        return answered < begins <= time

    def with_delay(self, seat: str, hours: int, turn: int) -> Declared:
        """Return the calendar after a turn has listed a delay of this seat."""
        taken = {**self.taken, seat: self.taken.get(seat, 0) + hours}
        put_off = (turn, self.seconds_put_off(turn) + hours * HOUR)
        return replace(self, taken=taken, put_off=put_off)

    def with_wish(self, seat: str, phase: str, rule: str, turn: int = 0) -> Declared:
        """Return the calendar after a turn has listed a seat's proposal.

        If the rule is empty, the seat takes its proposal back.
        """
        others = {s: wish for s, wish in self.wanted.items() if s != seat}
        wanted = others | ({seat: (phase, rule)} if rule else {})
        return replace(self, wanted=wanted, proposed={**self.proposed, seat: turn})

    def lapse(self, turn: int) -> Declared:
        """Return the calendar with only those proposals that this turn lists; 0 = none."""
        kept = {s: w for s, w in self.wanted.items() if turn and self.proposed.get(s) == turn}
        return replace(self, wanted=kept, clocks={})

    def without_absence(self, seat: str) -> Declared:
        """Return the calendar without the absences of a seat that somebody new has taken over."""
        begun = {s: begins for s, begins in self.announced.items() if s != seat}
        return replace(self.with_absence(seat, 0, 0), announced=begun)

    def without_word_of(self, seat: str) -> Declared:
        """Return the calendar without what a seat proposed and said about the date."""
        clocks = {who: time for who, time in self.clocks.items() if who != seat}
        return replace(self.with_wish(seat, "", ""), clocks=clocks)

    def with_rule(self, phase: str, rule: str, turn: int) -> Declared:
        """Return the calendar after all have agreed on a rule, in this turn."""
        name = f"{DEADLINE}_{phase}" if phase else DEADLINE
        return replace(self, wanted={}, rules={**self.rules, name: rule}, changed=turn)
