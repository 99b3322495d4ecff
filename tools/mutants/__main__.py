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

from tools.mutants import anew
from tools.mutants.asking import KILLED, LATE, NOT_LOADED, SURVIVED, Asker, forked
from tools.mutants.changes import Change, Module
from tools.mutants.known import ENOUGH, Known
from tools.mutants.table import ROOT, Room, asked

HARMLESS = Path(__file__).with_name("harmless.toml")
LAST = ROOT / ".mutants.json"
REASONED = "harmless"


@dataclass
class Result:
    """The result of one change."""

    path: Path
    change: Change
    word: str


def name_of(path: Path) -> str:
    """The module's name in the table."""
    return path.relative_to(ROOT).as_posix()


def reasons() -> dict[tuple[str, str, str], str]:
    """Changes that cannot matter, or that no test can notice, with the reason."""
    said = tomllib.loads(HARMLESS.read_text("utf-8"))
    return {(m, *pair): g["why"] for m, gs in said.items() for g in gs for pair in g["changes"]}


def mark(path: Path, change: Change) -> str:
    """A hash of the change and its module."""
    return hashlib.sha256(f"{name_of(path)}\0{change.before}\0{change.text}".encode()).hexdigest()


def noticed() -> dict[str, str]:
    """The changes that were noticed the last time."""
    found: dict[str, str] = json.loads(LAST.read_text("utf-8")) if LAST.exists() else {}
    return found


def remember(results: list[Result]) -> None:
    """Keep the changes that were noticed, for `--again`."""
    seen = {mark(r.path, r.change): r.word for r in results if r.word in (KILLED, LATE)}
    LAST.write_text(json.dumps(noticed() | seen), "utf-8")


def key(result: Result) -> tuple[str, str, str]:
    """How harmless.toml names a change."""
    return name_of(result.path), result.change.was, result.change.now


def chosen(paths: list[Path], wish: argparse.Namespace) -> dict[Path, list[Change]]:
    """The changes that can be made in these modules: all, or a sample of all of them together."""
    every = [(p, change) for p in paths for change in Module(p.read_text("utf-8")).changes()]
    if wish.sample and wish.sample < len(every):
        print(f"a sample: {wish.sample} of {len(every)} changes (seed {wish.seed})", flush=True)
        drawn = random.Random(wish.seed).sample(range(len(every)), wish.sample)
        every = [every[n] for n in sorted(drawn)]
    return {path: [change for p, change in every if p == path] for path in paths}


def ask_room(room: Room, paths: list[Path], wish: argparse.Namespace) -> list[Result]:
    """The changes in these modules, and what the room's tests said.

    With `again`, only what was not noticed last time is tried again: in modules that have not
    changed since, and without a reason.
    """
    changes, excused = chosen(paths, wish), reasons()
    before = noticed() if wish.again else {}
    for path, change in ((p, c) for p in changes for c in changes[p] if wish.again):
        if (name_of(path), change.was, change.now) in excused:
            before.setdefault(mark(path, change), SURVIVED)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "results"
        work = partial(_swapping, room, changes, kept, before, wish.seconds)
        forked(work, limited=False, quiet=False)
        known, results = pickle.loads(kept.read_bytes())
    for test in known.failed:
        print(f"not asked, because it fails or is skipped without a change: {test}", flush=True)
    for result in results:
        if result.word == SURVIVED and key(result) in excused:
            continue
        if result.word not in (NOT_LOADED, SURVIVED):
            continue
        if not known.again(result.path, result.change.first, result.change.last):
            result.word = SURVIVED
        else:
            result.word = anew.ask(result.path, result.change, known.anywhere(result.path))
            progress([result])
            remember([result])
    return results


def _swapping(
    room: Room,
    asked_for: dict[Path, list[Change]],
    kept: Path,
    before: dict[str, str],
    seconds: float,
) -> int:
    done: tuple[Known, list[Result]] | None = None

    def work(asker: Asker) -> None:
        nonlocal done
        asker.learn(seconds)
        results = []
        for path, changes in asked_for.items():
            for change in changes:
                word = before.get(mark(path, change)) or asker.ask(path, change)
                results.append(Result(path, change, word))
                progress(results)
            remember(results)
        done = asker.known, results

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what pytest itself prints
    tests = [test for test in room.tests if (ROOT / test).exists()]
    code = pytest.main([*anew.ARGS, *tests], plugins=[Asker(room.paths(), work)])
    if done is None:
        print(f"these tests cannot run: try pytest {' '.join(tests)}", file=sys.stderr)
    kept.write_bytes(pickle.dumps(done or (Known(), [])))
    return int(code)


def progress(results: list[Result]) -> None:
    """A sign of life, and each survivor as it is found."""
    last = results[-1]
    if last.word == SURVIVED:
        print(f"? {name_of(last.path)}:{last.change.first}: {last.change.now}", file=sys.stderr)
    if len(results) % 200 == 0:
        print(f"… {len(results)} changes asked about", file=sys.stderr, flush=True)


def wishes(words: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants")
    parser.add_argument("names", nargs="*", metavar="MODULE or FOLDER")
    parser.add_argument("--again", action="store_true", help="only what was not noticed last time")
    parser.add_argument("--sample", type=int, default=0, help="only N changes of each package")
    parser.add_argument("--seed", type=int, default=1, help="draws another sample")
    told = "of tests about each change; those left may be asked --again with more"
    parser.add_argument("--seconds", type=float, default=ENOUGH, help=told)
    return parser.parse_args(words)


def main(wanted: list[str]) -> int:
    """Print each survivor and the table."""
    known, table, bad = reasons(), [], 0
    wish = wishes(wanted)
    for room, paths in asked(wish.names):
        results = ask_room(room, paths, wish)
        for result in results:
            change, module = result.change, name_of(result.path)
            if result.word == SURVIVED:
                if key(result) in known:
                    result.word = REASONED
                else:
                    bad += 1
                    print(f"{module}:{change.first}: {change.was}  =>  {change.now}", flush=True)
        table += [(name_of(p), Counter(r.word for r in results if r.path == p)) for p in paths]
    show([row for row in table if row[1]])
    return 1 if bad else 0


def show(table: list[tuple[str, Counter[str]]]) -> None:
    """Print the numbers for each module and in total."""
    table.append(("together", sum((count for _, count in table), Counter())))
    print(f"\n{'module':<28} changes  killed  timeout  survived  harmless   left")
    for name, count in table:
        total = sum(count.values())
        left = f"{100 * count[SURVIVED] / total:.1f} %" if total else ""
        cells = (total, count[KILLED], count[LATE], count[SURVIVED], count[REASONED])
        print(f"{name:<28} {'{:>7} {:>7} {:>8} {:>9} {:>9}'.format(*cells)} {left:>7}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
