"""Decide who is away, so that nobody waits for their answers (protocol §5, *Absence*).

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
from typing import Final, Literal

from engine import Decision, Pending
from engine.value_classes import Value
from pbem.format.record_error import RecordError
from pbem.records.charter import Charter
from pbem.records.deadline_and_silence_policies import BOT

NO_ANSWER_FOR_SILENT: Final = (
    "the turn says that the player was silent, but the rules have no default answer to this "
    "question"
)

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
    last_silent_rounds: Mapping[str, int] = field(default_factory=dict)
    """For each seat that was silent: the last round in which a turn said so."""
    declared_reasons: Mapping[str, Reason] = field(default_factory=dict)
    """The seats that conceded, were removed, are open, or are away as they announced."""
    bot: bool = False
    """Whether a bot answers for open seats."""

    def after_turn(
        self, accepted: Collection[str], silent: Collection[str], round_: int
    ) -> Absence:
        """Return the silences of all seats after a turn that accepts orders of some seats, and
        names others as silent; `round_` is the round of the questions that were open before it."""
        missed_turns = {s: n for s, n in self.missed_turns.items() if s not in accepted}
        rounds = {s: n for s, n in self.last_silent_rounds.items() if s not in accepted}
        for seat in silent:
            missed_turns[seat], rounds[seat] = missed_turns.get(seat, 0) + 1, round_
        return replace(self, missed_turns=missed_turns, last_silent_rounds=rounds)

    @property
    def idle(self) -> frozenset[str]:
        """The seats that missed as many deadlines in a row as the charter allows."""
        limit = self.idle_after
        return frozenset(s for s, n in self.missed_turns.items() if limit and n >= limit)

    def silent_long(self, round_: int) -> frozenset[str]:
        """Return the idle seats that are open for somebody else in this round."""
        min_rounds, last_rounds = self.open_after, self.last_silent_rounds
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
        waited_round = max((self.last_silent_rounds.get(s, -1) for s in silent_seats), default=-1)
        if seat in silent_seats and (present_seats or round_ <= waited_round):
            is_open = declared_reason == "open" or seat in self.silent_long(round_)
            return "open" if is_open else "idle"
        return "absent" if self.last_silent_rounds.get(seat) == round_ else ""

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
            f"question {key}: the turn lets a bot answer, but seat {seat} is not open, or this "
            "game has no bot for open seats"
        )
    elif expected_settler == "bot":
        sentence = (
            f"question {key}: the turn says that the player was silent, but a bot must answer: "
            f"seat {seat} is open, and the charter (game.toml) lets a bot play open seats"
        )
    elif decision.default is None:
        sentence = f"question {key}: {NO_ANSWER_FOR_SILENT}"
    else:
        sentence = (
            f"question {key}: the turn says that the player was silent, but no turn has said that "
            f"seat {seat} is away"
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
