"""The findings of an audit that a report shows: which of many bad files to name, and the lines."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from pbem.judge.audit_report import Finding, Report
from pbem.terminal.clean_text import clean
from pbem.wording.audit_certificate import (
    headline,
    next_step_for,
    sentence_of_finding,
    statement,
)

# ---- Which of many bad files to name

MAX_ALIKE: Final = 3
"""The number of files in one folder to name for which the same is said."""
MAX_NAMED_FOR_REASON: Final = 12
"""The number of files in one folder to name for one reason."""
_UNNAMED_FILE: Final = (
    "1 more file in {folder} is not part of the game; to list all such files: {command}"
)
_UNNAMED_FILES: Final = (
    "{count} more files in {folder} are not part of the game; to list all such files: {command}"
)


class FileChoice:
    """A choice of which files to name: ask `shows` about each file, then `describe_others`.

    Somebody can fill a game's folder with junk; a line for each file would bury what matters.
    """

    def __init__(self) -> None:
        self._alike_counts = Counter[tuple[str, str, str]]()
        self._named_counts = Counter[tuple[str, str]]()
        self._hidden_counts = Counter[str]()

    def shows(self, path: str, reason: str, sentence: str) -> bool:
        """Return whether to name this file, and count it otherwise."""
        folder = path.rpartition("/")[0]
        alike = (folder, reason, re.sub(r"[0-9a-f]*\d[0-9a-f]*", "0", sentence))
        if (
            self._alike_counts[alike] == MAX_ALIKE
            or self._named_counts[alike[:2]] == MAX_NAMED_FOR_REASON
        ):
            self._hidden_counts[folder] += 1
            return False
        self._alike_counts[alike] += 1
        self._named_counts[alike[:2]] += 1
        return True

    def describe_others(self, command: str) -> list[str]:
        """Return a sentence for each folder with unnamed files; `command` lists them."""
        return [
            (_UNNAMED_FILE if count == 1 else _UNNAMED_FILES).format(
                count=count, folder=f"{folder}/" if folder else "the game folder", command=command
            )
            for folder, count in self._hidden_counts.items()
        ]


# ---- What an audit found

_GRADES: Final = ("broken", "ask", "stray", "foreign")
"""The worst grade first."""


def choose_findings(report: Report) -> tuple[list[Finding], list[str]]:
    """Return the findings to show, worst first, and sentences on the others.

    Only findings about files that anybody could have put there are left out: there may be thousands
    that are alike.
    """
    choice = FileChoice()
    shown_findings = [
        finding
        for finding in sorted(report.findings, key=lambda f: (_GRADES.index(f.grade), f.path))
        if finding.grade != "foreign"
        or finding.culprit
        or choice.shows(finding.path, finding.reason, sentence_of_finding(finding))
    ]
    return shown_findings, choice.describe_others("pbem audit --json")


def print_report(report: Report) -> None:
    """Print the verdict, the findings, worst first, and the certificate."""
    print(clean(headline(report)))
    shown_findings, other_sentences = choose_findings(report)
    if report.findings:
        print()
    for finding in shown_findings:
        print(finding_line(finding))
        if cure := next_step_for(report, finding):
            print(f"  next: {clean(cure)}")
    for sentence in other_sentences:
        print(f"foreign: {sentence}")
    if report.findings:
        print()
    for sentence in statement(report):
        print(clean(sentence))
    if report.broken:
        reasons = dict.fromkeys(finding.reason for finding in report.broken)
        print(f"What these findings mean: pbem explain {', pbem explain '.join(reasons)}")
    elif report.heads and report.told != report.turns:
        print(
            "If you did not play, ask a player whether they have the same words for turn "
            f"{report.turns}:"
        )
        print(f"  {' '.join(report.words)}")


def finding_line(finding: Finding) -> str:
    """Return a finding on one line."""
    sentence = clean(sentence_of_finding(finding))
    names_turn = f"{finding.turn:04}" in finding.path
    return "".join(
        (
            f"{finding.grade}{': proof' if finding.proof else ''}: ",
            f"{clean(finding.path)}: {sentence}",
            f" (turn {finding.turn})" if finding.turn and not names_turn else "",
            f", by {finding.culprit}" if finding.culprit else "",
        )
    )
