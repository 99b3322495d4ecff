"""`notice away`, `notice delay` and `notice deadline`: what players change in the calendar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption, SeatOption

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import SetDeadline

FORM = "write 2026-12-24..2027-01-02, or ..2027-01-02 from now on"


def notice_away(
    days: Annotated[
        str, typer.Argument(metavar="[FROM..TO]", help="The first and the last day, in your zone.")
    ] = "",
    back: Annotated[bool, typer.Option("--back", help="You are not away after all.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Announce an absence: nobody waits for you then, and it does not count as silence."""
    from pbem.cli.failure import CliError
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import Away
    from pbem.text.dates import local_date

    if back == bool(days):
        raise CliError("say from when to when you are away", f"{FORM}; or --back")
    begins, ends, told = 0, 0, "you are not away after all"
    if days:
        begins, ends = _days(days)
        told = f"you are away from {local_date(begins)} to {local_date(ends)}"
    declare_and_report(Session(folder, seat, passphrase_file), Away(begins, ends), told, json)


def notice_delay(
    span: Annotated[str, typer.Argument(metavar="TIME", help="By how long: 24h, 2 days.")],
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Put this deadline off, out of the time that the charter gives you."""
    from pbem.cli.failure import CliError
    from pbem.cli.notices.notice_here import declare, report, standing_now
    from pbem.cli.session.session import Session
    from pbem.play.calendar.deadline_rule import HOUR, read_span
    from pbem.records.notices.sayings import Delay

    try:
        seconds = read_span(span)
    except ValueError as error:
        raise CliError(f"{span!r}: {error}", "write 24h, or 2 days") from None
    if seconds % HOUR:
        raise CliError("a deadline can be put off by whole hours", "write 24h, or 2 days")
    session = Session(folder, seat, passphrase_file)
    record = declare(session, Delay(seconds // HOUR))
    standing, mine = standing_now(session), record.content.seat
    left = standing.calendar.hours_left(standing.charter.policies, mine) - seconds // HOUR
    told = f"you put the deadline off by {seconds // HOUR} hours; then {left} hours are left"
    report(session, record, told, json)


def notice_deadline(
    rule: Annotated[
        str, typer.Argument(metavar="RULE", help="As for `pbem new`: 72h, never.")
    ] = "",
    phase: Annotated[str, typer.Option("--phase", help="Only for this phase.")] = "",
    no: Annotated[bool, typer.Option("--no", help="Take your proposal back.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Propose another deadline: it counts once all who play, and last the referee, say the same."""
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.session.session import Session
    from pbem.records.notices.notice_record import REFEREE

    session = Session(folder, seat, passphrase_file)
    said = _wish(session, rule, phase, no=no)
    referee = bool(session.roles.referee)
    where = f" in the phase {phase}" if phase else ""
    told = f"you propose another deadline{where}: {said.rule}"
    if referee:
        told = f"all agree on another deadline{where}: {said.rule}"
    if no:
        told = "you take your proposal back"
    declare_and_report(session, said, told, json, REFEREE if referee else "")


def _wish(session: Session, rule: str, phase: str, *, no: bool) -> SetDeadline:
    """What a notice says that proposes this rule, in its one form. Raises CliError."""
    from pbem.cli.deadlines.typed_rule import typed_rule
    from pbem.cli.failure import CliError
    from pbem.records.notices.sayings import SetDeadline

    if no == bool(rule):
        raise CliError("say which deadline you propose", "write 72h, or never; or --no")
    phases = [one.name for one in session.view().play.ruleset.phases]
    if phase and phase not in phases:
        raise CliError(f"no phase is called {phase!r}", f"the phases are {', '.join(phases)}")
    return SetDeadline("" if no else typed_rule("notice deadline", rule), phase)


def _days(text: str) -> tuple[int, int]:
    """When an absence begins and ends, from `FROM..TO`, both in this machine's zone."""
    from pbem.cli.clock import now
    from pbem.cli.failure import CliError

    begins, dots, ends = (part.strip() for part in text.partition(".."))
    try:
        if not dots or not ends:
            raise ValueError("it needs a last day")
        return _moment(begins, late=False) if begins else now(), _moment(ends, late=True)
    except (ValueError, OverflowError):
        raise CliError(f"{text!r} does not say from when to when", FORM) from None


def _moment(text: str, *, late: bool) -> int:
    """A day, from its beginning or to its end, or a day with a time. Raises ValueError."""
    from datetime import datetime, timedelta

    when = datetime.fromisoformat(text)
    if len(text) == len("2026-12-24") and late:
        when += timedelta(days=1)
    return int(when.astimezone().timestamp())
