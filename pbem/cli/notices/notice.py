"""`notice`: what you declare to all players with your signature, beside your orders."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.notices.calendar_commands import notice_away, notice_deadline, notice_delay
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption

notice = typer.Typer(
    help="Concede, agree on an end, give up or take over a seat, change a key: signed, for all.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

notice.command("away")(notice_away)
notice.command("delay")(notice_delay)
notice.command("deadline")(notice_deadline)

YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask whether you are sure.")]
NewProfileOption = Annotated[
    str, typer.Option("--profile", metavar="NAME", help="The name of the new key in your home.")
]


@notice.command("concede")
def notice_concede(
    yes: YesOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Give up the game: the others play on, and you are ranked last."""
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import Concede

    _sure(yes, "if you concede, you cannot take it back")
    session = Session(folder, seat, passphrase_file)
    declare_and_report(session, Concede(), "you concede the game", json)


@notice.command("leave")
def notice_leave(
    yes: YesOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Give up your seat, so that somebody else can take it over."""
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import Leave

    _sure(yes, "if you give up your seat, you cannot take it back")
    session = Session(folder, seat, passphrase_file)
    declare_and_report(session, Leave(), "your seat is open for somebody else", json)


@notice.command("end")
def notice_end(
    draw: Annotated[bool, typer.Option("--draw", help="End it as a draw.")] = False,
    no: Annotated[bool, typer.Option("--no", help="Take back your vote to end it.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Vote to end the game now: when all who play agree, it ends with the scores as they are."""
    from pbem.cli.failure import CliError
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import DRAW, PLAY_ON, SCORE, Vote

    if draw and no:
        raise CliError("--draw votes, and --no takes a vote back", "leave out one")
    said = PLAY_ON if no else DRAW if draw else SCORE
    told = {
        PLAY_ON: "you want to play on",
        DRAW: "you vote to end the game as a draw",
        SCORE: "you vote to end the game with the scores as they are",
    }
    declare_and_report(Session(folder, seat, passphrase_file), Vote(said), told[said], json)


@notice.command("key")
def notice_key(
    profile: NewProfileOption = "new-key",
    recovery: Annotated[
        str, typer.Option("--recovery", metavar="PROFILE", help="Sign with your recovery key.")
    ] = "",
    lost: Annotated[
        bool, typer.Option("--lost", help="Both keys are lost: the others vouch for the new one.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Play with a new key from now on: the old one, which others may have, counts no more."""
    from pbem.cli.notices.change_key import ask_others, change_key
    from pbem.cli.session.session import Session

    session = Session(folder, None if recovery or lost else seat, passphrase_file)
    if lost:
        ask_others(session, seat or "", profile, json)
    else:
        change_key(session, seat or "", profile, recovery, json)


@notice.command("vouch")
def notice_vouch(
    line: Annotated[
        str, typer.Argument(metavar="LINE", help="What the player sent you; - reads it.")
    ],
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Confirm the new key of a player who lost theirs: ask them by voice first."""
    from pbem.cli.notices.change_key import vouch
    from pbem.cli.session.session import Session

    vouch(Session(folder, seat, passphrase_file), line, json)


@notice.command("hand-over")
def notice_hand_over(
    yes: YesOption = False,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """For the referee: let the deputy make the turns from now on."""
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.session.session import Session
    from pbem.records.notices.notice_record import REFEREE
    from pbem.records.notices.sayings import HandOver

    session = Session(folder, None, passphrase_file)
    session.referee_key()
    _sure(yes, "if you hand the game over, you make no turn of it any more")
    told = f"{session.game_folder.charter.content.deputy} makes the turns from now on: pbem advance"
    declare_and_report(session, HandOver("referee"), told, json, REFEREE)


@notice.command("invite")
def notice_invite(
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The open seat.")],
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """For the referee: print an invite with which somebody new can take over an open seat."""
    from pbem.cli.notices.open_seats import print_invite
    from pbem.cli.session.session import Session

    print_invite(Session(folder, None, passphrase_file), seat.lower(), json)


def _sure(yes: bool, what: str) -> None:
    """Ask on a terminal before something that cannot be taken back. Raises CliError for no."""
    import sys

    from pbem.cli.failure import CliError

    if yes:
        return
    if not sys.stdin.isatty():
        raise CliError(what, "add --yes if you are sure")
    print(f"{what}. Type yes to go on: ", end="", flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise CliError("nothing was signed")
