"""Decide who is away, so that nobody waits for their answers (protocol §5, *Absence*).

The calendar keeps what players declare about time.

Absence follows from each turn's lists of silent seats and of accepted orders. So the referee makes
turns and everybody checks them with the same code.

One absence costs one deadline, and not one a question: a silent seat is absent until the end of the
round. ``idle_after`` counts deadlines, not rounds; it is 2, because one missed deadline can happen
to anybody. If all are idle or have left, each round still waits for one deadline: otherwise one
turn would end the game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import Literal, Protocol

from engine import Decision, Pending
from engine.value_classes import Value
from pbem.format.record_error import RecordError
from pbem.records.charter import Charter
from pbem.records.policies import BOT, Policies
from pbem.text.dates import HOUR

Reason = Literal["", "absent", "idle", "conceded", "removed", "open", "announced"]
"""The reason why nobody waits for a seat; empty if somebody does.

- `absent`: the seat missed a deadline of this round, so nobody waits for it again in the round.
- `idle`: it missed as many deadlines in a row as the charter allows.
- `open`: it has been idle for so long, or was declared open, that somebody else may take it.
- `announced`: its player declared an absence with dates (`Away` in pbem.judge.notice_kinds).
- `conceded`, `removed`: it has left the game.
"""
Unasked = Literal["", "default", "bot"]
"""The way to settle a question to a seat that is away; empty if the seat is asked."""


class Absence(Value):
    """The silence of each seat since its last accepted orders; each turn makes a new value."""

    people: frozenset[str]
    """The seats that people play, without those of bots."""
    idle_after: int
    """The number of missed deadlines in a row that make a seat idle; 0 = never."""
    open_after: int = 0
    """The number of whole rounds after which an idle seat is open for somebody else; 0 = never."""
    missed_turns: Mapping[str, int] = field(default_factory=dict)
    """For each seat: the number of turns since its last accepted orders that named it as silent."""
    rounds: Mapping[str, int] = field(default_factory=dict)
    """For each seat that was silent: the last round in which a turn said so."""
    declared_reasons: Mapping[str, Reason] = field(default_factory=dict)
    """The seats that conceded, were removed, are open, or are away as they announced."""
    bot: bool = False
    """Whether a bot answers for open seats."""

    def after_turn(
        self, accepted: Collection[str], silent: Collection[str], round_: int
    ) -> Absence:
        """Return the absence after a turn that accepts orders of some seats, and names others as
        silent; `round_` is the round of the questions that were open before it."""
        missed_turns = {s: n for s, n in self.missed_turns.items() if s not in accepted}
        rounds = {s: n for s, n in self.rounds.items() if s not in accepted}
        for seat in silent:
            missed_turns[seat], rounds[seat] = missed_turns.get(seat, 0) + 1, round_
        return replace(self, missed_turns=missed_turns, rounds=rounds)

    @property
    def idle(self) -> frozenset[str]:
        """The seats that missed as many deadlines in a row as the charter allows."""
        limit = self.idle_after
        return frozenset(s for s, n in self.missed_turns.items() if limit and n >= limit)

    def silent_long(self, round_: int) -> frozenset[str]:
        """Return the idle seats that are open for somebody else in this round."""
        min_rounds, last_rounds = self.open_after, self.rounds
        return frozenset(
            s for s in self.idle if min_rounds and round_ - last_rounds[s] > min_rounds
        )

    def absence_reason(self, seat: str, round_: int) -> Reason:
        """Return why a seat is away in a round; empty if it is not away.

        If everybody is idle or has left, the game still waits once in each round: until a turn of
        the round names one of them as silent.
        """
        declared_reason = self.declared_reasons.get(seat, "")
        if declared_reason not in ("", "open"):
            return declared_reason
        silent_seats = self.idle | {
            s for s, reason in self.declared_reasons.items() if reason == "open"
        }
        present_seats = self.people - self.idle - self.declared_reasons.keys()
        waited_round = max((self.rounds.get(s, -1) for s in silent_seats), default=-1)
        if seat in silent_seats and (present_seats or round_ <= waited_round):
            is_open = declared_reason == "open" or seat in self.silent_long(round_)
            return "open" if is_open else "idle"
        return "absent" if self.rounds.get(seat) == round_ else ""

    def unasked(self, key: str, decision: Decision) -> Unasked:
        """Return how to settle a question that no line answers; empty if the seat must be asked.
        `key` is the decision's key in the log, which begins with its round."""
        absence_reason = self.absence_reason(decision.seat, round_of(key))
        if absence_reason == "open" and self.bot:
            return "bot"
        is_unasked = bool(absence_reason) or decision.unasked
        return "default" if is_unasked and decision.default is not None else ""

    def absence_reasons(self, pending: Pending) -> dict[str, Reason]:
        """Return the seats that are away while these questions are open, each with the reason.

        A seat with a question that has no default does not count as away: the game waits for it.
        """
        if not pending:
            return {}
        key = pending[0][0]
        asked_seats = {d.seat for asked_key, d in pending if not self.unasked(asked_key, d)}
        seats = sorted({*self.missed_turns, *self.declared_reasons} - asked_seats)
        return {
            seat: reason for seat in seats if (reason := self.absence_reason(seat, round_of(key)))
        }


def check_unasked(absence: Absence, key: str, decision: Decision, settler: str) -> None:
    """Raise RecordError `rule` unless charter and turns say that `settler`, which is `default` or
    `bot`, settles the question. `absence` includes the silences of the turn that is read; `key` is
    the decision's key in the log."""
    expected_settler, seat = absence.unasked(key, decision), decision.seat
    if settler == expected_settler:
        return
    if settler == "bot":
        sentence = (
            f"{key}: no bot may answer this question: either this game was made without a bot "
            f"for open seats, or seat {seat} is not open"
        )
    elif expected_settler == "bot":
        sentence = (
            f"{key}: a bot must answer this question, and not the default, because seat {seat} "
            "is open and the charter (game.toml) lets a bot play open seats"
        )
    elif decision.default is None:
        sentence = f"{key}: this question has no default for a silent player"
    else:
        sentence = (
            f"{key}: the default may not answer this question yet, because no turn has said "
            f"that seat {seat} is away"
        )
    raise RecordError("rule", sentence)


def waited_for(
    charter: Charter, seats: Collection[str], round_: int, excluded_seats: Collection[str]
) -> frozenset[str]:
    """Return the seats that must give orders for the whole round before the game asks anything.

    There are none unless the charter says `wait = "round"`, and none if `round_` is 0: nothing is
    asked. The seats that the referee plays and `excluded_seats` are never among them.
    """
    if not round_ or not charter.policies.waits_for_round:
        return frozenset()
    return frozenset(seats).difference(charter.plays, excluded_seats)


def absence_of(charter: Charter, seats: Collection[str]) -> Absence:
    """Return the absence at the start of a game. Raises RecordError `field` for a bad policy."""
    policies, people = charter.policies, frozenset(seats) - charter.bots.keys()
    return Absence(
        people, policies.idle_after, policies.open_after, bot=policies.silent_seat == BOT
    )


def round_of(key: str) -> int:
    """Return the round of the decision with this key.

    >>> round_of("2.feed.dies.b.0")
    2
    """
    return int(key.partition(".")[0])


def phase_of(pending: Pending) -> str:
    """Return the phase that asks the open questions, as the ruleset names it; empty if none."""
    return pending[0][0].split(".")[1] if pending else ""


def round_asked(pending: Pending) -> int:
    """Return the round of the open questions; 0 if there are none."""
    return round_of(pending[0][0]) if pending else 0


# ---- The calendar: what notices declare


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

    def hours_left(self, charter: Policies, seat: str) -> int:
        """Return the hours of delay that the seat may still take."""
        return charter.delays // HOUR - self.delay_hours.get(seat, 0)

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
