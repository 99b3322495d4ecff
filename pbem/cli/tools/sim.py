"""The command `sim`: let bots play games without files."""

from __future__ import annotations

from pbem.cli.failure import CliError
from pbem.cli.options import JobsOption, JsonOption, RulesOption
from pbem.cli.tools import sim_options as options


def sim(
    words: options.WordsArgument = None,
    players: options.PlayersOption = 0,
    number: options.GamesOption = None,
    seed: options.SeedOption = None,
    bots: options.BotsOption = None,
    option: RulesOption = None,
    orders: options.OrdersOption = None,
    first: options.FirstOption = None,
    jobs: JobsOption = None,
    scheduler: options.SchedulerOption = None,
    save: options.SaveOption = None,
    begun: options.FromOption = None,
    merge: options.MergeOption = False,
    json: JsonOption = False,
) -> None:
    """Bots play games without files, on all cores; print the results."""
    from pbem.cli.tools.sim_run import SimRun, crew_for
    from pbem.cli.tools.sim_wishes import Wishes, merged_files
    from pbem.simulation.study import StudyError

    wishes = Wishes(words or [], players, number, seed, bots, option, first, begun, orders)
    if scheduler and jobs:
        told = "--jobs sets the number of processes on this machine"
        raise CliError(f"{told}; it cannot be combined with --scheduler")
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
