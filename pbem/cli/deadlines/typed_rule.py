"""Read a deadline rule that somebody typed as an option."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.cli.failure import CliError

if TYPE_CHECKING:
    from pbem.play.calendar.deadline_rule import DeadlineRule

LEAST = 12 * 3600
"""The shortest time to answer under a calendar rule, in seconds, unless the referee gives one."""


def typed_rule(option: str, said: str) -> str:
    """Return the rule in its standard form; a calendar rule also gets a shortest time to answer.

    Raises CliError.
    """
    from pbem.play.calendar.deadline_rule import read_rule

    try:
        rule = read_rule(said)
    except ValueError as error:
        sentence, _, hint = str(error).partition(": ")
        raise CliError(f"{option}: {sentence}", hint) from None
    if rule.days:
        _check_zone(option, rule)
        rule = rule if "at least" in said.lower() else replace(rule, least=LEAST)
    return rule.words


def _check_zone(option: str, rule: DeadlineRule) -> None:
    """Refuse a time zone that this machine does not know under exactly this name."""
    from pbem.play.calendar.next_deadline import zone_named, zones_like

    if zone_named(rule.zone):
        return
    like = zones_like(rule.zone)
    hint = (
        f"did you mean {' or '.join(like)}?"
        if like
        else "write a name such as Europe/Berlin, or UTC"
    )
    raise CliError(f"{option}: no time zone is called {rule.zone}", hint)
