"""Turn the deadlines that a referee types for `new` into policies of the charter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.cli.deadlines.typed_rule import typed_rule, typed_span
from pbem.cli.failure import CliError

DEFAULT = "48h"
"""The default deadline of a new game: two days, because most people read their mail daily."""
IDLE_AFTER = 2
"""The number of missed deadlines in a row that makes a seat idle, unless the charter says
otherwise."""
OPEN_AFTER = 1
"""The number of whole rounds after which an idle seat is open, unless the charter says
otherwise."""


def open_policy(open_after: int) -> dict[str, int]:
    """Return the policy `open_after` of a new charter; none if the number is the default.

    Raises CliError.
    """
    if not 0 <= open_after <= 99:
        raise CliError("--open-after needs a number from 0 to 99", "0 = never")
    return {} if open_after == OPEN_AFTER else {"open_after": open_after}


def silent_policy(
    silent_seat: str, deadlines: Mapping[str, str], idle_after: int, open_after: int
) -> dict[str, str]:
    """Return the policy on silent seats, for these deadlines and numbers; none if it is the
    default.

    Raises CliError.
    """
    from pbem.play.calendar.charter_deadlines import DEFAULTS, SILENT_SEATS

    if silent_seat not in SILENT_SEATS:
        told = f"--silent-seat cannot be {silent_seat!r}"
        raise CliError(told, f"it is one of: {', '.join(SILENT_SEATS)}")
    rules = {rule for name, rule in deadlines.items() if name.startswith("deadline")}
    if silent_seat != DEFAULTS and rules == {"never"}:
        told = f"--silent-seat {silent_seat} needs a deadline: without one nobody counts as silent"
        raise CliError(told, "--deadline 48h")
    if silent_seat != DEFAULTS and not (idle_after and open_after):
        told = f"--silent-seat {silent_seat} needs --idle-after and --open-after above 0"
        raise CliError(told, "if one of them is 0, no silent player ever loses the seat")
    return {} if silent_seat == DEFAULTS else {"silent_seat": silent_seat}


def silent_lines(policies: Mapping[str, Any]) -> list[str]:
    """Return a line on what happens to players who stay silent for long; none if it is the
    default."""
    from pbem.play.calendar.charter_deadlines import (
        BOT,
        DEFAULTS,
        idle_after,
        open_after,
        silent_seat,
    )
    from pbem.play.orders.open_seat_bot import NAME

    if (policy := silent_seat(policies)) == DEFAULTS:
        return []
    missed, rounds = idle_after(policies), open_after(policies)
    long = f"miss {missed} deadlines in a row" if missed > 1 else "miss a deadline"
    long += f" and stay silent for {rounds} more round{'' if rounds == 1 else 's'}"
    bot = f"the bot {NAME} plays for them until they come back"
    then = bot if policy == BOT else "they are removed from the game and ranked last"
    return [f"players who {long}: {then}"]


def deputy_policy(deputy_after: str) -> dict[str, str]:
    """Return the policy `deputy_after` of a new charter; none if the time is the default.

    Raises CliError.
    """
    from pbem.play.calendar.deadline_rule import span_words

    if not deputy_after:
        return {}
    return {"deputy_after": span_words(typed_span("--deputy-after", deputy_after))}


def idle_policy(idle_after: int) -> dict[str, int]:
    """Return the policy `idle_after` of a new charter; none if the number is the default.

    Raises CliError.
    """
    if not 0 <= idle_after <= 99:
        raise CliError("--idle-after needs a number from 0 to 99", "0 = never")
    return {} if idle_after == IDLE_AFTER else {"idle_after": idle_after}


def typed_policies(
    deadline: str,
    by_phase: Sequence[str],
    change_of_mind: str,
    phases: Sequence[str],
    delays: str = "",
) -> dict[str, str]:
    """Return the policies of a new charter, each rule in its standard form. Raises CliError."""
    from pbem.play.calendar.deadline_rule import span_words

    found = {"deadline": typed_rule("--deadline", deadline).rule}
    for said in by_phase:
        phase, equals, rule = said.partition("=")
        if not equals or phase not in phases:
            hint = f"write --deadline-for {phases[-1]}=72h; the phases are {', '.join(phases)}"
            raise CliError(f"--deadline-for: {said!r} is not a phase of this game", hint)
        found[f"deadline_{phase}"] = typed_rule("--deadline-for", rule).rule
    for name, said in (("change_of_mind", change_of_mind), ("delays", delays)):
        if said:
            found[name] = span_words(typed_span(f"--{name.replace('_', '-')}", said))
    return found


def how_read(deadline: str, by_phase: Sequence[str]) -> list[str]:
    """Return what `pbem` assumed when it read these deadlines, such as the time zone."""
    rules = [deadline, *(said.partition("=")[2] for said in by_phase)]
    told = [typed_rule("--deadline", rule).told for rule in rules]
    return [*dict.fromkeys(one for one in told if one)]


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
