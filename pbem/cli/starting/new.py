"""The command `new`: make a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.completion import complete_game
from pbem.cli.options import (
    PassphraseOption,
    ProfileOption,
    RulesOption,
    TableOption,
)
from pbem.cli.starting.typed_deadlines import DEFAULT, IDLE_AFTER, OPEN_AFTER

DeadlineOption = Annotated[
    str,
    Option(
        "--deadline",
        metavar="RULE",
        help="The deadline, after which pbem makes the choices of silent players, for example "
        "48h or 'every sunday 8pm Berlin'.",
    ),
]
PhaseDeadlineOption = Annotated[
    list[str] | None,
    Option("--deadline-for", metavar="PHASE=RULE", help="A different deadline for one phase."),
]
IdleOption = Annotated[
    int,
    Option(
        "--idle-after",
        metavar="N",
        help="After a player misses N deadlines in a row, the game no longer waits for them; 0 "
        "means that it always waits.",
    ),
]
ChangeOption = Annotated[
    str,
    Option(
        "--change-of-mind",
        metavar="TIME",
        help="How long players may still change their orders after the last orders arrive, "
        "for example 2h.",
    ),
]
DelaysOption = Annotated[
    str,
    Option(
        "--delays",
        metavar="TIME",
        help="How long each player may put deadlines off in the whole game, for example '3 days'.",
    ),
]
WaitOption = Annotated[
    bool,
    Option(
        "--wait-for-all",
        help="Until the deadline, also wait for players who are asked later in a round.",
    ),
]
PrintedOption = Annotated[
    bool,
    Option(
        "--as-printed", help="Play the printed rules, without the changes that save time by mail."
    ),
]
GameOption = Annotated[
    str,
    Option(
        "--game",
        autocompletion=complete_game,
        help="The ruleset (default: the first in `pbem games`).",
    ),
]
OpenOption = Annotated[
    int,
    Option(
        "--open-after",
        metavar="N",
        help="If a player is absent for N whole rounds, somebody else may take the seat; 0 "
        "means never.",
    ),
]
SilentOption = Annotated[
    str,
    Option(
        "--silent-seat",
        metavar="WHAT",
        help="What happens to a player who is silent for so long that their seat is open: "
        "defaults, bot or remove.",
    ),
]
DeputyOption = Annotated[
    str,
    Option(
        "--deputy",
        metavar="NAME=LINE",
        help="The deputy who may take over from you. The deputy types `pbem keys deputy` to "
        "get the line, and sends it to you.",
    ),
]
DeputyAfterOption = Annotated[
    str,
    Option(
        "--deputy-after",
        metavar="TIME",
        help="The time without a new turn after which the deputy may take over (default: 7 days).",
    ),
]
BotsOption = Annotated[
    str,
    Option("--bots", metavar="NAME:COUNT", help="Bots for the last seats, for example greedy:2."),
]
MailSeatsOption = Annotated[
    str,
    Option(
        "--mail-seats", metavar="NAMES",
        help="Players who do not have pbem and answer by plain email; you sign their orders "
             "for them.",
    ),
]  # fmt: skip
PlayersOption = Annotated[
    str,
    Option(
        "--players", metavar="NAMES",
        help="The players in clockwise order, as in Ann,Bo,Cy. With --mail-seats, add "
             "addresses: Ann,Bo <bo@example.org>.",
    ),
]  # fmt: skip
CardsOption = Annotated[
    Path | None, Option("--cards", metavar="FILE", help="A file with your own card values.")
]
TitleOption = Annotated[
    str, Option("--title", help="The title of the game (default: the folder's name).")
]
RefereeOption = Annotated[
    str, Option("--referee", help="Your name as the referee, if you do not play.")
]


LikeOption = Annotated[
    str,
    Option(
        "--like", metavar="GAME",
        help="Play again: the same people and rules as in this game, with the seats turned by one. "
             "GAME is its folder or its title.",
    ),
]  # fmt: skip


def new(
    folder: Annotated[
        str,
        Argument(metavar="FOLDER", help="A new folder for the game (with --like: beside the old)."),
    ] = "",
    players: PlayersOption = "",
    like: LikeOption = "",
    game: GameOption = "",
    title: TitleOption = "",
    referee: RefereeOption = "",
    referee_plays: Annotated[
        bool, Option("--referee-plays", help="You also play, in the first seat.")
    ] = False,
    bots: BotsOption = "",
    mail_seats: MailSeatsOption = "",
    option: RulesOption = None,
    as_printed: PrintedOption = False,
    deadline: DeadlineOption = DEFAULT,
    deadline_for: PhaseDeadlineOption = None,
    change_of_mind: ChangeOption = "",
    delays: DelaysOption = "",
    idle_after: IdleOption = IDLE_AFTER,
    wait_for_all: WaitOption = False,
    open_after: OpenOption = OPEN_AFTER,
    silent_seat: SilentOption = "defaults",
    deputy: DeputyOption = "",
    deputy_after: DeputyAfterOption = "",
    cards: CardsOption = None,
    profile: ProfileOption = "default",
    table: TableOption = "",
    passphrase_file: PassphraseOption = None,
) -> None:
    """Make a game and become its referee."""
    from pbem.cli.failure import CliError
    from pbem.cli.starting.make_game import NewGame
    from pbem.cli.starting.rematch import next_folder

    if not (folder or like):
        told = "say in which new folder the game will be, and who plays"
        raise CliError(told, "pbem new savannah --players Ann,Bo")
    NewGame(
        folder=folder or next_folder(like), players=players, like=like, game=game,
        title=title, referee=referee,
        referee_plays=referee_plays, bots=bots, mail_seats=mail_seats, options=option or [],
        idle_after=idle_after, deadline=deadline, deadline_for=deadline_for or [],
        change_of_mind=change_of_mind, delays=delays, cards=cards, profile=profile, table=table,
        passphrase_file=passphrase_file, wait_for_all=wait_for_all, as_printed=as_printed,
        open_after=open_after, silent_seat=silent_seat, deputy=deputy, deputy_after=deputy_after,
    ).run()  # fmt: skip
