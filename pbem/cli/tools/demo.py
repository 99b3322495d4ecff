"""The command `demo`: bots play a whole sealed game, which is then audited."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.completion import complete_game
from pbem.cli.options import JsonOption


def demo(
    game: Annotated[
        str,
        Option(
            "--game", autocompletion=complete_game, help="The ruleset (default: the first one)."
        ),
    ] = "",
    players: Annotated[int, Option("--players", help="The number of bots.")] = 4,
    bot: Annotated[str, Option("--bot", help="The bot that plays all seats.")] = "greedy",
    seed: Annotated[
        int | None,
        Option("--seed", help="The same seed gives the same game, byte for byte."),
    ] = None,
    folder: Annotated[
        Path | None,
        Option("--folder", "-C", metavar="FOLDER", help="The folder to play in."),
    ] = None,
    ask: Annotated[
        bool,
        Option(
            "--ask", help="Let the bots answer one question at a time, not a whole round together."
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Bots play a whole sealed game in a real folder; then pbem audits it."""
    from pbem.cli.tools.demo_game import Demo

    raise SystemExit(Demo(game, players, bot, seed, folder, json, ask).run())
