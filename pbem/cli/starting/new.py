"""The command `new`: make a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    typer.Option(
        "--deadline",
        metavar="RULE",
        help="When a silent player gets a default choice, for example 48h or 'every day 20:00 "
        "UTC'.",
    ),
]
PhaseDeadlineOption = Annotated[
    list[str] | None,
    typer.Option(
        "--deadline-for", metavar="PHASE=RULE", help="A different deadline for one phase."
    ),
]
IdleOption = Annotated[
    int,
    typer.Option(
        "--idle-after",
        metavar="N",
        help="After N deadlines missed in a row, the game no longer waits for a player; 0 = never.",
    ),
]
ChangeOption = Annotated[
    str,
    typer.Option(
        "--change-of-mind",
        metavar="TIME",
        help="How long players may still change their orders after the last orders arrive, "
        "for example 2h.",
    ),
]
DelaysOption = Annotated[
    str,
    typer.Option(
        "--delays",
        metavar="TIME",
        help="How long each player may put deadlines off in the whole game, for example '3 days'.",
    ),
]
WaitOption = Annotated[
    bool,
    typer.Option(
        "--wait-for-all",
        help="Until the deadline, also wait for players who are asked later in a round.",
    ),
]
PrintedOption = Annotated[
    bool,
    typer.Option(
        "--as-printed", help="Play the printed rules, without the changes that save time by mail."
    ),
]
GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        autocompletion=complete_game,
        help="The ruleset (default: the first in `pbem games`).",
    ),
]
OpenOption = Annotated[
    int,
    typer.Option(
        "--open-after",
        metavar="N",
        help="If a player is absent for N whole rounds, somebody else may take the seat; "
        "0 = never.",
    ),
]
SilentOption = Annotated[
    str,
    typer.Option(
        "--silent-seat",
        metavar="WHAT",
        help="What happens to a player who is silent that long: defaults, bot or remove.",
    ),
]
DeputyOption = Annotated[
    str,
    typer.Option(
        "--deputy",
        metavar="NAME=LINE",
        help="Who may take over from you; `pbem keys deputy` prints that person's line.",
    ),
]
DeputyAfterOption = Annotated[
    str,
    typer.Option(
        "--deputy-after",
        metavar="TIME",
        help="The time without a new turn after which the deputy may take over (default: 7 days).",
    ),
]
BotsOption = Annotated[
    str,
    typer.Option(
        "--bots", metavar="NAME:COUNT", help="Bots for the last seats, for example greedy:2."
    ),
]
MailSeatsOption = Annotated[
    str,
    typer.Option(
        "--mail-seats", metavar="NAMES",
        help="Players without pbem, who answer by plain email: you sign for them.",
    ),
]  # fmt: skip
PlayersOption = Annotated[
    str,
    typer.Option(
        "--players", metavar="NAMES",
        help="In clockwise order, as in Ann,Bo,Cy; with --mail-seats: Ann,Bo <bo@example.org>.",
    ),
]  # fmt: skip
CardsOption = Annotated[
    Path | None, typer.Option("--cards", metavar="FILE", help="A file with your own card values.")
]


def new(
    folder: Annotated[str, typer.Argument(help="A new folder for the game.")],
    players: PlayersOption,
    game: GameOption = "",
    title: Annotated[str, typer.Option("--title", help="Default: the folder's name.")] = "",
    referee: Annotated[str, typer.Option("--referee", help="Your name, if you do not play.")] = "",
    referee_plays: Annotated[
        bool, typer.Option("--referee-plays", help="You play too, in the first seat.")
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
    from pbem.cli.starting.make_game import NewGame

    NewGame(
        folder=folder, players=players, game=game, title=title, referee=referee,
        referee_plays=referee_plays, bots=bots, mail_seats=mail_seats, options=option or [],
        idle_after=idle_after, deadline=deadline, deadline_for=deadline_for or [],
        change_of_mind=change_of_mind, delays=delays, cards=cards, profile=profile, table=table,
        passphrase_file=passphrase_file, wait_for_all=wait_for_all, as_printed=as_printed,
        open_after=open_after, silent_seat=silent_seat, deputy=deputy, deputy_after=deputy_after,
    ).run()  # fmt: skip
