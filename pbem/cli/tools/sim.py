"""`sim`: bots play games without files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.completion import complete_game
from pbem.cli.failure import CliError
from pbem.cli.options import JsonOption, RulesOption

if TYPE_CHECKING:
    pass


def sim(
    game: Annotated[str, typer.Argument(autocompletion=complete_game, help="The ruleset.")],
    players: Annotated[int, typer.Option("--players", help="How many play.")] = 0,
    number: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The seed of all decks and dice.")] = 1,
    bots: Annotated[
        str,
        typer.Option(
            "--bots", metavar="NAMES", help="One bot for all seats, or one for each: a,b."
        ),
    ] = "random",
    option: RulesOption = None,
    json: JsonOption = False,
) -> None:
    """Bots play games without files; print the results."""
    import json as json_format

    from games.registry import UnknownGame, ruleset
    from pbem.cli.starting.make_game import read_options
    from pbem.simulate import simulate

    try:
        found = ruleset(game)
        options = read_options(option or ())
        result = simulate(
            found, players or found.players[0], number, seed, bots.split(","), options
        )
    except (UnknownGame, ValueError) as error:
        raise CliError(str(error)) from None
    if json:
        print(json_format.dumps(result))
        return
    for name, value in result.items():
        print(f"{name:20} {value}")
