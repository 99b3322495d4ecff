"""The page of the audit: the certificate, or every finding; it needs no key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from pbem.cli.failure import CliError
from pbem.table.pages.frame import frame
from pbem.table.render import page
from pbem.table.requests import game_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.play.auditing.report import Finding, Report


async def show(request: Request) -> Response:
    """Audit the whole game, each file read again, and show the report."""
    from pbem.play.auditing.audit import audit

    game = game_of(request)
    words = request.query_params.get("words", "").strip()
    head = _told(words) if words else None
    folder = game.session.home.folder(game.session.place)
    folder.read_anew()
    report: Report = await run_in_threadpool(audit, folder, head=head)
    return page(
        request,
        "audit.html",
        report=report,
        words=words,
        **_values(report),
        **frame(request, game, "audit"),
    )


def _values(report: Report) -> dict[str, Any]:
    from pbem.cli.viewing.audit_report import few_of

    found, rest = few_of(report)
    return {
        "findings": [_finding(report, finding) for finding in found],
        "rest": rest,
        "verdict": report.verdict() if report.heads else "nothing was audited",
        "certificate": report.statement(),
    }


def _finding(report: Report, finding: Finding) -> dict[str, Any]:
    from pbem.cli.viewing.audit_report import finding_text
    from pbem.play.auditing.report import next_step_for

    return {
        "grade": finding.grade,
        "text": finding_text(finding),
        "next": next_step_for(finding, report),
        "reason": finding.reason,
    }


def _told(words: str) -> bytes:
    from pbem.format.errors import RecordError
    from pbem.records.chain import parse_words

    try:
        return parse_words(words)
    except RecordError as error:
        raise CliError(error.sentence, "type the twelve words that a player’s page shows") from None
