"""`python -m tools.mutants [--again] [--sample N [--seed S]] [MODULE or FOLDER …]`.

Exit 1 if a change survived and harmless.toml gives no reason.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pickle
import random
import sys
import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401 loaded before all forks
import hypothesis  # noqa: F401
import pytest
import tomlkit  # noqa: F401
import typer  # noqa: F401

from tools.mutants import ask_tests_after_reimport
from tools.mutants.ask_tests import KILLED, NOT_LOADED, SURVIVED, TIMED_OUT, Asker, forked
from tools.mutants.changes import Change, Module
from tools.mutants.folders_of_tests_by_module import ROOT, Room, rooms_for
from tools.mutants.unchanged_run import MAX_TOTAL_SECONDS, UnchangedRuns

HARMLESS = Path(__file__).with_name("harmless.toml")
LAST_RESULTS = ROOT / ".mutants.json"
REASONED = "harmless"


@dataclass
class Result:
    """The result of one change."""

    path: Path
    """The file of the module."""
    change: Change
    word: str
    """The verdict: `killed`, `survived`, `timeout`, `not loaded` or `harmless`."""


def name_of(path: Path) -> str:
    """Return the module's name in the table."""
    return path.relative_to(ROOT).as_posix()


def read_reasons() -> dict[tuple[str, str, str], str]:
    """Return the changes that cannot matter, or that no test can notice, as in `key`, each with the
    reason."""
    reasons_by_module = tomllib.loads(HARMLESS.read_text("utf-8"))
    return {
        (m, *pair): g["why"]
        for m, gs in reasons_by_module.items()
        for g in gs
        for pair in g["changes"]
    }


def hash_of(path: Path, change: Change) -> str:
    """Return a hash of the change and its module."""
    texts = f"{name_of(path)}\0{change.original_text}\0{change.changed_text}"
    return hashlib.sha256(texts.encode()).hexdigest()


def noticed_changes() -> dict[str, str]:
    """Return the verdicts on the changes that were noticed the last time, by their hashes."""
    if not LAST_RESULTS.exists():
        return {}
    words_by_hash: dict[str, str] = json.loads(LAST_RESULTS.read_text("utf-8"))
    return words_by_hash


def remember(results: list[Result]) -> None:
    """Note the changes that were noticed, for `--again`."""
    words_by_hash = {
        hash_of(r.path, r.change): r.word for r in results if r.word in (KILLED, TIMED_OUT)
    }
    LAST_RESULTS.write_text(json.dumps(noticed_changes() | words_by_hash), "utf-8")


def key(result: Result) -> tuple[str, str, str]:
    """Return the key of a change in harmless.toml: module, line as it was, line as it is."""
    return name_of(result.path), result.change.original_code, result.change.changed_code


def choose_changes(paths: list[Path], options: argparse.Namespace) -> dict[Path, list[Change]]:
    """Return the changes that can be made in these modules, by path: all, or a sample of all
    together."""
    all_changes = [(p, change) for p in paths for change in Module(p.read_text("utf-8")).changes()]
    if options.sample and options.sample < len(all_changes):
        numbers = f"{options.sample} of {len(all_changes)} changes (seed {options.seed})"
        print(f"a sample: {numbers}", flush=True)
        sample_numbers = random.Random(options.seed).sample(range(len(all_changes)), options.sample)
        all_changes = [all_changes[n] for n in sorted(sample_numbers)]
    return {path: [change for p, change in all_changes if p == path] for path in paths}


def ask_room(room: Room, paths: list[Path], options: argparse.Namespace) -> list[Result]:
    """Return the results of the changes in these modules, as the room's tests give them.

    With `again`, only what was not noticed last time is tried again: in modules that have not
    changed since, and without a reason.
    """
    changes, excused = choose_changes(paths, options), read_reasons()
    known_words = noticed_changes() if options.again else {}
    for path, change in ((p, c) for p in changes for c in changes[p] if options.again):
        if (name_of(path), change.original_code, change.changed_code) in excused:
            known_words.setdefault(hash_of(path, change), SURVIVED)
    with tempfile.TemporaryDirectory() as folder:
        result_path = Path(folder) / "results"
        work = partial(_ask_tests_of_room, room, changes, result_path, known_words, options.seconds)
        forked(work, is_limited=False, is_quiet=False)
        unchanged_runs, results = pickle.loads(result_path.read_bytes())
    for test in unchanged_runs.failed:
        print(f"not asked, because it fails or is skipped without a change: {test}", flush=True)
    for result in results:
        if result.word == SURVIVED and key(result) in excused:
            continue
        if result.word not in (NOT_LOADED, SURVIVED):
            continue
        if not unchanged_runs.needs_import(
            result.path, result.change.first_line, result.change.last_line
        ):
            result.word = SURVIVED
        else:
            result.word = ask_tests_after_reimport.ask(
                result.path, result.change, unchanged_runs.tests_of_module(result.path)
            )
            progress([result])
            remember([result])
    return results


def _ask_tests_of_room(
    room: Room,
    changes_by_path: dict[Path, list[Change]],
    result_path: Path,
    known_words: dict[str, str],
    seconds: float,
) -> int:
    """Collect the room's tests, in a fork, and ask them about each change.

    Write the runs of the tests without a change, and the results, as a pickle to `result_path`;
    return pytest's exit code. `known_words` has the verdicts that need not be found again, by the
    hashes of the changes.
    """
    run_results: tuple[UnchangedRuns, list[Result]] | None = None

    def work(asker: Asker) -> None:
        nonlocal run_results
        asker.learn(seconds)
        results = []
        for path, changes in changes_by_path.items():
            for change in changes:
                word = known_words.get(hash_of(path, change)) or asker.ask(path, change)
                results.append(Result(path, change, word))
                progress(results)
            remember(results)
        run_results = asker.unchanged_runs, results

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what pytest itself prints
    tests = [test for test in room.tests if (ROOT / test).exists()]
    code = pytest.main(
        [*ask_tests_after_reimport.PYTEST_ARGS, *tests], plugins=[Asker(room.paths(), work)]
    )
    if run_results is None:
        print(f"these tests cannot run: try pytest {' '.join(tests)}", file=sys.stderr)
    result_path.write_bytes(pickle.dumps(run_results or (UnchangedRuns(), [])))
    return int(code)


def progress(results: list[Result]) -> None:
    """Print a sign of life, and each survivor, to the terminal."""
    last_result = results[-1]
    if last_result.word == SURVIVED:
        change = last_result.change
        place = f"{name_of(last_result.path)}:{change.first_line}"
        print(f"? {place}: {change.changed_code}", file=sys.stderr)
    if len(results) % 200 == 0:
        print(f"… {len(results)} changes asked about", file=sys.stderr, flush=True)


def parse_options(words: list[str]) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants")
    parser.add_argument("names", nargs="*", metavar="MODULE or FOLDER")
    parser.add_argument("--again", action="store_true", help="only what was not noticed last time")
    parser.add_argument("--sample", type=int, default=0, help="only N changes of each package")
    parser.add_argument("--seed", type=int, default=1, help="draws another sample")
    seconds_help = "of tests about each change; those left may be asked --again with more"
    parser.add_argument("--seconds", type=float, default=MAX_TOTAL_SECONDS, help=seconds_help)
    return parser.parse_args(words)


def main(arguments: list[str]) -> int:
    """Print each survivor and the table; return the exit code."""
    reasons, table, survivor_count = read_reasons(), [], 0
    options = parse_options(arguments)
    for room, paths in rooms_for(options.names):
        results = ask_room(room, paths, options)
        for result in results:
            change, module = result.change, name_of(result.path)
            if result.word == SURVIVED:
                if key(result) in reasons:
                    result.word = REASONED
                else:
                    survivor_count += 1
                    codes = f"{change.original_code}  =>  {change.changed_code}"
                    print(f"{module}:{change.first_line}: {codes}", flush=True)
        table += [(name_of(p), Counter(r.word for r in results if r.path == p)) for p in paths]
    show([row for row in table if row[1]])
    return 1 if survivor_count else 0


def show(table: list[tuple[str, Counter[str]]]) -> None:
    """Print the numbers for each module and in total."""
    table.append(("together", sum((count for _, count in table), Counter())))
    print(f"\n{'module':<28} changes  killed  timeout  survived  harmless   left")
    for name, count in table:
        total = sum(count.values())
        surviving_share = f"{100 * count[SURVIVED] / total:.1f} %" if total else ""
        cells = (total, count[KILLED], count[TIMED_OUT], count[SURVIVED], count[REASONED])
        print(f"{name:<28} {'{:>7} {:>7} {:>8} {:>9} {:>9}'.format(*cells)} {surviving_share:>7}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
