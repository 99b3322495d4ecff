"""What errors and exit codes mean, which of many bad files to name, and what an audit found."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final

from games.data import package_data
from pbem.screen.certificate import headline, next_step_for, statement
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.judge.audit_report import Finding, Report


@cache
def explanations() -> dict[str, dict[str, str]]:
    """Return what pbem's own words mean, by group: `problems` in order files, `reasons` why a file
    cannot be used, `words`, and `exits` (exit codes)."""
    import tomllib  # only `explain` needs it

    return tomllib.loads(package_data("pbem.screen", "texts.toml"))


# ---- Which of many bad files to name

MOST_ALIKE: Final = 3
"""How many files in one folder are named for which the same is said."""
MOST_NAMED: Final = 12
"""How many files in one folder are named for one reason."""


class FewOfMany:
    """Chooses which files to name: ask `shows` about one after the other, then `rest`.

    Somebody can fill a game's folder with junk; a line for each file would bury what matters.
    """

    def __init__(self) -> None:
        self._alike = Counter[tuple[str, str, str]]()
        self._named = Counter[tuple[str, str]]()
        self._hidden = Counter[str]()

    def shows(self, path: str, reason: str, sentence: str) -> bool:
        """Return whether to name this file, and count it otherwise."""
        folder = path.rpartition("/")[0]
        alike = (folder, reason, re.sub(r"[0-9a-f]*\d[0-9a-f]*", "0", sentence))
        if self._alike[alike] == MOST_ALIKE or self._named[alike[:2]] == MOST_NAMED:
            self._hidden[folder] += 1
            return False
        self._alike[alike] += 1
        self._named[alike[:2]] += 1
        return True

    def rest(self, command: str) -> list[str]:
        """Return a sentence for each folder with unnamed files; `command` lists them."""
        return [
            f"{count} more {'file' if count == 1 else 'files'} in {folder or 'the game folder'}"
            f"{folder and '/'} {'does' if count == 1 else 'do'} not count either; {command} lists "
            "them all"
            for folder, count in self._hidden.items()
        ]


# ---- What an audit found

_GRADES = ("broken", "ask", "stray", "foreign")
"""The worst first."""


def few_of(report: Report) -> tuple[list[Finding], list[str]]:
    """Return the findings to show, worst first, and sentences on the others.

    Only findings about files that anybody could have put there are left out: there may be thousands
    that are alike.
    """
    few = FewOfMany()
    found = [
        one
        for one in sorted(report.findings, key=lambda f: (_GRADES.index(f.grade), f.path))
        if one.grade != "foreign" or one.culprit or few.shows(one.path, one.reason, one.sentence)
    ]
    return found, few.rest("pbem audit --json")


def print_report(report: Report) -> None:
    """Print the verdict; the findings, worst first; then what the audit proves, and what nobody can
    know."""
    print(clean(headline(report)))
    found, rest = few_of(report)
    if report.findings:
        print()
    for finding in found:
        print(finding_text(finding))
        if cure := next_step_for(report, finding):
            print(f"  next: {clean(cure)}")
    for line in rest:
        print(f"foreign: {line}")
    if report.findings:
        print()
    for sentence in statement(report):
        print(clean(sentence))
    if report.broken:
        reasons = dict.fromkeys(finding.reason for finding in report.broken)
        print(f"What that means: pbem explain {', pbem explain '.join(reasons)}")
    elif report.heads and report.told != report.turns:
        print(
            "If you did not play, ask a player whether they have the same words for turn "
            f"{report.turns}:"
        )
        print(f"  {' '.join(report.words)}")


def finding_text(finding: Finding) -> str:
    """Return a finding on one line."""
    who = f", by {finding.culprit}" if finding.culprit else ""
    proof = ": proof" if finding.proof else ""
    said = clean(finding.sentence)
    known = f"{finding.turn:04}" in finding.path or f"turn {finding.turn} " in said
    turn = f" (turn {finding.turn})" if finding.turn and not known else ""
    return f"{finding.grade}{proof}: {clean(finding.path)}: {said}{turn}{who}"
