"""The page with the audit of a game, for which nobody needs a key."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pbem.errors import CliError
from pbem.format.record_error import RecordError
from pbem.judge.audit import audit
from pbem.judge.audit_report import Report
from pbem.records.twelve_words import parse_words
from pbem.web.game_page_head import head_values
from pbem.web.open_games import game_of
from pbem.web.rendering import in_tab, page
from pbem.wording.audit_findings import choose_findings, finding_line
from pbem.wording.certificate import headline, next_step_for, statement


async def show_audit(request: Request) -> Response:
    """Audit the whole game, each file read again, and show the report.

    A browser tab, which has no network while it answers, reads the files that it keeps.
    """
    game = game_of(request)
    words = request.query_params.get("words", "").strip()
    try:
        head = parse_words(words) if words else None
    except RecordError as error:
        raise CliError(error.sentence, "type the twelve words that a player’s page shows") from None
    folder = game.session.home.folder(game.session.place)
    if not in_tab(request):
        folder.bypass_copies()
    report: Report = await run_in_threadpool(audit, folder, head=head)
    shown_findings, hidden_counts = choose_findings(report)
    findings = [
        {
            "grade": finding.grade,
            "text": finding_line(finding),
            "next": next_step_for(report, finding),
            "reason": finding.reason,
        }
        for finding in shown_findings
    ]
    values: dict[str, Any] = {
        "report": report,
        "words": words,
        "findings": findings,
        "rest": hidden_counts,
        "verdict": headline(report),
        "certificate": statement(report),
    }
    return page(request, "audit.html", **values, **head_values(request, game, "audit"))
