"""The command `sim`: many games of bots, without files."""

from __future__ import annotations

import json as json_format
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from games.registry import UnknownGame
from pbem.acts.new_game import read_options
from pbem.acts.read_card_file import read_card_file
from pbem.cli.shared_options import JobsOption, JsonOption, RulesOption, complete_game
from pbem.errors import NOT_YET, CliError
from pbem.files.disk import replace
from pbem.judge.game_ruleset import ruleset_with
from pbem.missing_libraries import install_command_for
from pbem.simulation.play_bot_games import OtherVersionError, Setup, setup_of
from pbem.simulation.study import (
    Study,
    StudyError,
    check_same_setup,
    merge_studies,
    numbers_text,
    play,
    read_study,
)
from pbem.terminal.json_and_progress import progress
from pbem.terminal.printing import print_folded, say, stdout_style
from pbem.wording.studies import NO_WORKERS_SENTENCE, progress_line, study_lines
from pbem.workers.worker_pool import Cluster, Crew, LostWorkersError, Processes, ThisProcess, cores

DEFAULT_GAME_COUNT = 100
"""The number of games of a study, unless the user gives one."""
MAX_GAME_NUMBER = 10**12
ALONE_SECONDS = 1.0
"""The time in which this process plays alone before it starts others: small studies need no
more."""
SAVE_SECONDS = 10.0
"""The time between two savings of an unfinished study."""


def sim(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            autocompletion=complete_game,
            help="The ruleset. With --merge, the files that --save wrote.",
            show_default=False,
        ),
    ] = None,
    players: Annotated[
        int,
        typer.Option(
            help="The number of players (default: the fewest that the ruleset allows).",
            show_default=False,
        ),
    ] = 0,
    number: Annotated[
        int | None,
        typer.Option(
            "--games", metavar="NUMBER", min=1, help="The number of games (default: 100)."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="The seed of all decks and dice (default: 1)."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="One bot for all seats, such as greedy, or one for each seat in order, with "
            "commas: greedy,random (default: greedy).",
        ),
    ] = None,
    option: RulesOption = None,
    cards: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Play with the card values in this file (pbem explain --cards-template prints "
            "one).",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            autocompletion=complete_game,
            help="Also play each game with this ruleset, and compare the two.",
        ),
    ] = None,
    orders: Annotated[
        str | None,
        typer.Option(
            metavar="WAY",
            help="Let the bots send orders, and count the waves (how many times players must "
            "exchange mail). WAY says how they answer: ask (one question at a time), policy "
            "(cards when asked, the rest by standing orders) or whole (everything at the start of "
            "the round). For a different way in each seat: ask,whole.",
        ),
    ] = None,
    first: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=0, help="The number of the first game (default: 0)."),
    ] = None,
    jobs: JobsOption = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on the workers of this Dask scheduler."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the results to this file, even if you stop before the last game.",
        ),
    ] = None,
    saved_file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Begin with the results in this file, and play only the games that it lacks.",
        ),
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="Combine the results in several saved files.")
    ] = False,
    by_card: Annotated[
        bool, typer.Option("--by-card", help="Also print the tables of the cards.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Bots play games without files, on all cores; print what they tell about seats, bots, traits
    and cards."""
    if scheduler and jobs:
        problem = "--jobs is for this computer only, so it cannot be combined with --scheduler"
        raise CliError(problem)
    options_of_play = (
        players, number, seed, bots, option, cards, against, orders, first, jobs, scheduler,
        saved_file,
    )  # fmt: skip
    if merge and any(value not in (None, 0, []) for value in options_of_play):
        raise CliError("with --merge, give only files, and no options except --save and --json")
    try:
        if merge:
            study = _merge(words or [])
        else:
            saved_study = read_study(saved_file) if saved_file else None
            game = _named_game(words or [], saved_study, saved_file)
            setup = _setup(game, saved_study, players, seed, bots, option, orders, cards, against)
            study = _study(setup, saved_study, saved_file, first, number)
    except StudyError as error:
        raise CliError(str(error)) from None
    if save and save.exists() and not (saved_file and save.samefile(saved_file)):
        hint = f"to go on with its games: --from {save} --save {save}; or choose a different file"
        raise CliError(f"{save} already exists; nothing was overwritten", hint)
    run = SimRun(study, save, json, by_card=by_card)
    if not merge:
        run.play(jobs, scheduler)
    run.print()


def _merge(files: Sequence[str]) -> Study:
    """Return one study with the games in all files. Raises CliError if there is no file, StudyError
    if one does not match those before it."""
    if not files:
        raise CliError("give the files to merge", "pbem sim --merge ONE.json OTHER.json")
    study = read_study(Path(files[0]))
    for file in files[1:]:
        try:
            study = merge_studies([study, read_study(Path(file))])
        except StudyError as error:
            raise StudyError(f"{file} cannot be merged with the others: {error}") from None
    return study


def _named_game(words: Sequence[str], saved_study: Study | None, saved_file: Path | None) -> str:
    """Return the name of the ruleset to play: the only word, or that of the saved study. Raises
    CliError if there is none, or if they differ."""
    if len(words) > 1:
        raise CliError(f"name only one ruleset, not {len(words)}", "pbem sim -h")
    if saved_study is None:
        if not words:
            problem = "name the ruleset to play, or give saved results with --from"
            raise CliError(problem, "pbem games")
        return words[0]
    game = saved_study.setup.game
    if words and words[0] != game:
        problem = f"the ruleset differs: {game} and {words[0]}"
        raise CliError(f"the results in {saved_file} cannot be continued: {problem}")
    return game


def _setup(
    game: str,
    saved_study: Study | None,
    players: int,
    seed: int | None,
    bots: str | None,
    options: Sequence[str] | None,
    orders: str | None,
    cards: Path | None,
    against: str | None,
) -> Setup:
    """Return the setup of the study. Each value that the user left out (None, or 0 players) is that
    of the saved study, or else the default. Raises CliError for a value that cannot be."""
    try:
        ruleset_with(game)  # first, so that an unknown game is reported before other problems
        card_text = saved_study.setup.cards if saved_study else ""
        if cards:
            card_text = read_card_file(cards, game)
        ruleset = ruleset_with(game, card_text)
        if saved_study:
            default_setup = saved_study.setup
        else:
            default_setup = setup_of(ruleset, ruleset.players[0], 1)
        other_game = default_setup.against if against is None else against
        player_count = players or default_setup.players
        # bots for each seat fit only the number of players for which they were chosen
        keeps_bots = saved_study is not None and player_count == default_setup.players
        default_bots = default_setup.bots if keeps_bots else ()
        return setup_of(
            ruleset,
            player_count,
            default_setup.seed if seed is None else seed,
            bots.split(",") if bots else default_bots,
            read_options(options or ()) or default_setup.options,
            default_setup.orders if orders is None else orders,
            card_text,
            ruleset_with(other_game) if other_game else None,
        )
    except (UnknownGame, ValueError) as error:
        raise CliError(str(error)) from None


def _study(
    setup: Setup,
    saved_study: Study | None,
    saved_file: Path | None,
    first_number: int | None,
    game_count: int | None,
) -> Study:
    """Return the study to play: the saved one, or a new one without games, with the numbers of the
    games that are wanted. Without `first_number` and `game_count`, these are those of the saved
    study. Raises CliError for a number that is too large, StudyError if the saved study has another
    setup or other games."""
    saved_numbers = saved_study.requested if saved_study else range(DEFAULT_GAME_COUNT)
    start = saved_numbers.start if first_number is None else first_number
    requested_numbers = range(start, start + (game_count or len(saved_numbers)))
    if requested_numbers.stop > MAX_GAME_NUMBER:
        raise CliError(f"the numbers of games must be smaller than {MAX_GAME_NUMBER}")
    if saved_study is None:
        return Study(setup, requested_numbers)
    try:
        check_same_setup(saved_study.setup, setup)
        return saved_study.with_requested(requested_numbers)
    except StudyError as error:
        raise StudyError(f"the results in {saved_file} cannot be continued: {error}") from None


# ---- Play the games, save the results meanwhile, and print them


class SimRun:
    """One run of `sim`, with the results of its study so far.

    `study` is replaced in one step, so an interrupt cannot find it half changed.
    """

    def __init__(self, study: Study, path: Path | None, json: bool, *, by_card: bool) -> None:
        """`path` is the file for the results, if any. They are printed as JSON or as tables; with
        `by_card`, the tables of the cards are printed too."""
        self.study, self.path, self.json, self.by_card = study, path, json, by_card
        self._saved_at = 0.0

    def play(self, jobs: int | None, scheduler: str | None) -> None:
        """Play the games that are missing, in `jobs` processes (None means one for each core) or on
        the workers of a Dask scheduler. If the user interrupts, print the results so far.

        Raises KeyboardInterrupt, and CliError if the workers cannot go on.
        """
        try:
            with progress(len(self.study.requested), self.study.counts.games) as show_count:
                if jobs is None and scheduler is None:
                    self._play(ThisProcess(), show_count, ALONE_SECONDS)
                if not self.study.complete:
                    self._play(_crew(jobs, scheduler), show_count)
        except KeyboardInterrupt:
            self.print()
            say(self._how_to_go_on())
            raise
        except LostWorkersError as error:
            self.print()
            raise CliError(str(error), self._how_to_go_on(), NOT_YET) from None
        except (UnknownGame, OtherVersionError) as error:
            raise CliError(str(error), "install the same packages for all workers") from None

    def _play(
        self, crew: Crew, show_count: Callable[[int], None], max_seconds: float = float("inf")
    ) -> None:
        """Let the crew play games until none is missing or the time is over; call `show_count` with
        the number of games played, and save the study now and then."""
        stop_at = time.monotonic() + max_seconds
        with closing(play(self.study, crew)) as studies:
            for self.study in studies:
                show_count(self.study.counts.games)
                if not self._saved_at or time.monotonic() > self._saved_at + SAVE_SECONDS:
                    self._save()
                    self._saved_at = time.monotonic()
                if time.monotonic() > stop_at:
                    return

    def _save(self) -> None:
        if self.path:
            json_text = json_format.dumps(self.study.to_json()) + "\n"
            replace(self.path.absolute(), json_text.encode(), private=False)

    def print(self) -> None:
        """Save the study, and print its results."""
        self._save()
        study_data = self.study.to_json()
        if self.json:
            print(json_format.dumps(study_data), flush=True)
            return
        for line in study_lines(study_data, by_card=self.by_card):
            is_table_row = "  " in line
            if is_table_row:
                print(stdout_style().encodable(line))
            else:
                print_folded(line, 0)
        if not self.study.complete or self.study.requested.start:
            print(f"played: {numbers_text(self.study.played)}")
        if not self.study.complete:
            print(f"missing: {numbers_text(self.study.missing_numbers)}", flush=True)

    def _how_to_go_on(self) -> str:
        """Return how many games were played, and the command that goes on with the study."""
        path = shlex.quote(str(self.path)) if self.path else ""
        game_count, total = self.study.counts.games, len(self.study.requested)
        return progress_line(game_count, total, path, has_json=self.json)


def _crew(jobs: int | None, scheduler: str | None) -> Crew:
    """Return the processes or workers that play games. Raises CliError if the scheduler does not
    answer, or if the package for it is not installed."""
    if scheduler is None:
        jobs = jobs or cores()
        return ThisProcess() if jobs == 1 else Processes(jobs)
    try:
        crew = Cluster(scheduler)
    except ImportError:
        problem = "--scheduler needs the Python package `distributed`, which is not installed"
        raise CliError(problem, install_command_for("distributed")) from None
    except (OSError, ValueError, TypeError):
        problem = f"there is no answer from a Dask scheduler at {scheduler}"
        raise CliError(
            problem, "start one with `dask scheduler`, which prints its address"
        ) from None
    if not crew.thread_count():
        say(NO_WORKERS_SENTENCE)
    return crew
