"""The report of an audit, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.style import clean

if TYPE_CHECKING:
    from pbem.play.report import Finding, Report


def print_report(report: Report) -> None:
    """Findings first, the worst of them on top; then what is certain, and what nobody can know."""
    for finding in sorted(report.findings, key=lambda f: (f.grade != "broken", f.path)):
        print(_finding(finding))
    if report.findings:
        print()
    for sentence in report.statement():
        print(clean(sentence))
    if report.heads and not report.broken:
        print(f"Were you not there? Ask a player for the words of turn {report.turns}:")
        print(f"  {' '.join(report.words)}")


def _finding(finding: Finding) -> str:
    who = f", by {finding.culprit}" if finding.culprit else ""
    proof = ": proof" if finding.proof else ""
    return f"{finding.grade}{proof}: {clean(finding.path)}: {clean(finding.sentence)}{who}"
