"""The options of `sim`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.completion import complete_game

WordsArgument = Annotated[
    list[str] | None,
    Argument(
        metavar="GAME",
        autocompletion=complete_game,
        help="The ruleset. With --merge, the files that --save wrote.",
        show_default=False,
    ),
]
PlayersOption = Annotated[int, Option("--players", help="The number of players.")]
GamesOption = Annotated[
    int | None,
    Option("--games", metavar="NUMBER", min=1, help="The number of games (default: 100)."),
]
SeedOption = Annotated[
    int | None,
    Option("--seed", metavar="NUMBER", help="The seed of all decks and dice (default: 1)."),
]
BotsOption = Annotated[
    str | None,
    Option(
        "--bots",
        metavar="NAMES",
        help="One bot for all seats, or one per seat, separated by commas: a,b (default: random).",
    ),
]
FirstOption = Annotated[
    int | None,
    Option("--first", metavar="NUMBER", min=0, help="The number of the first game (default: 0)."),
]
OrdersOption = Annotated[
    str | None,
    Option(
        "--orders",
        metavar="WAY",
        help="Let the bots send orders, and count the waves (how many times players must exchange "
        "mail). The value says how they answer: ask (one question at a time), policy (cards when "
        "asked, the rest by standing orders) or whole (everything at the start of the round). To "
        "use a different way in each seat, separate the ways by commas: a,b.",
    ),
]
SchedulerOption = Annotated[
    str | None,
    Option("--scheduler", metavar="ADDRESS", help="Play on the workers of this Dask scheduler."),
]
SaveOption = Annotated[
    Path | None,
    Option(
        "--save",
        metavar="FILE",
        help="Save the results to this file, even if the study is not finished.",
    ),
]
FromOption = Annotated[
    Path | None,
    Option("--from", metavar="FILE", help="Continue the study in this file."),
]
MergeOption = Annotated[bool, Option("--merge", help="Combine the results in several saved files.")]
