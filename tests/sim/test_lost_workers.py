"""`pbem sim` when workers die: their games are played again, and the numbers are the same."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from pbem.missing_libraries import install_command_for
from pbem.workers.worker_pool import Crew, run_tasks
from tests.kit.people import Person, Round
from tests.kit.processes import until
from tests.kit.selection import ROOT
from tests.sim.simulate import result_without_seconds
from tests.sim.trap import install

SIM = "sim trap --bots trap,random --json"


@pytest.fixture
def ann_with_package(tmp_path: Path) -> Person:
    """She has the package that offers the ruleset and the bot."""
    ann = Round(tmp_path).person("ann")
    ann.env["PYTHONPATH"] = os.pathsep.join([str(install(tmp_path / "site")), str(ROOT)])
    return ann


def kill_who_is_in(trap: Path) -> None:
    until(lambda: trap.exists() and trap.read_text().endswith("\n"))
    os.kill(int(trap.read_text()), signal.SIGKILL)


def results_with_lost_worker(ann: Person, line: str, trap: Path) -> dict[str, object]:
    """The results of a run in which one worker is killed while it plays."""
    running = ann.start(line, TRAP=str(trap))
    kill_who_is_in(trap)
    out, err = running.communicate()
    assert (running.returncode, err) == (0, "")
    return result_without_seconds(out)


@pytest.mark.long
def test_a_study_has_the_same_numbers_although_a_worker_was_killed(
    ann_with_package: Person, tmp_path: Path
) -> None:
    alone = ann_with_package.really(f"{SIM} --games 8 --jobs 1")
    assert alone.exit == 0, alone
    assert results_with_lost_worker(
        ann_with_package, f"{SIM} --games 8 --jobs 2", tmp_path / "trap"
    ) == result_without_seconds(alone.out)


@pytest.mark.long
def test_a_game_that_kills_every_worker_is_given_up_and_the_others_are_kept(
    ann_with_package: Person,
) -> None:
    """Only this game is blamed; what is done is printed, and can be gone on from."""
    poison = repr(Random("1.3.a").random())
    said = ann_with_package.really(f"{SIM} --games 6 --jobs 2 --save kept.json", POISON=poison)
    assert said.exit == 5, said
    assert said.err == (
        "error: 4 worker processes that played game 3 were lost; the computer may have run out of "
        "memory, or a bot may have failed\n"
        f"  try: {result_without_seconds(said.out)['games']} of 6 games have been played; "
        "to continue: pbem sim --from kept.json --save kept.json\n"
    )
    assert {"first": 3, "games": 1} not in result_without_seconds(said.out)["played"]
    rest = ann_with_package.really("sim --from kept.json --json")
    assert result_without_seconds(rest.out) == result_without_seconds(
        ann_with_package.really(f"{SIM} --games 6").out
    )


# ---------------------------------------------------------------- somebody's own executor
class FragileExecutor(ThreadPoolExecutor):
    """Its workers are lost by each task in `fatal_counts`, so many times."""

    def __init__(self, fatal_counts: dict[str, int], started: list[str]) -> None:
        super().__init__(2)
        self.fatal_counts, self.started, self.is_broken = fatal_counts, started, False

    def submit(self, fn, /, *args):  # type: ignore[no-untyped-def]
        (task,) = args
        self.started.append(task)
        if not self.is_broken and self.fatal_counts.get(task):
            self.fatal_counts[task] -= 1
            self.is_broken = True
        if self.is_broken:
            raise BrokenExecutor
        return super().submit(fn, *args)


def upper_with_slow_a(text: str) -> str:
    """Give the other tasks time to break the executor while `a` is being done."""
    time.sleep(0.3 * (text == "a"))
    return text.upper()


@pytest.mark.parametrize("work", [str.upper, upper_with_slow_a])
def test_any_executor_does_again_what_its_lost_workers_did(work: Callable[[str], str]) -> None:
    fatal_counts, started = {"b": 2, "d": 99}, list[str]()
    crew = Crew(lambda: FragileExecutor(fatal_counts, started), window=3)
    results = dict(run_tasks(work, "abcde", crew))
    lost = results.pop("d")
    assert (results, lost.times) == ({"a": "A", "b": "B", "c": "C", "e": "E"}, 4)
    assert [started.count(task) for task in "abcde"] == [1, 3, 2, 4, 2]


# ---------------------------------------------------------------- Dask
@contextlib.contextmanager
def dask(ann: Person, tmp_path: Path, workers: int, **env: str) -> Iterator[str]:
    """The address of a scheduler with that many workers; they end with the block.

    The scheduler tries no task again: pbem has to.
    """
    told = tmp_path / "scheduler.json"
    never = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    scheduler = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    worker = ["worker", "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> None:
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "dask", *words, "--scheduler-file", str(told)],
                env=ann.environ({**never, **env}),
                cwd=tmp_path,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    try:
        start(*scheduler)
        for _ in range(workers):
            start(*worker)
        until(lambda: told.exists() and told.read_text().endswith("}"))
        yield json.loads(told.read_text())["address"]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


@pytest.mark.long
def test_a_comparison_on_a_cluster_has_the_numbers_of_one_process(
    ann_with_package: Person, tmp_path: Path
) -> None:
    """Also with a card file, which the workers get with their games."""
    template = ann_with_package.pbem("explain --game climate --cards-template").out
    (ann_with_package.place / "mine.toml").write_text(template.replace('"9', '"8'))
    line = "sim climate --cards mine.toml --against climate --bots random --games 6 --json"
    alone = ann_with_package.really(f"{line} --jobs 1")
    with dask(ann_with_package, tmp_path, workers=2) as address:
        said = ann_with_package.really(f"{line} --scheduler {address}")
    assert said.exit == 0, said.err
    assert result_without_seconds(said.out) == result_without_seconds(alone.out)


@pytest.mark.long
def test_a_study_on_a_cluster_has_the_same_numbers_although_a_worker_was_killed(
    ann_with_package: Person, tmp_path: Path
) -> None:
    alone = ann_with_package.really(f"{SIM} --games 8 --jobs 1")
    trap = tmp_path / "trap"
    with dask(ann_with_package, tmp_path, workers=2, TRAP=str(trap)) as address:
        running = ann_with_package.start(f"{SIM} --games 8 --scheduler {address}")
        kill_who_is_in(trap)
        out, err = running.communicate()
    assert running.returncode == 0, err
    assert err in ("", "the scheduler has no workers yet; waiting for the first one\n")
    assert result_without_seconds(out) == result_without_seconds(alone.out)


@pytest.mark.sample(0)
def test_a_study_says_that_no_scheduler_of_a_cluster_answers(ann_with_package: Person) -> None:
    said = ann_with_package.pbem("sim evolution --scheduler nowhere")
    assert (said.exit, said.out) == (2, "")
    assert said.err.startswith("error: there is no answer from a Dask scheduler at nowhere\n")


@pytest.mark.sample(0)
def test_without_the_cluster_library_a_study_says_how_to_install_it(
    ann_with_package: Person, tmp_path: Path
) -> None:
    (tmp_path / "site/distributed.py").write_text("raise ImportError('not here')\n")
    said = ann_with_package.really("sim evolution --scheduler tcp://127.0.0.1:1")
    assert (said.exit, said.out) == (2, "")
    assert said.err == (
        "error: --scheduler needs the Python package `distributed`, which is not installed\n"
        f"  try: {install_command_for('distributed')}\n"
    )
