"""Run files of rule cases, and report each difference."""

from __future__ import annotations

import json as jsons
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from engine import Ruleset
from games import registry
from pbem.rulecases.read_case import BadCase, Case, read_file
from pbem.rulecases.run_case import Outcome, run
from pbem.screen.terminal import clean

Find = Callable[[str], Ruleset[Any]]


def run_files(paths: Iterable[Path | str], find: Find = registry.ruleset) -> list[Outcome]:
    """Return the outcome of every case of these files, in order.

    Raises BadCase for the first file or case that cannot be understood, with file, case and reason.
    """
    return [run(case, _ruleset(case, find)) for path in paths for case in read_file(Path(path))]


def _ruleset(case: Case, find: Find) -> Ruleset[Any]:
    try:
        return find(case.game)
    except registry.UnknownGame as error:
        raise BadCase(f"{case.file}: {error}") from error


def main(paths: Sequence[Path | str], *, json: bool = False) -> int:
    """Run the cases and print every difference; return the exit code.

    Exit codes: 0 no differences, 1 differences, 2 a file that cannot be understood, 4 a file that
    cannot be a case file.
    """
    from sys import stderr

    try:
        outcomes = run_files(paths)
    except BadCase as error:
        print(f"error: {clean(str(error))}", file=stderr)
        return error.exit
    print(
        jsons.dumps(_plain(outcomes), indent=2) if json else "\n".join(map(clean, _lines(outcomes)))
    )
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def _plain(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    return {
        "cases": len(outcomes),
        "failed": sum(not outcome.ok for outcome in outcomes),
        "differences": [
            {
                "file": outcome.case.file,
                "id": outcome.case.id,
                "title": outcome.case.title,
                "source": outcome.case.source,
                "differences": list(outcome.differences),
            }
            for outcome in outcomes
            if not outcome.ok
        ],
    }


def _lines(outcomes: Sequence[Outcome]) -> Iterable[str]:
    for outcome in outcomes:
        if not outcome.ok:
            case = outcome.case
            yield f"{case.file}: {case.id}: {case.title} ({case.source})"
            yield from (f"    {difference}" for difference in outcome.differences)
    yield _summary(len(outcomes), sum(not outcome.ok for outcome in outcomes))


def _summary(count: int, failed: int) -> str:
    if failed:
        return f"{failed} of {count} {'case' if count == 1 else 'cases'} came out differently."
    return {0: "There are no cases in these files.", 1: "1 case, no differences."}.get(
        count, f"{count} cases, no differences."
    )
