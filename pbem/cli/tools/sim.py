"""`sim`: bots play games without files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.completion import complete_game
from pbem.cli.failure import CliError
from pbem.cli.options import JobsOption, JsonOption, RulesOption


def sim(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            autocompletion=complete_game,
            help="The ruleset. With --merge: files that --save wrote.",
            show_default=False,
        ),
    ] = None,
    players: Annotated[int, typer.Option("--players", help="How many play.")] = 0,
    number: Annotated[
        int | None, typer.Option("--games", min=1, help="How many games (default: 100).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="The seed of all decks and dice (default: 1).")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots", metavar="NAMES", help="One bot for all, or one for each: a,b (random)."
        ),
    ] = None,
    option: RulesOption = None,
    first: Annotated[
        int | None,
        typer.Option("--first", min=0, help="The number of the first game (default: 0)."),
    ] = None,
    jobs: JobsOption = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="The workers of this Dask scheduler play."
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="Keep the results in this file, from the first on."
        ),
    ] = None,
    begun: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Play what saved results still lack."),
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Add saved results together.")] = False,
    json: JsonOption = False,
) -> None:
    """Bots play games without files, on all cores; print the results."""
    from pbem.cli.tools.sim_run import SimRun, crew_for
    from pbem.cli.tools.sim_wishes import Wishes, merged_files
    from pbem.simulation.study import StudyError

    wishes = Wishes(words or [], players, number, seed, bots, option, first, begun)
    if scheduler and jobs:
        raise CliError("--jobs is for this machine; the scheduler knows its own workers")
    try:
        if merge and (wishes.besides_files() or jobs or scheduler):
            raise CliError("--merge takes files, --save and --json, and nothing else")
        study = merged_files(wishes.words) if merge else wishes.study()
    except StudyError as error:
        raise CliError(str(error)) from None
    run = SimRun(study, save, begun, json)
    if not merge:
        run.play(crew_for(jobs, scheduler))
    run.print()
