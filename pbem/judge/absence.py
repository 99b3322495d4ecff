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
from engine.values import Value
from pbem.format.canonical import RecordError
from pbem.records.charter import Charter
from pbem.records.policies import BOT, HOUR, Policies

Reason = Literal["", "absent", "idle", "conceded", "removed", "open", "announced"]
"""Why nobody waits for a seat; empty if somebody does."""
Unasked = Literal["", "default", "bot"]
"""How a question to a seat that is away is settled; empty if the seat is asked."""


class Absence(Value):
    """How long each seat has been silent since its last accepted orders; each turn makes a new
    one."""

    people: frozenset[str]
    """The seats that people play, without those of bots."""
    idle_after: int
    """How many missed deadlines in a row make a seat idle; 0 = never."""
    open_after: int = 0
    """How many whole rounds later an idle seat is open for somebody else; 0 = never."""
    missed: Mapping[str, int] = field(default_factory=dict)
    """For each seat: how many turns named it as silent since its last accepted orders."""
    rounds: Mapping[str, int] = field(default_factory=dict)
    """For each seat that was silent: the last round in which a turn said so."""
    gone: Mapping[str, Reason] = field(default_factory=dict)
    """The seats that conceded, were removed, are open, or are away as they announced."""
    bot: bool = False
    """Whether a bot answers for open seats."""

    def after(self, accepted: Collection[str], silent: Collection[str], round_: int) -> Absence:
        """Return the absence after a turn; `round_` is that of the questions before the turn."""
        missed = {s: n for s, n in self.missed.items() if s not in accepted}
        rounds = {s: n for s, n in self.rounds.items() if s not in accepted}
        for seat in silent:
            missed[seat], rounds[seat] = missed.get(seat, 0) + 1, round_
        return replace(self, missed=missed, rounds=rounds)

    @property
    def idle(self) -> frozenset[str]:
        """The seats that missed as many deadlines in a row as the charter allows."""
        enough = self.idle_after
        return frozenset(s for s, n in self.missed.items() if enough and n >= enough)

    def silent_long(self, round_: int) -> frozenset[str]:
        """Return the idle seats that are open for somebody else in this round."""
        rounds, last = self.open_after, self.rounds
        return frozenset(s for s in self.idle if rounds and round_ - last[s] > rounds)

    def away(self, seat: str, round_: int) -> Reason:
        """Return why a seat is away in a round; empty if it is not away.

        If everybody is idle or has left, the game still waits once in each round.
        """
        why = self.gone.get(seat, "")
        if why not in ("", "open"):
            return why
        vanished = self.idle | {other for other, reason in self.gone.items() if reason == "open"}
        here = self.people - self.idle - self.gone.keys()
        waited = max((self.rounds.get(other, -1) for other in vanished), default=-1)
        if seat in vanished and (here or round_ <= waited):
            return "open" if why or seat in self.silent_long(round_) else "idle"
        return "absent" if self.rounds.get(seat) == round_ else ""

    def unasked(self, key: str, decision: Decision) -> Unasked:
        """Return how to settle a question that no line answers; empty if the seat must be asked."""
        away = self.away(decision.seat, round_of(key))
        if away == "open" and self.bot:
            return "bot"
        is_unasked = bool(away) or decision.unasked
        return "default" if is_unasked and decision.default is not None else ""

    def now(self, pending: Pending) -> dict[str, Reason]:
        """Return the seats that are away while these questions are open.

        A seat with a question that has no default does not count as away: the game waits for it.
        """
        if not pending:
            return {}
        key = pending[0][0]
        asked = {decision.seat for at, decision in pending if not self.unasked(at, decision)}
        seats = sorted({*self.missed, *self.gone} - asked)
        return {seat: why for seat in seats if (why := self.away(seat, round_of(key)))}


def check_unasked(absence: Absence, key: str, decision: Decision, by: str) -> None:
    """Raise RecordError `rule` unless `by`, `default` or `bot`, settles the question as charter and
    turns say."""
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


def waited_for(
    charter: Charter, seats: Collection[str], round_: int, others: Collection[str]
) -> frozenset[str]:
    """Return the seats whose orders for the whole round the game waits for before it asks them, as
    `wait = "round"` says; `others` are not among them."""
    waits = round_ and charter.policies.waits_for_round
    return frozenset(seats).difference(charter.plays, others) if waits else frozenset()


def absence_of(charter: Charter, seats: Collection[str]) -> Absence:
    """Return the absence at the start of a game. Raises RecordError `field` for a bad policy."""
    said, people = charter.policies, frozenset(seats) - charter.bots.keys()
    return Absence(people, said.idle_after, said.open_after, bot=said.silent_seat == BOT)


def round_of(key: str) -> int:
    """Return the round of the decision with this key."""
    return int(key.partition(".")[0])


def phase_of(pending: Pending) -> str:
    """Return the phase that asks the open questions, as the ruleset names it; empty if none."""
    return pending[0][0].split(".")[1] if pending else ""


def round_asked(pending: Pending) -> int:
    """Return the round of the open questions; 0 if there are none."""
    return round_of(pending[0][0]) if pending else 0


# ---- The calendar: what notices declare


class Announced(Protocol):
    """The notice that announces an absence: `Away` in `pbem/judge/notice_kinds.py`."""

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
