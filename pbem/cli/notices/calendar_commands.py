"""The commands `notice away`, `notice delay` and `notice deadline`, which change deadlines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption, SeatOption

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import SetDeadline

FORM = "write for example 2026-12-24..2027-01-02; if you are away from now on, ..2027-01-02"


def notice_away(
    days: Annotated[
        str,
        typer.Argument(metavar="[FROM..TO]", help="The first and the last day, in your time zone."),
    ] = "",
    back: Annotated[
        bool, typer.Option("--back", help="Say that you are not away after all.")
    ] = False,
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
        raise CliError("say from when to when you are away", f"{FORM}; or type --back")
    begins, ends, told = 0, 0, "you are not away after all"
    if days:
        begins, ends = _days(days)
        told = f"you are away from {local_date(begins)} to {local_date(ends)}"
    declare_and_report(Session(folder, seat, passphrase_file), Away(begins, ends), told, json)


def notice_delay(
    span: Annotated[
        str, typer.Argument(metavar="TIME", help="By how long, for example 24h or '2 days'.")
    ],
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Put this deadline off; the charter says for how long in the whole game."""
    from pbem.cli.failure import CliError
    from pbem.cli.notices.notice_here import declare, report, standing_now
    from pbem.cli.session.session import Session
    from pbem.play.calendar.deadline_rule import HOUR, read_span
    from pbem.records.notices.sayings import Delay

    try:
        seconds = read_span(span)
    except ValueError as error:
        raise CliError(f"{span!r}: {error}", "write for example 24h, or '2 days'") from None
    if seconds % HOUR:
        raise CliError(
            "a deadline can be put off only by whole hours", "write for example 24h, or '2 days'"
        )
    session = Session(folder, seat, passphrase_file)
    record = declare(session, Delay(seconds // HOUR))
    standing, mine = standing_now(session), record.content.seat
    left = standing.calendar.hours_left(standing.charter.policies, mine) - seconds // HOUR
    told = (
        f"you put the deadline off by {seconds // HOUR} hours; after that you have {left} "
        "hours left"
    )
    report(session, record, told, json)


def notice_deadline(
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE", help="The deadline, for example 72h or never, as for `pbem new`."
        ),
    ] = "",
    phase: Annotated[str, typer.Option("--phase", help="Propose it only for this phase.")] = "",
    no: Annotated[bool, typer.Option("--no", help="Take back your proposal.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Propose a different deadline; all players, and last the referee, must propose it."""
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
    """The contents of a notice that proposes this rule, in its standard form. Raises CliError."""
    from pbem.cli.deadlines.typed_rule import typed_rule
    from pbem.cli.failure import CliError
    from pbem.records.notices.sayings import SetDeadline

    if no == bool(rule):
        raise CliError(
            "say which deadline you propose",
            "write for example 72h, or never; --no takes your proposal back",
        )
    phases = [one.name for one in session.view().play.ruleset.phases]
    if phase and phase not in phases:
        raise CliError(f"no phase is called {phase!r}", f"the phases are {', '.join(phases)}")
    return SetDeadline("" if no else typed_rule("notice deadline", rule), phase)


def _days(text: str) -> tuple[int, int]:
    """When an absence begins and ends, from `FROM..TO`; both are in this machine's time zone."""
    from pbem.cli.clock import now
    from pbem.cli.failure import CliError

    begins, dots, ends = (part.strip() for part in text.partition(".."))
    try:
        if not dots or not ends:
            raise ValueError("the last day is missing")
        return _moment(begins, late=False) if begins else now(), _moment(ends, late=True)
    except (ValueError, OverflowError):
        raise CliError(f"{text!r} does not say from when to when", FORM) from None


def _moment(text: str, *, late: bool) -> int:
    """The beginning or the end of a day, or the moment if a time is given. Raises ValueError."""
    from datetime import datetime, timedelta

    when = datetime.fromisoformat(text)
    if len(text) == len("2026-12-24") and late:
        when += timedelta(days=1)
    return int(when.astimezone().timestamp())
