"""The command `notice`: declare something to all players, signed with your key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Argument, Group, Option
from pbem.cli.notices.calendar_commands import (
    notice_away,
    notice_clock,
    notice_deadline,
    notice_delay,
)
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.cli.notices.typed_notices import Typed

notice = Group(
    help="Sign a notice to all players: you concede, agree to end the game, leave, get a new key …"
)

notice.command("away")(notice_away)
notice.command("delay")(notice_delay)
notice.command("deadline")(notice_deadline)
notice.command("clock")(notice_clock)

YesOption = Annotated[bool, Option("--yes", help="Do not ask whether you are sure.")]
NewProfileOption = Annotated[
    str,
    Option(
        "--profile", metavar="NAME", help="The name of the profile in which pbem keeps the new key."
    ),
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
    from pbem.cli.notices.typed_notices import typed_concede

    _sure(yes, "if you concede, you cannot take it back")
    _declare(typed_concede(), folder, seat, json, passphrase_file)


@notice.command("leave")
def notice_leave(
    yes: YesOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Give up your seat, so that somebody else can take it over."""
    from pbem.cli.notices.typed_notices import typed_leave

    _sure(yes, "if you give up your seat, you cannot take it back")
    _declare(typed_leave(), folder, seat, json, passphrase_file)


@notice.command("end")
def notice_end(
    draw: Annotated[bool, Option("--draw", help="Vote to end the game as a draw.")] = False,
    no_winner: Annotated[
        bool,
        Option(
            "--no-winner",
            help="Vote to end the game without a winner, because the others are silent. The "
            "referee must vote so too.",
        ),
    ] = False,
    no: Annotated[
        bool, Option("--no", help="Take back your vote, or cancel an end that waits for you.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Vote to end the game now: if all players agree, it ends with the scores as they are."""
    from pbem.cli.failure import CliError
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.notices.typed_notices import typed_vote
    from pbem.cli.session.session import Session
    from pbem.records.notices.sayings import DRAW, NO_WINNER, PLAY_ON, SCORE

    typed = {"--draw": draw, "--no-winner": no_winner, "--no": no}
    if sum(typed.values()) > 1:
        both = " and ".join(option for option, on in typed.items() if on)
        raise CliError(f"{both} cannot go together", "leave out all but one of them")
    result = DRAW if draw else NO_WINNER if no_winner else PLAY_ON if no else SCORE
    session = Session(folder, seat, passphrase_file)
    vote = typed_vote(session, result)
    declare_and_report(session, vote.saying, vote.told, json, vote.writer)


@notice.command("key")
def notice_key(
    profile: NewProfileOption = "new-key",
    recovery: Annotated[
        str, Option("--recovery", metavar="PROFILE", help="Sign with your recovery key.")
    ] = "",
    lost: Annotated[
        bool,
        Option("--lost", help="If you have lost both keys: let the others vouch for a new key."),
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Play with a new key from now on; the old key, which others may know, no longer counts."""
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
        str,
        Argument(
            metavar="LINE", help="The line that the player sent you. Use - to read it from a pipe."
        ),
    ],
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Confirm the new key of a player who lost theirs; ask them by voice first."""
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
    _sure(yes, "if you hand the game over, you can no longer make its turns")
    told = (
        f"from now on {session.game_folder.charter.content.deputy} makes the turns, with pbem "
        "advance"
    )
    declare_and_report(session, HandOver("referee"), told, json, REFEREE)


@notice.command("invite")
def notice_invite(
    seat: Annotated[str, Argument(metavar="SEAT", help="The letter of the open seat.")],
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """For the referee: print an invite with which somebody new can take over an open seat."""
    from pbem.cli.notices.open_seats import print_invite
    from pbem.cli.session.session import Session

    print_invite(Session(folder, None, passphrase_file), seat.lower(), json)


def _declare(
    typed: Typed,
    folder: str | None,
    seat: str | None,
    json: bool,
    passphrase_file: Path | None,
) -> None:
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.cli.session.session import Session

    session = Session(folder, seat, passphrase_file)
    declare_and_report(session, typed.saying, typed.told, json)


def _sure(yes: bool, what: str) -> None:
    """On a terminal, ask before a step that cannot be undone.

    Raises CliError if the answer is no.
    """
    import sys

    from pbem.cli.failure import CliError

    if yes:
        return
    if not sys.stdin.isatty():
        raise CliError(what, "add --yes if you are sure")
    print(f"{what}. Type yes to go on: ", end="", flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise CliError("nothing was signed")
