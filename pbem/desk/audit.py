"""The report of an audit as text."""

from __future__ import annotations

from pbem.game.audit import Finding, Report, next_step_for
from pbem.screen.errors import FewOfMany
from pbem.screen.terminal import clean

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
    """Print the findings, worst first; then what the audit proves, and what nobody can know."""
    found, rest = few_of(report)
    for finding in found:
        print(finding_text(finding))
        if cure := next_step_for(finding, report):
            print(f"  next: {clean(cure)}")
    for line in rest:
        print(f"foreign: {line}")
    if report.findings:
        print()
    for sentence in report.statement():
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
