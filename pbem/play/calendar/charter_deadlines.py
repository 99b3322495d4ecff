"""Read what a charter's policies say about time and silence: deadlines, absence, open seats.

    deadline = "48h"                     the rule of every phase that does not have one
    deadline_feed = "every day 20:00 Europe/Berlin, at least 12h, grace 2h"
    change_of_mind = "2h"                `advance` waits this long after the last orders came
    idle_after = 3                       this many deadlines missed in a row make a seat idle
    delays = "3 days"                    the total time by which each seat may put off deadlines
    deputy_after = "5 days"              after this time without a turn the deputy may take over
    open_after = 2                       this many whole rounds later, the idle seat is open
    silent_seat = "bot"                  what becomes of a seat that was silent so long

A charter without `deadline` has no deadlines, as if it said `never`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from engine import Pending
from pbem.format.errors import RecordError
from pbem.play.calendar.deadline_rule import DAY, HOUR, DeadlineRule, read_rule, read_span
from pbem.play.calendar.next_deadline import may_be_deadline, next_deadline
from pbem.text.dates import utc_date

Policies = Mapping[str, Any]
DEADLINE: Final = "deadline"
CHANGE_OF_MIND: Final = "change_of_mind"
LONGEST_DELAY: Final = 7 * DAY
"""The longest time, in seconds, that a charter may give for `change_of_mind`."""
IDLE_AFTER: Final = "idle_after"
USUAL_IDLE_AFTER: Final = 2
"""The `idle_after` of a charter that does not set it: one missed deadline can happen to anybody."""
MOST_IDLE_AFTER: Final = 99
DELAYS: Final = "delays"
DEPUTY_AFTER: Final = "deputy_after"
USUAL_DEPUTY_AFTER: Final = "7 days"
"""The `deputy_after` of a charter that does not set it."""
OPEN_AFTER: Final = "open_after"
USUAL_OPEN_AFTER: Final = 1
"""The `open_after` of a charter that does not set it: by mail, a whole round is a long time."""
SILENT_SEAT: Final = "silent_seat"
DEFAULTS: Final = "defaults"
"""The `silent_seat` of a charter that does not set it: an open seat's choices are the defaults."""
BOT: Final = "bot"
"""The `silent_seat` with which a bot answers for an open seat."""
REMOVE: Final = "remove"
"""The `silent_seat` with which a silent seat is removed from the game instead of being open."""
SILENT_SEATS: Final = (DEFAULTS, BOT, REMOVE)
"""The values that `silent_seat` can have."""


def phase_of(pending: Pending) -> str:
    """Return the phase that asks the open questions, as the ruleset names it; empty if none."""
    return pending[0][0].split(".")[1] if pending else ""


def rule_of(policies: Policies, phase: str) -> DeadlineRule:
    """Return the deadline rule of a phase. Raises RecordError `field` if it cannot be read."""
    name = f"{DEADLINE}_{phase}"
    return _rule(policies, name if name in policies else DEADLINE)


def _rule(policies: Policies, name: str) -> DeadlineRule:
    said = policies.get(name, "never")
    try:
        if not isinstance(said, str):
            raise ValueError("must be text, such as 48h")
        return read_rule(said)
    except ValueError as error:
        raise RecordError("field", f"policies.{name}: {error}") from None


def change_of_mind(policies: Policies) -> int:
    """Return how long `advance` waits after the last orders arrived, in seconds.

    Raises RecordError `field` for a span that cannot be read.
    """
    said = policies.get(CHANGE_OF_MIND, "")
    try:
        delay = read_span(said) if said else 0
        if delay > LONGEST_DELAY:
            raise ValueError("the maximum is 7 days")
    except (ValueError, AttributeError) as error:
        raise RecordError("field", f"policies.{CHANGE_OF_MIND}: {error}") from None
    return delay


def idle_after(policies: Policies) -> int:
    """Return how many missed deadlines in a row make a seat idle; 0 = never.

    Raises RecordError `field` for anything but a number from 0 to 99.
    """
    return _number(policies, IDLE_AFTER, USUAL_IDLE_AFTER)


def open_after(policies: Policies) -> int:
    """Return after how many further whole rounds an idle seat is open for somebody else; 0 = never.

    Raises RecordError `field` for anything but a number from 0 to 99.
    """
    return _number(policies, OPEN_AFTER, USUAL_OPEN_AFTER)


def silent_seat(policies: Policies) -> str:
    """Return what happens to a seat that was silent long enough to be open: one of SILENT_SEATS.

    Raises RecordError `field` for any other value, and in a charter whose seats never become open.
    """
    said = policies.get(SILENT_SEAT, DEFAULTS)
    if said not in SILENT_SEATS:
        told = f"must be one of {', '.join(SILENT_SEATS)}"
        raise RecordError("field", f"policies.{SILENT_SEAT}: {told}")
    if said != DEFAULTS and not (idle_after(policies) and open_after(policies)):
        told = f"{IDLE_AFTER} and {OPEN_AFTER} cannot be 0, or no silent seat would ever be open"
        raise RecordError("field", f"policies.{SILENT_SEAT}: {told}")
    return str(said)


def delay_budget(policies: Policies) -> int:
    """Return by how many seconds each seat may put off deadlines in the whole game.

    The number is a whole number of hours. Raises RecordError `field` for a span that cannot be
    read.
    """
    said = policies.get(DELAYS, "")
    try:
        budget = read_span(said) if said else 0
        if budget % HOUR:
            raise ValueError("must be whole hours")
    except (ValueError, AttributeError, TypeError) as error:
        raise RecordError("field", f"policies.{DELAYS}: {error}") from None
    return budget


def deputy_after(policies: Policies) -> int:
    """Return how many seconds without a turn must pass before the deputy may take over.

    Raises RecordError `field` for a span that cannot be read.
    """
    try:
        return read_span(policies.get(DEPUTY_AFTER, USUAL_DEPUTY_AFTER))
    except (ValueError, AttributeError) as error:
        raise RecordError("field", f"policies.{DEPUTY_AFTER}: {error}") from None


def _number(policies: Policies, name: str, usual: int) -> int:
    said = policies.get(name, usual)
    if type(said) is not int or not 0 <= said <= MOST_IDLE_AFTER:
        told = f"must be a number from 0 to {MOST_IDLE_AFTER}"
        raise RecordError("field", f"policies.{name}: {told}")
    return said


def check_policies(policies: Policies, phases: Collection[str]) -> None:
    """Raise RecordError `field` for a deadline that cannot be read or is for an unknown phase."""
    for name in sorted(policies):
        if name.startswith(f"{DEADLINE}_") and name.removeprefix(f"{DEADLINE}_") not in phases:
            told = f"no phase has this name; the phases are {', '.join(phases)}"
            raise RecordError("field", f"policies.{name}: {told}")
        if name.startswith(DEADLINE):
            _rule(policies, name)
    change_of_mind(policies)
    delay_budget(policies)
    idle_after(policies)
    open_after(policies)
    silent_seat(policies)
    deputy_after(policies)


def deadline_of(policies: Policies, pending: Pending, time: int) -> int:
    """Return when silence begins to count, after a turn made at `time` that asks these questions.

    0 = never. Raises RecordError `field` if the rule cannot be read, or this machine cannot work it
    out.
    """
    if not pending:
        return 0
    try:
        return next_deadline(rule_of(policies, phase_of(pending)), time)
    except ValueError as error:
        raise RecordError("field", f"deadline: {error}") from None


def deadline_fits(policies: Policies, pending: Pending, time: int, named: int) -> bool:
    """Return whether a turn made at `time` may name this deadline; see `next_deadline`.

    Raises RecordError `field` if the rule cannot be read.
    """
    if not pending:
        return named == 0
    return may_be_deadline(rule_of(policies, phase_of(pending)), time, named)


def other_zone_data(policies: Policies, pending: Pending, time: int, named: int) -> list[str]:
    """Warn if this machine's time zone data gives a different deadline from a correct turn's.

    Returns the sentence in a list, or an empty list.
    """
    if not pending or rule_of(policies, phase_of(pending)).exact:
        return []
    try:
        here = deadline_of(policies, pending, time)
    except RecordError as error:
        return [error.sentence]
    if here == named:
        return []
    told = f"the deadline is {utc_date(named)}, as the referee signed it; this machine computes"
    if deadline_fits(policies, pending, time, named):
        return [f"{told} {utc_date(here)}: the time zone data differs (update tzdata)"]
    wrong = "time zone data cannot differ by so much, so pbem audit calls this turn broken"
    return [f"{told} {utc_date(here)}: {wrong} (update tzdata, and check again)"]
