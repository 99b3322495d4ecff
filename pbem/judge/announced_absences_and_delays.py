"""The calendar: absences, delays and proposed deadlines that players announce in listed notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Protocol

from engine.value_classes import Value
from pbem.records.deadline_and_silence_policies import Policies
from pbem.text.dates import HOUR


class AnnouncedAbsence(Protocol):
    """The notice that announces an absence: `Away` in `pbem/judge/notice_kinds.py`."""

    @property
    def begins(self) -> int:
        """The time at which the absence begins, in seconds since 1970 UTC."""

    @property
    def ends(self) -> int:
        """The time at which the absence ends; 0 to take an announcement back."""

    def covers(self, time: int) -> bool:
        """Return whether the seat is absent at this time."""


class Calendar(Value):
    """The absences, delays and proposals that listed notices declare; each notice makes a new
    one."""

    absences: Mapping[str, AnnouncedAbsence] = field(default_factory=dict)
    """For each seat that announced an absence: the announcement."""
    announced: Mapping[str, int] = field(default_factory=dict)
    """For each seat that ever announced an absence: the time at which the last of them begins."""
    delay_hours: Mapping[str, int] = field(default_factory=dict)
    """For each seat: the hours of delay that it has used."""
    last_delay: tuple[int, int] = (0, 0)
    """The last turn that listed delays, and the seconds by which its deadline was put off."""
    proposals: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """For each seat that proposes a deadline: the phase (empty for all) and the rule."""
    proposal_turns: Mapping[str, int] = field(default_factory=dict)
    """For each of these seats: the turn that lists the proposal."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """The deadline policies that all players have agreed on, by name."""
    rules_changed_in: int = 0
    """The last turn that changed one of these policies."""

    clocks: Mapping[str, int] = field(default_factory=dict)
    """For each seat that declares the last turn's date wrong: the time on its clock."""
    set_back: int = 0
    """The last turn whose date went back to the right time."""
    earliest: int = 0
    """The earliest date that this turn may have."""

    def renews(self, turn: int) -> bool:
        """Return whether a turn sets a new deadline even if its log is empty."""
        return turn in (self.rules_changed_in, self.set_back)

    def earliest_date(self, turn: int, last_date: int) -> int:
        """Return the earliest date that this turn may have, if the turn before has `last_date`."""
        return self.earliest if self.set_back == turn else last_date

    def seconds_put_off(self, turn: int) -> int:
        """Return the seconds by which the delays in this turn's notices put off its deadline."""
        delayed_turn, seconds = self.last_delay
        return seconds if delayed_turn == turn else 0

    def hours_left(self, policies: Policies, seat: str) -> int:
        """Return the hours of delay that the seat may still take."""
        return policies.delays // HOUR - self.delay_hours.get(seat, 0)

    def with_absence(self, seat: str, absence: AnnouncedAbsence) -> Calendar:
        """Return the calendar after a seat announced an absence, or took it back (`ends` is 0).
        `announced` keeps the time at which a taken back absence would have begun."""
        other_absences = {s: a for s, a in self.absences.items() if s != seat}
        if not absence.ends:
            return replace(self, absences=other_absences)
        announced = {**self.announced, seat: absence.begins}
        return replace(self, absences={**other_absences, seat: absence}, announced=announced)

    def has_unanswered_absence(self, seat: str, answered_at: int, time: int) -> bool:
        """Return whether the seat's last absence has begun by `time`, and the seat has not answered
        since; `answered_at` is the time of its last answer."""
        begins_at = self.announced.get(seat, time + 1)
        return answered_at < begins_at <= time

    def with_delay(self, seat: str, hours: int, turn: int) -> Calendar:
        """Return the calendar after a turn has listed a delay of this seat."""
        hours_used = {**self.delay_hours, seat: self.delay_hours.get(seat, 0) + hours}
        last_delay = (turn, self.seconds_put_off(turn) + hours * HOUR)
        return replace(self, delay_hours=hours_used, last_delay=last_delay)

    def with_proposal(self, seat: str, phase: str, rule: str, turn: int = 0) -> Calendar:
        """Return the calendar after a turn listed a seat's proposal of a deadline; an empty rule
        takes the proposal back."""
        other_proposals = {s: proposal for s, proposal in self.proposals.items() if s != seat}
        proposals = other_proposals | ({seat: (phase, rule)} if rule else {})
        return replace(
            self, proposals=proposals, proposal_turns={**self.proposal_turns, seat: turn}
        )

    def lapse(self, turn: int) -> Calendar:
        """Return the calendar without the clocks, and with only those proposals that this turn
        lists; 0 = none."""
        new_seats = [
            seat for seat in self.proposals if turn and self.proposal_turns.get(seat) == turn
        ]
        proposals = {seat: self.proposals[seat] for seat in new_seats}
        return replace(self, proposals=proposals, clocks={})

    def without_absence(self, seat: str) -> Calendar:
        """Return the calendar without the absences of a seat that somebody new has taken over."""
        absences = {s: absence for s, absence in self.absences.items() if s != seat}
        announced = {s: begins_at for s, begins_at in self.announced.items() if s != seat}
        return replace(self, absences=absences, announced=announced)

    def without_word_of(self, seat: str) -> Calendar:
        """Return the calendar without what a seat proposed and said about the date."""
        clocks = {writer: time for writer, time in self.clocks.items() if writer != seat}
        return replace(self.with_proposal(seat, "", ""), clocks=clocks)

    def with_rule(self, phase: str, rule: str, turn: int) -> Calendar:
        """Return the calendar after all have agreed on a deadline rule, in this turn. It counts in
        the phase, or if `phase` is empty, in each phase without a rule of its own; all proposals
        end."""
        name = f"deadline_{phase}" if phase else "deadline"
        return replace(self, proposals={}, rules={**self.rules, name: rule}, rules_changed_in=turn)
