"""Deadlines and silence in words: rules of a game, players who are away, reminders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from engine.counts_and_lists_in_prose import counted, join_words
from pbem.judge.deadline_status import DeadlineStatus
from pbem.judge.game_ruleset import STAND_IN_BOT
from pbem.judge.game_view import View
from pbem.records.deadline_and_silence_policies import BOT, DEFAULTS, Policies
from pbem.terminal.clean_text import clean
from pbem.text.clock import now
from pbem.text.dates import DateWriter, local_date, moment, utc_date
from pbem.text.least_harmful_choice import (
    CHOICE_AFTER_DEADLINE,
    LEAST_HARMFUL_CHOICE,
    LEAST_HARMFUL_CHOICES,
)
from pbem.text.terminal_and_page_wording import TerminalText, to_type

# ---- The rules of a game

NO_DEADLINE: Final = "there is no deadline: if a player stays silent, the game waits for them"
_DEADLINE_RULES: Final = f"deadline: {{rules}}; {CHOICE_AFTER_DEADLINE} for silent players"
_SILENCE_TEMPLATES: Final = {
    (BOT, False): (
        "if players miss a deadline and stay silent for {rounds}, the {bot} bot plays for them "
        "until they come back"
    ),
    (BOT, True): (
        "if players miss {missed} deadlines in a row and stay silent for {rounds}, the {bot} bot "
        "plays for them until they come back"
    ),
    ("", False): (
        "if players miss a deadline and stay silent for {rounds}, they are removed from the game "
        "and ranked last"
    ),
    ("", True): (
        "if players miss {missed} deadlines in a row and stay silent for {rounds}, they are "
        "removed from the game and ranked last"
    ),
}
"""Templates by the bot that takes over, if one does, and by whether several deadlines count."""


def deadline_line(policies: Mapping[str, Any]) -> str:
    """Return the line that `new` prints about deadlines: `deadline: 48h after each turn; …`."""
    rules = [_say_rule(policies.get("deadline", "never"))]
    rules += [
        f"{name.removeprefix('deadline_')}: {_say_rule(rule)}"
        for name, rule in sorted(policies.items())
        if name.startswith("deadline_")
    ]
    return NO_DEADLINE if rules == ["never"] else _DEADLINE_RULES.format(rules="; ".join(rules))


def _say_rule(rule: str) -> str:
    """Return a rule, such as `48h, grace 2h`, in words; a span is counted from each turn."""
    span, comma, rest = rule.partition(",")
    return f"{span} after each turn{comma}{rest}" if span[:1].isdecimal() else rule


def silence_lines(policies: Policies) -> list[str]:
    """Return a line on what happens to players who stay silent for long; none if it is the
    default."""
    if policies.silent_seat == DEFAULTS:
        return []
    missed_count, rounds = policies.idle_after, counted(policies.open_after, "more round")
    bot = BOT if policies.silent_seat == BOT else ""
    template = _SILENCE_TEMPLATES[bot, missed_count > 1]
    return [template.format(missed=missed_count, rounds=rounds, bot=STAND_IN_BOT)]


# ---- Players who are away, and how they can come back

COME_BACK: Final = "the game treats you as away; to come back, send orders"
_AWAY_TEMPLATES: Final = {
    ("conceded", True): (
        f"you have conceded: nobody waits for you, and {LEAST_HARMFUL_CHOICES} are made for you"
    ),
    ("conceded", False): (
        f"{{name}} has conceded: nobody waits for them, and {LEAST_HARMFUL_CHOICES} are made"
    ),
    ("removed", True): (
        f"you were silent for too long and removed from the game: nobody waits for you, and "
        f"{LEAST_HARMFUL_CHOICES} are made for you"
    ),
    ("removed", False): (
        f"{{name}} was silent for too long and removed from the game: nobody waits for them, and "
        f"{LEAST_HARMFUL_CHOICES} are made"
    ),
    ("open", True): (
        "your seat is open for somebody else. Until somebody takes the seat, the game does not "
        "wait for your orders, but uses them if you send any"
    ),
    ("open", False): (
        "{name}'s seat is open for somebody else. Until somebody takes the seat, the game does "
        "not wait for orders from this seat"
    ),
    ("bot", True): (
        "your seat is open for somebody else. Until somebody takes the seat, you may "
        "send orders; when you send none, the {bot} bot plays for you"
    ),
    ("bot", False): (
        "{name}'s seat is open for somebody else. Until somebody takes the seat, the {bot} bot "
        "plays this seat"
    ),
    ("announced", True): (
        f"you are away, as announced, so nobody waits for you, and {LEAST_HARMFUL_CHOICES} are "
        "made for you"
    ),
    ("announced", False): (
        f"{{name}} is away, as announced, so nobody waits for them, and {LEAST_HARMFUL_CHOICES} "
        "are made"
    ),
    ("absent", True): (
        f"{COME_BACK}. Until the end of this round, nobody waits for you, and "
        f"{LEAST_HARMFUL_CHOICE} is made for you"
    ),
    ("absent", False): (
        "{name} was silent at the deadline. Until they send orders or this round ends, nobody "
        f"waits for them, and {LEAST_HARMFUL_CHOICE} is made"
    ),
    ("idle", True): (
        f"{COME_BACK}. Until then, nobody waits for you, and {LEAST_HARMFUL_CHOICE} is made for you"
    ),
    ("idle", False): (
        "{name} missed the last few deadlines. Until they send orders, nobody waits for them, "
        f"and {LEAST_HARMFUL_CHOICE} is made"
    ),
}
"""Templates by the reason why nobody waits for a seat, and by whether it is the reader's."""
_BACK_SOON: Final = "{name} was away but has sent orders, and will be back with the next turn"
_BOT_TAKES_OVER: Final = "after {rounds} without orders, a bot plays on"
_SEAT_IS_REMOVED: Final = "after {rounds} without orders, the seat is removed from the game"
_ABSENCE: Final = "{name} is away from {begin} to {end}, as announced"
_PROPOSED_DEADLINE: Final = TerminalText(
    '{name} proposes a new deadline: {rule}[[ (to agree: pbem notice deadline "{rule}"{option})]]'
)
_DELAY_LEFT: Final = TerminalText(
    "you may put deadlines off by up to {hours_left}[[; to do so: pbem notice delay 24h]]"
)


def away_lines(view: View, sealed_seats: Collection[str]) -> list[str]:
    """Return a line for each seat that is away.

    `sealed_seats` are the seats whose orders for the next turn are in the folder.
    """
    return [
        _away_line(view, seat, reason, seat in sealed_seats)
        for seat, reason in sorted(view.absence_reasons.items())
    ]


def _away_line(view: View, seat: str, reason: str, has_sealed: bool) -> str:
    """Return the line on a seat that is away for this reason. `has_sealed` says that the seat's
    orders are here, so that a player who was only silent comes back."""
    name, fate = clean(view.names[seat]), view.policies.silent_seat
    may_return = reason in ("absent", "idle")
    if may_return and has_sealed:
        return _BACK_SOON.format(name=name)
    key = "bot" if reason == "open" and fate == BOT else reason
    line = _AWAY_TEMPLATES[key, seat == view.seat].format(name=name, bot=STAND_IN_BOT)
    if reason != "idle" or fate == DEFAULTS:
        return line
    template = _BOT_TAKES_OVER if fate == BOT else _SEAT_IS_REMOVED
    round_count = view.policies.open_after
    rounds = "one whole round" if round_count == 1 else f"{round_count} whole rounds"
    return f"{line}; {template.format(rounds=rounds)}"


def calendar_lines(view: View) -> list[str]:
    """Return lines on announced absences that have not begun to count, proposed deadlines, and the
    delays that you may still ask for."""
    if view.is_over or not view.published:
        return []
    lines = [
        _ABSENCE.format(name=clean(view.names[seat]), begin=local_date(begin), end=local_date(end))
        for seat, (begin, end) in sorted(view.absences.items())
        if end > now() and seat not in view.absence_reasons
    ]
    for seat, (phase, rule) in sorted(view.proposed_deadlines.items()):
        option = to_type(f" --phase {phase}") if phase else ""
        name = clean(view.names[seat])
        lines.append(_PROPOSED_DEADLINE.format(name=name, rule=rule, option=option))
    if view.delay_left and view.deadline > now() and view.seat in view.awaited:
        lines.append(_DELAY_LEFT.format(hours_left=counted(view.delay_left, "more hour")))
    return lines


# ---- The deadline of a turn

_IN_GRACE: Final = "{deadline} (orders count until {absent_at})"
_AFTER_DEADLINE: Final = "{deadline} (orders still count until {absent_at})"


def describe_deadline(status: DeadlineStatus, date_writer: DateWriter = local_date) -> str:
    """Return the deadline, with its grace if any, for the user of this machine; empty without a
    deadline. `date_writer` writes the dates."""
    if not status:
        return ""
    deadline = moment(status.deadline, now(), date_writer)
    if not status.grace_seconds or status.is_over(now()):
        return deadline
    template = _AFTER_DEADLINE if status.deadline <= now() else _IN_GRACE
    absent_at = moment(status.absent_at, now(), date_writer)
    return template.format(deadline=deadline, absent_at=absent_at)


def describe_deadline_in_utc(status: DeadlineStatus) -> str:
    """Return the deadline in UTC, for people in other time zones."""
    deadline = utc_date(status.deadline)
    if not status.grace_seconds:
        return deadline
    return _IN_GRACE.format(deadline=deadline, absent_at=utc_date(status.absent_at))


# ---- Reminders: at half and at a quarter of the time, and after the deadline

_REMIND: Final = "remind {names}: {stage}. You can send this text:"
_REMINDER: Final = (
    f"  {{title}}, turn {{turn}} is waiting for {{names}} ({{kinds}}). Deadline: {{deadline}}; "
    f"{CHOICE_AFTER_DEADLINE}."
)


def reminder_lines(
    status: DeadlineStatus,
    title: str,
    turn: int,
    kinds_by_seat: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
) -> list[str]:
    """Return lines that say who to remind, and a text to send them; empty if it is too early.

    `kinds_by_seat` has the seats that the game waits for, and the decisions that they must make.
    """
    stage = describe_time_left(status)
    if not stage or not kinds_by_seat:
        return []
    people = join_words(clean(names[seat]) for seat in sorted(kinds_by_seat))
    kinds = dict.fromkeys(kind for asked_kinds in kinds_by_seat.values() for kind in asked_kinds)
    reminder = _REMINDER.format(
        title=clean(title),
        turn=turn,
        names=people,
        kinds=", ".join(kinds),
        deadline=describe_deadline_in_utc(status),
    )
    return [_REMIND.format(names=people, stage=stage), reminder]


def describe_time_left(status: DeadlineStatus) -> str:
    """Return how much time is left, in words; empty if it is too early for a reminder."""
    share_left = status.share_left(now()) if status else 1
    if share_left > 0.5:
        return ""
    if share_left <= 0:
        return "the deadline has passed"
    return f"less than {'a quarter' if share_left <= 0.25 else 'half'} of the time is left"


# ---- What pbem assumes about a typed deadline

_EVERY_WEEK: Final = "the deadline comes every {weekday}, not only once"
_COMPUTER_ZONE: Final = "you named no time zone, so pbem uses the one of this computer: {zone}"
_FIXED_OFFSET: Final = (
    "{typed_time} is {utc_time} UTC all year, also when clocks change; for local time, name a city "
    "instead, such as Europe/Berlin"
)
_LOCAL_TIME: Final = "pbem reads {typed_zone} as the local time of {city_zone}"
_LOCAL_TIME_ALL_YEAR: Final = f"{_LOCAL_TIME}, in summer as in winter"


def every_week_note(weekday: str) -> str:
    """Say that a deadline on one day of the week comes every week."""
    return _EVERY_WEEK.format(weekday=weekday)


def computer_zone_note(zone: str) -> str:
    """Say which time zone a typed deadline without one is in."""
    return _COMPUTER_ZONE.format(zone=zone)


def fixed_offset_note(typed_time: str, utc_time: str) -> str:
    """Say that a time with an offset from UTC does not follow summer time."""
    return _FIXED_OFFSET.format(typed_time=typed_time, utc_time=utc_time)


def local_time_note(typed_zone: str, city_zone: str, *, is_short_name: bool) -> str:
    """Say which local time a name of a time zone was taken for; a short name, such as CET, may mean
    only the winter time to some."""
    template = _LOCAL_TIME_ALL_YEAR if is_short_name else _LOCAL_TIME
    return template.format(typed_zone=typed_zone, city_zone=city_zone)
