"""Notices as somebody typed or chose them: an absence, a delay, another deadline."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from pbem.acts.read_typed_deadlines import SPAN_FORMS, typed_rule, typed_span
from pbem.errors import CliError
from pbem.judge.notice_kinds import (
    Away,
    Delay,
    SetDeadline,
)
from pbem.person.session import Session
from pbem.text.clock import now
from pbem.text.dates import HOUR
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.text.typed_absences import DaysAway, days_of, read_absence

ABSENCE_FORMS = (
    "write 'until friday', '24 dec to 2 jan', 'friday' or 'for a week', or dates: "
    "2026-12-24..2027-01-02"
)


def typed_absence(days: str, back: bool = False) -> Away:
    """Return the notice that announces an absence, in words or dates, or withdraws it. Raises
    CliError."""
    if back == bool(days):
        raise CliError(
            "give the first and the last day of your absence",
            TerminalText("{ABSENCE_FORMS}[[; if you are back: --back]]").format(
                ABSENCE_FORMS=ABSENCE_FORMS
            ),
        )
    if back or days.strip().lower() in ("back", "i am back", "i'm back"):
        return Away(0, 0)
    phrase = " ".join(days.lower().split()).removeprefix("away ").rstrip("!")
    absence = read_absence(f"away {phrase}") if phrase else None
    try:
        if absence:
            return away_notice(absence)
        # `read_absence` reads whole days joined by `..`; this reads days with times of day
        first_day, dots, last_day = (part.strip() for part in days.partition(".."))
        if not dots or not last_day:
            raise ValueError("the last day is missing")
        return Away(
            _moment(first_day) if first_day else now(), _moment(last_day, is_end_of_day=True)
        )
    except (ValueError, OverflowError):
        raise CliError(f"{days!r} does not give the days of your absence", ABSENCE_FORMS) from None


def away_notice(absence: DaysAway) -> Away:
    """Return the notice about an absence in words; its days are in this machine's time zone.

    Raises ValueError for a day that no calendar has.
    """
    if absence.last_day is None:
        return Away(0, 0)
    try:
        first_day, last_day = days_of(absence, date.fromtimestamp(now()))
        return Away(
            _moment(f"{first_day}") if first_day else now(),
            _moment(f"{last_day}", is_end_of_day=True),
        )
    except OverflowError:  # the day after 31 December 9999
        raise ValueError("an absence must end before the last day of the year 9999") from None


def _moment(text: str, *, is_end_of_day: bool = False) -> int:
    moment = datetime.fromisoformat(text)
    if len(text) == len("2026-12-24") and is_end_of_day:
        moment += timedelta(days=1)
    return int(moment.astimezone().timestamp())


def typed_delay(span: str) -> Delay:
    """Return the notice that puts the deadline off by a time such as `24h`. Raises CliError."""
    seconds = typed_span("notice delay", span)
    if seconds % HOUR:
        raise CliError("you can put a deadline off only by whole hours", SPAN_FORMS)
    return Delay(seconds // HOUR)


def typed_deadline(session: Session, rule: str, phase: str, *, no: bool) -> tuple[SetDeadline, str]:
    """Return the notice that proposes a deadline, agrees with one, or withdraws a proposal; and how
    the rule was read, if that needs saying. Raises CliError."""
    if no == bool(rule):
        raise CliError(
            "say which deadline you propose",
            TerminalText(
                "write a deadline such as 72h, or never[[; to take your proposal back, use --no]]"
            ),
        )
    phases = [game_phase.name for game_phase in session.view().play.ruleset.phases]
    if phase and phase not in phases:
        raise CliError(f"no phase is called {phase!r}", f"the phases are {', '.join(phases)}")
    if no:
        return SetDeadline("", phase), ""
    reading = typed_rule("notice deadline", rule)
    return SetDeadline(
        reading.rule, phase
    ), f" ({reading.assumption})" if reading.assumption else ""
