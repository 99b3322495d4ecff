"""The options of `new` about deadlines and silence, read as policies of the charter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pbem.acts.read_typed_deadlines import typed_rule, typed_span
from pbem.errors import CliError
from pbem.records.deadline_and_silence_policies import (
    DEFAULTS,
    IDLE_AFTER,
    MAX_MISSED_DEADLINES,
    OPEN_AFTER,
    SILENT_SEATS,
)
from pbem.records.deadline_rules import span_words
from pbem.text.terminal_and_page_wording import TerminalText, to_type

DEFAULT_DEADLINE: Final = "48h"
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
    policies: dict[str, str | int] = {}
    numbers = (("idle_after", idle_after, IDLE_AFTER), ("open_after", open_after, OPEN_AFTER))
    for name, number, usual in numbers:
        if not 0 <= number <= MAX_MISSED_DEADLINES:
            problem = f"--{name.replace('_', '-')} needs a number from 0 to {MAX_MISSED_DEADLINES}"
            raise CliError(problem, "0 means never")
        if number != usual:
            policies[name] = number
    if silent_seat not in SILENT_SEATS:
        problem = f"--silent-seat cannot be {silent_seat!r}"
        raise CliError(problem, to_type(f"choose one of: {', '.join(SILENT_SEATS)}"))
    if silent_seat != DEFAULTS:
        rules = {rule for name, rule in deadlines.items() if name.startswith("deadline")}
        needs = f"--silent-seat {silent_seat} needs"
        if rules == {"never"}:
            problem = f"{needs} a deadline: without a deadline, nobody is ever silent"
            raise CliError(problem, "--deadline 48h")
        if not (idle_after and open_after):
            problem = f"{needs} --idle-after and --open-after above 0"
            raise CliError(
                problem,
                "with 0, no silent player ever loses the seat: write, for example, "
                f"--idle-after {IDLE_AFTER} --open-after {OPEN_AFTER}",
            )
        policies["silent_seat"] = silent_seat
    if deputy_after:
        policies["deputy_after"] = span_words(typed_span("--deputy-after", deputy_after))
    return policies


def typed_policies(
    deadline: str,
    by_phase: Sequence[str],
    change_of_mind: str,
    phases: Sequence[str],
    delays: str = "",
) -> tuple[dict[str, str], list[str]]:
    """Return the policies of a new charter, each rule in its standard form, and sentences on the
    assumptions of the reader, such as the time zone. Raises CliError."""
    rules = {"deadline": typed_rule("--deadline", deadline)}
    for option_text in by_phase:
        phase, equals, rule = option_text.partition("=")
        if not equals or phase not in phases:
            hint = to_type(
                f"write --deadline-for {phases[-1]}=72h; the phases are {', '.join(phases)}"
            )
            template = TerminalText(
                "[[--deadline-for: ]]the deadline for {phase!r} is missing"
                if phase in phases
                else "[[--deadline-for: ]]no phase of this game is called {phase!r}"
            )
            raise CliError(template.format(phase=phase), hint)
        rules[f"deadline_{phase}"] = typed_rule("--deadline-for", rule)
    policies = {name: reading.rule for name, reading in rules.items()}
    for name, option_text in (("change_of_mind", change_of_mind), ("delays", delays)):
        if option_text:
            policies[name] = span_words(typed_span(f"--{name.replace('_', '-')}", option_text))
    return policies, [
        *dict.fromkeys(reading.assumption for reading in rules.values() if reading.assumption)
    ]
