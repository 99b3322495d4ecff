"""The commands `notice away`, `delay`, `deadline` and `clock`, which change when turns are due."""

from __future__ import annotations

from typing import Annotated

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption, SeatOption


def notice_away(
    days: Annotated[
        list[str] | None,
        Argument(
            metavar="[DAYS]",
            help="The days of your absence, in your time zone: until friday, 24 dec to 2 jan, "
            "or 2026-12-24..2027-01-02.",
        ),
    ] = None,
    back: Annotated[bool, Option("--back", help="Say that you are not away after all.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Announce an absence: the game does not wait for you then, and your silence does not count."""
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.notices.typed_notices import typed_away
    from pbem.cli.session.session import Session

    typed = typed_away(" ".join(days or ()), back)
    declare_and_report(Session(folder, seat, passphrase_file), typed.saying, typed.told, json)


def notice_delay(
    span: Annotated[
        list[str],
        Argument(
            metavar="TIME", help="How long to put the deadline off, for example 24h or 2 days."
        ),
    ],
    again: Annotated[
        bool, Option("--again", help="Put it off once more by the time that you gave before.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Put this deadline off; the charter says for how long in the whole game."""
    from pbem.cli.notices.notice_here import declare, report, standing_soon
    from pbem.cli.notices.typed_notices import typed_delay
    from pbem.cli.session.session import Session

    typed = typed_delay(" ".join(span))
    session = Session(folder, seat, passphrase_file)
    declared = declare(session, typed.saying, once_more=again)
    session.refresh()
    standing, mine = standing_soon(session), declared.record.content.seat
    left = standing.calendar.hours_left(standing.charter.policies, mine)
    told = f"{typed.told}; after that you have {left} hours left"
    if declared.again:
        told += "; to put it off once more, add --again"
    report(session, declared, told, json)


def notice_clock(
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Say that the date of the last turn is wrong; if half of the players and, last, the referee
    agree, it goes back."""
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.notices.typed_notices import typed_clock
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    typed = typed_clock(session)
    declare_and_report(session, typed.saying, typed.told, json, typed.writer)


def notice_deadline(
    rule: Annotated[
        list[str] | None,
        Argument(
            metavar="[RULE]",
            help="The deadline that you propose, for example 72h, sunday 20:00 or never, "
            "written as for `pbem new`.",
        ),
    ] = None,
    phase: Annotated[str, Option("--phase", help="Propose the deadline only for this phase.")] = "",
    no: Annotated[bool, Option("--no", help="Take back your proposal.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Propose a different deadline; all players, and last the referee, must propose it."""
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.notices.typed_notices import typed_deadline
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    typed = typed_deadline(session, " ".join(rule or ()), phase, no=no)
    declare_and_report(session, typed.saying, typed.told, json, typed.writer)
