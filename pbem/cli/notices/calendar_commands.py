"""`notice away`, `notice delay` and `notice deadline`: what players change in the calendar."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption, SeatOption


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
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.notices.typed_notices import typed_away
    from pbem.cli.session.session import Session

    typed = typed_away(days, back)
    declare_and_report(Session(folder, seat, passphrase_file), typed.saying, typed.told, json)


def notice_delay(
    span: Annotated[str, typer.Argument(metavar="TIME", help="By how long: 24h, 2 days.")],
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Put this deadline off, out of the time that the charter gives you."""
    from pbem.cli.notices.notice_here import declare, report, standing_now
    from pbem.cli.notices.typed_notices import typed_delay
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import Delay

    typed = typed_delay(span)
    session = Session(folder, seat, passphrase_file)
    record = declare(session, typed.saying)
    standing, mine = standing_now(session), record.content.seat
    left = standing.calendar.hours_left(standing.charter.policies, mine)
    left -= typed.saying.hours if isinstance(typed.saying, Delay) else 0
    report(session, record, f"{typed.told}; then {left} hours are left", json)


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
    from pbem.cli.notices.typed_notices import typed_deadline
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    typed = typed_deadline(session, rule, phase, no=no)
    declare_and_report(session, typed.saying, typed.told, json, typed.writer)
