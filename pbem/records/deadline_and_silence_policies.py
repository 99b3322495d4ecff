"""The charter's policies: rules about time and silence (protocol §5)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any, Final

from pbem.format.record_error import RecordError
from pbem.records.deadline_rules import MAX_SPAN_SECONDS, DeadlineRule, read_rule, read_span
from pbem.records.record_field_codecs import FieldError, one_of_words
from pbem.text.dates import DAY, HOUR

MAX_CHANGE_OF_MIND_SECONDS: Final = 7 * DAY
"""The longest time, in seconds, that a charter may give for `change_of_mind`."""
MAX_MISSED_DEADLINES: Final = 99
"""The most that `idle_after` and `open_after` can be."""
DEFAULTS: Final = "defaults"
"""The `silent_seat` with which an open seat's choices are the defaults."""
BOT: Final = "bot"
"""The `silent_seat` with which a bot answers for an open seat."""
REMOVE: Final = "remove"
"""The `silent_seat` with which a silent seat is removed from the game instead of being open."""
SILENT_SEATS: Final = (DEFAULTS, BOT, REMOVE)
"""The values that `silent_seat` can have."""
IDLE_AFTER: Final = 2
"""The `idle_after` of a charter that does not set it: one missed deadline can happen to anybody."""
OPEN_AFTER: Final = 1
"""The `open_after` of a charter that does not set it: by mail, a whole round is a long time."""
DEPUTY_AFTER: Final = "7 days"
"""The `deputy_after` of a charter that does not set it."""
DEALER_AFTER: Final = "3 days"
"""The `dealer_after` of a charter that does not set it."""


class Policies(dict[str, Any]):
    """A charter's rules about time and silence; without `deadline`, the game has no deadlines.

        deadline = "48h"                     the rule of every phase that does not have one
        deadline_feed = "every day 20:00 Europe/Berlin, at least 12h, grace 2h"
        change_of_mind = "2h"                `advance` waits this long after the last orders came
        idle_after = 3                       this many deadlines missed in a row make a seat idle
        delays = "3 days"                    the total time by which each seat may put off deadlines
        deputy_after = "5 days"              after this time without a turn the deputy may take over
        dealer_after = "1 day"               after this time without a deal a dealer's deputy may
        open_after = 2                       this many whole rounds later, the idle seat is open
        silent_seat = "bot"                  what becomes of a seat that was silent so long
        wait = "round"                       the game waits for everybody's orders for a round

    Each policy is read at its first use. Raises RecordError `field` then if it cannot be read.
    """

    @cached_property
    def change_of_mind(self) -> int:
        """The number of seconds that `advance` waits after the last orders."""
        return self._span("change_of_mind", longest=MAX_CHANGE_OF_MIND_SECONDS)

    @cached_property
    def delays(self) -> int:
        """The number of seconds by which each seat may put off deadlines in the whole game; whole
        hours."""
        return self._span("delays", unit=HOUR)

    @cached_property
    def deputy_after(self) -> int:
        """The number of seconds without a turn after which the deputy may take over."""
        return self._span("deputy_after", DEPUTY_AFTER)

    @cached_property
    def dealer_after(self) -> int:
        """The number of seconds without a co-dealer's deal after which its deputy may take its
        place."""
        return self._span("dealer_after", DEALER_AFTER)

    @cached_property
    def idle_after(self) -> int:
        """The number of missed deadlines in a row that makes a seat idle; 0 = never."""
        return self._number("idle_after", IDLE_AFTER)

    @cached_property
    def open_after(self) -> int:
        """The number of further whole rounds after which an idle seat is open; 0 = never."""
        return self._number("open_after", OPEN_AFTER)

    @cached_property
    def silent_seat(self) -> str:
        """The fate of a seat that was silent long enough to be open: one of SILENT_SEATS."""
        choice = self.get("silent_seat", DEFAULTS)
        if choice not in SILENT_SEATS:
            error = FieldError.wrong_value(choice, one_of_words(SILENT_SEATS))
            raise _policy_error("silent_seat", f"{error}")
        if choice != DEFAULTS and not (self.idle_after and self.open_after):
            reason = (
                "idle_after or open_after is 0, so no silent seat would ever become open; both "
                "must be 1 or more"
            )
            raise _policy_error("silent_seat", reason)
        return str(choice)

    @property
    def waits_for_round(self) -> bool:
        """Whether the game waits for everybody's orders for a round.

        It does so only if the referee asks for it: by the printed rules, later players see what
        earlier ones played.
        """
        return bool(self.get("wait") == "round")

    def rule(self, phase: str) -> DeadlineRule:
        """Return the deadline rule of a phase; never, if no phase asks anything. Raises RecordError
        `field`."""
        name = f"deadline_{phase}"
        return self._rule(name if name in self else "deadline") if phase else DeadlineRule()

    def latest_deadline(self, time: int) -> int:
        """Return the latest of the first deadlines that the rules, of all phases, give after
        `time`, as every machine computes them; 0 = never."""
        names = {"deadline", *(name for name in self if name.startswith("deadline_"))}
        try:
            return max(self._rule(name).certain_deadline(time) for name in names)
        except RecordError:  # the calendar ends at the year 10000
            return 0

    def check(self, phases: Collection[str]) -> None:
        """Raise RecordError `field` for a policy that cannot be read or is for an unknown phase."""
        for name in sorted(self):
            if name.startswith("deadline_") and name.removeprefix("deadline_") not in phases:
                reason = f"no phase has this name; the phases are {', '.join(phases)}"
                raise _policy_error(name, reason)
            if name.startswith("deadline"):
                self._rule(name)
        spans, numbers = ("change_of_mind", "delays"), ("idle_after", "open_after")
        for name in (*spans, *numbers, "silent_seat", "deputy_after", "dealer_after"):
            getattr(self, name)

    def _rule(self, name: str) -> DeadlineRule:
        rule_text = self.get(name, "never")
        try:
            if not isinstance(rule_text, str):
                raise FieldError.wrong_value(rule_text, "a text in quotes, such as '48h'")
            return read_rule(rule_text)
        except (ValueError, FieldError) as error:
            raise _policy_error(name, f"{error}") from None

    def _span(
        self, name: str, default: str = "", longest: int = MAX_SPAN_SECONDS, unit: int = 1
    ) -> int:
        """Return the seconds of the policy with this name, at most `longest` and a multiple of
        `unit`; 0 if it is neither set nor has a default. Raises RecordError `field`."""
        span_text = self.get(name, default)
        try:
            seconds = read_span(span_text) if span_text or default else 0
            if seconds > longest:
                raise ValueError(f"{span_text} is too long: the maximum is {longest // DAY} days")
            if seconds % unit:
                raise ValueError(f"{span_text} is not a whole number of hours")
        except (ValueError, AttributeError) as error:
            raise _policy_error(name, f"{error}") from None
        return seconds

    def _number(self, name: str, default: int) -> int:
        number = self.get(name, default)
        if type(number) is not int or not 0 <= number <= MAX_MISSED_DEADLINES:
            error = FieldError.wrong_value(number, f"an integer from 0 to {MAX_MISSED_DEADLINES}")
            raise _policy_error(name, f"{error}")
        return number


def _policy_error(name: str, reason: str) -> RecordError:
    return RecordError("field", f"policies.{name}: {reason}")
