"""The commands `games` and `games new`: the rulesets that are installed, and one of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from games.registry import default_name, working_rulesets
from games.starting_points import STARTING_POINTS
from pbem.acts.new_ruleset import write_ruleset
from pbem.cli.options import JsonOption
from pbem.terminal.output import print_data
from pbem.terminal.terminal import print_folded
from pbem.wording.rulesets import new_ruleset_lines

games = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@games.callback()
def list_rulesets(ctx: typer.Context, json: JsonOption = False) -> None:
    """List the rulesets that are installed, or make one of your own."""
    if ctx.invoked_subcommand:
        return
    rulesets, faults = working_rulesets()
    if json:
        rows = [(r.name, r.title, [r.players[0], r.players[-1]]) for r in rulesets]
        print_data("games", [{"name": n, "title": t, "players": p} for n, t, p in rows])
    for one in [] if json else rulesets:
        print_folded(f"{one.name:12} {one.players[0]}-{one.players[-1]} players  {one.about}", 13)
        for option in one.options:
            values = f"--option {option.name}={'|'.join(option.values)}"
            print_folded(f"{'':12} {values}: {option.doc}", 15)
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
            help=f"The ruleset to start from: {', '.join(STARTING_POINTS)} (default: the first).",
        ),
    ] = default_name(),
    json: JsonOption = False,
) -> None:
    """Write a package with a ruleset of your own, with other cards and traits."""
    made = write_ruleset(name, base, Path())
    if json:
        print_data("games new", {"folder": str(made.folder.absolute()), "next": made.commands})
        return
    for line in new_ruleset_lines(made.name, made.base, str(made.folder), made.commands):
        print(line)
