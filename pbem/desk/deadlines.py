"""Deadlines and silence in words: policies of a new game, days away, what is due, reminders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from engine.values import Value
from pbem.desk.typed_deadlines import typed_rule, typed_span
from pbem.errors import CliError
from pbem.judge.absence import phase_of
from pbem.judge.lines import STAND_IN_BOT
from pbem.judge.view import View
from pbem.records.policies import (
    BOT,
    DEFAULTS,
    IDLE_AFTER,
    MAX_MISSED_DEADLINES,
    OPEN_AFTER,
    SILENT_SEATS,
    Policies,
    span_words,
)
from pbem.screen.terminal import clean
from pbem.text.clock import now
from pbem.text.dates import local_date, moment, utc_date
from pbem.text.names import counted, join_words

if TYPE_CHECKING:
    from pbem.judge.turn_inputs import Outcome

# ---- Turn the deadlines that a referee types for `new` into policies of the charter

DEFAULT: Final = "48h"
"""The default deadline of a new game: two days, because most people read their mail daily."""


def silence_policies(
    silent_seat: str,
    idle_after: int,
    open_after: int,
    deputy_after: str,
    deadlines: Mapping[str, str],
) -> dict[str, str | int]:
    """Return the policies of a new charter about silent seats and a silent referee; none for what
    charters mean without one. `deadlines` are its deadlines. Raises CliError."""
    found: dict[str, str | int] = {}
    numbers = (("idle_after", idle_after, IDLE_AFTER), ("open_after", open_after, OPEN_AFTER))
    for name, number, usual in numbers:
        if not 0 <= number <= MAX_MISSED_DEADLINES:
            told = f"--{name.replace('_', '-')} needs a number from 0 to {MAX_MISSED_DEADLINES}"
            raise CliError(told, "0 = never")
        if number != usual:
            found[name] = number
    if silent_seat not in SILENT_SEATS:
        told = f"--silent-seat cannot be {silent_seat!r}"
        raise CliError(told, f"it is one of: {', '.join(SILENT_SEATS)}")
    if silent_seat != DEFAULTS:
        rules = {rule for name, rule in deadlines.items() if name.startswith("deadline")}
        needs = f"--silent-seat {silent_seat} needs"
        if rules == {"never"}:
            told = f"{needs} a deadline: without one nobody counts as silent"
            raise CliError(told, "--deadline 48h")
        if not (idle_after and open_after):
            told = f"{needs} --idle-after and --open-after above 0"
            raise CliError(told, "if one of them is 0, no silent player ever loses the seat")
        found["silent_seat"] = silent_seat
    if deputy_after:
        found["deputy_after"] = span_words(typed_span("--deputy-after", deputy_after))
    return found


def silent_lines(policies: Policies) -> list[str]:
    """Return a line on what happens to players who stay silent for long; none if it is the
    default."""
    if policies.silent_seat == DEFAULTS:
        return []
    missed, rounds = policies.idle_after, policies.open_after
    long = f"miss {missed} deadlines in a row" if missed > 1 else "miss a deadline"
    long += f" and stay silent for {counted(rounds, 'more round')}"
    bot = f"the bot {STAND_IN_BOT} plays for them until they come back"
    then = bot if policies.silent_seat == BOT else "they are removed from the game and ranked last"
    return [f"players who {long}: {then}"]


def typed_policies(
    deadline: str,
    by_phase: Sequence[str],
    change_of_mind: str,
    phases: Sequence[str],
    delays: str = "",
) -> tuple[dict[str, str], list[str]]:
    """Return the policies of a new charter, each rule in its standard form, and what `pbem` assumed
    when it read them, such as the time zone. Raises CliError."""
    rules = {"deadline": typed_rule("--deadline", deadline)}
    for said in by_phase:
        phase, equals, rule = said.partition("=")
        if not equals or phase not in phases:
            hint = f"write --deadline-for {phases[-1]}=72h; the phases are {', '.join(phases)}"
            raise CliError(f"--deadline-for: {said!r} is not a phase of this game", hint)
        rules[f"deadline_{phase}"] = typed_rule("--deadline-for", rule)
    found = {name: typed.rule for name, typed in rules.items()}
    for name, said in (("change_of_mind", change_of_mind), ("delays", delays)):
        if said:
            found[name] = span_words(typed_span(f"--{name.replace('_', '-')}", said))
    return found, [*dict.fromkeys(typed.told for typed in rules.values() if typed.told)]


def deadline_line(policies: Mapping[str, Any]) -> str:
    """Return the line that `new` prints about deadlines: `deadline: 48h after each turn; …`."""
    rules = [f"{policies.get('deadline', 'never')}"]
    rules += [
        f"{name.removeprefix('deadline_')}: {rule}"
        for name, rule in sorted(policies.items())
        if name.startswith("deadline_")
    ]
    if rules == ["never"]:
        return "there is no deadline: if a player stays silent, the game waits for them"
    silent = "after that, the least harmful choice is made for silent players"
    return f"deadline: {'; '.join(rules)}; {silent}"


# ---- Write what `status` says about players who are away, and how they can come back

COME_BACK = "you count as away: to come back, send orders"


def away_lines(view: View, sealed: Collection[str]) -> list[str]:
    """Return a line for each seat that is away.

    `sealed` are the seats whose orders for the next turn are in the folder.
    """
    return [
        _away_line(view, seat, why, seat in sealed)
        for seat, why in sorted(view.absence_reasons.items())
    ]


def calendar_lines(view: View) -> list[str]:
    """Return lines on announced absences, proposed deadlines, and the delays that you may still ask
    for."""
    if view.over or not view.published:
        return []
    lines = []
    for seat, (begins, ends) in sorted(view.absences.items()):
        if ends > now() and seat not in view.absence_reasons:
            when = f"from {local_date(begins)} to {local_date(ends)}"
            lines.append(f"{clean(view.names[seat])} is away {when}, as announced")
    for seat, (phase, rule) in sorted(view.proposed_deadlines.items()):
        where = f" --phase {phase}" if phase else ""
        told = f"{clean(view.names[seat])} proposes a new deadline: {rule}"
        lines.append(f'{told} (to agree: pbem notice deadline "{rule}"{where})')
    if view.delay_left and view.deadline > now() and view.seat in view.awaited:
        left = f"by up to {view.delay_left} more hours; to do so: pbem notice delay 24h"
        lines.append(f"you may put deadlines off {left}")
    return lines


def _away_line(view: View, seat: str, why: str, sealed: bool) -> str:
    mine, name, silent = seat == view.seat, clean(view.names[seat]), view.policies.silent_seat
    whom = "you" if mine else "them"
    if why == "conceded":
        told = "you have conceded" if mine else f"{name} has conceded"
        return f"{told}: the least harmful choices are made for {whom}, without waiting"
    if why == "removed":
        told = "you were" if mine else f"{name} was"
        least = f"the least harmful choices are made for {whom}, without waiting"
        return f"{told} silent for too long and removed from the game: {least}"
    if why == "open":
        told = "your seat is open" if mine else f"{name}'s seat is open"
        plays = "its choices are made without waiting"
        if silent == BOT:
            plays = f"the bot {STAND_IN_BOT} plays on"
        counts = "; your orders still count" if mine else ""
        return f"{told} for somebody else; until then, {plays}{counts}"
    if why == "announced":
        told = "you are away" if mine else f"{name} is away"
        return (
            f"{told}, as announced, so the game does not wait and the least harmful choices are "
            "made"
        )
    if sealed:
        return f"{name} was away but has sent orders, and will be back with the next turn"
    later = ""
    if why == "idle" and silent != DEFAULTS:
        rounds = view.policies.open_after
        long = "one whole round" if rounds == 1 else f"{rounds} whole rounds"
        then = "a bot plays on" if silent == BOT else "the seat is removed from the game"
        later = f"; after {long} without orders, {then}"
    if mine:
        end = " or the end of this round" if why == "absent" else ""
        chosen = "the least harmful choice is made immediately for you"
        return f"{COME_BACK}; until then{end}, {chosen}{later}"
    told = "was silent at the deadline" if why == "absent" else "missed the last few deadlines"
    long = "until the end of this round" if why == "absent" else "in every round"
    least = f"{long}, the least harmful choice is made immediately"
    ends = "nobody waits for them until they send orders"
    return f"{name} {told} and is {why}: {least}, and {ends}{later}"


# ---- The deadline of a turn in words


class Due(Value):
    """The deadline of a turn. All times are seconds since 1970 UTC."""

    made: int
    """When the turn that asks the questions was made."""
    counts: int
    """The moment from which a seat that stays silent counts as absent, as the turn says; 0 =
    never."""
    grace: int = 0
    """Seconds between the deadline and the moment `counts`."""
    zone: str = ""
    """The time zone of the game's rule; empty if the rule is a span of time, the same anywhere."""

    def __bool__(self) -> bool:
        return bool(self.counts)

    @property
    def deadline(self) -> int:
        """The deadline that players are told; orders still count in the grace after it."""
        return self.counts - self.grace

    @property
    def over(self) -> bool:
        """Whether the deadline and its grace have passed."""
        return 0 < self.counts <= now()

    @property
    def left(self) -> float:
        """The remaining share of the time until the deadline: 1 at first, 0 at the deadline, then
        negative."""
        return (self.deadline - now()) / max(self.deadline - self.made, 1)

    @property
    def words(self) -> str:
        """The deadline as words for a sentence, with its grace if any; empty if there is no
        deadline."""
        if not self.counts:
            return ""
        told = moment(self.deadline, now())
        if self.grace and not self.over:
            still = "still " if self.deadline <= now() else ""
            told += f" (orders {still}count until {moment(self.counts, now())})"
        return told

    @property
    def for_others(self) -> str:
        """The deadline in UTC, for people in other time zones."""
        later = f" (orders count until {utc_date(self.counts)})" if self.grace else ""
        return f"{utc_date(self.deadline)}{later}"


def due_of(asked: View | Outcome) -> Due:
    """Return the deadline of a view's last turn, or of the turn that `advance` waits for."""
    if isinstance(asked, View):
        phase, made, counts = phase_of(asked.table.pending), asked.times[-1], asked.deadline
    else:
        turn, phase = asked.turn, asked.phase
        made, counts = (turn.time, turn.deadline) if turn else (0, 0)
    rule = asked.policies.rule(phase if counts else "")
    return Due(made, counts, rule.grace, rule.zone if rule.days else "")


# ---- Reminders: at half and at a quarter of the time, and after the deadline


def reminder(
    due: Due, title: str, turn: int, late: Mapping[str, Sequence[str]], names: Mapping[str, str]
) -> list[str]:
    """Return lines that say who to remind, and a text to send them; empty if it is too early.

    `late` gives, for each seat that the game waits for, the kinds of decision it must make.
    """
    stage = stage_of(due)
    if not stage or not late:
        return []
    who = join_words(clean(names[seat]) for seat in sorted(late))
    kinds = dict.fromkeys(kind for asked in late.values() for kind in asked)
    text = f"{clean(title)}, turn {turn} is waiting for {who} ({', '.join(kinds)})."
    text += f" Deadline: {due.for_others}; after that, the least harmful choice is made."
    return [f"remind {who}: {stage}. You can send this text:", f"  {text}"]


def stage_of(due: Due) -> str:
    """Return how much time is left, in words; empty if it is too early for a reminder."""
    if not due or due.left > 0.5:
        return ""
    if due.left <= 0:
        return "the deadline has passed"
    part = "a quarter" if due.left <= 0.25 else "half"
    return f"less than {part} of the time is left"
