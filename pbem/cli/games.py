"""The commands `games` and `games new`: the rulesets that are installed, and one of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from games.new_ruleset_files import STARTING_POINTS
from games.registry import default_name, working_rulesets
from pbem.acts.write_ruleset_package import write_ruleset
from pbem.cli.shared_options import JsonOption
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import print_folded
from pbem.wording.new_game import new_ruleset_lines

games = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@games.callback()
def list_rulesets(ctx: typer.Context, json: JsonOption = False) -> None:
    """List the rulesets that are installed, or make one of your own."""
    if ctx.invoked_subcommand:
        return
    rulesets, faults = working_rulesets()
    if json:
        data = list[dict[str, object]]()
        for ruleset in rulesets:
            min_players, max_players = ruleset.players[0], ruleset.players[-1]
            names = {"name": ruleset.name, "title": ruleset.title}
            data.append({**names, "players": [min_players, max_players]})
        print_data("games", data)
    else:
        for ruleset in rulesets:
            players = f"{ruleset.players[0]}-{ruleset.players[-1]} players"
            print_folded(f"{ruleset.name:12} {players}  {ruleset.about}", 13)
            for option in ruleset.options:
                choices = f"--option {option.name}={'|'.join(option.values)}"
                print_folded(f"{'':12} {choices}: {option.doc}", 15)
    if faults:
        raise faults[0]


@games.command("new")
def new_ruleset(
    name: Annotated[str, typer.Argument(help="The name of the new ruleset.", show_default=False)],
    base: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="GAME",
            help=f"The ruleset that yours starts from: {', '.join(STARTING_POINTS)} (default: "
            f"{default_name()}).",
            show_default=False,
        ),
    ] = default_name(),
    json: JsonOption = False,
) -> None:
    """Write a package with a ruleset of your own, with other cards and traits."""
    package = write_ruleset(name, base, Path())
    folder, commands = package.folder, package.commands
    if json:
        print_data("games new", {"folder": str(folder.absolute()), "next": commands})
        return
    for line in new_ruleset_lines(package.name, package.base, str(folder), commands):
        print(line)
