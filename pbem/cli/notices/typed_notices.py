"""Turn what somebody typed or chose for a notice into its contents, and into a sentence about
it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.cli.failure import CliError

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import Saying, SetDeadline

FORM = (
    "write 'until friday', '24 dec to 2 jan', 'friday' or 'for a week', or dates: "
    "2026-12-24..2027-01-02"
)


class Typed(NamedTuple):
    """A notice that was typed but not signed yet."""

    saying: Saying
    told: str
    """A sentence that says what the notice does."""
    writer: str = ""
    """Who signs the notice: `referee`, or empty for your seat."""


def typed_away(days: str, back: bool = False) -> Typed:
    """Announce an absence in words or dates, or withdraw an announcement. Raises CliError."""
    from pbem.records.notices.sayings import Away
    from pbem.text.dates import local_date

    if back == bool(days):
        raise CliError("give the first and the last day of your absence", f"{FORM}; or --back")
    if back or days.strip().lower() in ("back", "i am back", "i'm back"):
        return Typed(Away(0, 0), "you are not away after all")
    begins, ends = _days(days)
    told = f"you are away from {local_date(begins)} to {local_date(ends)}"
    return Typed(Away(begins, ends), told)


def typed_delay(span: str) -> Typed:
    """Put the deadline off by a time such as `24h`. Raises CliError."""
    from pbem.cli.deadlines.typed_rule import SPAN_FORMS, typed_span
    from pbem.play.calendar.deadline_rule import HOUR
    from pbem.records.notices.sayings import Delay

    seconds = typed_span("notice delay", span)
    if seconds % HOUR:
        raise CliError("you can put a deadline off only by whole hours", SPAN_FORMS)
    hours = seconds // HOUR
    return Typed(Delay(hours), f"you put the deadline off by {hours} hours")


def typed_deadline(session: Session, rule: str, phase: str, *, no: bool) -> Typed:
    """Propose a deadline, agree with one, or withdraw a proposal. Raises CliError."""
    from pbem.records.notices.notice_record import REFEREE

    said, read = _wish(session, rule, phase, no=no)
    where = f" in the phase {phase}" if phase else ""
    told = f"you propose a new deadline{where}: {said.rule}"
    writer = _writer(session)
    if writer == REFEREE:
        told = f"a new deadline is agreed{where}: {said.rule}"
    told = "you take your proposal back" if no else f"{told}{read}"
    return Typed(said, told, writer)


def _writer(session: Session) -> str:
    """Return `referee` for the referee, unless they name a seat that they have with its own key."""
    from pbem.records.notices.notice_record import REFEREE

    own = session.wish in session.roles.seats.keys() - session.roles.held
    return REFEREE if session.roles.referee and not own else ""


def typed_clock(session: Session) -> Typed:
    """Say that the date of the last turn is wrong, because the referee's clock was."""
    from pbem.cli.clock import now
    from pbem.records.notices.sayings import SetClock
    from pbem.text.dates import local_date

    told = f"the date of the last turn is wrong: it is {local_date(now())}"
    return Typed(SetClock(now()), told, _writer(session))


def typed_vote(session: Session, result: str) -> Typed:
    """Vote to end the game with this result, or take the vote back with `play on`.

    A referee without a seat can only agree that nobody wins; one who has a seat with its own key
    does so once the seat has voted.
    """
    from pbem.cli.notices.notice_here import votes_here
    from pbem.play.seats.standing import END_WORDS
    from pbem.records.notices.notice_record import REFEREE
    from pbem.records.notices.sayings import NO_WINNER, Vote

    told = f"you vote to end the game {END_WORDS.get(result)}"
    told = told if result in END_WORDS else "you want to play on"
    roles = session.roles
    referee = bool(roles.referee) and not roles.seats.keys() - session.view().bots.keys()
    if result == NO_WINNER and _writer(session) == REFEREE and not roles.held and not referee:
        referee = votes_here(session).get(session.seat) == result
    return Typed(Vote(result), told, REFEREE if referee else "")


def typed_concede() -> Typed:
    """Give up the game."""
    from pbem.records.notices.sayings import Concede

    return Typed(Concede(), "you concede the game")


def typed_leave() -> Typed:
    """Give up your seat."""
    from pbem.records.notices.sayings import Leave

    return Typed(Leave(), "your seat is open for somebody else")


def _wish(session: Session, rule: str, phase: str, *, no: bool) -> tuple[SetDeadline, str]:
    """Return the contents of a notice that proposes this rule, in its standard form, and how the
    rule was read. Raises CliError."""
    from pbem.cli.deadlines.typed_rule import typed_rule
    from pbem.records.notices.sayings import SetDeadline

    if no == bool(rule):
        raise CliError(
            "say which deadline you propose",
            "write a deadline such as 72h, or never; to take your proposal back, use --no",
        )
    phases = [one.name for one in session.view().play.ruleset.phases]
    if phase and phase not in phases:
        raise CliError(f"no phase is called {phase!r}", f"the phases are {', '.join(phases)}")
    if no:
        return SetDeadline("", phase), ""
    typed = typed_rule("notice deadline", rule)
    return SetDeadline(typed.rule, phase), f" ({typed.told})" if typed.told else ""


def _days(text: str) -> tuple[int, int]:
    """Return when an absence begins and ends; its days are in this machine's time zone."""
    from datetime import datetime

    from pbem.cli.clock import now
    from pbem.text.read_absence import days_of, read_absence

    plain = " ".join(text.lower().split()).removeprefix("away ").rstrip("!")
    absence = read_absence(f"away {plain}") if plain else None
    try:
        if absence:
            text = days_of(absence, datetime.fromtimestamp(now()).date())
        begins, dots, ends = (part.strip() for part in text.partition(".."))
        if not dots or not ends:
            raise ValueError("the last day is missing")
        return _moment(begins, late=False) if begins else now(), _moment(ends, late=True)
    except (ValueError, OverflowError):
        raise CliError(f"{text!r} does not give the days of your absence", FORM) from None


def _moment(text: str, *, late: bool) -> int:
    """Return the first moment of a day (the last one with `late`), or the typed time. Raises
    ValueError."""
    from datetime import datetime, timedelta

    when = datetime.fromisoformat(text)
    if len(text) == len("2026-12-24") and late:
        when += timedelta(days=1)
    return int(when.astimezone().timestamp())
