"""What `advance` may do at a moment, and what the turn that it makes must say."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pbem.judge.notice_kinds import SetClock
from tests.reference.silence.notices import Note, Orders, Table, Turn, Wait, put_into_effect
from tests.reference.silence.people import REFEREE, Person
from tests.reference.silence.spans import DAY, silence_at

WAIT, QUIET, FULL, END = "wait", "notices only", "turn", "end"


@dataclass
class Next:
    """What the referee's program does now."""

    kind: str
    turn: Turn
    missing: set[str] = field(default_factory=set)
    """Who must answer before the deadline."""
    silent: set[str] = field(default_factory=set)
    accepted: dict[str, Orders] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    """The seats whose absence ends because a turn accepts orders of them, or lists a notice."""


@dataclass(frozen=True)
class Made:
    """What a turn in the folder says: facts of the game, and what the model must confirm."""

    number: int
    time: int
    deadline: int
    over: bool
    round: int
    asked: Mapping[str, tuple[str, ...]]
    silent: tuple[str, ...]
    notices: tuple[bytes, ...]
    accepted: Mapping[str, bytes]
    log: Sequence[tuple[str, str]]
    """Key and `by` of the new entries."""


def next_step(
    table: Table, notes: Sequence[Note], orders: Sequence[Orders], now: int, held: bool = False,
    own: Collection[bytes] = (),
) -> Next:  # fmt: skip
    """Return what happens if the referee's program looks at the folder at this time.

    `held`: the next questions would come to somebody who has sent nothing, and before the deadline
    --wait-for-all waits for them; or they would come to the referee, who must answer them first.
    `own`: the orders that the last turn names as the referee's own, which the next turn accepts
    even then.
    """
    time = date(table, notes, orders, now)
    turn = put_into_effect(table, list(notes), time, stopped_turn_by_seat(table, orders))
    after = turn.table
    if after.over:
        return Next(END, turn)
    step = Next(WAIT, turn)
    accepted = timely(table, after, orders)
    force = {s: one for s, one in after.force.items() if one.turn >= table.asked_by} | accepted
    answered = {seat for seat, one in force.items() if one.answers}
    here = copy.deepcopy(after)
    notice_presence(here, present_seats(turn) | set(accepted))
    for one in here.people:
        asked = one.seat in table.asked and one.seat not in answered
        if asked and not here.people.why_away(one, table.round, time):
            step.missing.add(one.seat)
    late = 0 < deadline_now(table, turn) <= time
    step.shown = present_seats(turn)
    if not step.missing or late:
        step.kind, step.silent = FULL, set(step.missing)
    elif turn.pressing:
        step.kind = QUIET
    if held and step.kind == FULL:
        step.kind, step.silent = QUIET if turn.pressing else WAIT, set()
        accepted = {seat: one for seat, one in accepted.items() if one.id in own}
    if step.kind != WAIT:
        step.accepted = accepted
        step.shown |= set(accepted)
    notice_presence(after, step.shown)
    return step


def deadline_now(table: Table, turn: Turn) -> int:
    """The deadline of the questions, with the delays that count now."""
    return table.deadline + turn.delays if table.deadline else 0


def date(table: Table, notes: Sequence[Note], orders: Sequence[Orders], now: int) -> int:
    """The date of the next turn: never before the last one, but for a corrected clock."""
    last = table.times[-1]
    if now >= last:
        return now
    found = put_into_effect(table, list(notes), now, stopped_turn_by_seat(table, orders))
    clocks = [n.says.time for n in found.listed if isinstance(n.says, SetClock) and not n.writer]
    return max(now, *clocks) if clocks else last


def stopped_turn_by_seat(table: Table, orders: Sequence[Orders]) -> dict[str, int]:
    """For each seat with new orders: the turn that the latest of them names."""
    found: dict[str, int] = {}
    for one in orders:
        person = table.people.of.get(one.seat)
        if person and one.key == person.key and not person.conceded and not person.removed:
            found[one.seat] = max(found.get(one.seat, 0), one.turn)
    return found


def timely(table: Table, after: Table, orders: Sequence[Orders]) -> dict[str, Orders]:
    """The orders of each seat that the next turn accepts: never those that the orders in force
    come before."""
    found: dict[str, Orders] = {}

    def rank(one: Orders) -> tuple[int, int, list[int]]:
        return one.turn, one.revision, [-b for b in one.id]

    for one in sorted(orders, key=rank):
        person = after.people.of.get(one.seat)
        if person is None or person.conceded or person.removed or one.key != person.key:
            continue
        held = after.force.get(one.seat)
        if one.turn >= table.asked_by and (held is None or rank(held) < rank(one)):
            found[one.seat] = one
    return found


def present_seats(turn: Turn) -> set[str]:
    """The seats of which a notice shows that somebody is there."""
    return {n.writer for n in turn.listed if n.writer and n not in turn.announced}


def notice_presence(table: Table, seats: set[str]) -> None:
    for seat in seats:
        table.people.of[seat].missed = 0
        table.people.of[seat].silent_round = -99


def turn_differences(table: Table, step: Next, made: Made) -> list[str]:
    """Return how a turn differs from what the model expects, in words."""
    turn, wrong = step.turn, []

    def same(what: str, expected: object, found: object) -> None:
        if expected != found:
            wrong.append(f"{what}: expected {expected}, found {found}")

    same("kind", step.kind, kind_of(made))
    same("time", turn.time, made.time)
    same("notices", sorted(n.id.hex()[:6] for n in turn.listed),
         sorted(i.hex()[:6] for i in made.notices))  # fmt: skip
    if wrong or step.kind == END:
        return wrong
    same("accepted", {s: o.id.hex()[:6] for s, o in step.accepted.items()},
         {s: i.hex()[:6] for s, i in made.accepted.items()})  # fmt: skip
    return wrong


def kind_of(made: Made) -> str:
    return FULL if made.log else END if made.over else QUIET


def apply(table: Table, step: Next, made: Made) -> tuple[Table, list[str]]:
    """Return the table after the turn, and what in the turn cannot be."""
    after, turn = step.turn.table, step.turn
    for one in after.people:
        others = [n for n in turn.listed if n.writer == one.seat and n.says.about != "away"]
        if one.seat in step.accepted or others:
            one.answered = made.time
    for who, spare in turn.pressing if step.kind == QUIET else ():
        at = table.round, who, spare
        after.pressed[at] = after.pressed.get(at, 0) + 1
    after.force |= step.accepted
    after.times.append(made.time)
    wrong = []
    if step.kind == FULL:
        wrong = silence(table, step, made) + entry_faults(after, made)
    elif made.silent:
        wrong = [f"silent in a turn for notices alone: {made.silent}"]
    after.over = made.over
    if made.over:
        after.asked, after.deadline = {}, 0
        return after, wrong
    for one in after.people:
        long = after.people.rules.silent_seat == "remove" and not one.out
        if long and after.people.open_by_silence(one, after.round):
            one.removed = True
            after.force.pop(one.seat, None)
    wrong += deadline_faults(table, step, made)
    after.deadline = made.deadline
    idle = {one.seat for one in table.people if table.people.is_idle(one)}
    after.inside = after.people.inside(made.time, turn.writers(), idle)
    after.waits = [announced_wait(after, wait, made) for wait in after.waits]
    return after, wrong


def silence(table: Table, step: Next, made: Made) -> list[str]:
    """Note who was silent, and what is asked now; return what is wrong with it."""
    after = step.turn.table
    wrong = unheard_wrongly(table, step, made, set(made.silent) - step.silent)
    if not step.silent <= set(made.silent):
        wrong.append(f"silent: expected {sorted(step.silent)}, found {made.silent}")
    for seat in made.silent:
        after.people.of[seat].missed += 1
        after.people.of[seat].silent_round = table.round
    after.asked, after.round, after.asked_by = dict(made.asked), made.round, made.number
    return wrong


def announced_wait(table: Table, wait: Wait, made: Made) -> Wait:
    """The moment that the turn which announced something gives it: two days, or the first deadline
    of the slowest rule, after the last of the absences that touch this time."""
    if wait.turn != made.number:
        return wait
    rules, begin, absences = table.people.rules, made.time, [table.people.of[s] for s in wait.by]
    while True:
        slowest = max(silence_at(rule, begin) for rule in (rules.deadline, *rules.phases.values()))
        end = max(begin + 2 * DAY, slowest)
        later = [one.ends for one in absences if one.begins < end and one.ends > begin]
        if not later:
            return replace(wait, until=end)
        begin = min(later)
        if wait.stubborn and begin > made.time + 14 * DAY:
            begin, absences = made.time + 14 * DAY, []


def unheard_wrongly(table: Table, step: Next, made: Made, seats: set[str]) -> list[str]:
    """With --wait-for-all, seats may be silent that were not asked: which of these may not?"""
    wrong = []
    late = 0 < deadline_now(table, step.turn) <= made.time
    for seat in seats:
        one = step.turn.people.of.get(seat)
        fine = table.people.rules.wait_for_all and late and one and seat not in table.asked
        if not fine or one is None or one.holder == REFEREE or seat in step.shown:
            wrong.append(f"silent: {seat} is named, and should not be")
        elif step.turn.people.why_away(one, table.round, made.time):
            wrong.append(f"silent: {seat} is named although it is away")
    return wrong


def entry_faults(table: Table, made: Made) -> list[str]:
    """Default and bot entries are for those who are away, and nobody waits for them alone."""
    wrong, people = [], table.people
    for key, by in made.log:
        parts = key.split(".")
        one = people.of.get(parts[3])
        if one is None:
            continue
        round_ = int(parts[0])
        why = people.why_away(one, round_, made.time)
        if by in ("default", "bot") and not why:
            wrong.append(f"{key} is by {by}, and {one.seat} is not away")
        plays = people.rules.silent_seat == "bot" and why == "open"
        if by in ("default", "bot") and why and plays != (by == "bot"):
            wrong.append(f"{key} is by {by}, and {one.seat} is {why}")
        if by.startswith(("line", "always")) and one.seat not in table.force:
            wrong.append(f"{key} is by {by}, and {one.seat} has no orders in force")
    asked = [people.of[s] for s in made.asked if s in people.of]
    away = [one for one in asked if people.why_away(one, made.round, made.time)]
    if made.asked and len(away) == len(made.asked):
        wrong.append(f"asks only {sorted(made.asked)}, who are away")
    return wrong


def deadline_faults(table: Table, step: Next, made: Made) -> list[str]:
    """The deadline of a turn."""
    rules, turn = step.turn.people.rules, step.turn
    phase = phase_of(made.asked if step.kind == FULL else table.asked)
    if step.kind == FULL or turn.new_rule:
        right = silence_at(rules.phases.get(phase, rules.deadline), made.time)
    else:
        right = table.deadline
    right += turn.delays if right else 0
    return [] if right == made.deadline else [f"deadline: expected {right}, found {made.deadline}"]


def phase_of(asked: Mapping[str, tuple[str, ...]]) -> str:
    """The phase of the open questions, where the name of the phase is that of the question."""
    kinds = [kind for kinds in asked.values() for kind in kinds]
    return {"develop": "development"}.get(kinds[0], kinds[0]) if kinds else ""


def status_of(table: Table, seat: Person) -> str:
    """What `status --json` says under `away`."""
    return table.people.why_away(seat, table.round, table.times[-1])
